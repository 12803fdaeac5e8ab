import { digestText } from '../model/digest-text.ts'
import { indexable, isSpaceless } from '../model/search-text.ts'
import { baseName, projectOf, type SessionFilter, type SessionRecord } from '../model/session.ts'
import { FLAG, type EventRecord, type Store } from '../store/store.ts'
import type { Term } from './query.ts'
import { search } from './search.ts'
import { STOP_WORDS } from './stop-words.ts'
import { weighWords } from './term-weights.ts'
import { isLight } from './word-forms.ts'

export interface SimilarQuestion {
  /** A session, or words. */
  readonly to: SessionRecord | string
  readonly filter: SessionFilter
  readonly now: number
}

export interface SimilarSession {
  readonly session: SessionRecord
  readonly score: number
  /** What is shared is too little or too common to be sure. */
  readonly lowConfidence: boolean
  /** Words that both hold, the most telling first. */
  readonly shared: readonly string[]
}

export interface SimilarAnswer {
  readonly total: number
  readonly sessions: readonly SimilarSession[]
}

/** Sessions about the same thing, the closest first. */
export async function findSimilar(store: Store, question: SimilarQuestion): Promise<SimilarAnswer> {
  const { to, filter, now } = question
  return typeof to === 'string' ? likeWords(store, to, filter, now) : likeSession(store, to, filter)
}

async function likeWords(store: Store, text: string, filter: SessionFilter, now: number): Promise<SimilarAnswer> {
  const { hits, total } = await search(store, { text, filter, now, bySession: true })
  const sessions = hits.map(({ session, score, confidence, matched }) => {
    const lowConfidence = confidence === 'guess'
    return { session, score, lowConfidence, shared: [...new Set(matched.map(({ term }) => term))] }
  })
  return { total, sessions }
}

/** Where a session says what it is about. */
const SAID = '{title prompt answer file error}'
/** How many different words of a session are weighed, and how many of them it is looked for by. */
const WEIGHED = 80
const SOUGHT = 40
/** Words that so large a share of the sessions holds tell nothing. */
const COMMON_SHARE = 0.4
/** How often a session must say a word for half of its weight; and a session of average length that is compared. */
const OFTEN = 4
const K = 4
/** So much longer than the average a session is, so much more often it must say a word; below this, length says nothing. */
const SHORTEST = 0.15
/** Work in the same project is a little more likely to be about the same. */
const SAME_PROJECT = 1.1
/** Sure is what shares this much, or stands out this much from what every store has: the eighth that is like it. */
const CONFIDENT = 0.25
const LEAST = 0.08
const STANDS_OUT = 1.6
const ORDINARY = 7
const FEWEST_WORDS = 3
const CHANCE = 2
const SHOWN_WORDS = 8

interface SharedWord {
  readonly text: string
  readonly weight: number
  /** How many exchanges of other sessions hold it. */
  readonly held: ReadonlyMap<number, number>
}

async function likeSession(store: Store, session: SessionRecord, filter: SessionFilter): Promise<SimilarAnswer> {
  const { limit, ...narrowing } = filter
  const within = Object.keys(narrowing).length === 0 ? null : await store.text.sessionsWithin(narrowing)
  const words = await sharedWords(store, session)
  const total = words.reduce((sum, { weight }) => sum + weight, 0) || 1
  const lengths = await store.text.relativeLengths([...new Set(words.flatMap(({ held }) => [...held.keys()]))])
  const scores = new Map<number, number>()
  const shared = new Map<number, number>()
  for (const { weight, held } of words) {
    for (const [id, amount] of held) {
      if (within !== null && !within.has(id)) continue
      const k = K * Math.max(SHORTEST, lengths.get(id) ?? 1)
      scores.set(id, (scores.get(id) ?? 0) + (weight / total) * (amount / (amount + k)))
      shared.set(id, (shared.get(id) ?? 0) + 1)
    }
  }
  for (const [id, score] of scores) scores.set(id, score * agreement(shared.get(id) ?? 0))
  const project = projectOf(session)
  for (const { session: id, ...place } of project === null ? [] : await store.evidence.workplaces()) {
    const score = scores.get(id)
    if (score !== undefined && projectOf(place) === project) scores.set(id, score * SAME_PROJECT)
  }
  const ordered = [...scores].sort(([a, x], [b, y]) => y - x || a - b)
  const [, ordinary = 0] = ordered[ORDINARY] ?? []
  const sessions: SimilarSession[] = []
  for (const [id, score] of ordered) {
    if (limit > 0 && sessions.length === limit) break
    const record = await store.session(id)
    if (record === null || record.parentUid === session.uid || session.parentUid === record.uid) continue
    const both = words.filter(({ held }) => held.has(id)).slice(0, SHOWN_WORDS)
    const isSure = score >= CONFIDENT || (score >= LEAST && score >= STANDS_OUT * ordinary)
    const lowConfidence = !isSure || both.length < FEWEST_WORDS
    sessions.push({ session: record, score, lowConfidence, shared: both.map(({ text }) => text) })
  }
  return { total: scores.size, sessions }
}

