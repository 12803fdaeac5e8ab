import { UserError } from '../../model/errors.ts'
import { grouped, plural } from '../../model/text.ts'
import { limited } from '../../operations/report.ts'
import { statsBash } from '../../operations/stats-bash.ts'
import type { OptionValues, Option } from '../command.ts'
import { flag } from '../option-values.ts'
import { noteRest } from '../sessions.ts'
import { commandOfSeveral, optionName, ownOptions } from '../several.ts'
import { printTable } from '../table.ts'
import { apply, suggest } from './suggest.ts'
import { barColumn, keyColumn, reportOf } from './report.ts'

const USUAL = 30

const uses = reportOf({
  operation: statsBash,
  examples: [],
  print({ terminal }, report, _values, { by, limit = USUAL }) {
    if (report.rows.length === 0) return terminal.note('no shell commands found')
    const rows = limited(report.rows, limit)
    printTable(terminal, rows, [
      ...keyColumn<(typeof rows)[number]>(terminal, by, rows),
      { title: 'command', value: ({ base, sub }) => [base ?? '(no name)', sub ?? ''].join(' ').trim(), flexible: true },
      { title: 'calls', value: (row) => grouped(row.count), right: true },
      { title: 'failed', value: (row) => grouped(row.errors), right: true, spare: true },
      { title: 'compound', value: (row) => grouped(row.compound), right: true, spare: true },
      { title: 'inside others', value: (row) => grouped(row.inner), right: true, spare: true },
      ...barColumn(terminal, rows, (row) => row.count + row.inner),
    ])
    noteRest(terminal, rows.length, report.rows.length, 'row')
    if (report.unparsed > 0)
      terminal.note(terminal.dim(`${plural(report.unparsed, 'call')} could not be parsed: nothing is guessed of them`))
  },
})

export const bash = commandOfSeveral({
  name: 'bash',
  summary: 'shell commands; with `--suggest`, which of them need no asking',
  args: [],
  options: [
    { flags: '--suggest', help: 'bash: rules that let harmless commands run without asking' },
    { flags: '--apply', help: "--suggest: merge the rules into the agent's settings" },
  ],
  examples: [
    'recall stats bash --since 30d',
    'recall stats bash --suggest',
    'recall stats bash --suggest --apply --dry-run',
  ],
  parts: [{ command: uses }, { command: suggest, label: '--suggest' }, { command: apply, label: '--apply' }],
  choose(_words, values) {
    refuseUnused(values)
    return [flag(values, 'apply') ? apply : flag(values, 'suggest') ? suggest : uses]
  },
})

/** An option that does nothing here would be passed over in silence. */
function refuseUnused(values: OptionValues): void {
  const isApply = flag(values, 'apply')
  const isSuggest = flag(values, 'suggest') || isApply
  const refuse = (options: readonly Option[], needs: string) => {
    const unused = options.find((option) => values[optionName(option)] !== undefined)
    if (unused === undefined) return
    throw new UserError(
      'USAGE',
      `${unused.flags.split(' ')[0]} goes with ${needs}`,
      `recall stats bash ${needs} ${unused.flags}`,
    )
  }
  if (!isSuggest) refuse(ownOptions(suggest, uses), '--suggest')
  if (!isApply) refuse(ownOptions(apply, suggest), '--suggest --apply')
  if (isSuggest && values['by'] !== undefined)
    throw new UserError('USAGE', 'rules are not summed by anything: --suggest takes no --by', 'leave out one of them')
}
