import { plural } from '../../model/text.ts'
import { analyze as operation } from '../../operations/analyze.ts'
import type { Failure } from '../../retention/sweep.ts'
import type { Context } from '../command.ts'
import { commandOf } from '../operation-command.ts'

export const analyze = commandOf({
  operation,
  examples: ['recall analyze', 'recall analyze --all'],
  warn: warnOfFailures,
  print({ terminal }, { analyzed }) {
    terminal.line(`analysed ${plural(analyzed, 'session')}`)
  },
})

/** Says which sessions could not be analysed: they keep their raw text, and are tried again the next time. */
export function warnOfFailures({ terminal }: Context, { failed }: { readonly failed: readonly Failure[] }): void {
  for (const { uid, reason } of failed)
    terminal.note(terminal.yellow(`warning: ${uid} could not be analysed: ${reason}`))
}
