import { existsSync } from 'node:fs'
import { BRIEF_FLAG } from '../model/brief-flag.ts'
import type { HookOrigin, HookPayload as Payload } from '../sources/kit/hooks.ts'
import type { Env } from '../sources/source.ts'
import { enqueue, queueDir, type QueueEntry } from './queue.ts'

export interface HookCall {
  /** What follows `hook run`: the agent, then perhaps the payload itself. */
  readonly args: readonly string[]
  readonly env: Env
  readonly dataDir: string
  /** What comes on standard input. */
  readonly read: () => Promise<string>
  readonly origins: readonly HookOrigin[]
  readonly now: number
}

const MAX_FIELD = 4096

/** At this event agents take words of a hook. */
export const START = 'SessionStart'
/** Sessions that begin with nothing known; others go on, and know it already. */
const FRESH: ReadonlySet<unknown> = new Set(['startup', 'clear', undefined])

/** Somebody waits for a brief. */
export interface BriefWish {
  readonly directory: string
  readonly session: string | null
}

export interface HookHeard {
  readonly entry: QueueEntry
  readonly wish: BriefWish | null
}

/**
 * Puts one hook's call into the queue. Reads the payload from the arguments or from standard input. Nothing is
 * done if the agent behind it has a hook of its own that tells the same. What comes is what it said and what is to be answered.
 */
export async function runHook(call: HookCall): Promise<HookHeard | null> {
  const [agent = '', ...rest] = call.args.filter((word) => word !== BRIEF_FLAG)
  const payload = parsePayload(rest.at(-1) ?? (await call.read()))
  const origin = call.origins.find(({ isBehind }) => isBehind(payload, call.env))
  if (origin !== undefined && origin.name !== agent && existsSync(origin.own(call.env))) return null
  const entry = entryOf(agent, payload, call)
  enqueue(queueDir(call.dataDir), entry)
  const isWanted = call.args.includes(BRIEF_FLAG) && origin === undefined && entry.event === START
  if (!isWanted || entry.cwd === null || !FRESH.has(payload['source'])) return { entry, wish: null }
  return { entry, wish: { directory: entry.cwd, session: entry.sessionId } }
}

/** Whether an agent is about to make its conversation shorter. Each spells it in its own way. */
export function isCompaction({ event }: QueueEntry): boolean {
  return /^precompact$/i.test((event ?? '').replaceAll(/[^a-z]/gi, ''))
}

/** What a payload says, in whichever agent's spelling. Words of the conversation are never taken over. */
export function entryOf(agent: string, payload: Payload, call: Pick<HookCall, 'env' | 'origins' | 'now'>): QueueEntry {
  const inner = { ...asPayload(payload['params']), ...payload }
  const update = asPayload(inner['update'])
  const name = call.origins.find((origin) => origin.isBehind(payload, call.env))?.name ?? agent
  return {
    agent: /^[a-z][\w-]{0,31}$/.test(name) ? name : 'unknown',
    event:
      first(inner, 'hook_event_name', 'hookEventName') ??
      first(update, 'sessionUpdate') ??
      first(inner, 'method', 'type'),
    sessionId: first(inner, 'session_id', 'sessionId', 'thread-id', 'thread_id', 'threadId'),
    transcriptPath: first(inner, 'transcript_path', 'transcriptPath'),
    cwd: first(inner, 'cwd', 'workspaceRoot'),
    at: call.now,
  }
}

function first(payload: Payload, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = payload[name]
    if (typeof value === 'string' && value !== '' && value.length <= MAX_FIELD) return value
  }
  return null
}

function asPayload(value: unknown): Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : {}
}

/** Nonsense is an empty payload: that a hook was called is worth knowing by itself. */
function parsePayload(text: string): Payload {
  try {
    return asPayload(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
