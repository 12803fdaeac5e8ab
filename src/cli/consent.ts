import { isDeepStrictEqual } from 'node:util'
import { diffLines } from '../capture/diff.ts'
import type { FileEdit } from '../capture/edit-file.ts'
import { UserError } from '../model/errors.ts'
import { inertLine } from '../model/inert.ts'
import { nobodyToAsk, type ConsentInput } from '../operations/consent.ts'
import type { Context } from './command.ts'
import type { Terminal } from './terminal.ts'

/** A change of files that are not recall's own, as a dry run has planned it. */
export interface Change {
  readonly question: string
  /** What would be written: asked again, it must be the same. */
  readonly writes: unknown
  readonly show: () => void
}

/** What an operation that takes `dry_run` and `yes` was asked to do. */
interface Asked<Input, Result> {
  readonly input: Input
  readonly run: (input: Input) => Promise<Result>
  /** Null: nothing would change, and nobody need be asked. */
  readonly changeOf: (planned: Result) => Change | null
}

/**
 * Shows a change before it is made. Never with `--dry-run`; with `--yes` at once; on a terminal if the person there
 * says so. Where there is nobody to ask, USAGE: nothing is written. What comes is what the operation did, or planned.
 */
export async function withConsent<Input, Result>(
  { terminal }: Context,
  { input, run, changeOf }: Asked<Input, Result>,
): Promise<Result> {
  const { dry_run: isDry, yes: isAgreed } = input as ConsentInput
  const plan = () => run({ ...input, dry_run: true })
  const planned = await plan()
  const change = changeOf(planned)
  change?.show()
  if (isDry === true) {
    if (change !== null) terminal.note('nothing was changed (--dry-run)')
    return planned
  }
  if (change === null || isAgreed === true) return run(input)
  if (!terminal.isTTY || process.stdin.isTTY !== true) throw nobodyToAsk()
  await terminal.release(null)
  if (!(await saysYes(change.question))) {
    terminal.note('nothing was changed')
    return planned
  }
  // While a person thinks, others may write.
  if (!isDeepStrictEqual(changeOf(await plan())?.writes, change.writes))
    throw new UserError('BAD_CONFIG', 'it is no longer what was shown: nothing was changed', 'run this again')
  return run({ ...input, yes: true })
}

export function printEdit(terminal: Terminal, { file, before, after }: FileEdit): void {
  if (before === after) return
  terminal.line(terminal.cell(after === null ? `${file} (removed)` : before === null ? `${file} (new)` : file))
  for (const { sign, text } of diffLines(before ?? '', after ?? '')) {
    const line = `${sign} ${text}`
    terminal.line(sign === '+' ? terminal.green(line) : sign === '-' ? terminal.red(line) : terminal.dim(line))
  }
}

async function saysYes(question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline')
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await new Promise<string>((resolve) => {
    const leave = () => {
      process.stderr.write('\n')
      resolve('')
    }
    asking.once('close', leave)
    // A terminal that is being asked on keeps Ctrl-C to itself.
    asking.once('SIGINT', () => process.emit('SIGINT', 'SIGINT'))
    asking.question(`${inertLine(question)} [y/N] `, (text) => {
      asking.off('close', leave)
      resolve(text)
    })
  })
  asking.close()
  return /^y(es)?$/i.test(answer.trim())
}
