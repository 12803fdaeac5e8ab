import { spawnSync } from 'node:child_process'

/** Why a test that needs a program of the system is left out; false if it is there. */
export function without(program: string, ...args: string[]): string | false {
  const tried = spawnSync(program, args.length === 0 ? ['--version'] : args, { stdio: 'ignore' })
  return tried.status === 0 ? false : `no ${[program, ...args].join(' ')} on this machine`
}

/** The system's own Python: one that knows what packages of the system there are. */
export const PYTHON = '/usr/bin/python3'

/** What a line of shell prints. */
export function sh(line: string, env: Readonly<Record<string, string>> = {}): string {
  const run = spawnSync('bash', ['-o', 'pipefail', '-c', line], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', ...env },
    maxBuffer: 1 << 28,
  })
  if (run.status !== 0) throw new Error(`${line}: exit ${run.status}: ${run.stderr}`)
  return run.stdout
}
