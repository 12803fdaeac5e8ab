import { errorFingerprint } from '../distill/fingerprint.ts'
import type { Store } from '../store/store.ts'
import {
  compareErrors,
  compareProse,
  namesSomething,
  PROSE,
  readError,
  wordsOfError,
  type ErrorText,
  type Likeness,
  type LineWeights,
} from './error-match.ts'

/** An error that was met in a session, and how it compares with what was asked. */
export interface MetBefore extends Likeness {
  readonly session: number
  /** Null if only the digest is left. */
  readonly seq: number | null
  readonly at: number | null
  /** How often the session met it. */
  readonly count: number
  /** A person pasted it; no call of the session failed so. */
  readonly pasted: boolean
}

/** Where errors and what people paste are found. */
const FIELDS = '{error prompt}'
const MAX_WORDS = 56
const MAX_DOCUMENTS = 80
/** A word that more documents hold is weighed, but nothing is looked for by it. */
const COMMON = 2000
/** Errors with the same fingerprint whose text is read, the latest first. */
const MAX_NOTED = 200
const MAX_MAIN_WORDS = 12
/** What so many documents say is common. */
const MANY = 5

/** Every place where an error like this was met, by what analysis has noted and by the words of the index. */
export async function findErrors(store: Store, asked: ErrorText): Promise<MetBefore[]> {
  const words = await weighErrorWords(store, asked)
  const latest = await withWholeMain(store, asked)
  const lineWeights = {
    weights: new Map(words.map(({ word, weight }) => [word, weight])),
    isCommon: latest.length >= MANY && !namesSomething(asked),
  }
  const found = await notedErrors(store, asked, lineWeights)
  for (const doc of new Set([...withMostWords(words), ...latest])) {
    const place = await store.text.place(doc)
    if (place === null) continue
    for (const { seq, at, text, byPerson } of await store.evidence.troubles(
      place.session,
      place.firstSeq,
      place.lastSeq,
    )) {
      const likeness = byPerson
        ? compareProse(asked, readError(text, PROSE), lineWeights)
        : compareErrors(asked, readError(text), lineWeights)
      if (likeness !== null) found.push({ ...likeness, session: place.session, seq, at, count: 1, pasted: byPerson })
    }
  }
  return found
}

interface WeighedWord {
  readonly word: string
  readonly weight: number
  /** Documents with an error or a prompt that holds it; none if there are too many. */
  readonly docs: ReadonlySet<number>
}

/** The words of an error with how telling each is among all errors: about 1 on average. */
async function weighErrorWords(store: Store, asked: ErrorText): Promise<WeighedWord[]> {
  const all = wordsOfError(asked)
  const inMain = all.slice(0, asked.main.words.size)
  const rest = all.slice(asked.main.words.size).sort((a, b) => b.length - a.length)
  const { documents } = await store.text.size()
  const words: WeighedWord[] = []
  for (const word of [...inMain, ...rest].slice(0, MAX_WORDS)) {
    const { hits, holding, capped } = await store.text.postings(`${FIELDS} : "${word}"`, COMMON)
    words.push({ word, weight: Math.log(2 + documents / (1 + holding)), docs: capped ? new Set() : hits })
  }
  const mean = words.reduce((sum, { weight }) => sum + weight, 0) / Math.max(1, words.length)
  return words.map((one) => ({ ...one, weight: one.weight / mean }))
}

/** The documents that hold most of the words, by weight; of those that hold as much the latest. */
function withMostWords(words: readonly WeighedWord[]): number[] {
  const scores = new Map<number, number>()
  for (const { weight, docs } of words) for (const doc of docs) scores.set(doc, (scores.get(doc) ?? 0) + weight)
  const best = [...scores].sort(([a, x], [b, y]) => y - x || b - a)
  return best.slice(0, MAX_DOCUMENTS).map(([doc]) => doc)
}

/** The latest documents that hold every word of what went wrong. */
async function withWholeMain(store: Store, { main }: ErrorText): Promise<number[]> {
  const words = [...main.words].slice(0, MAX_MAIN_WORDS).map((word) => `"${word}"`)
  return words.length === 0 ? [] : store.text.lastWith(`${FIELDS} : (${words.join(' AND ')})`, MAX_DOCUMENTS)
}

/** What analysis has noted outlives the text. Where the text is still there, all of it is compared. */
async function notedErrors(store: Store, asked: ErrorText, lineWeights: LineWeights): Promise<MetBefore[]> {
  const fingerprints = new Set([asked.main, ...asked.lines].map(({ line }) => errorFingerprint(line)))
  const noted = (await store.evidence.errors([...fingerprints])).sort((a, b) => b.session - a.session)
  const found: MetBefore[] = []
  for (const { session, seqs, summary, count } of noted.slice(0, MAX_NOTED)) {
    const seq = seqs[0] ?? null
    const [event] = seq === null ? [] : await store.evidence.troubles(session, seq, seq)
    const likeness = compareErrors(asked, readError(event?.text ?? summary), lineWeights)
    if (likeness !== null) found.push({ ...likeness, session, seq, at: event?.at ?? null, count, pasted: false })
  }
  return found
}
