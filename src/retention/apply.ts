import type { Eviction } from './plan.ts'
import { planEviction, planOverflow, type Knobs } from './plan.ts'
import type { Keeping } from '../store/keeping.ts'

export interface DataLoss {
  readonly sessions: readonly string[]
  readonly bytes: number
}

export interface Applied {
  readonly evicted: readonly Eviction[]
  readonly analyzed: number
  readonly dataLoss: DataLoss | null
}

export interface RetentionTask {
  readonly keeping: Pick<Keeping, 'holdings' | 'evict'>
  readonly knobs: Knobs
  readonly now: () => number
  /** Analyses everything that has no digest yet, resting or not, but what is only half read. Returns how many. */
  readonly analyzeAll: () => Promise<number>
  /** Whether raw that cannot be analysed may go. Not while the rest of it is still to be read. */
  readonly mayLose: boolean
  /** Told of a loss before it happens: a crash between the two must not hide it. */
  readonly onLoss: (loss: DataLoss) => Promise<void>
}

/**
 * Brings the raw tier within its budget: evicts by plan; where only raw without a digest is left above the hard cap,
 * analyses that first; and only if that does not help, drops the oldest of it.
 */
export async function applyRetention(task: RetentionTask): Promise<Applied> {
  const { keeping, knobs, now } = task
  const evicted: Eviction[] = []
  const evict = async (list: readonly Eviction[]) => {
    await keeping.evict(list, now())
    evicted.push(...list)
  }
  const plan = planEviction(await keeping.holdings(), knobs, now())
  await evict(plan.evict)
  if (plan.overflow === 0) return { evicted, analyzed: 0, dataLoss: null }
  const analyzed = await task.analyzeAll()
  await evict(planEviction(await keeping.holdings(), knobs, now()).evict)
  if (!task.mayLose) return { evicted, analyzed, dataLoss: null }
  const last = planOverflow(await keeping.holdings(), knobs)
  const dataLoss =
    last.evict.length === 0
      ? null
      : { sessions: last.evict.map(({ uid }) => uid), bytes: last.evict.reduce((sum, { bytes }) => sum + bytes, 0) }
  if (dataLoss !== null) await task.onLoss(dataLoss)
  await evict(last.evict)
  return { evicted, analyzed, dataLoss }
}
