import { spawn, spawnSync } from 'node:child_process'
import path from 'node:path'
import { tempDir } from './home.ts'
import { startProgram } from './program.ts'

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

/** Those that are about their process: they read its input, replace it, stay, or are started in a way of their own. */
const OF_A_PROCESS = new Set(['hook', 'exec', 'mcp', 'serve', 'watch', 'browse', 'resume', '--version', '-V'])
/** What Node looks at when it starts. */
const READ_AT_START = /^(?:NODE_|LANG|LC_|UV_)/

let program: ReturnType<typeof startProgram> | null = null
let everyRun = Boolean(process.env['RECALL_TEST_PROCESSES'])

/**
 * Runs a command of the built program to its end. Most of a command's time is the start of a process, so one process
 * runs many of them; `inProcesses` for a file of tests that are about processes, RECALL_TEST_PROCESSES=1 for all.
 */
export function recallCli(env: Record<string, string>, ...args: string[]): Run {
  return recallIn(process.cwd(), env, ...args)
}

/** The same of one that must succeed: what it prints. */
export function recallDone(env: Record<string, string>, ...args: string[]): string {
  const { code, out, err } = recallCli(env, ...args)
  if (code !== 0) throw new Error(`recall ${args.join(' ')}: exit ${code}: ${err}`)
  return out
}

/** The same in another directory. */
export function recallIn(cwd: string, env: Record<string, string>, ...args: string[]): Run {
  const isOwn = OF_A_PROCESS.has(args[0] ?? '') || Object.keys(env).some((name) => READ_AT_START.test(name))
  if (isOwn || everyRun) return runProcess(cwd, env, args)
  program ??= startProgram()
  return program({ cwd, env, args })
}

/** From now on every command is a process of its own. */
export function inProcesses(): void {
  everyRun = true
}

function runProcess(cwd: string, env: Record<string, string>, args: readonly string[]): Run {
  const run = spawnSync(process.execPath, [bin, ...args], { cwd, env, encoding: 'utf8', maxBuffer: 1 << 28 })
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
