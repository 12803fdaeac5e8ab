import { digestText } from '../model/digest-text.ts'
import { baseName, type SessionFilter, type SessionRecord } from '../model/session.ts'
import type { Store } from '../store/store.ts'
import { findDocuments } from './candidates.ts'
import { parseQuery, type Query, type Term } from './query.ts'
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
const SOUGHT = 24
/** Words that so large a share of the sessions holds tell nothing. */
const COMMON_SHARE = 0.2
const CONFIDENT = 0.3
const SHOWN_WORDS = 8

async function likeSession(
  store: Store,
  session: SessionRecord,
  filter: SessionFilter,
  now: number,
): Promise<SimilarAnswer> {
  const { limit, ...narrowing } = filter
  const within = Object.keys(narrowing).length === 0 ? null : await store.text.sessionsWithin(narrowing)
  const terms = await tellingTerms(store, session, now)
  if (terms.length === 0) return { total: 0, sessions: [] }
  const query: Query = { text: '', terms, must: [], not: [], filters: { session: {}, exchange: {} } }
  const ranked = await findDocuments(store, query, within)
  const seen = new Set<number>([session.rowId])
  const words = await weighWords(store, terms)
  const found: SimilarSession[] = []
  for (const { session: id, score, sessionCoverage } of ranked) {
    if (seen.has(id)) continue
    seen.add(id)
    const record = await store.session(id)
    if (record === null || record.parentUid === session.uid || session.parentUid === record.uid) continue
    const shared = words
      .filter(({ docs }) => [...docs.keys()].some((doc) => store.text.sessionOf(doc) === id))
      .sort((a, b) => b.weight - a.weight)
    found.push({
      session: record,
      score,
      lowConfidence: sessionCoverage < CONFIDENT,
      shared: shared.slice(0, SHOWN_WORDS).map(({ term }) => term.text),
    })
    if (limit > 0 && found.length === limit) break
  }
  return { total: new Set(ranked.map((entry) => entry.session)).size - 1, sessions: found }
}

/** The words by which a session is best told from others, and that others hold too. */
async function tellingTerms(store: Store, session: SessionRecord, now: number): Promise<Term[]> {
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
  const frequent = [...counts.values()].sort((a, b) => b.count - a.count).slice(0, WEIGHED)
  const weighed = await weighWords(
    store,
    frequent.map(({ term }) => term),
  )
  const { total } = await store.sessions({ limit: 1, hidden: true })
  const scored = weighed.map(({ term, weight, docs }) => {
    const others = new Set([...docs.keys()].map((doc) => store.text.sessionOf(doc)))
    others.delete(session.rowId)
    const isTelling = others.size > 0 && others.size <= Math.max(3, total * COMMON_SHARE)
    const count = counts.get(term.match)?.count ?? 1
    return {
      term,
      score: isTelling ? Math.log(1 + total / others.size) * Math.log(1 + count) * (weight > 0 ? 1 : 0) : 0,
    }
  })
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, SOUGHT)
    .map(({ term }) => term)
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
    ...files.map((text) => ({ text, weight: 1 })),
    ...answers.map(({ text }) => ({ text: (text ?? '').slice(0, 2000), weight: 1 })),
  ]
}
