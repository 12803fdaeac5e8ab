import { UserError } from '../../model/errors.ts'
import { JSON_OPTION, type Command } from '../command.ts'
import { flag } from '../given.ts'

export const note: Command = {
  name: 'note',
  summary: 'leave a progress note in the hub',
  details: 'Appends a line to `hub/notes.jsonl` in the data directory and, if `hub.url` is set, posts it there.',
  args: [{ name: 'text', help: 'what to note', required: true, many: true }],
  options: [JSON_OPTION],
  examples: ['recall note "migration finished on staging"'],
  async run({ recall, terminal }, args, given) {
    const text = args.join(' ').trim()
    if (text === '') throw new UserError('USAGE', 'a note needs words', 'e.g. recall note "migration finished"')
    const failure = await recall.note(text)
    if (flag(given, 'json')) terminal.json({ kept: true, failure })
    else if (failure !== null) terminal.note(terminal.yellow(`kept, and will be posted later: ${failure}`))
  },
}
