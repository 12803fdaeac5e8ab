import { digestLines } from '../model/digest-text.ts'
import { isToolCall } from '../model/event.ts'
import { asWritten } from '../model/search-text.ts'
import type { SessionRecord } from '../model/session.ts'
import type { EventRecord, Store } from '../store/store.ts'
import { confidenceOf, type Confidence } from './confidence.ts'
import type { Query } from './query.ts'
import type { Ranked } from './rank.ts'
import { beginsWord, cased, makeSnippet, stemsOf, wordStem, type Snippet } from './snippet.ts'

export interface Hit {
  readonly session: SessionRecord
  readonly exchange: number
  /** Null if only the digest of the session is left. */
  readonly event: EventRecord | null
  readonly score: number
  readonly confidence: Confidence
  readonly matched: readonly { term: string; field: string }[]
  readonly snippet: Snippet
  readonly context: readonly EventRecord[]
}

/** A document to show, with its session if that is known already. */
export interface Candidate extends Ranked {
  readonly record: SessionRecord | null
}

/** What is shown of a document that was found. Null if nothing is left of it. */
export async function describeHit(
  store: Store,
  candidate: Candidate,
  marks: Marks,
  context: number,
): Promise<Hit | null> {
  const session = candidate.record ?? (await store.session(candidate.session))
  if (session === null) return null
  const common = { session, score: candidate.score, confidence: confidenceOf(candidate.chance), context: [] }
  if (session.evictedAt !== null) {
    const text = digestLines((await store.keeping.digest(session.uid)) ?? '{}', session.title)
    const matched = matchedIn(text, marks).map((term) => ({ term, field: 'digest' }))
    return { ...common, exchange: 0, event: null, matched, snippet: makeSnippet(text, marks.stems) }
  }
  const events = await store.text.events(candidate.doc)
  const shown = events.length > 0 ? events : await firstExchange(store, session)
  const best = shown.find(({ seq }) => seq === candidate.seq) ?? bestEvent(shown, marks)
  if (best === null) return null
  const matched = matchesOf(shown, session, marks)
  const path = matched.length > 0 ? null : await pathFound(store, candidate.doc, marks)
  const event = shown.find(({ seq }) => seq === path?.seq) ?? best
  return {
    ...common,
    exchange: event.exchange,
    event,
    matched: path?.matched ?? matched,
    snippet: makeSnippet(path?.path ?? best.text ?? best.summary, marks.stems),
    context: context === 0 ? [] : around(shown, event, context),
  }
}

/** What is found by the name of a file alone says so, and shows it. */
async function pathFound(store: Store, doc: number, marks: Marks) {
  for (const { seq, path } of await store.text.paths(doc)) {
    const matched = matchedIn(path, marks).map((term) => ({ term, field: 'file' }))
    if (matched.length > 0) return { seq, path, matched }
  }
  return null
}

/** A session that is found by its title alone is shown by how it began. */
async function firstExchange(store: Store, session: SessionRecord): Promise<EventRecord[]> {
  const events = await store.events(session.rowId, { sidechains: false })
  const first = events.find((event) => event.exchange > 0) ?? events.find((event) => event.text !== null)
  return first ? events.filter((event) => event.exchange === first.exchange && event.lane === first.lane) : events
}

function around(events: readonly EventRecord[], best: EventRecord, context: number): EventRecord[] {
  const at = events.indexOf(best)
  return events.slice(Math.max(0, at - context), at + context + 1).filter((event) => event !== best)
}

/** What is marked in a text, and by what it is told which terms it holds: made once for all hits. */
export interface Marks {
  readonly stems: readonly string[]
  /** Terms with the stems of their words; of a word in several forms, any will do. */
  readonly terms: readonly { readonly text: string; readonly words: readonly (readonly string[])[] }[]
}

export function marksOf(query: Query): Marks {
  const terms = [...query.must, ...query.terms]
  const words = terms.flatMap((term) => [...term.words, ...term.forms].flatMap(spellings))
  return {
    stems: stemsOf(words),
    terms: terms.map(({ text, words: own, forms }) => {
      const ways = forms.length > 0 ? [[...own, ...forms]] : own.map((word) => [word])
      return { text: asWritten(text), words: ways.map((some) => some.flatMap(spellings).map(wordStem)) }
    }),
  }
}

function spellings(word: string): string[] {
  const written = asWritten(word)
  return written === word ? [word] : [written, word]
}

/** The event of an exchange that says most of what was asked; the earliest of equals. */
function bestEvent(events: readonly EventRecord[], { stems }: Marks): EventRecord | null {
  let best: EventRecord | null = null
  let most = -1
  for (const event of events) {
    if (event.text === null) continue
    const text = event.text.toLowerCase()
    const count = stems.filter((stem) => text.includes(stem)).length
    if (count > most) [best, most] = [event, count]
  }
  return best ?? events[0] ?? null
}

function matchedIn(text: string, { terms }: Pick<Marks, 'terms'>): string[] {
  const both = cased(text)
  const found = terms.filter(({ words }) => words.every((stems) => stems.some((stem) => beginsWord(both, stem))))
  return found.map((term) => term.text)
}

function matchesOf(events: readonly EventRecord[], session: SessionRecord, { terms }: Marks) {
  const matched = new Map<string, { term: string; field: string }>()
  const note = (text: string, field: string) => {
    const left = terms.filter((term) => !matched.has(`${term.text} ${field}`))
    for (const term of matchedIn(text, { terms: left })) matched.set(`${term} ${field}`, { term, field })
  }
  for (const event of events) if (event.text !== null) note(event.text, fieldName(event))
  if (session.title !== null) note(session.title, 'title')
  return [...matched.values()]
}

function fieldName(event: EventRecord): string {
  if (isToolCall(event.kind)) return 'command'
  if (event.kind === 'user_msg') return 'prompt'
  return event.kind === 'assistant_msg' ? 'answer' : event.kind
}
