import type { SessionRecord } from '../../model/session.ts'
import { OUTCOMES, TIMES, type Filters } from './filters.ts'
import type { Key } from './keys.ts'

/** One thing to choose: a session, and the event in it that was found. */
export interface Row {
  readonly session: SessionRecord
  readonly seq: number | null
  /** The words that were found, and where in it they stand. */
  readonly snippet: { readonly text: string; readonly highlights: readonly (readonly [number, number])[] } | null
}

export interface BrowseState {
  readonly query: readonly string[]
  /** Before which character of the query the cursor stands. */
  readonly cursor: number
  /** Who gets the letters that are typed. */
  readonly focus: 'query' | 'list'
  readonly filters: Filters
  readonly rows: readonly Row[]
  readonly total: number
  readonly selected: number
  /** How far the preview is scrolled. */
  readonly scrolled: number
  readonly message: string | null
}

/** What is to be done besides showing the new state. */
export type Deed = 'find' | 'read' | 'resume' | 'copy' | 'quit' | 'interrupt' | null

export const START: BrowseState = {
  query: [],
  cursor: 0,
  focus: 'query',
  filters: { source: null, since: null, outcome: null, project: null, automated: false },
  rows: [],
  total: 0,
  selected: 0,
  scrolled: 0,
  message: null,
}

export interface Surroundings {
  /** Names of sources that can be chosen among. */
  readonly sources: readonly string[]
  /** How many rows of the list are seen at once. */
  readonly page: number
}

interface Step {
  readonly state: BrowseState
  readonly deed: Deed
}

/** What a key does. Pure: everything that can be done with keys is decided here. */
export function press(before: BrowseState, key: Key, around: Surroundings): Step {
  const state = { ...before, message: null }
  if ('text' in key) return state.focus === 'query' ? typed(state, key.text) : commanded(state, key.text, around)
  switch (key.name) {
    case 'interrupt':
      return { state, deed: 'interrupt' }
    case 'enter':
      return { state, deed: state.rows.length > 0 ? 'read' : null }
    case 'copy':
      return { state, deed: state.rows.length > 0 ? 'copy' : null }
    case 'up':
      if (state.focus === 'list' && state.selected === 0) return { state: { ...state, focus: 'query' }, deed: null }
      return moved(state, -1)
    case 'down':
      return moved(state, 1)
    case 'page up':
      return moved(state, -around.page)
    case 'page down':
      return moved(state, around.page)
    case 'tab':
      return { state: { ...state, focus: state.focus === 'query' ? 'list' : 'query' }, deed: null }
    case 'escape':
      if (state.focus === 'list') return { state: { ...state, focus: 'query' }, deed: null }
      return state.query.length > 0 ? edited(state, [], 0) : { state, deed: 'quit' }
    default:
      return state.focus === 'list' ? inList(state, key.name) : inQuery(state, key.name)
  }
}

type Editing = 'left' | 'right' | 'home' | 'end' | 'delete' | 'backspace' | 'clear' | 'clear word'

function inList(state: BrowseState, name: Editing): Step {
  switch (name) {
    case 'left':
      return { state: { ...state, scrolled: Math.max(0, state.scrolled - 5) }, deed: null }
    case 'right':
      return { state: { ...state, scrolled: state.scrolled + 5 }, deed: null }
    case 'home':
      return moved(state, -state.selected)
    case 'end':
      return moved(state, state.rows.length)
    default:
      return inQuery({ ...state, focus: 'query' }, name)
  }
}

function inQuery(state: BrowseState, name: Editing): Step {
  const { query, cursor } = state
  const [head, tail] = [query.slice(0, cursor), query.slice(cursor)]
  const at = (place: number): Step => ({
    state: { ...state, cursor: Math.max(0, Math.min(query.length, place)) },
    deed: null,
  })
  switch (name) {
    case 'left':
      return at(cursor - 1)
    case 'right':
      return at(cursor + 1)
    case 'home':
      return at(0)
    case 'end':
      return at(query.length)
    case 'delete':
      return tail.length === 0 ? at(cursor) : edited(state, [...head, ...tail.slice(1)], cursor)
    case 'backspace':
      return head.length === 0 ? at(cursor) : edited(state, [...head.slice(0, -1), ...tail], cursor - 1)
    case 'clear':
      return edited(state, tail, 0)
    case 'clear word': {
      const kept = [...head.join('').replace(/\S*\s*$/u, '')]
      return edited(state, [...kept, ...tail], kept.length)
    }
  }
}

function typed(state: BrowseState, text: string): Step {
  const { query, cursor } = state
  const added = [...text]
  return edited(state, [...query.slice(0, cursor), ...added, ...query.slice(cursor)], cursor + added.length)
}

function edited(state: BrowseState, query: readonly string[], cursor: number): Step {
  return { state: { ...state, query, cursor, selected: 0, scrolled: 0 }, deed: 'find' }
}

/** From now on the list gets the letters. */
function moved(state: BrowseState, by: number): Step {
  const selected = Math.max(0, Math.min(state.rows.length - 1, state.selected + by))
  return {
    state: { ...state, focus: state.rows.length === 0 ? state.focus : 'list', selected, scrolled: 0 },
    deed: null,
  }
}

/** Letters are commands in the list; what is none begins to be typed. */
function commanded(state: BrowseState, text: string, { sources }: Surroundings): Step {
  const { filters } = state
  const narrowed = (more: Partial<Filters>): Step => ({
    state: { ...state, filters: { ...filters, ...more }, selected: 0, scrolled: 0 },
    deed: 'find',
  })
  switch (text) {
    case 'y':
      return { state, deed: state.rows.length > 0 ? 'copy' : null }
    case 'r':
      return { state, deed: state.rows.length > 0 ? 'resume' : null }
    case 'q':
      return { state, deed: 'quit' }
    case '/':
      return { state: { ...state, focus: 'query' }, deed: null }
    case 's':
      return narrowed({ source: following([null, ...sources], filters.source) })
    case 't':
      return narrowed({ since: following(TIMES, filters.since) })
    case 'o':
      return narrowed({ outcome: following(OUTCOMES, filters.outcome) })
    case 'a':
      return narrowed({ automated: !filters.automated })
    case 'p': {
      const session = state.rows[state.selected]?.session
      const project = session?.gitRepo ?? session?.cwd ?? null
      return narrowed({ project: filters.project === null ? project : null })
    }
    default:
      return typed({ ...state, focus: 'query' }, text)
  }
}

function following<T>(values: readonly T[], value: T): T {
  return values[(values.indexOf(value) + 1) % values.length] ?? (values[0] as T)
}
