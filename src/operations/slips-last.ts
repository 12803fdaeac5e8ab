import { isSlip, slipsLine, type Seen } from '../insight/slips.ts'
import { limited } from './report.ts'

/** What was seen, up to a limit: all of it, or without the slips of agents, which are a line then. */
export interface SlipsLast<T> {
  readonly first: readonly T[]
  readonly total: number
  readonly telling: { readonly first: readonly T[]; readonly total: number }
  /** Null if there are none. */
  readonly slips: string | null
}

export function slipsLast<T extends Seen>(all: readonly T[], limit: number): SlipsLast<T> {
  const telling = all.filter((seen) => !isSlip(seen))
  return {
    first: limited(all, limit),
    total: all.length,
    telling: { first: limited(telling, limit), total: telling.length },
    slips: slipsLine(all),
  }
}
