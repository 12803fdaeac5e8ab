/** Numbers of different lanes lie further apart than this. */
const LANE_GAP = 2 ** 16

/**
 * Events, given in `seq` order, as they happened: lanes are merged by time, and within a lane the order of the log
 * holds even where its clock goes back. An event without a time stays behind the one before it.
 */
export function inTime<E extends { readonly seq: number; readonly at: number | null }>(events: readonly E[]): E[] {
  const timed: { event: E; at: number }[] = []
  let at = -Infinity
  let seq = 0
  let latest = -Infinity
  let ordered = true
  for (const event of events) {
    if (event.seq - seq > LANE_GAP) at = -Infinity
    seq = event.seq
    at = Math.max(at, event.at ?? -Infinity)
    timed.push({ event, at })
    if (at < latest) ordered = false
    latest = Math.max(latest, at)
  }
  if (!ordered) timed.sort((a, b) => (a.at === b.at ? a.event.seq - b.event.seq : a.at - b.at))
  return timed.map((item) => item.event)
}
