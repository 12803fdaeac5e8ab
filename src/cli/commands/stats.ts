import { UserError } from '../../model/errors.ts'
import {
  FRESH_OPTION,
  JSON_OPTION,
  PROJECT_OPTION,
  SINCE_OPTION,
  SOURCE_OPTION,
  type Command,
  type Given,
} from '../command.ts'
import { flag } from '../given.ts'
import { dashboard } from '../stats/dashboard.ts'
import { optionName, type Report } from '../stats/report.ts'
import { REPORTS } from '../stats/reports.ts'

const NAMES = REPORTS.map((report) => report.name).join(', ')

/** Reports over the store, each in a file of its own under `cli/stats/`. */
export const stats: Command = {
  name: 'stats',
  summary: 'what was used and what came of it, at a glance or in one report',
  details: `Reports: ${REPORTS.map((report) => `\`${report.name}\` (${report.summary})`).join(', ')}.`,
  args: [{ name: 'report', help: `${NAMES}; all at a glance without one`, required: false }],
  options: [
    { flags: '--by <key>', help: 'sum by project, model, day, source or session' },
    ...REPORTS.flatMap((report) => report.options ?? []),
    SINCE_OPTION,
    PROJECT_OPTION,
    SOURCE_OPTION,
    { flags: '--limit <n>', help: 'how many rows (0 = all)' },
    FRESH_OPTION,
    JSON_OPTION,
  ],
  examples: ['recall stats', ...REPORTS.flatMap((report) => report.examples ?? [])],
  rows: rowsOf,
  async run(context, args, given) {
    const report = REPORTS.find((candidate) => candidate.name === args[0])
    if (args[0] !== undefined && report === undefined)
      throw new UserError('USAGE', `no report ${JSON.stringify(args[0])}`, `reports are: ${NAMES}`)
    refuseOthers(report, given)
    return report === undefined ? dashboard(context, given) : report.run(context, given)
  },
}

/** An option of another report would be passed over in silence. */
function refuseOthers(asked: Report | undefined, given: Given): void {
  for (const other of REPORTS)
    for (const option of other === asked ? [] : (other.options ?? []))
      if (given[optionName(option)] !== undefined)
        throw new UserError(
          'USAGE',
          `${option.flags.split(' ')[0]} is for \`recall stats ${other.name}\``,
          `recall stats ${other.name} ${option.flags}`,
        )
}

/** At a glance, a suggestion of rules and an audit have several lists: the one that is asked about. */
function rowsOf([report]: readonly string[], given: Given): string | null {
  if (report === undefined) return given['by'] === undefined ? 'projects' : 'rows'
  if (report === 'bash' && flag(given, 'apply')) return null
  if (report === 'bash' && flag(given, 'suggest')) return 'suggestions'
  return report === 'tokens' && given['audit'] !== undefined ? 'counted' : 'rows'
}
