import { humanBytes, plural } from '../../model/text.ts'
import { index as operation, type Indexed } from '../../operations/index-sessions.ts'
import type { Context } from '../command.ts'
import { flag } from '../option-values.ts'
import { VERBOSE_OPTION, whileReading } from '../indexing.ts'
import { commandOf } from '../operation-command.ts'

export const index = commandOf({
  operation,
  options: [VERBOSE_OPTION],
  examples: ['recall index', 'recall index --source claude-code -v', 'recall index --recreate', 'recall index --embed'],
  watch(context, values) {
    const { terminal } = context
    const { watching, end } = whileReading(context, flag(values, 'verbose'))
    return {
      watching: {
        ...watching,
        onCount: (done, total, what) => terminal.progress(done, total, `${done} of ${plural(total, what)}`),
        // Told before vectors are made: there may be no model to make them.
        onIndexed(report) {
          terminal.progressDone()
          if (!flag(values, 'json')) printReport(context, report)
        },
      },
      end,
    }
  },
  print(context, { embedded }) {
    if (embedded !== null) printEmbedded(context, embedded)
  },
})

function printReport({ terminal }: Context, report: Indexed['report']): void {
  const { sessions, files } = report
  terminal.line(
    `${plural(sessions.new, 'new session')}, ${sessions.updated} updated, ${sessions.unchanged} unchanged ` +
      `(${plural(report.events, 'event')} in ${report.seconds.toFixed(1)} s)`,
  )
  terminal.line(
    `${plural(files.found, 'file')} found: ${files.parsed} read (${humanBytes(report.bytesRead)}), ${files.skipped} unchanged, ${files.failed} failed`,
  )
  if (report.problems > 0) terminal.line(`${plural(report.problems, 'problem')}: \`recall status\` shows them`)
  if (report.backup !== null) terminal.line(`the old store is at ${report.backup}`)
}

function printEmbedded({ terminal }: Context, report: NonNullable<Indexed['embedded']>): void {
  const { model, added, embedded, left, seconds } = report
  const rest = left > 0 ? `, ${left} left` : ''
  terminal.line(`${plural(added, 'new vector')} of ${model} in ${seconds.toFixed(1)} s, ${embedded} in all${rest}`)
}
