import { endBySignal, passThrough } from '../../capture/pass-through.ts'
import { shellWords } from '../../model/shell-words.ts'
import { resume as operation, type Resumption } from '../../operations/resume.ts'
import type { Command, Context } from '../command.ts'
import { commandOf } from '../operation-command.ts'
import { flag } from '../option-values.ts'
import { titleOf } from '../sessions.ts'
import { wrap } from '../wrap.ts'

const printing = commandOf({
  operation,
  args: [{ name: 'session', help: 'an id, `last`, or words', required: true, many: true }],
  options: [{ flags: '--print', help: 'print the command instead of running it' }],
  examples: ['recall resume last', 'recall resume the nginx deploy', 'recall resume 3f2a9c1e --print'],
  warn: ({ terminal }, found) => note(terminal, found),
  print({ terminal }, { command, place }) {
    const there = place.now === null ? '' : `cd ${shellWords([place.now])} && `
    terminal.line(terminal.cell(`${there}${shellWords(command)}`))
  },
  exit: ({ obstacles }) => (obstacles.length === 0 ? 0 : 1),
})

export const resume: Command = {
  ...printing,
  async run(context, words, values) {
    if (flag(values, 'print') || flag(values, 'json')) return printing.run(context, words, values)
    const found = await operation.run(context, { session: words.join(' ') })
    note(context.terminal, found)
    return found.obstacles.length === 0 ? continueIn(context, found) : 1
  },
}

/** Hands the terminal to the agent until it ends; what it says is what we say. */
export async function continueIn(
  { recall, terminal }: Context,
  { session, label, command, place }: Resumption,
): Promise<number> {
  terminal.note(`continuing ${terminal.cell(titleOf(session))} in ${label}`)
  // It may run for hours: the store is no longer needed.
  await recall.close()
  const [program = '', ...args] = command
  const { code, signal } = await passThrough(program, args, place.now ?? undefined)
  if (signal !== null) endBySignal(signal)
  return code
}

/** What a person must know before it runs, or instead. */
function note(terminal: Context['terminal'], { session, byWords, place, obstacles }: Resumption): void {
  if (byWords) terminal.note(`found ${session.uid}: ${terminal.cell(titleOf(session))}`)
  if (place.now !== null && place.now !== place.ran)
    terminal.note(terminal.cell(`its directory has moved: ${place.ran} is now ${place.now}`))
  for (const { message, remedy } of obstacles) {
    terminal.note(`${terminal.red('recall:')} ${terminal.cell(message)}`)
    for (const line of wrap(terminal.cell(remedy), terminal.width - 2)) terminal.note(`  ${line}`)
  }
}
