import { spawn, spawnSync } from 'node:child_process'
import { bin } from './cli.ts'

const isThere = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0

/** Why nothing can be run on a terminal here; false if it can. */
export const noPty = isThere ? false : 'no `script` of util-linux on this machine'

const PATIENCE_MS = 50_000

/** Runs the built program on a terminal, of 80 columns if nothing else is said, and returns all that reaches it; `typed` is there from the start. */
export function recallOnTerminal(env: Record<string, string>, args: readonly string[], typed = '', columns = 80) {
  const run = spawnSync('script', onTerminal(args, columns), {
    env: terminalEnv(env),
    input: typed,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: PATIENCE_MS,
  })
  return { code: run.status, shown: run.stdout }
}

/** The same for a person who types this at the first question, after something else has happened. */
export async function recallAsking(
  env: Record<string, string>,
  args: readonly string[],
  typed: string,
  meanwhile: () => void = () => undefined,
) {
  const run = spawn('script', onTerminal(args), { env: terminalEnv(env), timeout: PATIENCE_MS })
  let shown = ''
  run.stdout.on('data', (bytes: Buffer) => {
    const isAsked = !shown.includes('[y/N]') && `${shown}${bytes}`.includes('[y/N]')
    shown += String(bytes)
    if (!isAsked) return
    meanwhile()
    // Left open: at its end, `script` looks only now and then whether all of it has been read.
    run.stdin.write(typed)
  })
  const code = await new Promise((resolve) => run.once('close', resolve))
  return { code, shown }
}

function onTerminal(args: readonly string[], columns = 80): string[] {
  const words = [process.execPath, bin, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
  return ['-qec', `stty cols ${columns} rows 24; exec ${words.join(' ')}`, '/dev/null']
}

function terminalEnv(env: Record<string, string>): Record<string, string> {
  return { PAGER: 'cat', ...env, TERM: 'xterm-256color', SHELL: '/bin/sh' }
}
