import { projectName, type SessionFilter, type SessionRecord } from '../../model/session.ts'
import { sessionJson } from '../../model/shapes.ts'
import { plural } from '../../model/text.ts'
import { humanDuration } from '../../model/time.ts'
import {
  FILTER_OPTIONS,
  FRESH_OPTION,
  JSON_OPTION,
  limitOption,
  type Command,
  type Context,
  type Given,
} from '../command.ts'
import { flag, narrowing } from '../given.ts'
import { noteRest, titleOf } from '../sessions.ts'
import { printTable } from '../table.ts'
import { localTime } from '../when.ts'

const DEFAULT_LIMIT = 20

export const list: Command = {
  name: 'list',
  summary: 'sessions, newest first',
  details:
    'Sessions that agents started are folded into the one that started them (`sub` counts them), runs of programs and ' +
    'scripts (`codex exec`, `claude -p`, an SDK) and sessions without any word are left out, unless asked for.',
  args: [],
  options: [
    ...FILTER_OPTIONS,
    { flags: '--subagents', help: 'also sessions that an agent started, marked ↳' },
    { flags: '--automated', help: 'also runs of programs and scripts, marked [auto]' },
    { flags: '--empty', help: 'also sessions that hold no prompt, no answer and no call' },
    { flags: '--all', help: 'all of these' },
    { flags: '--hidden', help: 'all that is folded away: the same as --subagents --automated' },
    limitOption(DEFAULT_LIMIT),
    FRESH_OPTION,
    JSON_OPTION,
  ],
  examples: [
    'recall list --since 7d',
    'recall list --project api --outcome fail --limit 0',
    'recall list --tool Bash --branch main --json',
  ],
  rows: 'sessions',
  async run(context, _args, given) {
    const { recall, terminal } = context
    const filter = filterOf(context, given)
    const { sessions, total } = await recall.list(filter)
    const subagents = await recall.subagents()
    const folded = await countFolded(context, filter, { total, subagents: subagents.size })
    if (flag(given, 'json')) {
      const rows = sessions.map((s) => ({ ...sessionJson(s), subagent_count: subagents.get(s.uid) ?? 0 }))
      return terminal.json({ sessions: rows, total, folded })
    }
    if (sessions.length > 0) printSessions(context, sessions, subagents)
    else terminal.note('no sessions found; `recall index` reads new ones, fewer filters show more')
    noteRest(terminal, sessions.length, total, 'session')
    noteFolded(context, folded)
  },
}

function filterOf(context: Context, given: Given): SessionFilter {
  const { sessions, holding } = narrowing(context, given, DEFAULT_LIMIT)
  const wants = (name: string) => flag(given, name) || flag(given, 'all')
  const hidden = flag(given, 'hidden')
  return {
    ...(wants('automated') || hidden ? {} : { automated: false }),
    ...sessions,
    hidden: wants('subagents') || hidden,
    empty: wants('empty'),
    ...(Object.keys(holding).length === 0 ? {} : { holding }),
  }
}

interface Folded {
  readonly subagents: number
  readonly automated: number
}

/** How many more there would be. */
async function countFolded(
  { recall }: Context,
  filter: SessionFilter,
  { total, subagents }: { readonly total: number; readonly subagents: number },
): Promise<Folded> {
  const { automated, ...others } = filter
  const more = async (wider: SessionFilter) => (await recall.list({ ...wider, limit: 1 })).total - total
  return {
    subagents: filter.hidden === true || subagents === 0 ? 0 : await more({ ...filter, hidden: true }),
    automated: automated === false ? await more(others) : 0,
  }
}

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
    { title: 'title', value: titleOf, flexible: true, least: 33 },
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
