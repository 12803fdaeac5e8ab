import { baseName } from '../../model/session.ts'
import { oneLine, plural } from '../../model/text.ts'
import { localTime } from '../../model/time.ts'
import { how as operation } from '../../operations/how.ts'
import type { WorkingCommand } from '../../search/how.ts'
import { FRESH_OPTION, type Context } from '../command.ts'
import { commandOf } from '../operation-command.ts'
import { noteRest, printWhere, printWrapped } from '../sessions.ts'

const SHOWN = 240

export const how = commandOf({
  operation,
  args: [{ name: 'task', help: 'what you want to do, in words', required: true, many: true }],
  options: [FRESH_OPTION],
  examples: ['recall how "restore the database from a dump"', 'recall how "run one test" --project api --json'],
  rows: 'commands',
  print(context, { commands, total }) {
    const { terminal } = context
    if (commands.length === 0) return terminal.note('no command is known to have worked for this')
    for (const command of commands) print(context, command)
    noteRest(terminal, commands.length, total, 'command')
  },
})

function print({ terminal }: Context, command: WorkingCommand): void {
  const times = `worked ${plural(command.count, 'time')}${command.failed > 0 ? `, failed ${command.failed}` : ''}`
  const last = command.lastUsed === null ? [] : [`last ${localTime(command.lastUsed)}`]
  const where = [...new Set(command.projects.map(baseName))].slice(0, 3).join(', ')
  const [uid = '', seq] = (command.evidence[0] ?? '').split('#')
  const guess = command.lowConfidence ? ['a guess'] : []
  if (terminal.isTTY) printWrapped(terminal, terminal.green(oneLine(command.command, SHOWN)))
  else terminal.line(command.command)
  if (command.purpose !== null) terminal.line(`  ${command.purpose}`)
  const facts = [times, ...last, where, ...guess].filter((part) => part !== '').join(' · ')
  printWrapped(terminal, terminal.dim(facts), '  ')
  printWhere(terminal, uid, Number(seq), ' --tools')
  terminal.line()
}
