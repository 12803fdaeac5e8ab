import path from 'node:path'
import { UserError } from '../../model/errors.ts'
import { shellWords } from '../../model/shell-words.ts'
import { handoff as operation } from '../../operations/handoff.ts'
import { commandOf } from '../operation-command.ts'
import { flag, word } from '../option-values.ts'
import { writeOut } from '../out-file.ts'
import { printMarkdown } from '../sessions.ts'

export const handoff = commandOf({
  operation,
  args: [{ name: 'session', help: 'an id, `last`, or words', required: true, many: true }],
  options: [
    { flags: '--out <file>', help: 'write it to this file' },
    { flags: '--print', help: 'print it (as without --out)' },
  ],
  examples: [
    'recall handoff last --to codex --out handoff.md',
    'codex "$(recall handoff 3f2a9c1e --to codex)"',
    'recall handoff 3f2a9c1e --budget 1500',
  ],
  refine(input, values) {
    if (word(values, 'out') !== undefined && (flag(values, 'json') || flag(values, 'print')))
      throw new UserError('USAGE', '--out goes to a file alone', 'leave out --out, or --json and --print')
    return input
  },
  print({ terminal, cwd }, { session, to, text, tokens }, values) {
    const out = word(values, 'out')
    if (out === undefined) return printMarkdown(terminal, text.trimEnd())
    writeOut(path.resolve(cwd, out), text, 'handoff.md')
    terminal.note(`written to ${terminal.cell(out)}: at most ${tokens} tokens`)
    const [program = '', ...args] = to?.begin?.('').slice(0, -1) ?? []
    if (program === '') return
    const there = session.cwd === null ? '' : `cd ${shellWords([session.cwd])} && `
    const file = shellWords([path.resolve(cwd, out)])
    terminal.note(terminal.cell(`begin with: ${there}${shellWords([program, ...args])} "$(cat ${file})"`))
  },
})
