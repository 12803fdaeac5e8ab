import { UserError } from '../../model/errors.ts'
import { grouped, plural } from '../../model/text.ts'
import type { Given, Option } from '../command.ts'
import { CONSENT_OPTIONS } from '../consent.ts'
import { flag } from '../given.ts'
import { printTable } from '../table.ts'
import { barColumn, keyColumn, keyJson, keyOf, limited, optionName, reportFilter, type Report } from './report.ts'
import { noteRest } from '../sessions.ts'

const USUAL = 30

const SUGGEST: Option = { flags: '--suggest', help: 'bash: rules that let harmless commands run without asking' }
const OF_SUGGEST: readonly Option[] = [
  { flags: '--for <agent>', help: '--suggest: the agent whose rules to write (the first that has any)' },
  { flags: '--apply', help: "--suggest: merge the rules into the agent's settings" },
]
const OF_APPLY: readonly Option[] = [
  { flags: '--scope <where>', help: '--apply: the settings of the project here, or of the user (project)' },
  { flags: '--include-review', help: '--apply: also rules to review, which run code of the project' },
  ...CONSENT_OPTIONS.map(({ flags, help }) => ({ flags, help: `--apply: ${help}` })),
]

export const bash: Report = {
  name: 'bash',
  summary: 'shell commands; with `--suggest`, which of them need no asking',
  options: [SUGGEST, ...OF_SUGGEST, ...OF_APPLY],
  examples: [
    'recall stats bash --since 30d',
    'recall stats bash --suggest',
    'recall stats bash --suggest --apply --dry-run',
  ],
  async run(context, given) {
    refuseUnused(given)
    if (flag(given, 'suggest') || flag(given, 'apply')) {
      const { suggestRules } = await import('./suggest.ts')
      return suggestRules(context, given)
    }
    const { terminal } = context
    const by = keyOf(given)
    const report = await context.recall.insight.shell(by ?? 'all', reportFilter(context, given))
    const json = flag(given, 'json')
    const rows = limited(given, report.rows, json ? 0 : USUAL)
    if (json) {
      const named = rows.map(({ base, sub, count, errors, compound, inner, ...row }) => ({
        ...keyJson(by, row),
        bash_base: base,
        bash_sub: sub,
        count,
        errors,
        compound,
        inner,
      }))
      return terminal.json({ ...(by ? { by } : {}), rows: named, unparsed: report.unparsed })
    }
    if (report.rows.length === 0) return terminal.note('no shell commands found')
    printTable(terminal, rows, [
      ...keyColumn<(typeof rows)[number]>(terminal, by, rows),
      { title: 'command', value: ({ base, sub }) => [base ?? '(no name)', sub ?? ''].join(' ').trim(), flexible: true },
      { title: 'calls', value: (row) => grouped(row.count), right: true },
      { title: 'failed', value: (row) => grouped(row.errors), right: true, spare: true },
      { title: 'compound', value: (row) => grouped(row.compound), right: true, spare: true },
      { title: 'inside others', value: (row) => grouped(row.inner), right: true, spare: true },
      ...barColumn(terminal, rows, (row) => row.count + row.inner),
    ])
    noteRest(context.terminal, rows.length, report.rows.length, 'row')
    if (report.unparsed > 0)
      terminal.note(terminal.dim(`${plural(report.unparsed, 'call')} could not be parsed: nothing is guessed of them`))
  },
}

/** An option that does nothing here would be passed over in silence. */
function refuseUnused(given: Given): void {
  const isApply = flag(given, 'apply')
  const isSuggest = flag(given, 'suggest') || isApply
  const refuse = (options: readonly Option[], needs: string) => {
    const unused = options.find((option) => given[optionName(option)] !== undefined)
    if (unused === undefined) return
    throw new UserError(
      'USAGE',
      `${unused.flags.split(' ')[0]} goes with ${needs}`,
      `recall stats bash ${needs} ${unused.flags}`,
    )
  }
  if (!isSuggest) refuse(OF_SUGGEST, '--suggest')
  if (!isApply) refuse(OF_APPLY, '--suggest --apply')
  if (isSuggest && given['by'] !== undefined)
    throw new UserError('USAGE', 'rules are not summed by anything: --suggest takes no --by', 'leave out one of them')
}
