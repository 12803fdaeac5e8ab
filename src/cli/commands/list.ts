import { projectName, type SessionRecord } from '../../model/session.ts'
import { plural } from '../../model/text.ts'
import { humanDuration } from '../../model/time.ts'
import { list as operation, type Folded } from '../../operations/list.ts'
import { FRESH_OPTION, type Context } from '../command.ts'
import { commandOf } from '../operation-command.ts'
import { noteRest, titleOf } from '../sessions.ts'
import { printTable } from '../table.ts'
import { localTime } from '../../model/time.ts'

export const list = commandOf({
  operation,
  options: [FRESH_OPTION],
  examples: [
    'recall list --since 7d',
    'recall list --project api --outcome fail --limit 0',
    'recall list --tool Bash --branch main --json',
  ],
  rows: 'sessions',
  print(context, { sessions, total, subagents, folded }) {
    const { terminal } = context
    if (sessions.length > 0) printSessions(context, sessions, subagents)
    else terminal.note('no sessions found; `recall index` reads new ones, fewer filters show more')
    noteRest(terminal, sessions.length, total, 'session')
    noteFolded(context, folded)
  },
})

function noteFolded({ terminal }: Context, { subagents, automated }: Folded): void {
  const parts = [
    ...(subagents > 0 ? [`${plural(subagents, 'session')} of subagents (--subagents)`] : []),
    ...(automated > 0 ? [`${plural(automated, 'automated run')} (--automated)`] : []),
  ]
  if (parts.length > 0) terminal.note(terminal.dim(`folded: ${parts.join(', ')}`))
}

function printSessions(
  { terminal }: Context,
  sessions: readonly SessionRecord[],
  subagents: ReadonlyMap<string, number>,
): void {
  const agents = (s: SessionRecord) => s.threadCount + (subagents.get(s.uid) ?? 0)
  printTable(terminal, sessions, [
    { title: 'id', value: (s) => s.shortId.slice(0, 8) },
    { title: 'started', value: (s) => localTime(s.startedAt) },
    { title: 'title', value: titleOf, flexible: true, least: Math.max(33, Math.floor(terminal.width / 3)) },
    { title: 'project', value: projectName, flexible: true, tail: true },
    { title: 'sub', value: (s) => String(agents(s) || ''), right: true, spare: true },
    { title: 'msgs', value: (s) => String(s.messageCount), right: true, spare: true },
    { title: 'tools', value: (s) => String(s.toolCount), right: true, spare: true },
    { title: 'source', value: (s) => s.flavor, spare: true },
    { title: 'took', value: (s) => duration(s), right: true, spare: true },
    { title: 'branch', value: (s) => s.gitBranch ?? '', flexible: true, least: 20, spare: true },
    { title: 'model', value: (s) => (s.model ?? '').replace(/^claude-/, ''), flexible: true, spare: true },
  ])
}

function duration(session: SessionRecord): string {
  if (session.startedAt === null || session.endedAt === null) return ''
  return humanDuration((session.endedAt - session.startedAt) / 1000)
}
