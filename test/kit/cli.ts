import { spawn, spawnSync } from 'node:child_process'
import path from 'node:path'
import { tempDir } from './home.ts'

export const bin = path.resolve(import.meta.dirname, '../../bin/recall.js')

export interface Run {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** An environment with nothing of this machine in it. */
export function cleanEnv(home: string, data = path.join(tempDir(), 'data')): Record<string, string> {
  return {
    HOME: home,
    XDG_DATA_HOME: data,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    PATH: process.env['PATH'] ?? '',
    TZ: 'UTC',
  }
}

/** Runs the built program to its end. */
export function recallCli(env: Record<string, string>, ...args: string[]): Run {
  const run = spawnSync(process.execPath, [bin, ...args], { env, encoding: 'utf8', maxBuffer: 1 << 28 })
  return { code: run.status, out: run.stdout, err: run.stderr }
}

export function recallJson(
  env: Record<string, string>,
  ...args: string[]
): Record<string, unknown> & { code: number | null } {
  const run = recallCli(env, ...args, '--json')
  if (run.out === '') throw new Error(`recall ${args.join(' ')} printed nothing, exit ${run.code}: ${run.err}`)
  return { ...JSON.parse(run.out), code: run.code }
}

export function startCli(env: Record<string, string>, ...args: string[]) {
  return spawn(process.execPath, [bin, ...args], { env, stdio: 'ignore' })
}
