import { spawn } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
  watch as watchFs,
} from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { bin, cleanEnv, recallCli } from '../../test/kit/cli.ts'
import { tempDir } from '../../test/kit/home.ts'
import type { Source } from '../sources/source.ts'
import { watchRoots, type Watcher, type WatchTask } from './watch.ts'

/** Sessions are `*.log` anywhere; `cache` is not looked into. */
const source = {
  owns: (relative: string) => relative.endsWith('.log'),
  skips: (relative: string) => relative.endsWith('cache'),
} as Source

let watcher: Watcher | null = null
afterEach(() => watcher?.close())

interface Seen {
  readonly root: string
  readonly queue: string
  /** How often it called since this was last asked, waiting for a first call and for others that may follow. */
  readonly calls: () => Promise<number>
  /** As `calls`, without waiting for a first one. */
  readonly strayCalls: () => Promise<number>
}

const TIMING = { quietMs: 100, burstMs: 1000, fallbackMs: 100 }

function watching(given: Partial<WatchTask> = {}, prepare: (root: string) => void = () => undefined): Seen {
  const home = tempDir()
  const root = path.join(home, '.agent', 'sessions')
  const queue = path.join(home, 'data', 'queue')
  prepare(root)
  const told = { count: 0 }
  const onChange = async () => void told.count++
  watcher = watchRoots({ roots: [{ source, dir: root }], also: [queue], onChange, timing: TIMING, ...given })
  const strayCalls = async () => {
    await sleep(300)
    const seen = told.count
    told.count = 0
    return seen
  }
  const calls = async () => {
    for (let waited = 0; told.count === 0 && waited < 9000; waited += 20) await sleep(20)
    return strayCalls()
  }
  return { root, queue, calls, strayCalls }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const makeRoot = (root: string) => mkdirSync(path.join(root, 'a'), { recursive: true })

describe('a watcher', () => {
  test('tells of new and grown transcripts, once for a burst, and of nothing else', async () => {
    const { root, calls, strayCalls } = watching({}, makeRoot)
    writeFileSync(path.join(root, 'a', 'notes.txt'), 'no session')
    mkdirSync(path.join(root, 'cache'))
    expect(await strayCalls()).toBe(0)
    for (let i = 0; i < 50; i++) appendFileSync(path.join(root, 'a', 'one.log'), 'line\n')
    expect(await calls()).toBe(1)
  })

  test('does not let a burst that never ends keep it waiting', async () => {
    const told = { count: 0 }
    const { root } = watching({ onChange: async () => void told.count++ }, makeRoot)
    for (let i = 0; i < 2000 && told.count === 0; i++) {
      appendFileSync(path.join(root, 'a', 'one.log'), 'line\n')
      await sleep(5)
    }
    expect(told.count).toBe(1)
  })

  test('needs one watch a directory, however many files there are', () => {
    watching({}, (root) => {
      makeRoot(root)
      for (let i = 0; i < 100; i++) writeFileSync(path.join(root, 'a', `${i}.log`), '')
    })
    // The root, one directory in it, and whatever stands in for the queue that is not there yet.
    expect(watcher?.watched).toBe(3)
  })

  test('follows roots and directories that come, go and come again', async () => {
    const { root, calls } = watching()
    const told = async (act: () => void) => {
      act()
      return (await calls()) > 0
    }
    expect(await told(() => makeRoot(root))).toBe(true)
    expect(await told(() => writeFileSync(path.join(root, 'a', 'one.log'), ''))).toBe(true)
    expect(await told(() => mkdirSync(path.join(root, 'b', 'c'), { recursive: true }))).toBe(true)
    expect(await told(() => writeFileSync(path.join(root, 'b', 'c', 'two.log'), ''))).toBe(true)
    expect(await told(() => rmSync(path.dirname(root), { recursive: true }))).toBe(true)
    expect(await told(() => makeRoot(root))).toBe(true)
    expect(await told(() => writeFileSync(path.join(root, 'a', 'three.log'), ''))).toBe(true)
  })

  test('notices a directory that was replaced by another of its name', async () => {
    const { root, calls } = watching({}, makeRoot)
    renameSync(root, `${root}-old`)
    makeRoot(root)
    expect(await calls()).toBeGreaterThan(0)
    writeFileSync(path.join(root, 'a', 'one.log'), '')
    expect(await calls()).toBeGreaterThan(0)
  })

  test('is told by the queue, also by one that is made later, and not by its draining', async () => {
    const { queue, calls, strayCalls } = watching({}, makeRoot)
    mkdirSync(queue, { recursive: true })
    expect(await calls()).toBeGreaterThan(0)
    writeFileSync(path.join(queue, '.draft'), '{}')
    renameSync(path.join(queue, '.draft'), path.join(queue, 'entry.json'))
    expect(await calls()).toBe(1)
    rmSync(path.join(queue, 'entry.json'))
    expect(await strayCalls()).toBe(0)
  })

  test('runs one at a time, and once more for what happened meanwhile', async () => {
    let running = 0
    let most = 0
    const told = { count: 0 }
    let release: () => void = () => undefined
    const onChange = async () => {
      told.count++
      most = Math.max(most, ++running)
      if (told.count === 1) await new Promise<void>((resolve) => (release = resolve))
      running--
    }
    const { root } = watching({ onChange }, makeRoot)
    writeFileSync(path.join(root, 'a', 'one.log'), '')
    while (told.count < 1) await sleep(20)
    for (let i = 0; i < 2; i++) {
      appendFileSync(path.join(root, 'a', 'one.log'), 'x')
      await sleep(300)
    }
    release()
    await sleep(400)
    expect([most, told.count]).toEqual([1, 2])
  })

  test('falls back to looking for itself when the system gives no more watches', async () => {
    const reasons: string[] = []
    const refuse = () => {
      throw Object.assign(new Error('no space left for watches'), { code: 'ENOSPC' })
    }
    const given = {
      watchDirectory: refuse as unknown as typeof watchFs,
      onFallback: (why: string) => reasons.push(why),
    }
    const { root, calls } = watching(given, makeRoot)
    expect([watcher?.polling, watcher?.watched, reasons]).toEqual([true, 0, ['no space left for watches']])
    writeFileSync(path.join(root, 'a', 'one.log'), '')
    expect(await calls()).toBeGreaterThan(0)
  })

  test('looks in turns if asked to, and sees growth, removal and new directories', async () => {
    const { root, calls, strayCalls } = watching({ pollMs: 50 }, makeRoot)
    expect(await strayCalls()).toBe(0)
    const file = path.join(root, 'new', 'one.log')
    mkdirSync(path.dirname(file))
    writeFileSync(file, '')
    expect(await calls()).toBeGreaterThan(0)
    appendFileSync(file, 'more')
    expect(await calls()).toBeGreaterThan(0)
    rmSync(file)
    expect(await calls()).toBeGreaterThan(0)
  })

  test('says nothing after it was closed, and closing waits for what still runs', async () => {
    let done = false
    const { root } = watching({ onChange: () => sleep(200).then(() => void (done = true)) }, makeRoot)
    void watcher?.now()
    await watcher?.close()
    expect(done).toBe(true)
    done = false
    writeFileSync(path.join(root, 'a', 'one.log'), '')
    await sleep(500)
    expect(done).toBe(false)
  })
})

test('the command ends when asked also while somebody else is writing', async () => {
  const env = cleanEnv(tempDir())
  recallCli(env, 'index')
  writeFileSync(path.join(env['XDG_DATA_HOME'] ?? '', 'recall', 'recall.lock'), `${process.pid}\n`)
  const child = spawn(process.execPath, [bin, 'watch'], { env, stdio: 'ignore' })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  const handles = `/proc/${child.pid}/fd`
  const isWatching = () => readdirSync(handles).some((fd) => readLink(path.join(handles, fd)).includes('inotify'))
  if (existsSync(handles)) await expect.poll(isWatching, { timeout: 30_000 }).toBe(true)
  await sleep(1500)
  child.kill('SIGTERM')
  const stuck = setTimeout(() => child.kill('SIGKILL'), 30_000)
  expect(await ended).toBe(0)
  clearTimeout(stuck)
})

/** Where a link leads; nowhere if it has gone meanwhile. */
function readLink(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}
