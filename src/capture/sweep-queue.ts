import { drain, queueLength, type QueueEntry } from './queue.ts'

/** A sweep that hooks keep feeding must end all the same; what is left waits for the next one. */
const MAX_ROUNDS = 3

/**
 * Sweeps for what is in the queue, and again for what arrived while it ran: a hook that found the store locked counts
 * on it. Entries leave the queue only after the sweep that covers them.
 */
export async function sweepQueue<T>(
  queue: string,
  now: () => number,
  sweep: (entries: readonly QueueEntry[]) => Promise<T>,
): Promise<T[]> {
  const reports: T[] = []
  do {
    const drained = drain(queue, now())
    reports.push(await sweep(drained.entries))
    drained.done()
  } while (reports.length < MAX_ROUNDS && queueLength(queue) > 0)
  return reports
}
