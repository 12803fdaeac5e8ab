import { markCadence } from '../capture/announce.ts'
import { endedSessions, queued, queueDir, type QueueEntry } from '../capture/queue.ts'
import { sweepQueue } from '../capture/sweep-queue.ts'
import { addReports, type SweepReport } from '../retention/sweep.ts'
import { failures, failuresDocument } from './analyze.ts'
import { operation } from './operation.ts'
import { choice, count, flag, list, nullable, object, text } from './schema.ts'
import { wait } from './writing.ts'

/** Why the raw text of a session goes. */
export const evictionReason = choice(['backstop', 'budget', 'overflow'])

export const sweep = operation({
  name: 'sweep',
  summary: 'read what is new, write digests, keep the store within its budget',
  details:
    'Reads what is new, writes a digest of every session that rests, then evicts the raw text of sessions that have a digest: ' +
    'what is older than the backstop allows, and the oldest while the store is above its soft cap. `--dry-run` only says what would be evicted now. ' +
    'A session larger than the hard cap is read to its end before it goes.',
  effect: 'destroys',
  input: object({}, { dry_run: flag('say what would be evicted, and do nothing'), wait }),
  output: object({
    discovered: count(),
    ingested: count(),
    analyzed: count(),
    evicted: list(object({ session_uid: text(), bytes: count(), reason: evictionReason })),
    data_loss: nullable(object({ sessions: list(text()), bytes: count() })),
    failed: failures,
    distilled_over: flag(),
    dry_run: flag(),
  }),
  async run({ recall, settings, now, watching }, asked): Promise<SweepReport> {
    const queue = queueDir(settings.dataDir)
    const { dry_run: dryRun = false, wait: isPatient = false } = asked
    const once = (entries: readonly QueueEntry[]) =>
      recall.sweep({ dryRun, wait: isPatient, ended: endedSessions(entries), ...watching })
    if (dryRun) return once(queued(queue))
    markCadence(settings)
    return addReports(await sweepQueue(queue, now, once))
  },
  document: ({ discovered, ingested, analyzed, evicted, dataLoss, failed, distilledOver }: SweepReport, asked) => ({
    discovered,
    ingested,
    analyzed,
    evicted: evicted.map(({ uid, bytes, reason }) => ({ session_uid: uid, bytes, reason })),
    data_loss: dataLoss && { sessions: dataLoss.sessions, bytes: dataLoss.bytes },
    failed: failuresDocument(failed),
    distilled_over: distilledOver,
    dry_run: asked.dry_run === true,
  }),
})
