import { plural } from '../../model/text.ts'
import { JSON_OPTION, type Command } from '../command.ts'
import type { Failure } from '../../retention/sweep.ts'
import { flag } from '../given.ts'
import type { Terminal } from '../terminal.ts'

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
    const { analyzed, failed } = await recall.analyze({ all: flag(given, 'all'), wait: flag(given, 'wait') })
    noteFailures(terminal, failed)
    if (flag(given, 'json')) terminal.json({ analyzed, failed: failuresJson(failed) })
    else terminal.line(`analysed ${plural(analyzed, 'session')}`)
  },
}

/** Says which sessions could not be analysed: they keep their raw text, and are tried again the next time. */
export function noteFailures(terminal: Terminal, failed: readonly Failure[]): void {
  for (const { uid, reason } of failed)
    terminal.note(terminal.yellow(`warning: ${uid} could not be analysed: ${reason}`))
}

export function failuresJson(failed: readonly Failure[]): Record<string, string>[] {
  return failed.map(({ uid, reason }) => ({ session_uid: uid, reason }))
}
