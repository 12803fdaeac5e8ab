import { diffLines } from '../capture/diff.ts'
import type { FileEdit } from '../capture/edit-file.ts'
import { UserError } from '../model/errors.ts'
import { inertLine } from '../model/inert.ts'
import type { Context, Given, Option } from './command.ts'
import { flag } from './given.ts'
import type { Terminal } from './terminal.ts'

/** What every command takes that writes into files that are not recall's own. */
export const CONSENT_OPTIONS: readonly Option[] = [
  { flags: '--dry-run', help: 'show the change, and make none' },
  { flags: '--yes', help: 'make the change without asking; needed where nobody can be asked' },
]

/** A change of files that are not recall's own. */
export interface Change {
  /** Prints it; with `--json` the document tells it instead. */
  readonly show: () => void
  readonly question: string
}

/**
 * Shows a change and says whether it may be made. Never with `--dry-run`; with `--yes` at once; on a terminal if the
 * person there says so. Where there is nobody to ask, which `--json` means too, USAGE: nothing is written.
 */
export async function mayChange({ terminal }: Context, given: Given, { show, question }: Change): Promise<boolean> {
  const json = flag(given, 'json')
  if (!json) show()
  if (flag(given, 'dryRun')) {
    if (!json) terminal.note('nothing was changed (--dry-run)')
    return false
  }
  if (flag(given, 'yes')) return true
  if (json || !terminal.isTTY || process.stdin.isTTY !== true)
    throw new UserError(
      'USAGE',
      'nothing was changed: there is nobody to ask',
      '--yes makes the change, --dry-run shows it',
    )
  await terminal.release(null)
  const isAgreed = await saysYes(question)
  if (!isAgreed) terminal.note('nothing was changed')
  return isAgreed
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
