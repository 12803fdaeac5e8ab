import { baseName, projectOf, type SessionRecord } from '../../model/session.ts'
import { sessionJson } from '../../model/shapes.ts'
import { humanDuration } from '../../model/time.ts'
import { sessionOptions, type Command } from '../command.ts'
import { flag, sessionFilter } from '../given.ts'
import { noteRest, titleOf } from '../sessions.ts'
import { printTable } from '../table.ts'
import { localTime } from '../when.ts'

const DEFAULT_LIMIT = 20

export const list: Command = {
  name: 'list',
  summary: 'sessions, newest first',
  args: [],
  options: [
    ...sessionOptions(DEFAULT_LIMIT),
    { flags: '--hidden', help: 'also sessions that an agent started and its own lists hide' },
    { flags: '--empty', help: 'also sessions that hold no prompt, no answer and no call' },
  ],
  examples: [
    'recall list --since 7d',
    'recall list --project api --limit 0',
    'recall list --source claude-code --json',
  ],
  rows: 'sessions',
  async run(context, _args, given) {
    const { terminal } = context
    const filter = {
      ...sessionFilter(context, given, DEFAULT_LIMIT),
      hidden: flag(given, 'hidden'),
      empty: flag(given, 'empty'),
    }
    const { sessions, total } = await context.recall.list(filter)
    if (flag(given, 'json')) return terminal.json({ sessions: sessions.map(sessionJson), total })
    if (sessions.length === 0)
      return terminal.note('no sessions found; `recall index` reads new ones, fewer filters show more')
    printTable(terminal, sessions, [
      { title: 'id', value: (s) => s.shortId.slice(0, 8) },
      { title: 'started', value: (s) => localTime(s.startedAt) },
      { title: 'source', value: (s) => s.flavor, spare: true },
      { title: 'title', value: titleOf, flexible: true },
      { title: 'project', value: (s) => baseName(projectOf(s) ?? '') },
      { title: 'branch', value: (s) => s.gitBranch ?? '', flexible: true, spare: true },
      { title: 'model', value: (s) => (s.model ?? '').replace(/^claude-/, ''), flexible: true, spare: true },
      { title: 'took', value: (s) => duration(s), right: true, spare: true },
      { title: 'msgs', value: (s) => String(s.messageCount), right: true },
      { title: 'tools', value: (s) => String(s.toolCount), right: true },
    ])
    noteRest(terminal, sessions.length, total, 'session')
  },
}

function duration(session: SessionRecord): string {
  if (session.startedAt === null || session.endedAt === null) return ''
  return humanDuration((session.endedAt - session.startedAt) / 1000)
}
