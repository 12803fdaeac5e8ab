import { errorFingerprint, errorLine, errorShape } from '../distill/fingerprint.ts'
import { isToolCall } from '../model/event.ts'
import type { SessionFilter, SessionRecord } from '../model/session.ts'
import { oneLine } from '../model/text.ts'
import type { EventRecord, Store } from '../store/store.ts'
import { aftermath, type Aftermath } from './aftermath.ts'
import { parseQuery } from './query.ts'

export interface FixQuestion {
  readonly error: string
  readonly filter: SessionFilter
  readonly now: number
}

/** One session that met the error, and what it did about it. */
export interface Occurrence extends Aftermath {
  readonly session: SessionRecord
  /** Null if only the digest is left. */
  readonly seq: number | null
  readonly at: number | null
  /** The line of the error as it was met. */
  readonly error: string
  /** The very same error, or one that only reads much like it. */
  readonly match: 'same' | 'alike'
  /** How often the session met it. */
  readonly count: number
  /** 0 to 1: that it is the same error, and that what followed is why it went away. */
  readonly confidence: number
}

export interface FixAnswer {
  readonly error: string
  readonly total: number
  readonly occurrences: readonly Occurrence[]
}

const MAX_LINES = 40
const MAX_STORED_LINES = 16
const MAX_DOCUMENTS = 80
const MAX_WEIGHED = 40
const COMMON = 2000
const LOOKED_AT = 1000
/** So many of the closest are followed to their end before the surest are shown. */
const MAX_FOLLOWED = 24
/** Share of the words of two errors that must be the same for them to be alike. */
const ALIKE = 0.55
/** What is only alike is less sure than what is the same. */
const LESS = 0.9
const SHORTEST_SHAPE = 8

interface Met {
  readonly session: number
  readonly seq: number | null
  readonly line: string
  /** Which of the pasted lines it is, by fingerprint; null if it is only alike. */
  readonly same: string | null
  readonly closeness: number
  readonly count: number
}

/** Where an error was met before and what followed until it was gone: the surest first, then the latest. */
export async function findFixes(store: Store, question: FixQuestion): Promise<FixAnswer> {
  const { limit, ...narrowing } = question.filter
  const within = Object.keys(narrowing).length === 0 ? null : await store.text.sessionsWithin(narrowing)
  const asked = shapesOf(question.error)
  const told = await store.evidence.errors([...asked.keys()])
  const noted = told.map(({ session, seqs, summary, count, fingerprint }) => {
    return { session, seq: seqs[0] ?? null, line: summary, same: fingerprint, closeness: 1, count }
  })
  const met = [...noted, ...(await searchErrors(store, question, asked))].filter(
    ({ session }) => within === null || within.has(session),
  )
  const best = closest(met)
  const occurrences: Occurrence[] = []
  for (const found of limit === 0 ? best : best.slice(0, Math.max(MAX_FOLLOWED, limit))) {
    const occurrence = await describe(store, found)
    if (occurrence !== null) occurrences.push(occurrence)
  }
  occurrences.sort(
    (a, b) => b.confidence - a.confidence || (b.at ?? 0) - (a.at ?? 0) || a.session.rowId - b.session.rowId,
  )
  return {
    error: oneLine(errorLine(question.error), 400),
    total: best.length,
    occurrences: limit === 0 ? occurrences : occurrences.slice(0, limit),
  }
}

/** The shapes of what was pasted, by fingerprint: the line that says most first, then every other line that says something. */
function shapesOf(text: string): Map<string, string> {
  const lines = [text, ...text.split('\n', MAX_LINES)].filter((line) => saysSomething(errorShape(line)))
  return new Map(lines.map((line) => [errorFingerprint(line), errorShape(line)]))
}

function saysSomething(shape: string): boolean {
  return shape.replace(/[^\p{L}]/gu, '').length >= SHORTEST_SHAPE
}

/** Of every session the closest. A line that many errors have in common says less than one that few have. */
function closest(met: readonly Met[]): Met[] {
  const holding = new Map<string, Set<number>>()
  for (const { same, session } of met) {
    if (same !== null) holding.set(same, (holding.get(same) ?? new Set()).add(session))
  }
  const fewest = Math.min(...[...holding.values()].map((sessions) => sessions.size))
  const best = new Map<number, Met>()
  for (const found of met) {
    const sharing = found.same === null ? fewest : (holding.get(found.same)?.size ?? fewest)
    const closeness = found.closeness * (holding.size > 1 && found.same !== null ? Math.sqrt(fewest / sharing) : 1)
    const known = best.get(found.session)
    if (closeness >= ALIKE && (known === undefined || closeness > known.closeness))
      best.set(found.session, { ...found, closeness })
  }
  return [...best.values()].sort((a, b) => b.closeness - a.closeness || b.session - a.session)
}

