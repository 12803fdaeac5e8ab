import { spawnSync } from 'node:child_process'
import { bin } from './cli.ts'

const isThere = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0

/** Why nothing can be run on a terminal here; false if it can. */
export const noPty = isThere ? false : 'no `script` of util-linux on this machine'

/** Runs the built program on a terminal of 80 columns and returns all that reaches it; `typed` is what a person types. */
export function recallOnTerminal(env: Record<string, string>, args: readonly string[], typed = '') {
  const words = [process.execPath, bin, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
  const run = spawnSync('script', ['-qec', `stty cols 80 rows 24; exec ${words.join(' ')}`, '/dev/null'], {
    env: { PAGER: 'cat', ...env, TERM: 'xterm-256color', SHELL: '/bin/sh' },
    input: typed,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 30_000,
  })
  return { code: run.status, shown: run.stdout }
}
