import { humanBytes, plural } from '../../model/text.ts'
import { backup as backupOperation, restore as restoreOperation } from '../../operations/backup.ts'
import { commandOf } from '../operation-command.ts'

export const backup = commandOf({
  operation: backupOperation,
  args: [{ name: 'file', help: 'the file to write', required: true }],
  examples: ['recall backup ~/recall-2026-11.tar'],
  print({ terminal }, { file, bytes, sessions, left_out: leftOut }) {
    terminal.line(terminal.cell(`${plural(sessions, 'session')}, ${humanBytes(bytes)} in ${file}`))
    for (const name of leftOut) terminal.note(terminal.yellow(terminal.cell(`cannot be read: group ${name}`)))
  },
})

export const restore = commandOf({
  operation: restoreOperation,
  args: [{ name: 'file', help: 'what `recall backup` wrote', required: true }],
  examples: ['recall restore ~/recall-2026-11.tar', 'recall restore ~/recall-2026-11.tar --force'],
  print({ terminal }, { sessions, aside, lost, made_at: made, forgotten }) {
    const asOf = made === null ? '' : ` as of ${made.slice(0, 10)}`
    terminal.line(`restored ${plural(sessions, 'session')}${asOf}`)
    if (forgotten > 0) terminal.note(`${plural(forgotten, 'session')} in it, forgotten here, left out`)
    else terminal.note('what was forgotten elsewhere since then is in it: `recall sync` forgets it here, too')
    if (aside !== null) terminal.note(terminal.cell(`the store that was there is now ${aside}`))
    for (const what of lost) terminal.note(terminal.yellow(terminal.cell(`not restored: ${what}`)))
  },
})
