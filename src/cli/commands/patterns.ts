import { plural } from '../../model/text.ts'
import { JSON_OPTION, limitOption, SINCE_OPTION, type Command } from '../command.ts'
import { count, flag, sessionFilter } from '../given.ts'
import { noteRest } from '../sessions.ts'

const DEFAULT_LIMIT = 20

export const patterns: Command = {
  name: 'patterns',
  summary: 'what recurs across sessions: errors, retry loops, corrections, files that change together',
  args: [],
  options: [SINCE_OPTION, limitOption(DEFAULT_LIMIT), JSON_OPTION],
  examples: ['recall patterns', 'recall patterns --since 30d --json'],
  rows: 'patterns',
  async run(context, _args, given) {
    const { recall, terminal } = context
    const { since } = sessionFilter(context, given, 0)
    const all = await recall.patterns(since === undefined ? {} : { since })
    const limit = count(given, 'limit') ?? DEFAULT_LIMIT
    const shown = limit === 0 ? all : all.slice(0, limit)
    if (flag(given, 'json')) return terminal.json({ patterns: shown, total: all.length })
    if (all.length === 0) return terminal.note('nothing recurs; `recall analyze` looks for it')
    for (const pattern of shown) {
      const where = `${plural(pattern.sessions, 'session')}, ×${pattern.count}`
      terminal.line(`${terminal.bold(pattern.kind.replaceAll('_', ' '))} (${where})  ${terminal.cell(pattern.summary)}`)
      const [uid, seq] = (pattern.evidence[0] ?? '').split('#')
      terminal.line(terminal.dim(`  recall show ${terminal.cell(uid ?? '')} --around ${seq}`))
    }
    noteRest(terminal, shown.length, all.length, 'pattern')
  },
}
