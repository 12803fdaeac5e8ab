import { plural } from '../../model/text.ts'
import { JSON_OPTION, type Command } from '../command.ts'
import { flag } from '../given.ts'

export const analyze: Command = {
  name: 'analyze',
  summary: 'write the digests and signals of sessions that have changed',
  args: [],
  options: [
    { flags: '--all', help: 'also those still being written, and those already analysed' },
    { flags: '--wait', help: 'if another recall is writing, wait for it' },
    JSON_OPTION,
  ],
  examples: ['recall analyze', 'recall analyze --all'],
  async run({ recall, terminal }, _args, given) {
    const { analyzed } = await recall.analyze({ all: flag(given, 'all'), wait: flag(given, 'wait') })
    if (flag(given, 'json')) terminal.json({ analyzed })
    else terminal.line(`analysed ${plural(analyzed, 'session')}`)
  },
}
