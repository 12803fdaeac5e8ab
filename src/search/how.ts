import { basename } from '../distill/shell.ts'
import { projectOf, type SessionFilter, type SessionRecord } from '../model/session.ts'
import type { RanCommand } from '../store/evidence.ts'
import type { Store } from '../store/store.ts'
import { findDocuments } from './candidates.ts'
import { fitOf, readTask, type Fit } from './command-fit.ts'
import { isLookOnly, readCommand, type CommandLine } from './look-only-commands.ts'
import { parseQuery } from './query.ts'
import { otherNames } from './task-words.ts'
import { weighWords, type WeightedWord } from './term-weights.ts'

export interface HowQuestion {
  readonly task: string
  readonly filter: SessionFilter
  readonly now: number
}

/** A command that went through when something like the task was done. */
export interface WorkingCommand {
  /** As it ran last. */
  readonly command: string
  readonly purpose: string | null
  /** How often it went through and how often it did not, with other values of its arguments too. */
  readonly count: number
  readonly failed: number
  readonly lastUsed: number | null
  /** The latest first. */
  readonly projects: readonly string[]
  /** Share of the task, by weight of its words, that the command and the talk around it hold. */
  readonly relevance: number
  readonly lowConfidence: boolean
  /** `uid#seq`, the most fitting first, at most 5. */
  readonly evidence: readonly string[]
}

export interface HowAnswer {
  readonly task: string
  readonly total: number
  readonly commands: readonly WorkingCommand[]
}

const MAX_SESSIONS = 45
/** So many of them for what was run there, not for what was spoken of. */
const MAX_RUNNING = 24
const MAX_DOCUMENTS = 60
const MAX_EVIDENCE = 5
/** What a word of the task counts that stands not in the command but in its exchange, the one before, or elsewhere in the session. */
const IN_EXCHANGE = 0.5
const IN_PREVIOUS = 0.4
const IN_SESSION = 0.1
/** Of more commands than these in one exchange, each has less to do with what was spoken of. */
const FEW_COMMANDS = 6
/** Less is not an answer; less than the second is told only where there is nothing better; less than the third is a guess. */
const RELEVANT = 0.4
const LIKELY = 0.55
const CONFIDENT = 0.65
/** How much what a command says beyond the task, how often it went through and how lately, counts between those that fit as well. */
const CLOSENESS = 0.3
const USES = 0.02
const RECENCY = 0.02
const MAX_DOUBLINGS = 6
const WEEK = 7 * 86_400_000

/** The commands that worked before for a task: the most fitting first, then the most used and the latest. */
export async function findCommands(store: Store, question: HowQuestion): Promise<HowAnswer> {
  const { task, now, filter } = question
  const query = parseQuery(task, now)
  const { limit, ...flags } = filter
  const narrowing = { ...query.filters.session, ...flags }
  const within = Object.keys(narrowing).length === 0 ? null : await store.text.sessionsWithin(narrowing)
  const words = await weighWords(store, [...query.must, ...query.terms])
  if (words.length === 0) return { task, total: 0, commands: [] }
  const spoken = (await findDocuments(store, query, within, false)).ranked.map(({ session }) => session)
  const run = (await sessionsRunning(store, words)).filter((session) => within === null || within.has(session))
  const sessions = [...new Set([...firstOf(run, MAX_RUNNING), ...firstOf(spoken, MAX_SESSIONS)])].slice(0, MAX_SESSIONS)
  const talk = await talkAround(store, words, new Set(sessions))
  const ran = await store.evidence.commands(sessions)
  const lines = new Map([...new Set(ran.map(({ command }) => command))].map((text) => [text, readCommand(text)]))
  const asked = readTask(task, words, [...lines.values()])
  const crowds = new Map<string, number>()
  for (const one of ran) crowds.set(placeOf(one), (crowds.get(placeOf(one)) ?? 0) + 1)
  const groups = new Map<string, Use[]>()
  for (const one of ran) {
    const line = lines.get(one.command)
    if (line === undefined || isLookOnly(line, task)) continue
    const share = Math.min(1, FEW_COMMANDS / (crowds.get(placeOf(one)) ?? 1))
    const use = { ...one, ...fitOf(asked, line, one.purpose, talkOf(one, talk, share)) }
    const key = shapeOf(line)
    const uses = groups.get(key)
    if (uses) uses.push(use)
    else groups.set(key, [use])
  }
  const weighed = [...groups.values()].flatMap((uses) => weigh(uses, now) ?? [])
  const isSure = weighed.some(({ relevance }) => relevance >= CONFIDENT)
  const found = weighed.filter(({ relevance }) => relevance >= (isSure ? LIKELY : RELEVANT))
  found.sort((a, b) => b.score - a.score || (b.latest.at ?? 0) - (a.latest.at ?? 0) || a.latest.seq - b.latest.seq)
  const commands: WorkingCommand[] = []
  for (const group of limit === 0 ? found : found.slice(0, limit)) commands.push(await describe(store, group))
  return { task, total: found.length, commands }
}

interface Use extends RanCommand, Fit {}

function firstOf(sessions: readonly number[], most: number): number[] {
  return [...new Set(sessions)].slice(0, most)
}

