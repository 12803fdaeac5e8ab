import path from 'node:path'
import { markOnHook } from '../../capture/announce.ts'
import { endedSessions, queued, queueDir, type QueueEntry } from '../../capture/queue.ts'
import { sweepQueue } from '../../capture/sweep-queue.ts'
import { humanBytes, plural } from '../../model/text.ts'
import { addLoss, type SweepReport } from '../../retention/sweep.ts'
import type { Settings } from '../../settings/settings.ts'
import { JSON_OPTION, type Command } from '../command.ts'
import { flag } from '../given.ts'
import { failuresJson, noteFailures } from './analyze.ts'
import { progressOf } from './index.ts'

export const sweep: Command = {
  name: 'sweep',
  summary: 'read what is new, write digests, keep the store within its budget',
  details:
    'Reads what is new, writes a digest of every session that rests, then evicts the raw text of sessions that have a digest: ' +
    'what is older than the backstop allows, and the oldest while the store is above its soft cap. `--dry-run` only says what would be evicted now. ' +
    'A session larger than the hard cap is read to its end before it goes.',
  args: [],
  options: [
    { flags: '--dry-run', help: 'say what would be evicted, and do nothing' },
    { flags: '--wait', help: 'if another recall is writing, wait for it' },
    { flags: '--quiet', help: 'say nothing unless something fails' },
    { flags: '-v, --verbose', help: 'name each file as it is read' },
    JSON_OPTION,
  ],
  examples: ['recall sweep', 'recall sweep --dry-run', 'recall sweep --json'],
  async run(context, _args, given) {
    const { terminal, recall, settings, now } = context
    const dryRun = flag(given, 'dryRun')
    const { progress, end } = progressOf(terminal, flag(given, 'verbose'))
    const once = (entries: readonly QueueEntry[]) =>
      recall.sweep({ dryRun, wait: flag(given, 'wait'), ended: endedSessions(entries), ...progress })
    const rehearse = async () => [await once(queued(queueDir(settings.dataDir)))]
    const reports = await (dryRun ? rehearse() : sweepWithQueue(settings, now, once)).finally(end)
    const { discovered, ingested, analyzed, evicted, dataLoss, failed, distilledOver } = addReports(reports)
    noteFailures(terminal, failed)
    if (flag(given, 'json')) {
      const evictedJson = evicted.map(({ uid, bytes, reason }) => ({ session_uid: uid, bytes, reason }))
      const loss = dataLoss && { sessions: dataLoss.sessions, bytes: dataLoss.bytes }
      const done = { discovered, ingested, analyzed, evicted: evictedJson, data_loss: loss }
      return terminal.json({ ...done, failed: failuresJson(failed), distilled_over: distilledOver, dry_run: dryRun })
    }
    if (distilledOver)
      terminal.note(terminal.yellow(`digests are above distilled_cap_bytes: none is dropped; see \`recall budget\``))
    if (flag(given, 'quiet')) return
    terminal.line(`discovered  ${plural(discovered, 'transcript')}, ${ingested} new or changed`)
    terminal.line(`${dryRun ? 'to analyze ' : 'analyzed   '} ${plural(analyzed, 'session')}`)
    const bytes = evicted.reduce((sum, entry) => sum + entry.bytes, 0)
    terminal.line(
      `${dryRun ? 'would evict' : 'evicted    '} ${plural(evicted.length, 'session')} (${humanBytes(bytes)})`,
    )
    for (const entry of evicted) terminal.line(`  ${entry.uid}  ${humanBytes(entry.bytes)}  ${WHY[entry.reason]}`)
    if (dataLoss) {
      const lost = `${plural(dataLoss.sessions.length, 'session')} (${humanBytes(dataLoss.bytes)})`
      terminal.note(terminal.red(`data loss: ${lost} went before they could be analysed; raise raw_hard_cap_bytes`))
    }
  },
}

/** Sweeps, and again for what the agents' hooks announced meanwhile. */
function sweepWithQueue(
  settings: Settings,
  now: () => number,
  once: (entries: readonly QueueEntry[]) => Promise<SweepReport>,
): Promise<SweepReport[]> {
  const queue = queueDir(settings.dataDir)
  const lockFile = path.join(path.dirname(settings.storePath), 'recall.lock')
  markOnHook(queue, settings.cadence === 'on-hook' ? lockFile : null)
  return sweepQueue(queue, now, once)
}

function addReports(reports: readonly SweepReport[]): SweepReport {
  const last = reports.at(-1)
  const sum = (pick: (report: SweepReport) => number) => reports.reduce((total, report) => total + pick(report), 0)
  return {
    discovered: last?.discovered ?? 0,
    ingested: sum((report) => report.ingested),
    analyzed: sum((report) => report.analyzed),
    evicted: reports.flatMap((report) => report.evicted),
    dataLoss: reports.map((report) => report.dataLoss).reduce(addLoss, null),
    failed: last?.failed ?? [],
    distilledOver: last?.distilledOver ?? false,
  }
}

const WHY = {
  backstop: 'its digest is written and its raw text is older than raw_max_age_days',
  budget: 'its digest is written and the store is above raw_soft_cap_bytes',
  overflow: 'NOT analysed: the store was above raw_hard_cap_bytes and nothing else could go',
} as const
