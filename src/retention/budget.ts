import { asIfAnalyzed, fullAt, growthPerDay, isDistilledOver, planNext, type Upcoming } from './plan.ts'
import { dueForAnalysis, type Rehearsal } from './sweep.ts'

export interface Budget {
  readonly tier1: { readonly bytes: number; readonly soft: number; readonly hard: number }
  readonly tier2: { readonly bytes: number; readonly cap: number; readonly flagged: boolean }
  readonly next: readonly Upcoming[]
  /** When the soft cap is reached at the present growth; null if never. */
  readonly fullAt: number | null
}

/** What the tiers take of what they may, what would go next, and when. What the next sweep analyses counts as analysed. */
export async function readBudget(rehearsal: Rehearsal): Promise<Budget> {
  const { store, knobs } = rehearsal
  const { keeping } = store
  const now = rehearsal.now()
  const holdings = asIfAnalyzed(await keeping.holdings(), await dueForAnalysis(rehearsal), now)
  const bytes = holdings.reduce((sum, holding) => sum + holding.bytes, 0)
  const distilled = await keeping.distilledBytes()
  return {
    tier1: { bytes, soft: knobs.rawSoftCapBytes, hard: knobs.rawHardCapBytes },
    tier2: { bytes: distilled, cap: knobs.distilledCapBytes, flagged: isDistilledOver(distilled, knobs) },
    next: planNext(holdings, knobs, now),
    fullAt: fullAt(bytes, knobs, growthPerDay(holdings, now), now),
  }
}
