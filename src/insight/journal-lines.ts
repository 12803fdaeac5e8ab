import { TIERS, type ClaimLine, type JournalText, type SessionLine, type TaskLine } from './journals.ts'

/** Lines of one journal that say what the format promises, and how many say something else. */
export interface Journal<T> {
  readonly lines: readonly T[]
  readonly unread: number
}

const TASK_KINDS = ['task', 'start', 'stop'] as const

export function sessionLines(text: JournalText): Journal<SessionLine> {
  return narrow(text, (value) => {
    const { kind, id, start_epoch: start, end_epoch: end, duration_s: took, ts } = value
    if (kind !== 'session' || typeof id !== 'string' || !isEpoch(start) || !isEpoch(end)) return null
    return {
      kind,
      id,
      start_epoch: start,
      end_epoch: end,
      duration_s: typeof took === 'number' ? took : end - start,
      ts: typeof ts === 'string' ? ts : '',
    }
  })
}

export function taskLines(text: JournalText): Journal<TaskLine> {
  return narrow(text, (value) => {
    const kind = TASK_KINDS.find((candidate) => candidate === value['kind'])
    const { name, start_epoch: start, end_epoch: end, duration_s: took, exit, metric, source, ts } = value
    const epoch = typeof start === 'number' ? start : typeof ts === 'string' ? Date.parse(ts) / 1000 : NaN
    if (kind === undefined || typeof name !== 'string' || !isEpoch(epoch)) return null
    const counters = metricOf(metric)
    return {
      kind,
      name,
      start_epoch: epoch,
      ...(isEpoch(end) ? { end_epoch: end } : {}),
      ...(typeof took === 'number' ? { duration_s: took } : {}),
      ...(typeof exit === 'number' ? { exit } : {}),
      ...(counters === null ? {} : { metric: counters }),
      ...(typeof source === 'string' ? { source } : {}),
      ts: typeof ts === 'string' ? ts : '',
    }
  })
}

export function claimLines(text: JournalText): Journal<ClaimLine> {
  return narrow(text, (value) => {
    const { kind, value: claimed, pointer, ts, session_id: session } = value
    const tier = TIERS.find((candidate) => candidate === value['evidence_tier'])
    if (kind !== 'claim' || typeof claimed !== 'string' || tier === undefined) return null
    return {
      kind,
      value: claimed,
      evidence_tier: tier,
      pointer: typeof pointer === 'string' ? pointer : '',
      ts: typeof ts === 'string' ? ts : '',
      ...(typeof session === 'string' ? { session_id: session } : {}),
    }
  })
}

/** Seconds that are a time at all. */
function isEpoch(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= 8.64e12
}

function narrow<T>(
  { records, broken }: JournalText,
  read: (value: Readonly<Record<string, unknown>>) => T | null,
): Journal<T> {
  const lines: T[] = []
  let unread = broken
  for (const { value } of records) {
    const line = read(value)
    if (line === null) unread++
    else lines.push(line)
  }
  return { lines, unread }
}

function metricOf(value: unknown): Readonly<Record<string, number>> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const counters = Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number')
  return Object.fromEntries(counters)
}
