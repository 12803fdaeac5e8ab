import { digestText } from '../model/digest-text.ts'
import { baseName, projectOf, type SessionFilter, type SessionRecord } from '../model/session.ts'
import type { Store } from '../store/store.ts'
import { parseQuery, type Term } from './query.ts'
import { search } from './search.ts'
import { weighWords } from './telling.ts'

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
  return typeof to === 'string' ? likeWords(store, to, filter, now) : likeSession(store, to, filter, now)
}

async function likeWords(store: Store, text: string, filter: SessionFilter, now: number): Promise<SimilarAnswer> {
  const { hits, total } = await search(store, { text, filter, now, bySession: true })
  const sessions = hits.map(({ session, score, lowConfidence, matched }) => {
    return { session, score, lowConfidence, shared: [...new Set(matched.map(({ term }) => term))] }
  })
  return { total, sessions }
}

/** How many different words of a session are weighed, and how many of them it is looked for by. */
const WEIGHED = 80
const SOUGHT = 40
/** Words that so large a share of the sessions holds tell nothing. */
const COMMON_SHARE = 0.4
/** How often a session must say a word for half of its weight; and a session of average length that is compared. */
const OFTEN = 4
const K = 2.4
const LENGTH = 0.5
/** Work in the same project is a little more likely to be about the same. */
const SAME_PROJECT = 1.1
const CONFIDENT = 0.12
const SHOWN_WORDS = 8

interface SharedWord {
  readonly text: string
  readonly weight: number
  /** How many exchanges of other sessions hold it. */
  readonly held: ReadonlyMap<number, number>
}

async function likeSession(store: Store, session: SessionRecord, filter: SessionFilter, now: number) {
  const { limit, ...narrowing } = filter
  const within = Object.keys(narrowing).length === 0 ? null : await store.text.sessionsWithin(narrowing)
  const words = await sharedWords(store, session, now)
  const total = words.reduce((sum, { weight }) => sum + weight, 0) || 1
  const lengths = await store.text.relativeLengths([...new Set(words.flatMap(({ held }) => [...held.keys()]))])
  const scores = new Map<number, number>()
  for (const { weight, held } of words) {
    for (const [id, amount] of held) {
      if (within !== null && !within.has(id)) continue
      const k = K * (1 - LENGTH + LENGTH * (lengths.get(id) ?? 1))
      scores.set(id, (scores.get(id) ?? 0) + (weight / total) * (amount / (amount + k)))
    }
  }
  const project = projectOf(session)
  for (const { session: id, ...place } of project === null ? [] : await store.evidence.workplaces()) {
    const score = scores.get(id)
    if (score !== undefined && projectOf(place) === project) scores.set(id, score * SAME_PROJECT)
  }
  const ordered = [...scores].sort(([a, x], [b, y]) => y - x || a - b)
  const sessions: SimilarSession[] = []
  for (const [id, score] of ordered) {
    if (limit > 0 && sessions.length === limit) break
    const record = await store.session(id)
    if (record === null || record.parentUid === session.uid || session.parentUid === record.uid) continue
    const shared = words.filter(({ held }) => held.has(id)).slice(0, SHOWN_WORDS)
    const lowConfidence = score < CONFIDENT
    sessions.push({ session: record, score, lowConfidence, shared: shared.map(({ text }) => text) })
  }
  return { total: scores.size, sessions }
}

/** The words by which a session is best told from others, and that others hold too; the most telling first. */
async function sharedWords(store: Store, session: SessionRecord, now: number): Promise<SharedWord[]> {
  const counts = await countWords(store, session, now)
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
    const count = counts.get(term.match)?.count ?? 0
    const weight = (count / (count + OFTEN)) * Math.log(total / held.size) ** 1.5
    words.push({ text: term.text, weight, held })
  }
  return words.sort((a, b) => b.weight - a.weight).slice(0, SOUGHT)
}

/** What a session says, word by word, with how often; a word that says where it stands says more. */
async function countWords(store: Store, session: SessionRecord, now: number) {
  const counts = new Map<string, { term: Term; count: number }>()
  for (const { text, weight } of await textsOf(store, session)) {
    for (const piece of pieces(text)) {
      for (const term of parseQuery(piece, now).terms) {
        if (term.words.length !== 1 || /^\d+$|^.{1,2}$|^[0-9a-f]{7,}$/.test(term.text)) continue
        const known = counts.get(term.match)
        if (known === undefined) counts.set(term.match, { term, count: weight })
        else known.count += weight
      }
    }
  }
  return counts
}

/** A query takes only so many words at a time. */
function pieces(text: string): string[] {
  const words = text.replace(/[":*-]/g, ' ').split(/\s+/)
  const parts: string[] = []
  for (let i = 0; i < words.length && parts.length < 40; i += 8) parts.push(words.slice(i, i + 8).join(' '))
  return parts
}

const MAX_PROMPTS = 12
const MAX_FILES = 20
const MAX_ANSWERS = 30

/** What a session is about, by how much each part says: title, prompts, files, errors, answers. */
async function textsOf(store: Store, session: SessionRecord): Promise<{ text: string; weight: number }[]> {
  const title = { text: session.title ?? '', weight: 3 }
  if (session.evictedAt !== null) {
    const { prompt, answer, command, other } = digestText((await store.memory.digest(session.uid)) ?? '{}', null)
    return [title, ...[prompt, answer, other].map((text) => ({ text, weight: 2 })), { text: command, weight: 1 }]
  }
  const files = (await store.evidence.filesOf(session.rowId)).slice(0, MAX_FILES).map(baseName)
  const events = await store.events(session.rowId, { sidechains: false })
  const prompts = events.filter(({ kind, flags }) => kind === 'user_msg' && (flags & 8) !== 0).slice(0, MAX_PROMPTS)
  const answers = events.filter(({ kind }) => kind === 'assistant_msg' || kind === 'error').slice(0, MAX_ANSWERS)
  return [
    title,
    ...prompts.map(({ text }, i) => ({ text: text ?? '', weight: i < 3 ? 3 : 2 })),
    ...files.map((text) => ({ text, weight: 2 })),
    ...answers.map(({ text }) => ({ text: (text ?? '').slice(0, 2000), weight: 1 })),
  ]
}
