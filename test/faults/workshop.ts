import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Everything the program is told by now lies in this year: so it can be told from what the sessions say. */
export const T0 = Date.parse('2033-05-02T08:00:00Z')
const TIMEOUT_MS = 40_000
const ROOM_BYTES = 2 * 2 ** 30

/** Where one run of the program lives. The sessions are shared, the rest is its own. */
export interface Place {
  readonly home: string
  /** Holds `recall/`. */
  readonly data: string
  readonly config: string
  readonly cwd: string
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
  readonly timedOut: boolean
}

export interface Run {
  readonly args: readonly string[]
  /** What the program believes the time to be. */
  readonly at: number
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
}

/** A directory in memory where there is enough of it: a full disk and `kill -9` look the same there, and syncs are free. */
export function workDir(name: string): string {
  const shm = '/dev/shm'
  const hasRoom = existsSync(shm) && statfsSync(shm).bavail * statfsSync(shm).bsize > ROOM_BYTES
  return mkdtempSync(path.join(hasRoom ? shm : tmpdir(), `recall-${name}-`))
}

export class Workshop {
  readonly dir: string
  readonly #bin: string
  readonly #clock: string

  constructor(dir: string, bin: string) {
    this.dir = dir
    this.#bin = bin
    this.#clock = path.join(dir, 'clock.cjs')
    const clock = `const now = Date.now, ahead = Number(process.env.FAULT_NOW) - now()\nDate.now = () => now() + ahead\n`
    writeFileSync(this.#clock, clock)
  }

  /** Runs the program to its end; one that takes too long is killed. */
  run(place: Place, run: Run): Promise<Ended> {
    const child = spawn(process.execPath, ['--require', this.#clock, this.#bin, ...run.args], {
      cwd: place.cwd,
      env: { ...environment(place), FAULT_NOW: String(run.at), ...run.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (bytes: Buffer) => out.push(bytes))
    child.stderr.on('data', (bytes: Buffer) => err.push(bytes))
    child.stdin.on('error', () => undefined)
    child.stdin.end(run.input ?? '')
    return new Promise((resolve) => {
      let timedOut = false
      const timer = setTimeout(() => {
        timedOut = true
        child.kill('SIGKILL')
      }, TIMEOUT_MS)
      child.on('close', (code, signal) => {
        clearTimeout(timer)
        const text = (parts: Buffer[]) => Buffer.concat(parts).toString('utf8')
        resolve({ code, signal, out: text(out), err: text(err), timedOut })
      })
    })
  }

  /** Runs it and throws if it fails. */
  async must(place: Place, run: Run): Promise<Ended> {
    const ended = await this.run(place, run)
    if (ended.code !== 0) throw new Error(`recall ${run.args.join(' ')}: ${ended.code}\n${ended.out}${ended.err}`)
    return ended
  }

  /** A copy of a prepared state, at a path that is as long for every name of three letters. */
  copy(prepared: Place, name: string): Place {
    const dir = path.join(this.dir, name)
    mkdirSync(dir)
    const place = placeIn(dir, prepared)
    cpSync(prepared.data, place.data, { recursive: true, preserveTimestamps: true })
    cpSync(prepared.cwd, place.cwd, { recursive: true, preserveTimestamps: true })
    return place
  }
}

/** The same place in another directory. Who lives in the project moves with it. */
export function placeIn(dir: string, like: Place): Place {
  const cwd = path.join(dir, 'project')
  return { ...like, data: path.join(dir, 'data'), cwd, ...(like.home === like.cwd ? { home: cwd } : {}) }
}

/** Nothing of this machine but the path; io_uring would pass the shim by. */
function environment({ home, data, config }: Place): Record<string, string> {
  const own = { HOME: home, XDG_DATA_HOME: data, XDG_CONFIG_HOME: config }
  return { ...own, PATH: process.env['PATH'] ?? '', TZ: 'UTC', UV_USE_IO_URING: '0' }
}

/** Builds the shim; null where there is no compiler. */
export function buildShim(source: string, dir: string): string | null {
  if (process.platform !== 'linux' || spawnSync('cc', ['--version']).status !== 0) return null
  const shim = path.join(dir, 'shim.so')
  const flags = ['-shared', '-fPIC', '-O2', '-Wall', '-Wno-nonnull-compare', '-o', shim, source, '-lpthread']
  const built = spawnSync('cc', flags, { encoding: 'utf8' })
  if (built.status !== 0) throw new Error(`cc cannot build ${source}:\n${built.stderr}`)
  return shim
}
