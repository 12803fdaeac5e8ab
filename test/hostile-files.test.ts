import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { LineReader } from '../src/sources/kit/lines.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { bin, cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { GrokLog, sessionDir } from './kit/grok-log.ts'
import { demoHome, NOW, productOn, tempDir } from './kit/home.ts'

type Json = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- what the program prints, read as its users would

const posix = process.platform !== 'win32'

/** A home with one good session, and the directory it lies in. */
function homeWithGood(): { home: string; dir: string } {
  const home = tempDir()
  const good = write(transcriptPath(home, uuid('good')), new ClaudeLog(uuid('good')).user('find the walrus').text())
  return { home, dir: path.dirname(good) }
}

/** Indexes and says what was told of each file; the good session is found. */
async function indexed(home: string) {
  const { recall } = productOn(home)
  const told = new Map<string, string[]>()
  const onProblem = (file: string, message: string) => {
    told.set(path.basename(file), [...(told.get(path.basename(file)) ?? []), message])
  }
  try {
    const report = await recall.index({ onProblem })
    const problems = (await recall.status()).problems
    return {
      report,
      told,
      problems,
      found: (await recall.search({ text: 'walrus', filter: { limit: 10 }, now: NOW })).total,
    }
  } finally {
    await recall.close()
  }
}

describe.runIf(posix)('a file that cannot be read is one message, and the rest is read', () => {
  test.each<[string, (file: string, dir: string) => unknown]>([
    ['a link to itself', (file) => symlinkSync(path.basename(file), file)],
    [
      'a link to a link to itself',
      (file, dir) => {
        symlinkSync(path.basename(file), path.join(dir, 'other'))
        symlinkSync('other', file)
      },
    ],
    ['a link to /dev/zero', (file) => symlinkSync('/dev/zero', file)],
    ['a link to /dev/random', (file) => symlinkSync('/dev/random', file)],
    ['a link to a terminal', (file) => symlinkSync('/dev/tty', file)],
    ['a link to a directory', (file) => symlinkSync('/', file)],
    ['a pipe', (file) => spawnSync('mkfifo', [file])],
    [
      'a link to a pipe',
      (file, dir) => {
        spawnSync('mkfifo', [path.join(dir, 'pipe')])
        symlinkSync('pipe', file)
      },
    ],
    ['a link through a file', (file, dir) => symlinkSync(path.join(dir, `${uuid('good')}.jsonl`, 'x', 'y'), file)],
  ])('%s', async (_, make) => {
    const { home, dir } = homeWithGood()
    make(path.join(dir, 'bad.jsonl'), dir)
    const { report, told, problems, found } = await indexed(home)
    expect(found).toBe(1)
    const isGone = told.size === 0
    expect([...told.keys()]).toEqual(isGone ? [] : ['bad.jsonl'])
    expect(report.files).toMatchObject({ parsed: 1, skipped: isGone ? 1 : 0, failed: isGone ? 0 : 1 })
    if (isGone) return
    expect(told.get('bad.jsonl')).toHaveLength(1)
    expect(problems).toContainEqual(expect.objectContaining({ type: 'unreadable file', level: 'warn', count: 1 }))
  })

  test('a socket', async () => {
    const { home, dir } = homeWithGood()
    const server = createServer().listen(path.join(dir, 'bad.jsonl'))
    await once(server, 'listening')
    try {
      expect(await indexed(home)).toMatchObject({ found: 1, report: { files: { parsed: 1, failed: 1 } } })
    } finally {
      server.close()
    }
  })

  test('one that nobody may read', () => {
    const { home, dir } = homeWithGood()
    const file = write(path.join(dir, `${uuid('shut')}.jsonl`), new ClaudeLog(uuid('shut')).user('x').text())
    chmodSync(file, 0)
    const env = cleanEnv(home)
    expect(recallJson(env, 'index')).toMatchObject({ code: 0, sessions: { new: process.getuid?.() === 0 ? 2 : 1 } })
  })

  test('a name of bytes that are no text', async () => {
    const { home, dir } = homeWithGood()
    writeFileSync(Buffer.concat([Buffer.from(`${dir}/bad`), Buffer.from([0xff, 0xfe]), Buffer.from('.jsonl')]), 'x')
    const { report, told, found } = await indexed(home)
    expect([found, report.files.failed, [...told.values()]]).toEqual([1, 1, [['its name is no text']]])
  })

  test('a pipe beside a transcript, where a file is looked for', async () => {
    const { home } = homeWithGood()
    const log = new GrokLog('019f0000-0000-7000-8000-000000000001').prompt('why is the heron late').say('rain').done()
    const dir = sessionDir(path.join(home, '.grok'), log.session)
    write(path.join(dir, 'updates.jsonl'), log.text())
    for (const name of ['events.jsonl', 'summary.json']) spawnSync('mkfifo', [path.join(dir, name)])
    symlinkSync('loop', path.join(path.dirname(dir), '.cwd'))
    const { report, found } = await indexed(home)
    expect([found, report.sessions.new, report.files.failed]).toEqual([1, 2, 2])
  })
})

