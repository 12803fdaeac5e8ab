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
    if (args[0] === undefined) return dashboard(context, given)
    const report = REPORTS.find((candidate) => candidate.name === args[0])
    if (report) return report.run(context, given)
    throw new UserError('USAGE', `no report ${JSON.stringify(args[0])}`, `reports are: ${NAMES}`)
  },
}

/** At a glance, a suggestion of rules and an audit have several lists: the one that is asked about. */
function rowsOf([report]: readonly string[], given: Given): string | null {
  if (report === undefined) return 'projects'
  if (report === 'bash' && flag(given, 'apply')) return null
  if (report === 'bash' && flag(given, 'suggest')) return 'suggestions'
  return report === 'tokens' && given['audit'] !== undefined ? 'counted' : 'rows'
}
