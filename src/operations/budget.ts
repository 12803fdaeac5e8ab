import { isoTime } from '../model/time.ts'
import type { Budget } from '../retention/budget.ts'
import type { Upcoming } from '../retention/plan.ts'
import { operation } from './operation.ts'
import { limited } from './report.ts'
import { called, count, flag, instant, list, nullable, number, object, text } from './schema.ts'
import { evictionReason } from './sweep.ts'

const USUAL = 10

export type Titled = Upcoming & { readonly title: string | null }

export interface TitledBudget extends Budget {
  readonly next: readonly Titled[]
}

export const budget = operation({
  name: 'budget',
  summary: 'what the tiers take of what they may, and what would go next',
  effect: 'reads',
  isSlow: true,
  input: object({}, { limit: called('n', count(`how many of what would go next (${USUAL}; 0 = all)`)) }),
  output: object({
    tier1: object({ bytes: count(), soft: number(), hard: number() }),
    tier2: object({ bytes: count(), cap: number(), flagged: flag() }),
    next: list(
      object({ session_uid: text(), title: nullable(text()), bytes: count(), reason: evictionReason, due: flag() }),
    ),
    full_at: instant,
  }),
  async run({ recall }, { limit = USUAL }): Promise<TitledBudget> {
    const state = await recall.budget()
    const next: Titled[] = []
    for (const one of limited(state.next, limit)) next.push({ ...one, title: (await recall.find(one.uid)).title })
    return { ...state, next }
  },
  document: ({ tier1, tier2, next, fullAt }: TitledBudget) => ({
    tier1,
    tier2,
    next: next.map(({ uid, title, bytes, reason, due }) => ({ session_uid: uid, title, bytes, reason, due })),
    full_at: isoTime(fullAt),
  }),
})
