import { isSlip, slipsLine, type Seen } from '../insight/agent-slips.ts'
import { limited } from './report.ts'

/** What was seen, up to a limit: all of it, or without the slips of agents, which are a line then. */
export interface SlipsLast<T> {
  readonly first: readonly T[]
  readonly total: number
  readonly actionable: { readonly first: readonly T[]; readonly total: number }
  /** Null if there are none. */
  readonly slips: string | null
}

export function slipsLast<T extends Seen>(all: readonly T[], limit: number): SlipsLast<T> {
  const actionable = all.filter((seen) => !isSlip(seen))
  return {
    first: limited(all, limit),
    total: all.length,
    actionable: { first: limited(actionable, limit), total: actionable.length },
    slips: slipsLine(all),
  }
}
