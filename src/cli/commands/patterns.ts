import { plural } from '../../model/text.ts'
import { isSlip, slipsLine } from '../../insight/slips.ts'
import { JSON_OPTION, limitOption, SINCE_OPTION, type Command } from '../command.ts'
import { count, flag, sessionFilter } from '../given.ts'
import { noteRest, printWhere, printWrapped } from '../sessions.ts'

const DEFAULT_LIMIT = 20

export const patterns: Command = {
  name: 'patterns',
  summary: 'what recurs across sessions: corrections, denials, errors, loops, files that change together',
  details:
    "What a person can act on comes first. Agents' own slips, such as an edit of a file that was not read, are one line at the end; --json lists them, last.",
  args: [],
  options: [SINCE_OPTION, limitOption(DEFAULT_LIMIT), JSON_OPTION],
  examples: ['recall patterns', 'recall patterns --since 30d --json'],
  rows: 'patterns',
  async run(context, _args, given) {
    const { recall, terminal } = context
    const { since } = sessionFilter(context, given, 0)
    const all = await recall.patterns(since === undefined ? {} : { since })
    const limit = count(given, 'limit') ?? DEFAULT_LIMIT
    const upTo = <T>(rows: readonly T[]) => (limit === 0 ? rows : rows.slice(0, limit))
    if (flag(given, 'json')) {
      const patterns = upTo(all).map((pattern) => ({ ...pattern, chore: isSlip(pattern) }))
      return terminal.json({ patterns, total: all.length })
    }
    if (all.length === 0) return terminal.note('nothing recurs; `recall analyze` looks for it')
    const telling = all.filter((pattern) => !isSlip(pattern))
    const shown = upTo(telling)
    for (const pattern of shown) {
      const where = `${plural(pattern.sessions, 'session')}, ×${pattern.count}`
      printWrapped(terminal, `${terminal.bold(pattern.kind.replaceAll('_', ' '))} (${where})  ${pattern.summary}`)
      const [uid = '', seq] = (pattern.evidence[0] ?? '').split('#')
      printWhere(terminal, uid, Number(seq))
    }
    const slips = slipsLine(all)
    if (slips !== null) printWrapped(terminal, terminal.dim(slips))
    noteRest(terminal, shown.length, telling.length, 'pattern')
  },
}
