import type { IndexReport } from '../ingest/run.ts'
import { humanBytes } from '../model/text.ts'
import { index } from '../operations/index-sessions.ts'
import type { Watching } from '../operations/operation.ts'
import type { Context } from './command.ts'

export const VERBOSE_OPTION = { flags: '-v, --verbose', help: 'name each file as it is read' }

const MAX_WARNINGS = 5

/** Reads what is new, with a bar on a terminal and the first few problems named. */
export async function indexFirst(context: Context, verbose = false): Promise<IndexReport> {
  const { watching, end } = whileReading(context, verbose)
  const { report } = await index.run({ ...context, watching }, {}).finally(end)
  return report
}

/** A bar while reading, and what could not be read; `end` clears the bar. */
export function whileReading(
  { terminal, watching }: Context,
  verbose: boolean,
): { readonly watching: Watching; readonly end: () => void } {
  let warned = 0
  return {
    watching: {
      ...watching,
      onBytes: (done, total) => terminal.progress(done, total, `${humanBytes(done)} of ${humanBytes(total)}`),
      onFile: (path, change) => {
        if (verbose) terminal.note(terminal.cell(`${change} ${path}`))
      },
      onProblem: (path, message) => {
        warned++
        if (verbose || warned <= MAX_WARNINGS)
          terminal.note(terminal.yellow(terminal.cell(`warning: ${path}: ${message}`)))
        else if (warned === MAX_WARNINGS + 1)
          terminal.note(terminal.yellow('more warnings: see `recall status`, or use -v'))
      },
    },
    end: () => terminal.progressDone(),
  }
}
