import { baseName } from '../../model/session.ts'
import { oneLine, plural } from '../../model/text.ts'
import { isoTime } from '../../model/time.ts'
import { sessionOptions, type Command, type Context } from '../command.ts'
import { flag, sessionFilter } from '../given.ts'
import { noteRest, printWhere } from '../sessions.ts'
import { localTime } from '../when.ts'

const DEFAULT_LIMIT = 5
const SHOWN = 400

export const how: Command = {
  name: 'how',
  summary: 'the commands that worked before for a task',
  details:
    'Commands that went through where the task, or something like it, was spoken of; with how often, when last and where. ' +
    'What only looks around (ls, cat, git status, …) is left out unless the task names it.',
  args: [{ name: 'task', help: 'what you want to do, in words', required: true, many: true }],
  options: sessionOptions(DEFAULT_LIMIT),
  examples: ['recall how "restore the database from a dump"', 'recall how "run one test" --project api --json'],
  rows: 'commands',
  async run(context, args, given) {
    const { recall, terminal } = context
    const task = args.join(' ')
    const { commands, total } = await recall.evidence.how({
      task,
      filter: sessionFilter(context, given, DEFAULT_LIMIT),
    })
    if (flag(given, 'json')) {
      return terminal.json({ task, total, commands: commands.map(commandJson) })
    }
    if (commands.length === 0) return terminal.note('no command is known to have worked for this')
    for (const command of commands) print(context, command)
    noteRest(terminal, commands.length, total, 'command')
  },
}

type Working = Awaited<ReturnType<Context['recall']['evidence']['how']>>['commands'][number]

function commandJson(command: Working) {
  return {
    command: command.command,
    purpose: command.purpose,
    count: command.count,
    failed: command.failed,
    last_used: isoTime(command.lastUsed),
    project: command.projects[0] ?? null,
    projects: command.projects,
    relevance: command.relevance,
    low_confidence: command.lowConfidence,
    evidence: command.evidence,
  }
}

function print({ terminal }: Context, command: Working): void {
  const times = `worked ${plural(command.count, 'time')}${command.failed > 0 ? `, failed ${command.failed}` : ''}`
  const last = command.lastUsed === null ? [] : [`last ${localTime(command.lastUsed)}`]
  const where = [...new Set(command.projects.map(baseName))].slice(0, 3).join(', ')
  const [uid = '', seq] = (command.evidence[0] ?? '').split('#')
  const guess = command.lowConfidence ? ['a guess'] : []
  terminal.line(terminal.green(terminal.isTTY ? oneLine(command.command, SHOWN) : command.command))
  if (command.purpose !== null) terminal.line(`  ${command.purpose}`)
  terminal.line(
    terminal.dim(terminal.cell(`  ${[times, ...last, where, ...guess].filter((part) => part !== '').join(' · ')}`)),
  )
  printWhere(terminal, uid, Number(seq), ' --tools')
  terminal.line()
}