/** Errors that the index finds by their words: of sessions that were not analyzed yet, in other lines, or only alike. */
async function searchErrors(store: Store, question: FixQuestion, asked: ReadonlyMap<string, string>): Promise<Met[]> {
  const { terms } = parseQuery(question.error.slice(0, LOOKED_AT).replace(/["':*-]/g, ' '), question.now)
  const words = terms.filter((term) => term.words.length === 1 && !/^\d+$/.test(term.text))
  if (words.length === 0 || asked.size === 0) return []
  const docs = await store.text.best(`error : (${words.map((term) => term.match).join(' OR ')})`, MAX_DOCUMENTS)
  const weights = await weightsOf(store, asked)
  const found: Met[] = []
  for (const doc of docs) {
    const place = await store.text.place(doc)
    if (place === null) continue
    for (const event of await store.exchange(place.session, place.lane, place.exchange)) {
      const match = event.kind === 'error' ? matchOf(event.text ?? event.summary, asked, weights) : null
      if (match !== null) found.push({ session: place.session, seq: event.seq, count: 1, ...match })
    }
  }
  return found
}

type Match = Pick<Met, 'line' | 'same' | 'closeness'>
type Weights = ReadonlyMap<string, number>

/** The line of a stored error that is one of the pasted ones, or is most like one of them. */
function matchOf(text: string, asked: ReadonlyMap<string, string>, weights: Weights): Match | null {
  let best: Match | null = null
  for (const line of [errorLine(text), ...text.split('\n', MAX_STORED_LINES)]) {
    const shape = errorShape(line)
    if (!saysSomething(shape)) continue
    const same = errorFingerprint(line)
    if (asked.has(same)) return { line, same, closeness: 1 }
    for (const other of asked.values()) {
      const closeness = LESS * alike(shape, other, weights)
      if (closeness >= (best?.closeness ?? ALIKE)) best = { line, same: null, closeness }
    }
  }
  return best
}

/** Share of the words that two shapes have in common, of all that they have, by how telling each is. */
function alike(shape: string, asked: string, weights: Weights): number {
  const [first, second] = [wordsOf(shape), wordsOf(asked)]
  let both = 0
  let all = 0
  for (const word of new Set([...first, ...second])) {
    const weight = weights.get(word) ?? 1
    all += weight
    if (first.has(word) && second.has(word)) both += weight
  }
  return all === 0 ? 0 : both / all
}

function wordsOf(shape: string): Set<string> {
  return new Set(shape.match(/[\p{L}_]{2,}/gu))
}

/** How telling the words of the pasted error are among all errors: about 1 on average, more for those that no error has. */
async function weightsOf(store: Store, asked: ReadonlyMap<string, string>): Promise<Weights> {
  const words = [...new Set([...asked.values()].flatMap((shape) => [...wordsOf(shape)]))].slice(0, MAX_WEIGHED)
  const raw = new Map<string, number>()
  const { documents } = await store.text.size()
  for (const word of words) {
    const { holding } = await store.text.postings(`error : "${word}"`, COMMON)
    raw.set(word, Math.log(2 + documents / (1 + holding)))
  }
  const mean = [...raw.values()].reduce((sum, weight) => sum + weight, 0) / Math.max(1, raw.size)
  return new Map([...raw].map(([word, weight]) => [word, weight / mean]))
}

const SURE_OF: Readonly<Record<Aftermath['resolution'], number>> = {
  succeeded: 1,
  similar_succeeded: 0.9,
  not_seen_again: 0.7,
  unknown: 0.5,
  unsolved: 0.4,
}

async function describe(store: Store, met: Met): Promise<Occurrence | null> {
  const session = await store.session(met.session)
  if (session === null) return null
  const evicted = session.evictedAt !== null
  const after =
    evicted || met.seq === null ? await remembered(store, session) : await aftermath(store, session, met.seq)
  const error = await errorAt(store, session, evicted ? null : met.seq)
  return {
    ...after,
    session,
    seq: evicted ? null : met.seq,
    at: error?.at ?? session.endedAt,
    error: oneLine(met.line, 400),
    match: met.same === null ? 'alike' : 'same',
    count: met.count,
    confidence: Math.round(met.closeness * SURE_OF[after.resolution] * 100) / 100,
  }
}

async function errorAt(store: Store, session: SessionRecord, seq: number | null): Promise<EventRecord | null> {
  if (seq === null) return null
  const [event] = await store.events(session.rowId, { sidechains: true, fromSeq: seq, toSeq: seq })
  return event !== undefined && !isToolCall(event.kind) ? event : null
}

/** The steps are gone with the raw text; the digest still has the last word. */
async function remembered(store: Store, session: SessionRecord): Promise<Aftermath> {
  const digest: unknown = JSON.parse((await store.memory.digest(session.uid)) ?? '{}')
  const last =
    typeof digest === 'object' && digest !== null && 'last_assistant' in digest ? digest.last_assistant : null
  return { resolution: 'unknown', solvedSeq: null, steps: [], explanation: typeof last === 'string' ? last : null }
}