describe.runIf(posix)('strange but readable', () => {
  test.each([
    ['a newline', 'a\nb'],
    ['quotes', `a'b"c\`d`],
    ['control characters', 'a\u001b[2Jb\u0007'],
    ['255 bytes', 'x'.repeat(249)],
    ['characters of four bytes', '🦦'.repeat(60)],
  ])('a name with %s', async (_, name) => {
    const { home, dir } = homeWithGood()
    write(path.join(dir, `${name}.jsonl`), new ClaudeLog(uuid('odd')).user('count the herons').text())
    expect(await indexed(home)).toMatchObject({ found: 1, report: { sessions: { new: 2 }, files: { failed: 0 } } })
  })

  test('a transcript behind a link is read', async () => {
    const { home, dir } = homeWithGood()
    const kept = path.join(tempDir(), 'kept.jsonl')
    renameSync(path.join(dir, `${uuid('good')}.jsonl`), kept)
    symlinkSync(kept, path.join(dir, `${uuid('good')}.jsonl`))
    expect((await indexed(home)).found).toBe(1)
  })

  test('sessions that are kept elsewhere, behind a link, are read; a loop of directories is not followed', async () => {
    const { home, dir } = homeWithGood()
    const projects = path.dirname(dir)
    const elsewhere = path.join(tempDir(), 'projects')
    renameSync(projects, elsewhere)
    symlinkSync(elsewhere, projects)
    symlinkSync('..', path.join(elsewhere, 'loop'))
    symlinkSync('/', path.join(elsewhere, 'root'))
    expect(await indexed(home)).toMatchObject({ found: 1, report: { files: { found: 1, failed: 0 } } })
  })

  test('directories as deep as a path may be', async () => {
    const { home, dir } = homeWithGood()
    let deep = dir
    for (let i = 0; i < 400 && deep.length < 3800; i++) mkdirSync((deep = path.join(deep, 'a'.repeat(10))))
    write(path.join(deep, `${uuid('deep')}.jsonl`), new ClaudeLog(uuid('deep')).user('count the herons').text())
    expect(await indexed(home)).toMatchObject({ found: 1, report: { sessions: { new: 2 } } })
  })

  test('a file that vanishes or shrinks while others are read', async () => {
    const { home, dir } = homeWithGood()
    for (const name of ['a', 'b']) {
      const log = new ClaudeLog(uuid(name))
      for (let i = 0; i < 50; i++) log.user(`prompt ${i} of ${name}`)
      write(path.join(dir, `zz-${name}.jsonl`), log.text())
      // The newest is read first.
      utimesSync(path.join(dir, `zz-${name}.jsonl`), 1000, 1000)
    }
    const { recall } = productOn(home)
    let left = 1
    const report = await recall.index({
      onFile: () => {
        if (left-- !== 1) return
        unlinkSync(path.join(dir, 'zz-a.jsonl'))
        const fd = openSync(path.join(dir, 'zz-b.jsonl'), 'r+')
        ftruncateSync(fd, 100)
        closeSync(fd)
      },
    })
    expect(report.files).toMatchObject({ failed: 1 })
    expect((await recall.search({ text: 'walrus', filter: { limit: 10 }, now: NOW })).total).toBe(1)
    await recall.close()
  })
})

