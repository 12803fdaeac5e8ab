import { doctorRepair } from '../../operations/doctor-repair.ts'
import { doctor as operation, isWell } from '../../operations/doctor.ts'
import type { Finding } from '../../store/store.ts'
import type { Command, Context } from '../command.ts'
import { flag } from '../option-values.ts'
import { commandOf } from '../operation-command.ts'

const shown = {
  watch: ({ terminal, watching }: Context) => ({
    watching: {
      ...watching,
      onCount: (done: number, total: number, what: string) => terminal.progress(done, total, what),
    },
    end: () => terminal.progressDone(),
  }),
  print({ terminal }: Context, findings: readonly Finding[]) {
    for (const finding of findings) {
      terminal.line(`${mark(finding, terminal)} ${finding.message}`)
      terminal.line(terminal.dim(`  ${finding.remedy}`))
    }
    if (isWell(findings)) terminal.line(terminal.green('all is well'))
  },
  exit: (findings: readonly Finding[]) => (isWell(findings) ? 0 : 1),
}

const repairing = commandOf({ ...shown, operation: doctorRepair, examples: [] })

const looking = commandOf({
  ...shown,
  operation,
  options: [{ flags: '--repair', help: doctorRepair.summary }],
  examples: ['recall doctor', 'recall doctor --deep', 'recall doctor --repair', 'recall doctor --secrets'],
  rows: 'findings',
})

export const doctor: Command = {
  ...looking,
  run: (context, args, values) => (flag(values, 'repair') ? repairing : looking).run(context, args, values),
}

function mark(finding: Finding, paint: { red(text: string): string; yellow(text: string): string }): string {
  if (finding.level === 'error') return paint.red('error')
  return finding.level === 'warn' ? paint.yellow('warning') : 'note'
}
