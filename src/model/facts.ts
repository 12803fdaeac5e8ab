import { oneLine } from './text.ts'
import type { Tokens } from './usage.ts'

/** What an agent itself says a session has cost so far, responses that no record tells included. */
export interface SessionBill {
  readonly models: readonly (Tokens & { readonly model: string })[]
  /** Where the transcript says so. */
  readonly line: number
}

/** What records say about their session as a whole. */
export interface Facts {
  customTitle: string
  agentTitle: string
  firstPrompt: string
  cwd: string
  gitRepo: string
  /** What stays the same when the repository is moved. */
  repoIdentity: string
  /** Where it began. */
  branch: string
  /** Every branch that its records name, in the order they do. */
  branches: readonly string[]
  model: string
  version: string
  /** Uid of the session this one was started by or forked from. */
  parent: string
  /** Started by an agent, not by a person: folded away in lists. */
  hidden: boolean
  /** Run by a program or a script: nobody sat before it. */
  automated: boolean
  /** Of questions whether a call may happen: its log tells of every one, or it was begun in a mode in which none are asked. Else a log may keep quiet about those answered with yes. */
  questions: 'told' | 'none'
  /** The first so many records of that session's history are this one's, too, though only the other tells them. */
  inherits: { readonly uid: string; readonly records: number }
  /** When the file itself was begun, as its first dated line says: later than its records if those are copies. */
  writtenSince: number
  billed: SessionBill
  /** Times told by the agent itself rather than by records, milliseconds. */
  startedAt: number
  endedAt: number
  /** How many secrets each rule took out of this lane. */
  redactions: Readonly<Record<string, number>>
  /** False if a complete line failed to parse, or while the transcript ends torn. */
  complete: boolean
}

const TITLES: ReadonlySet<string> = new Set<keyof Facts>(['customTitle', 'agentTitle', 'firstPrompt'])
const TITLE_LENGTH = 200

/** As much of a prompt or a name as a title can be made of. Secrets are taken out of it before it is cut to a line: half a secret is none that can be told. */
export function titleText(text: string): string {
  return text.slice(0, 4096)
}

/** A title as it is kept. */
export function titleLine(text: string): string {
  return oneLine(text, TITLE_LENGTH)
}

export function isTitle(name: string): boolean {
  return TITLES.has(name)
}

const FIRST_WINS: ReadonlySet<string> = new Set<keyof Facts>([
  'firstPrompt',
  'cwd',
  'gitRepo',
  'repoIdentity',
  'branch',
  'parent',
  'questions',
])

/** Adds what was told later: it replaces what was told before, except where the first word counts. */
export function addFacts(into: Partial<Facts>, later: Readonly<Partial<Facts>>): Partial<Facts> {
  for (const [name, value] of Object.entries(later)) {
    if (!(FIRST_WINS.has(name) && name in into)) Object.assign(into, { [name]: value })
  }
  return into
}
