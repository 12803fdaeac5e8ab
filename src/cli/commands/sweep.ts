import { humanBytes, plural } from '../../model/text.ts'
import { sweep as operation } from '../../operations/sweep.ts'
import { flag } from '../option-values.ts'
import { VERBOSE_OPTION, whileReading } from '../indexing.ts'
import { commandOf } from '../operation-command.ts'
import { warnOfFailures } from './analyze.ts'

export const sweep = commandOf({
  operation,
  options: [{ flags: '--quiet', help: 'say nothing unless something fails' }, VERBOSE_OPTION],
  examples: ['recall sweep', 'recall sweep --dry-run', 'recall sweep --json'],
  watch: (context, values) => whileReading(context, flag(values, 'verbose')),
  warn: warnOfFailures,
  print({ terminal }, { discovered, ingested, analyzed, evicted, dataLoss, distilledOver }, values) {
    const dryRun = flag(values, 'dryRun')
    if (distilledOver)
      terminal.note(terminal.yellow(`digests are above distilled_cap_bytes: none is dropped; see \`recall budget\``))
    if (flag(values, 'quiet')) return
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
})

const WHY = {
  backstop: 'its digest is written and its raw text is older than raw_max_age_days',
  budget: 'its digest is written and the store is above raw_soft_cap_bytes',
  overflow: 'NOT analysed: the store was above raw_hard_cap_bytes and nothing else could go',
} as const