/** Sessions that ran commands with the words of the task, under any name: first the latest with all of them. */
async function sessionsRunning(store: Store, words: readonly WeightedWord[]): Promise<number[]> {
  const named = words.map(({ term }) => {
    const names = otherNames(term.text).map((name) => `"${name}"`)
    return names.length === 0 ? term.match : `(${[term.match, ...names].join(' OR ')})`
  })
  const all = await store.text.lastWith(`command : (${named.join(' AND ')})`, MAX_DOCUMENTS)
  const some = await store.text.best(`command : (${named.join(' OR ')})`, MAX_DOCUMENTS)
  return [...all, ...some].map((doc) => store.text.sessionOf(doc))
}

/** For each word, the places where it is spoken of: exchanges as `session lane exchange`, and whole sessions. */
interface Talk {
  readonly exchanges: readonly ReadonlySet<string>[]
  readonly sessions: readonly ReadonlySet<number>[]
}

async function talkAround(store: Store, words: readonly WeightedWord[], chosen: ReadonlySet<number>): Promise<Talk> {
  const places = new Map<number, string | null>()
  const exchanges: Set<string>[] = []
  const sessions: Set<number>[] = []
  for (const { docs } of words) {
    const inExchanges = new Set<string>()
    const inSessions = new Set<number>()
    for (const doc of docs.keys()) {
      const session = store.text.sessionOf(doc)
      if (!chosen.has(session)) continue
      inSessions.add(session)
      if (!places.has(doc)) {
        const place = await store.text.place(doc)
        places.set(doc, place === null ? null : placeKey(session, place.lane, place.exchange))
      }
      const key = places.get(doc)
      if (key != null) inExchanges.add(key)
    }
    exchanges.push(inExchanges)
    sessions.push(inSessions)
  }
  return { exchanges, sessions }
}

function placeKey(session: number, lane: string, exchange: number): string {
  return `${session} ${exchange} ${lane}`
}

function placeOf({ session, lane, exchange }: RanCommand): string {
  return placeKey(session, lane, exchange)
}

/** How much the i-th word of the task counts for being spoken of where a command ran. */
function talkOf(ran: RanCommand, talk: Talk, share: number): (i: number) => number {
  const here = placeOf(ran)
  const before = placeKey(ran.session, ran.lane, ran.exchange - 1)
  return (i) => {
    if (talk.exchanges[i]?.has(here)) return share * IN_EXCHANGE
    if (talk.exchanges[i]?.has(before)) return share * IN_PREVIOUS
    return talk.sessions[i]?.has(ran.session) ? share * IN_SESSION : 0
  }
}

interface Group {
  /** Uses that went through for the task: the most fitting first. */
  readonly worked: readonly Use[]
  readonly latest: Use
  readonly failed: number
  readonly relevance: number
  readonly score: number
}

function weigh(uses: readonly Use[], now: number): Group | null {
  const worked = uses
    .filter(({ ok, relevance }) => ok === true && relevance >= RELEVANT)
    .sort((a, b) => b.relevance - a.relevance || b.closeness - a.closeness || (b.at ?? 0) - (a.at ?? 0))
  const [best] = worked
  if (best === undefined) return null
  const latest = worked.reduce((a, b) => ((b.at ?? 0) > (a.at ?? 0) ? b : a))
  const age = latest.at === null ? Infinity : Math.max(0, now - latest.at) / WEEK
  const often = 1 + USES * Math.min(MAX_DOUBLINGS, Math.log2(worked.length))
  const score = best.relevance * (1 + CLOSENESS * best.closeness) * often * (1 + RECENCY / (1 + age))
  const failed = uses.filter(({ ok }) => ok === false).length
  return { worked, latest, failed, relevance: best.relevance, score }
}

async function describe(store: Store, { worked, latest, failed, relevance }: Group): Promise<WorkingCommand> {
  const records = new Map<number, SessionRecord | null>()
  for (const { session } of worked) if (!records.has(session)) records.set(session, await store.session(session))
  const byTime = worked.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0))
  const shown = byTime.find((use) => use.relevance >= relevance - 0.05) ?? latest
  const projectsOf = byTime.flatMap(({ session }) => {
    const record = records.get(session)
    return (record && projectOf(record)) ?? []
  })
  return {
    command: shown.command,
    purpose: shown.purpose,
    count: worked.length,
    failed,
    lastUsed: latest.at,
    projects: [...new Set(projectsOf)],
    relevance: Math.round(relevance * 100) / 100,
    lowConfidence: relevance < CONFIDENT,
    evidence: worked.slice(0, MAX_EVIDENCE).map(({ session, seq }) => `${records.get(session)?.uid}#${seq}`),
  }
}

/** A command line without what differs from run to run: quotations, numbers, hashes, paths; without what only looks. */
function shapeOf({ text, acting }: CommandLine): string {
  if (acting.length === 0) return text.trim().replace(/\s+/g, ' ')
  return acting.map(([name = '', ...args]) => [basename(name), ...args.map(shapeOfWord)].join(' ')).join(' ; ')
}

function shapeOfWord(word: string): string {
  if (/\s/.test(word)) return '<text>'
  return word
    .replace(/^((?:-[\w-]+=)?)(?:[~.]{0,2}\/|[\w.@-]+\/)\S*$/, '$1<path>')
    .replace(/\b(?=[a-f]{0,12}\d)[0-9a-f]{7,64}\b/gi, '#')
    .replace(/\d+/g, '#')
}
