import { UserError } from '../../model/errors.ts'
import { FRESH_OPTION, JSON_OPTION, PROJECT_OPTION, SINCE_OPTION, SOURCE_OPTION, type Command } from '../command.ts'
import { REPORTS } from '../stats/reports.ts'

/** Reports over the store, each in a file of its own under `cli/stats/`. */
export const stats: Command = {
  name: 'stats',
  summary: 'what was used: tokens',
  details: `Reports: ${REPORTS.map((report) => `\`${report.name}\` (${report.summary})`).join(', ')}.`,
  args: [{ name: 'report', help: REPORTS.map((report) => report.name).join(', '), required: true }],
  options: [
    { flags: '--by <key>', help: 'sum by project, model, day, source or session' },
    { flags: '--audit <what>', help: 'tokens: every record behind the sum of a session or a day, counted or left out' },
    SINCE_OPTION,
    PROJECT_OPTION,
    SOURCE_OPTION,
    { flags: '--limit <n>', help: 'how many rows (0 = all)' },
    FRESH_OPTION,
    JSON_OPTION,
  ],
  examples: [
    'recall stats tokens --by model --since 30d',
    'recall stats tokens --by day --json',
    'recall stats tokens --audit 2026-11-03',
  ],
  async run(context, args, given) {
    const report = REPORTS.find((candidate) => candidate.name === args[0])
    if (report) return report.run(context, given)
    const names = REPORTS.map((candidate) => candidate.name).join(', ')
    throw new UserError('USAGE', `no report ${JSON.stringify(args[0])}`, `reports are: ${names}`)
  },
}
