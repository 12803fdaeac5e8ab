import path from 'node:path'
import { UserError } from '../../model/errors.ts'
import { JSON_OPTION, type Command } from '../command.ts'
import { flag } from '../given.ts'

export const note: Command = {
  name: 'note',
  summary: 'leave a progress note in the hub',
  details: 'Appends a line to `hub/notes.jsonl` beside the store and, if `hub.url` is set, posts it there.',
  args: [{ name: 'text', help: 'what to note', required: true, many: true }],
  options: [JSON_OPTION],
  examples: ['recall note "migration finished on staging"'],
  async run({ recall, settings, terminal }, args, given) {
    const text = args.join(' ').trim()
    if (text === '') throw new UserError('USAGE', 'a note needs words', 'e.g. recall note "migration finished"')
    const failure = await recall.note(text)
    const file = path.join(path.dirname(settings.storePath), 'hub', 'notes.jsonl')
    if (flag(given, 'json')) return terminal.json({ kept: true, file, failure })
    terminal.line(`kept in ${file}`)
    if (failure !== null) terminal.note(terminal.yellow(`not posted yet, will be later: ${failure}`))
  },
}
