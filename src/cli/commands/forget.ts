import { UserError } from '../../model/errors.ts'
import { plural } from '../../model/text.ts'
import { forgetUndo } from '../../operations/forget-undo.ts'
import { forget as operation } from '../../operations/forget.ts'
import type { Command } from '../command.ts'
import { flag } from '../option-values.ts'
import { commandOf } from '../operation-command.ts'
import { cutToWidth } from '../table.ts'

const ID = { name: 'id', help: 'which session', required: false }

const forgetting = commandOf({
  operation,
  args: [ID],
  options: [{ flags: '--undo', help: forgetUndo.summary }],
  examples: [
    'recall forget 3f2a9c1e --yes',
    'recall forget --project secret-client',
    'recall forget --undo claude:17092961-…',
  ],
  print({ terminal }, { sessions, isDone, heldBy, isOwing }) {
    for (const session of sessions)
      terminal.line(cutToWidth(terminal.cell(`${session.uid}  ${session.title ?? ''}`), terminal.width))
    if (!isDone) return terminal.note(`${plural(sessions.length, 'session')} would be deleted for good; --yes does it`)
    terminal.line(`forgot ${plural(sessions.length, 'session')}`)
    if (heldBy.length > 0) terminal.note(stillHeld(heldBy))
    else if (isOwing) terminal.note(NO_ROOM)
  },
})

const undoing = commandOf({
  operation: forgetUndo,
  args: [ID],
  examples: [],
  print: ({ terminal }, uid) => terminal.line(`${uid} will be read again by the next \`recall index\``),
})

export const forget: Command = {
  ...forgetting,
  async run(context, args, values) {
    if (!flag(values, 'undo')) return forgetting.run(context, args, values)
    if (args[0] === undefined) throw new UserError('USAGE', 'undo what?', 'give the whole uid, e.g. claude:17092961-…')
    return undoing.run(context, args, values)
  },
}

const NO_ROOM =
  'the disk is too full to write the search index anew: the last bytes go with the next command that writes when there is room'

function stillHeld(pids: readonly number[]): string {
  const who = pids.length === 1 ? `process ${pids[0]} still reads` : `processes ${pids.join(', ')} still read`
  return `${who} the store as it was: the last bytes go when that ends, with the next command that writes`
}
