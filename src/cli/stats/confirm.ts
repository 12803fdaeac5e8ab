import { createInterface } from 'node:readline/promises'
import type { Context } from '../command.ts'

/** Asks on a terminal. Without one there is nobody to ask: what was typed is what was meant. */
export async function confirmed({ terminal }: Context, question: string): Promise<boolean> {
  if (!terminal.isTTY || process.stdin.isTTY !== true) return true
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await asking.question(`${question} [y/N] `)).trim())
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AbortError') throw error
    process.stderr.write('\n')
    // A terminal that is being asked on keeps Ctrl-C to itself.
    if (error.message.includes('Ctrl+C')) process.emit('SIGINT', 'SIGINT')
    return false
  } finally {
    asking.close()
  }
}
