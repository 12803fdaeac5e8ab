import { oneLine } from './text.ts'

/** What records say about their session as a whole. */
export interface Facts {
  customTitle: string
  agentTitle: string
  firstPrompt: string
  cwd: string
  gitRepo: string
  /** What stays the same when the repository is moved. */
  repoIdentity: string
  branch: string
  model: string
  version: string
  /** Uid of the session this one was started by or forked from. */
  parent: string
  /** Started by an agent, not by a person: folded away in lists. */
  hidden: boolean
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
])

/** Adds what was told later: it replaces what was told before, except where the first word counts. */
export function addFacts(into: Partial<Facts>, later: Readonly<Partial<Facts>>): Partial<Facts> {
  for (const [name, value] of Object.entries(later)) {
    if (!(FIRST_WINS.has(name) && name in into)) Object.assign(into, { [name]: value })
  }
  return into
}