/** One rare word is shared by chance; several are not. */
function agreement(words: number): number {
  return words / (words + CHANCE)
}

/** The words by which a session is best told from others, and that others hold too; the most telling first. */
async function sharedWords(store: Store, session: SessionRecord): Promise<SharedWord[]> {
  const counts = await countWords(store, session)
  const frequent = [...counts.values()].sort((a, b) => b.count - a.count).slice(0, WEIGHED)
  const weighed = await weighWords(
    store,
    frequent.map(({ term }) => term),
  )
  const { total } = await store.sessions({ limit: 1, hidden: true })
  const words: SharedWord[] = []
  for (const { term, docs } of weighed) {
    const held = new Map<number, number>()
    for (const doc of docs) {
      const id = store.text.sessionOf(doc)
      if (id !== session.rowId) held.set(id, (held.get(id) ?? 0) + 1)
    }
    if (held.size === 0 || held.size > Math.max(3, total * COMMON_SHARE)) continue
    const count = counts.get(term.text)?.count ?? 0
    const weight = (count / (count + OFTEN)) * Math.log(total / held.size)
    words.push({ text: term.text, weight, held })
  }
  return words.sort((a, b) => b.weight - a.weight).slice(0, SOUGHT)
}

/** Every two characters that stand together in scripts without spaces: as near to words as can be had without a dictionary. */
function spacelessPairs(text: string): string[] {
  const chars = [...text]
  const isPair = (i: number) => isSpaceless(chars[i - 1] ?? '') && isSpaceless(chars[i] ?? '')
  return chars.flatMap((char, i) => (i > 0 && isPair(i) ? [`${chars[i - 1]}${char}`] : []))
}

/** What a session says, word by word, with how often; a word that says where it stands says more. */
async function countWords(store: Store, session: SessionRecord) {
  const counts = new Map<string, { term: Term; count: number }>()
  const count = (word: string, weight: number) => {
    const known = counts.get(word)
    if (known !== undefined) known.count += weight
    else {
      const match = `${SAID} : "${indexable(word).trim()}"`
      counts.set(word, { term: { text: word, match, weight: 1, words: [word], forms: [] }, count: weight })
    }
  }
  for (const { text, weight } of await textsOf(store, session)) {
    for (const pair of spacelessPairs(text)) count(pair, weight)
    for (const word of indexable(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? []) {
      if (STOP_WORDS.has(word) || isLight(word) || /^[\d_]+$|^[a-z0-9]{1,2}$|^[0-9a-f]{7,}$|^.{40}/.test(word)) continue
      if (!isSpaceless(word)) count(word, weight)
    }
  }
  return counts
}

/** So much of what is said on each side is read, from the whole session alike. */
const MAX_PROMPTS = 60_000
const MAX_ANSWERS = 120_000
const LONGEST_TEXT = 4000
const MAX_FILES = 20
const MARKUP = /<\/?[a-z_-]{1,40}>/g

/** What a session is about, by how much each part says: title, prompts, files, errors, answers. */
async function textsOf(store: Store, session: SessionRecord): Promise<{ text: string; weight: number }[]> {
  // A title that was cut ends in the middle of a word.
  const title = { text: (session.title ?? '').replace(/\S*…$/, ''), weight: 2 }
  if (session.evictedAt !== null) {
    const { prompt, answer, command, other } = digestText((await store.keeping.digest(session.uid)) ?? '{}', null)
    return [title, ...[prompt, answer, other].map((text) => ({ text, weight: 2 })), { text: command, weight: 1 }]
  }
  const files = (await store.evidence.filesOf(session.rowId)).slice(0, MAX_FILES).map(baseName)
  const events = await store.events(session.rowId, { sidechains: false })
  const prompts = events.filter(({ kind, flags }) => kind === 'user_msg' && (flags & FLAG.human) !== 0)
  const answers = events.filter(({ kind }) => kind === 'assistant_msg' || kind === 'error')
  return [
    title,
    ...spread(prompts, MAX_PROMPTS).map((text) => ({ text, weight: 2 })),
    ...files.map((text) => ({ text, weight: 2 })),
    ...spread(answers, MAX_ANSWERS).map((text) => ({ text, weight: 1 })),
  ]
}

/** The texts of events; if they are too much, of every second, third … one. */
function spread(events: readonly EventRecord[], most: number): string[] {
  const texts = events
    .map(({ text }) => (text ?? '').slice(0, LONGEST_TEXT).replace(MARKUP, ' '))
    .filter((text) => text !== '')
  const step = Math.ceil(texts.reduce((sum, { length }) => sum + length, 0) / most)
  return step <= 1 ? texts : texts.filter((_, i) => i % step === 0)
}
