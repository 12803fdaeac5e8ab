import { oneLine } from '../../model/text.ts'
import { fix as operation } from '../../operations/fix.ts'
import type { Occurrence } from '../../search/fix.ts'
import { FRESH_OPTION, type Context } from '../command.ts'
import { commandOf } from '../operation-command.ts'
import { noteRest, printHeading, printWhere, printWrapped } from '../sessions.ts'

const SHOWN_STEP = 160

export const fix = commandOf({
  operation,
  args: [{ name: 'error', help: 'the text of the error', required: true, many: true }],
  options: [FRESH_OPTION],
  examples: [
    `recall fix "ECONNREFUSED 127.0.0.1:5432"`,
    `recall fix "error TS2345: Argument of type 'string' is not assignable" --json`,
  ],
  rows: 'occurrences',
  print(context, { occurrences, total }) {
    const { terminal } = context
    if (occurrences.length === 0) return terminal.note('this error was not met before')
    if (occurrences[0]?.match === 'alike') terminal.note('this very error was not met before; these come near it')
    for (const occurrence of occurrences) print(context, occurrence)
    noteRest(terminal, occurrences.length, total, 'session')
  },
})

const RESOLUTIONS: Readonly<Record<Occurrence['resolution'], string>> = {
  succeeded: 'the same call went through afterwards',
  similar_succeeded: 'the same program went through afterwards',
  not_seen_again: 'it did not come back in that session',
  unsolved: 'nothing in that session solved it',
  unknown: 'only the digest of that session is left',
}

function print({ terminal }: Context, met: Occurrence): void {
  const { session } = met
  const sure = `${Math.round(met.confidence * 100)} % sure`
  printHeading(terminal, session, [sure, RESOLUTIONS[met.resolution]], met.at)
  const marks = [...(met.match === 'alike' ? ['near'] : []), ...(met.pasted ? ['pasted by a person'] : [])]
  const mark = marks.length === 0 ? '' : terminal.dim(`  (${marks.join(', ')})`)
  printWrapped(terminal, `${terminal.red(terminal.cell(met.error))}${mark}`, '  ')
  for (const step of met.steps) {
    const mark = step.ok === false ? terminal.red('✗') : terminal.green('✓')
    const what = terminal.isTTY ? oneLine(step.what, SHOWN_STEP) : step.what.replace(/\s+/g, ' ')
    printWrapped(terminal, `${mark} ${step.kind === 'command' ? `$ ${what}` : what}`, '  ')
  }
  if (met.explanation !== null) printWrapped(terminal, met.explanation, '  ')
  if (met.seq !== null) printWhere(terminal, session.uid, met.seq, ' --tools')
  terminal.line()
}
