/** Runs a program once and says how long it took and how much memory it needed at most. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * @typedef {{ command: string, args: string[], env: NodeJS.ProcessEnv, input?: string,
 *   until?: (stdout: string) => boolean, clock?: (stdout: string) => number, memory?: boolean,
 *   timeoutMs?: number }} Program
 *   With `until`, the clock stops when the output satisfies it; standard input is then closed. With `clock`, the
 *   program itself says how many milliseconds its work took, its start left out.
 * @typedef {{ ok: true, wallMs: number, peakBytes: number | null, stdout: string }} Success
 * @typedef {{ ok: false, reason: string }} Failure
 * @typedef {Success | Failure} Run
 */

const GNU_TIME = '/usr/bin/time'
const TIMEOUT_MS = 180_000
const POLL_MS = 20

/** @type {Set<number>} */
const running = new Set()
process.once('exit', endRunning)
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => process.exit(130))

/**
 * @param {Program} program
 * @returns {Promise<Run>}
 */
export async function measure(program) {
  const { command, args, env, input, until, clock, memory = true, timeoutMs = TIMEOUT_MS } = program
  const scratch = mkdtempSync(join(tmpdir(), 'recall-measure-'))
  const peakFile = join(scratch, 'peak')
  const timed = memory && existsSync(GNU_TIME)
  const argv = timed ? [GNU_TIME, '-q', '-f', '%M', '-o', peakFile, command, ...args] : [command, ...args]

  const started = performance.now()
  const child = spawn(argv[0], argv.slice(1), { env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  const pid = child.pid
  if (pid !== undefined) running.add(pid)
  const poll = memory && !timed ? pollPeak(pid) : undefined
  let stdout = ''
  let stderr = ''
  let answeredMs = 0
  let timedOut = false
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    stdout += chunk
    if (until !== undefined && answeredMs === 0 && until(stdout)) {
      answeredMs = performance.now() - started
      child.stdin.end()
    }
  })
  child.stderr.setEncoding('utf8').on('data', (chunk) => void (stderr += chunk))
  child.stdin.on('error', () => undefined).write(input ?? '')
  if (until === undefined) child.stdin.end()
  const timer = setTimeout(() => {
    timedOut = true
    if (pid !== undefined) endGroup(pid)
  }, timeoutMs)

  /** @type {{ code: number | null, failure?: Error }} */
  const ended = await new Promise((resolve) => {
    child.once('error', (failure) => resolve({ code: null, failure }))
    child.once('close', (code) => resolve({ code }))
  })
  const wallMs = answeredMs || performance.now() - started
  clearTimeout(timer)
  if (pid !== undefined) running.delete(pid)
  const peakBytes = timed ? readPeak(peakFile) : (poll?.stop() ?? null)
  rmSync(scratch, { recursive: true })

  if (timedOut) return { ok: false, reason: `no end after ${timeoutMs / 1000} s` }
  if (ended.failure !== undefined) return { ok: false, reason: ended.failure.message }
  if (ended.code !== 0) return { ok: false, reason: `exit ${ended.code}: ${firstLine(stderr || stdout)}` }
  if (until !== undefined && answeredMs === 0) return { ok: false, reason: `no answer: ${firstLine(stderr || stdout)}` }
  return { ok: true, wallMs: clock?.(stdout) ?? wallMs, peakBytes, stdout }
}

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * The environment of a measured program: nothing of the caller's but its path, and no certificates
 * to load, which would slow every start of Node.
 *
 * @param {{ home: string, scratch: string }} places
 * @returns {NodeJS.ProcessEnv}
 */
export function cleanEnvironment({ home, scratch }) {
  return {
    PATH: process.env['PATH'],
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    NO_COLOR: '1',
    TMPDIR: tmpdir(),
    HOME: home,
    XDG_DATA_HOME: join(scratch, 'data'),
    XDG_CONFIG_HOME: join(scratch, 'config'),
    XDG_CACHE_HOME: join(scratch, 'cache'),
    XDG_STATE_HOME: join(scratch, 'state'),
  }
}

/** @param {string} path */
function readPeak(path) {
  const kilobytes = existsSync(path) ? Number(readFileSync(path, 'utf8').trim().split('\n').at(-1)) : NaN
  return Number.isFinite(kilobytes) ? kilobytes * 1024 : null
}

/**
 * Without GNU time: the high-water mark that Linux keeps, of the program itself only.
 *
 * @param {number | undefined} pid
 */
function pollPeak(pid) {
  /** @type {number | null} */
  let peak = null
  const path = `/proc/${pid}/status`
  const timer = setInterval(() => {
    if (!existsSync(path)) return
    const mark = /VmHWM:\s+(\d+) kB/.exec(readFileSync(path, 'utf8'))?.[1]
    if (mark !== undefined) peak = Number(mark) * 1024
  }, POLL_MS)
  return {
    stop() {
      clearInterval(timer)
      return peak
    },
  }
}

function endRunning() {
  for (const pid of running) endGroup(pid)
}

/** @param {number} pid */
function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error
  }
}

/** @param {string} text */
const firstLine = (text) => (text.trim().split('\n')[0] ?? '').slice(0, 160) || 'no message'
