const DAY_MS = 86_400_000

/** The raw of one session in tier 1. A session whose raw is gone is no holding. */
export interface Holding {
  readonly uid: string
  readonly bytes: number
  /** When its digest was written; null while there is none that covers the raw. */
  readonly analyzedAt: number | null
  /** When raw was last added to it. */
  readonly ingestedAt: number
  readonly endedAt: number | null
  readonly pinned: boolean
}

export interface Knobs {
  readonly rawSoftCapBytes: number
  readonly rawHardCapBytes: number
  readonly rawMaxAgeDays: number
  readonly distilledCapBytes: number
}

export type EvictionReason = 'backstop' | 'budget' | 'overflow'

export interface Eviction {
  readonly uid: string
  readonly bytes: number
  readonly reason: EvictionReason
}

export interface EvictionPlan {
  /** In the order in which they go. */
  readonly evict: readonly Eviction[]
  readonly usageBefore: number
  readonly usageAfter: number
  /** Over the hard cap with nothing analysed left: what to analyse now, oldest first, before planning again. */
  readonly analyzeFirst: readonly string[]
  /** Bytes above the hard cap that would stay. */
  readonly overflow: number
}

/**
 * What a sweep drops, and why: first what is analysed and older than the backstop allows, then, while usage is above
 * the soft cap, the oldest analysed. Pinned sessions are spared by the backstop and go last in the budget pass.
 * Never names a session without a digest.
 */
export function planEviction(holdings: readonly Holding[], knobs: Knobs, now: number): EvictionPlan {
  const usageBefore = sumBytes(holdings)
  const analyzed = holdings.filter(isAnalyzed)
  const expired = analyzed.filter((holding) => !holding.pinned && isExpired(holding, knobs, now)).sort(byAge)
  const evict: Eviction[] = expired.map((holding) => eviction(holding, 'backstop'))
  const gone = new Set(expired.map((holding) => holding.uid))
  const rest = analyzed.filter((holding) => !gone.has(holding.uid)).sort(byBudget)
  let usage = usageBefore - sumBytes(expired)
  for (const holding of rest) {
    if (usage <= softCap(knobs)) break
    evict.push(eviction(holding, 'budget'))
    usage -= holding.bytes
  }
  const overflow = Math.max(0, usage - knobs.rawHardCapBytes)
  const waiting = overflow > 0 ? holdings.filter((holding) => !isAnalyzed(holding)).sort(byAge) : []
  return { evict, usageBefore, usageAfter: usage, analyzeFirst: waiting.map((holding) => holding.uid), overflow }
}

/** The same holdings as they will be when these sessions have been analysed. */
export function asIfAnalyzed(holdings: readonly Holding[], uids: ReadonlySet<string>, now: number): Holding[] {
  return holdings.map((holding) => (uids.has(holding.uid) ? { ...holding, analyzedAt: now } : holding))
}

/**
 * The last resort, and the only plan that loses data: the oldest sessions without a digest, until usage is at the hard
 * cap. For what is left after `planEviction` was applied and `analyzeFirst` was tried.
 */
export function planOverflow(holdings: readonly Holding[], knobs: Knobs): Omit<EvictionPlan, 'analyzeFirst'> {
  const usageBefore = sumBytes(holdings)
  const evict: Eviction[] = []
  let usage = usageBefore
  const waiting = holdings.filter((holding) => !isAnalyzed(holding)).sort(pinnedLast(byEnd))
  for (const holding of waiting) {
    if (usage <= knobs.rawHardCapBytes) break
    evict.push(eviction(holding, 'overflow'))
    usage -= holding.bytes
  }
  return { evict, usageBefore, usageAfter: usage, overflow: Math.max(0, usage - knobs.rawHardCapBytes) }
}

export interface Upcoming extends Eviction {
  /** Goes with the next sweep; the others wait until space is needed. */
  readonly due: boolean
}

/** What would go, in order: first what the next sweep drops, then what follows as the store grows. */
export function planNext(holdings: readonly Holding[], knobs: Knobs, now: number): Upcoming[] {
  const due = planEviction(holdings, knobs, now).evict
  const gone = new Set(due.map((entry) => entry.uid))
  const later = holdings.filter((holding) => isAnalyzed(holding) && !gone.has(holding.uid)).sort(byBudget)
  return [
    ...due.map((entry) => ({ ...entry, due: true })),
    ...later.map((holding) => ({ ...eviction(holding, 'budget'), due: false })),
  ]
}

/** Digests are the product: over their cap they are flagged, never dropped. */
export function isDistilledOver(bytes: number, knobs: Knobs): boolean {
  return bytes > knobs.distilledCapBytes
}

/**
 * Raw bytes a day, over the last `days`. Told by when sessions ended, so that a first index, which takes in years in
 * a minute, does not look like growth.
 */
export function growthPerDay(holdings: readonly Holding[], now: number, days = 30): number {
  const since = now - days * DAY_MS
  const recent = holdings.filter((holding) => (holding.endedAt ?? holding.ingestedAt) > since)
  return sumBytes(recent) / days
}

/** When the soft cap is reached at this growth; null if it never is, `now` if it has been. */
export function fullAt(usage: number, knobs: Knobs, bytesPerDay: number, now: number): number | null {
  const room = softCap(knobs) - usage
  if (room <= 0) return now
  if (!(bytesPerDay > 0)) return null
  const at = now + (room / bytesPerDay) * DAY_MS
  return at <= MAX_TIME ? Math.round(at) : null
}

/** The last time a date can hold. */
const MAX_TIME = 8.64e15

/** The hard cap is absolute: a soft cap above it means nothing. */
function softCap(knobs: Knobs): number {
  return Math.min(knobs.rawSoftCapBytes, knobs.rawHardCapBytes)
}

function isAnalyzed(holding: Holding): boolean {
  return holding.analyzedAt !== null
}

function isExpired(holding: Holding, knobs: Knobs, now: number): boolean {
  return now - holding.ingestedAt > knobs.rawMaxAgeDays * DAY_MS
}

function eviction({ uid, bytes }: Holding, reason: EvictionReason): Eviction {
  return { uid, bytes, reason }
}

function sumBytes(holdings: readonly Holding[]): number {
  return holdings.reduce((sum, holding) => sum + holding.bytes, 0)
}

type Order = (a: Holding, b: Holding) => number

const byEnd: Order = (a, b) =>
  (a.endedAt ?? -Infinity) === (b.endedAt ?? -Infinity)
    ? a.uid < b.uid
      ? -1
      : Number(a.uid > b.uid)
    : (a.endedAt ?? -Infinity) - (b.endedAt ?? -Infinity)

const byAge: Order = (a, b) => a.ingestedAt - b.ingestedAt || byEnd(a, b)

const byBudget: Order = pinnedLast((a, b) => (a.analyzedAt ?? 0) - (b.analyzedAt ?? 0) || byEnd(a, b))

function pinnedLast(order: Order): Order {
  return (a, b) => Number(a.pinned) - Number(b.pinned) || order(a, b)
}
