import { UserError } from '../../model/errors.ts'
import type { Command, OptionValues } from '../command.ts'
import { commandOfSeveral, optionName, ownOptions } from '../several.ts'
import { dashboard } from '../stats/dashboard.ts'
import { REPORTS } from '../stats/reports.ts'

const NAMES = REPORTS.map((report) => report.name).join(', ')

/** Reports over the store, each in a file of its own under `cli/stats/`. */
export const stats = commandOfSeveral({
  name: 'stats',
  summary: 'what was used and what came of it, at a glance or in one report',
  details: `Reports: ${REPORTS.map((report) => `\`${report.name}\` (${report.summary})`).join(', ')}.`,
  args: [{ name: 'report', help: `${NAMES}; all at a glance without one`, required: false }],
  examples: ['recall stats', ...REPORTS.flatMap((report) => report.examples)],
  parts: [dashboard, ...REPORTS].map((command) => ({ command })),
  choose([name], values) {
    const report = REPORTS.find((candidate) => candidate.name === name)
    if (name !== undefined && report === undefined)
      throw new UserError('USAGE', `no report ${JSON.stringify(name)}`, `reports are: ${NAMES}`)
    refuseOthers(report, values)
    return [report ?? dashboard]
  },
})

/** An option of another report would be passed over in silence. */
function refuseOthers(asked: Command | undefined, values: OptionValues): void {
  for (const other of REPORTS)
    for (const option of other === asked ? [] : ownOptions(other, dashboard))
      if (values[optionName(option)] !== undefined)
        throw new UserError(
          'USAGE',
          `${option.flags.split(' ')[0]} is for \`recall stats ${other.name}\``,
          `recall stats ${other.name} ${option.flags}`,
        )
}
