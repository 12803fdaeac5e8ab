import { expect, test } from 'vitest'
import type { SessionRecord } from '../../model/session.ts'
import type { Key } from './keys.ts'
import { press, START, type BrowseState, type Deed } from './state.ts'

const AROUND = { sources: ['claude', 'codex'], page: 3 }
const session = (uid: string) => ({ uid, gitRepo: `/code/${uid}`, cwd: null }) as SessionRecord
const rows = ['a', 'b', 'c', 'd', 'e'].map((uid) => ({ session: session(uid), seq: null, snippet: null }))
const full: BrowseState = { ...START, rows, total: 5 }

function after(state: BrowseState, ...keys: (string | Key)[]): { state: BrowseState; deeds: Deed[] } {
  const deeds: Deed[] = []
  for (const key of keys) {
    const step = press(state, typeof key === 'string' ? { text: key } : key, AROUND)
    state = step.state
    deeds.push(step.deed)
  }
  return { state, deeds }
}

const named = (...names: Extract<Key, { name: unknown }>['name'][]): Key[] => names.map((name) => ({ name }))
const query = (state: BrowseState) => state.query.join('')

test('what is typed is edited as anywhere, and looked for', () => {
  const { state, deeds } = after(START, 'herom', ...named('backspace'), 'n', ...named('home'), 'the ')
  expect([query(state), state.cursor]).toEqual(['the heron', 4])
  expect(new Set(deeds)).toEqual(new Set(['find', null]))
  expect(query(after(state, ...named('end', 'clear word')).state)).toBe('the ')
  expect(query(after(state, ...named('clear')).state)).toBe('heron')
  expect(query(after(START, '🦩é', ...named('backspace', 'backspace')).state)).toBe('')
})

test('arrows choose and stay within the list; up from the first row goes back to typing', () => {
  const at = (...names: Parameters<typeof named>) => after(full, ...named(...names)).state
  expect(at('down')).toMatchObject({ selected: 1, focus: 'list' })
  expect(at('page down', 'page down', 'page down')).toMatchObject({ selected: 4 })
  expect(at('down', 'up', 'up')).toMatchObject({ selected: 0, focus: 'query' })
  expect(at('tab', 'end', 'home')).toMatchObject({ selected: 0, focus: 'list' })
  expect(after(START, ...named('down')).state).toMatchObject({ selected: 0, focus: 'query' })
})

test('letters are typed in the query and are commands in the list', () => {
  expect(query(after(full, 'y').state)).toBe('y')
  const listed = after(full, ...named('down')).state
  expect(after(listed, 'y').deeds).toEqual(['copy'])
  expect(after(listed, 'r').deeds).toEqual(['resume'])
  expect(after(listed, 'q').deeds).toEqual(['quit'])
  expect(after(listed, '/', 'q')).toMatchObject({ state: { query: ['q'] }, deeds: [null, 'find'] })
  expect(after(listed, 'x').state).toMatchObject({ query: ['x'], focus: 'query' })
})

test('filters go round, and that of the project is the one of the chosen session', () => {
  const listed = after(full, ...named('down')).state
  const sources = ['s', 's', 's'].map((_, i, all) => after(listed, ...all.slice(0, i + 1)).state.filters.source)
  expect(sources).toEqual(['claude', 'codex', null])
  expect(after(listed, 't', 't').state.filters.since).toBe('7d')
  expect(after(listed, 'o').state.filters.outcome).toBe('success')
  expect(after(listed, 'a').state.filters.automated).toBe(true)
  expect(after(listed, 'p').state.filters.project).toBe('/code/b')
  expect(after(listed, 'p', 'p').state.filters.project).toBeNull()
  expect(after(listed, 'p').deeds).toEqual(['find'])
})

test('escape goes back step by step, Ctrl-C at once; nothing is read or copied where nothing was found', () => {
  expect(after(full, 'x', ...named('down', 'escape', 'escape', 'escape')).deeds.at(-1)).toBe('quit')
  expect(after(full, 'x', ...named('escape'))).toMatchObject({ state: { query: [] }, deeds: ['find', 'find'] })
  expect(after(full, ...named('interrupt')).deeds).toEqual(['interrupt'])
  expect(after(START, ...named('enter', 'copy')).deeds).toEqual([null, null])
  expect(after(full, ...named('enter')).deeds).toEqual(['read'])
})
