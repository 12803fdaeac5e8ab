import type { Store } from '../store/store.ts'
import { withChances } from './confidence.ts'
import { compare, type Asked } from './message-score.ts'
import { COVERED, FURTHER, type Ranked } from './rank.ts'

/** A long question is compared with fewer documents: so much work, words times documents, and no less than so many. */
const WORK = 1200
const FEWEST = 20
const MOST = 32
/** What a message that says things in the order they were asked adds: next to nothing for a little, much for all of it. */
const AS_TYPED = 0.5
/** Where sessions are long, what one message says, and in which order, tells more than what its session holds somewhere. */
const SAID = 0.7
const IN_ORDER = 1.25
const HELD = 0.65
/** There a second message of a document that says much of it tells more. */
const SECOND = 0.1
const SHORT_SESSIONS = 15_000
const LONG_SESSIONS = 200_000
/** What a message weighs against a prompt or an answer. */
const FIELD = { prompt: 1, answer: 1, thinking: 0.75, command: 0.9, error: 0.9, path: 1.05 }

/**
 * Looks at the best documents again, each by the one message in it that says most of what was asked, as it was asked: what
 * somebody typed, pasted back, stands in one message, while a long exchange may hold all of its words anywhere.
 */
export async function lookAgain(
  store: Store,
  ranked: readonly Ranked[],
  phrases: ReadonlySet<number>,
  asked: Asked,
): Promise<Ranked[]> {
  const trust = trustIn(await store.text.size())
  const chosen = choose(ranked, phrases, Math.min(MOST, Math.max(FEWEST, Math.floor(WORK / asked.words.length))))
  const looked: Looked[] = []
  for (const entry of chosen) looked.push(await lookAt(store, entry, asked, trust))
  const ordered = furtherLast(withSecondOpinion(looked, trust))
  return [...withChances(ordered), ...ranked.filter((entry) => !chosen.has(entry))]
}

interface Looked {
  readonly entry: Ranked
  /** The plain BM25 of its best message. */
  readonly plain: number
}

/** What the place of a session by plain BM25 counts against its place here: too little to take the first place from a session. */
const OPINION = 0.3

/**
 * Where sessions are long, one that holds more of the words somewhere stands before a short one that says it: so both lists
 * are put together by places, and the scores are dealt anew in that order.
 */
export function withSecondOpinion(looked: readonly Looked[], trust: number): Ranked[] {
  const own = placesOf(looked, ({ entry }) => entry.score)
  const plain = placesOf(looked, (one) => one.plain)
  const points = (session: number) =>
    1 / (own.get(session)?.place ?? 1) + (trust * OPINION) / (plain.get(session)?.place ?? 1)
  const scores = [...own.values()].map(({ most }) => most)
  const dealt = new Map(
    [...own.keys()].toSorted((a, b) => points(b) - points(a)).map((session, i) => [session, scores[i] ?? 0]),
  )
  return looked.map(({ entry }) => {
    const most = own.get(entry.session)?.most ?? 1
    return { ...entry, score: (entry.score * (dealt.get(entry.session) ?? most)) / (most || 1) }
  })
}

/** Each session with its place among all, and the most that any of its documents has; best first. Places begin at 2. */
function placesOf(looked: readonly Looked[], scoreOf: (one: Looked) => number) {
  const most = new Map<number, number>()
  for (const one of looked) most.set(one.entry.session, Math.max(most.get(one.entry.session) ?? 0, scoreOf(one)))
  const sorted = [...most].sort((a, b) => b[1] - a[1] || a[0] - b[0])
  return new Map(sorted.map(([session, score], i) => [session, { place: i + 2, most: score }]))
}

/** How much single messages tell against all that their session holds, from 0 to 1. */
export function trustIn({ sessionBytes }: { readonly sessionBytes: number }): number {
  const long = Math.log(sessionBytes / SHORT_SESSIONS) / Math.log(LONG_SESSIONS / SHORT_SESSIONS)
  return Math.min(1, Math.max(0, long))
}

/** The first by what their sessions and they hold, the first by what they hold themselves, and those that hold a phrase. */
function choose(ranked: readonly Ranked[], phrases: ReadonlySet<number>, count: number): Set<Ranked> {
  const chosen = new Set(ranked.slice(0, count))
  const enough = Float64Array.from(ranked, ({ held }) => held).sort()[Math.max(0, ranked.length - count)] ?? 0
  let room = 2 * count
  for (const entry of ranked) {
    if (entry.held >= enough && chosen.size < room) chosen.add(entry)
    else if (phrases.has(entry.doc) && !chosen.has(entry)) {
      chosen.add(entry)
      room++
    }
  }
  return chosen
}

/** Who asks for a file by its name finds what touched it, not only what spoke of it. */
async function pathsAsMessages(store: Store, doc: number) {
  const paths = await store.text.paths(doc)
  return paths.map(({ seq, path }) => ({ seq, field: 'path' as const, text: path, length: path.length }))
}

/** What is found by the path of a file, and in no message, comes after text. */
const BY_PATH = 0.6

/** `trust` is how much single messages tell, from 0 to 1. */
async function lookAt(store: Store, entry: Ranked, asked: Asked, trust: number): Promise<Looked> {
  let points = 0
  let [first, second, mostPlain] = [0, 0, 0]
  let best = { fit: 0, said: 0, seq: 0 }
  const messages = [
    ...(await store.text.messages(entry.doc)),
    ...(asked.isPath ? await pathsAsMessages(store, entry.doc) : []),
  ]
  for (const { seq, field, ...message } of messages) {
    const { said, inOrder, plain } = compare(message, asked)
    const weight = FIELD[field]
    mostPlain = Math.max(mostPlain, plain)
    points = Math.max(points, weight * (AS_TYPED * inOrder ** 3 + trust * (SAID * said + IN_ORDER * inOrder)))
    if (weight * said > first) [first, second] = [weight * said, first]
    else second = Math.max(second, weight * said)
    const fit = weight * (said + inOrder)
    if (fit > best.fit) best = { fit, said, seq }
  }
  const held = (1 - trust) * COVERED * entry.held ** 2 + trust * HELD * Math.sqrt(entry.held)
  const score = entry.whole + held + points + trust * SECOND * second
  const looked =
    best.fit === 0
      ? { ...entry, score: messages.length === 0 ? score : BY_PATH * score }
      : { ...entry, score, said: best.said, seq: best.seq }
  return { entry: looked, plain: mostPlain }
}

/** Best first, with less for every further document of a session. */
export function furtherLast(entries: readonly Ranked[]): Ranked[] {
  const seen = new Map<number, number>()
  return entries
    .toSorted(byScore)
    .map((entry) => {
      const nth = seen.get(entry.session) ?? 0
      seen.set(entry.session, nth + 1)
      return { ...entry, score: entry.score * FURTHER ** nth }
    })
    .sort(byScore)
}

function byScore(a: Ranked, b: Ranked): number {
  return b.score - a.score || a.session - b.session || a.doc - b.doc
}
