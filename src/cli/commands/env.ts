import { inertLine } from '../../model/inert.ts'
import { env as reading, envSweep } from '../../operations/env.ts'
import { commandOf, switchedBy } from '../operation-command.ts'

function printing(operation: typeof reading) {
  return commandOf({
    operation,
    args: [{ name: 'id', help: 'which session', required: false }],
    options: [{ flags: '--last', help: 'the latest session that has a digest; with --sweep: the latest of all' }],
    examples: ['eval "$(recall env --last)"', 'recall env claude:17092961-… --sweep'],
    print({ terminal }, variables) {
      for (const [name, value] of Object.entries(variables))
        terminal.line(`export ${name}=${quoted(inertLine(String(value ?? '')))}`)
    },
  })
}

export const env = switchedBy(
  { flags: '--sweep', help: 'write the digest first, though the session may not rest yet' },
  printing(reading),
  printing(envSweep),
)

/** Safe in any POSIX shell, whatever it holds. */
function quoted(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
}