describe('long lines and long files', () => {
  test.each<[string, () => string, string]>([
    [
      'a million brackets',
      () => `{"type":"user","message":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`,
      'broken line',
    ],
    ['brackets that never close', () => `{"type":"user","message":${'['.repeat(1_000_000)}`, 'broken line'],
    [
      'two million keys',
      () => `{"type":"user",${Array.from({ length: 2_000_000 }, (_, i) => `"${i.toString(36)}":1`).join()}}`,
      'broken line',
    ],
    ['four million lists', () => `{"type":"user","x":[${'[],'.repeat(4_000_000)}1]}`, 'broken line'],
    ['more than 64 MiB', () => `{"type":"user","x":"${'a'.repeat(65 * 1024 * 1024)}"}`, 'overlong line'],
  ])('a record of %s is one Problem', async (_, line, problem) => {
    const { home, dir } = homeWithGood()
    write(path.join(dir, `${uuid('long')}.jsonl`), `${new ClaudeLog(uuid('long')).user('before').text()}${line()}\n`)
    const { problems, found } = await indexed(home)
    expect(found).toBe(1)
    expect(problems.filter(({ level }) => level === 'warn')).toEqual([
      expect.objectContaining({ type: problem, count: 1 }),
    ])
  })

  test.each([
    ['a zero byte', 'a\u0000b heron'],
    ['half a surrogate pair', 'a\ud83e heron'],
    ['every control character', `${Array.from({ length: 32 }, (_, i) => String.fromCharCode(i)).join('')} heron`],
  ])('a text with %s is kept and found', async (_, text) => {
    const { home, dir } = homeWithGood()
    write(path.join(dir, `${uuid('odd')}.jsonl`), new ClaudeLog(uuid('odd')).user(text).say('walrus').text())
    expect(await indexed(home)).toMatchObject({ found: 2, report: { problems: 0 } })
  })

  test('300 MB without a newline take little memory and time', () => {
    const { home, dir } = homeWithGood()
    const fd = openSync(path.join(dir, 'huge.jsonl'), 'w')
    ftruncateSync(fd, 300 * 1024 * 1024)
    closeSync(fd)
    const env = cleanEnv(home)
    const run = spawnSync(process.execPath, ['--max-old-space-size=256', bin, 'index', '--json'], {
      env,
      encoding: 'utf8',
    })
    expect(run.status).toBe(0)
    expect(JSON.parse(run.stdout)).toMatchObject({ sessions: { new: 1 } })
  })

  test('lines are read from regular files only, and nothing is waited for', () => {
    const pipe = path.join(tempDir(), 'pipe')
    spawnSync('mkfifo', [pipe])
    if (!existsSync(pipe)) return
    expect(() => [...new LineReader(pipe, null)]).toThrow('not a regular file')
    expect(readdirSync('/proc/self/fd').length).toBeLessThan(200)
  })
})

describe.runIf(posix)('few descriptors', () => {
  const limited = (env: Record<string, string>, files: number, ...args: string[]) => {
    const script = `ulimit -n ${files}; exec "$@"`
    return spawnSync('sh', ['-c', script, 'sh', process.execPath, bin, ...args], { env, encoding: 'utf8' })
  }

  test('with 40 everything is read and shown', () => {
    const env = cleanEnv(demoHome())
    expect(limited(env, 40, 'index', '--json')).toMatchObject({ status: 0 })
    const { sessions } = recallJson(env, 'list', '--limit', '3') as Json
    for (const { session_uid: uid } of sessions) expect(limited(env, 40, 'show', uid, '--tools').status).toBe(0)
    expect(limited(env, 40, 'analyze', '--all').status).toBe(0)
  })

  test('with too few it is told, and is no bug', () => {
    const home = demoHome()
    const env = cleanEnv(home)
    const long = new ClaudeLog(uuid('long')).user('x'.repeat(7 * 1024 * 1024))
    write(transcriptPath(home, uuid('long')), long.text())
    recallCli(env, 'index')
    const codes = new Set<number | null>()
    for (const files of [19, 21, 23, 25, 28, 31]) {
      const run = limited(env, files, 'index', '--full')
      if (/this is a bug/.test(run.stderr)) throw new Error(`with ${files}: ${run.stderr}`)
      if (/too many files are open|unable to open|cannot use/.test(run.stderr)) codes.add(run.status)
    }
    expect([...codes].filter((code) => code !== 4)).toEqual([])
  })
})

test.runIf(posix)('the lock is not held by a command that waits for a pipe', async () => {
  const { home, dir } = homeWithGood()
  spawnSync('mkfifo', [path.join(dir, 'bad.jsonl')])
  const env = cleanEnv(home)
  const child = spawn(process.execPath, [bin, 'index'], { env, stdio: 'ignore' })
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(recallCli(env, 'index').code).toBe(0)
})
