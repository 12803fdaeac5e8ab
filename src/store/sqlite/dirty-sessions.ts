/** What one append has changed so far; settled once at its end. */
export class DirtySessions {
  readonly created = new Set<string>()
  /** Row ids of sessions whose figures must be computed again. */
  readonly sessions = new Set<number>()
  /** Lane row id → first position whose searchable text changed. */
  readonly lanes = new Map<number, number>()
  /** Lane row id → first position written, to look for records that other lanes hold too. */
  readonly written = new Map<number, number>()
  events = 0
  /** That were not known before. */
  problems = 0

  lane(id: number, fromPos: number): void {
    this.lanes.set(id, Math.min(fromPos, this.lanes.get(id) ?? Number.MAX_SAFE_INTEGER))
  }
}
