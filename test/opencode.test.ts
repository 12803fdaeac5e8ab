import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { opencode } from '../src/sources/opencode/opencode.ts'
import { opencodeReader } from '../src/sources/opencode/reader.ts'
import { placeOf, type EventItem, type Item, type Unit } from '../src/sources/source.ts'
import { bin, cleanEnv } from './kit/cli.ts'
import { dump, query } from './kit/dump.ts'
import { productOn, tempDir } from './kit/home.ts'
import { call, done, failed, layEventful, layTree, OpencodeHome, START, TOKENS } from './kit/opencode-home.ts'

const ALL = { limit: 0, hidden: true }

function read(unit: Unit): Item[] {
  return [...opencodeReader.read(unit, null)].flat()
}

const events = (items: readonly Item[]): EventItem[] => items.filter((item) => item.item === 'event')

/** Equal for stores that say the same, wherever the home lies. */
function stable(store: string, home: string): unknown {
  const { documents: _, ...said } = dump(store)
  const text = JSON.stringify(said, (key, value: unknown) =>
    key === 'short_id' || key === 'message_id' || key === 'call_id' ? undefined : value,
  )
  return JSON.parse(text.replaceAll(home, 'HOME')) as unknown
}

const log = path.join('project', 'x', 'storage', 'session', 'info')

test('opens databases, their logs and session files by name, and never what holds credentials', () => {
  for (const file of ['opencode.db', 'opencode-next.db', 'storage/session/p1/ses_1.json', `${log}/ses_1.json`])
    expect([file, opencode.owns(file)]).toEqual([file, true])
  const others = [
    'auth.json',
    'mcp-auth.json',
    'opencode.db-wal',
    'opencode.db-shm',
    'opencode.json',
    'storage/project/p1.json',
  ]
  for (const file of [
    ...others,
    'storage/session_diff/ses_1.json',
    'storage/session/ses_1.json',
    'snapshot/opencode.db',
  ])
    expect([file, opencode.owns(file)]).toEqual([file, false])
  const root = '/home/sam/.local/share/opencode'
  expect(opencode.companions?.({ path: `${root}/opencode.db`, root })).toEqual([`${root}/opencode.db-wal`])
  for (const dir of ['snapshot', 'log', 'repos', 'bin', 'tool-output', 'storage/part', 'storage/message'])
    expect([dir, opencode.skips(dir)]).toEqual([dir, true])
})

describe('what an answer has cost', () => {
  const usage = (made: OpencodeHome, session: string) =>
    read(made.unit(session)).filter((item) => item.item === 'usage')

  test('stands once, though a step and its message say it, with reasoning in the output', () => {
    const made = new OpencodeHome(tempDir())
    const ses = made.session('ses_1')
    made.prompt(ses, 'add them')
    made.answer(ses, [{ type: 'text', text: 'I add.' }])
    expect(usage(made, ses)).toMatchObject([
      { input: 600, output: 50, reasoning: 5, cacheRead: 400, cacheWrite5m: 25, costUsd: 0.01 },
    ])
  })

  test('has reasoning within it where the total says so or is not told', () => {
    const made = new OpencodeHome(tempDir())
    const ses = made.session('ses_1')
    const within = { total: 1045, input: 600, output: 45, reasoning: 5, cache: { read: 400, write: 0 } }
    const { total: _, ...untold } = within
    made.answer(ses, [], {}, within)
    made.answer(ses, [], {}, untold)
    expect(usage(made, ses).map((item) => item.item === 'usage' && item.output)).toEqual([45, 45])
  })

  test('is told by each step of an answer of the first versions, whose input has the cache in it', () => {
    const unit = layTree(path.join(tempDir(), 'opencode'), 'ses_1', { isFirst: true })
    const items = read(unit).filter((item) => item.item === 'usage')
    expect(items).toMatchObject([
      { input: 600, output: 45, cacheRead: 400 },
      { input: 600, output: 45, cacheRead: 400 },
    ])
  })
})

test('prompts lose the quotes of a shell, and what the client adds is no prompt', () => {
  const made = new OpencodeHome(tempDir())
  const ses = made.session('ses_1')
  made.prompt(ses, '"say \\"hi\\" to them"', { type: 'text', text: 'Called the Read tool', synthetic: true })
  made.prompt(ses, '"quoted"')
  const said = events(read(made.unit(ses))).filter(({ kind }) => kind === 'user_msg')
  expect(said.map(({ text, human, marks }) => [text, human, marks?.injected])).toEqual([
    ['say "hi" to them', true, undefined],
    ['Called the Read tool', false, true],
    ['"quoted"', true, undefined],
  ])
})

test('a call that nobody was there to allow was denied by a rule', () => {
  const made = new OpencodeHome(tempDir())
  const rules = ['question', 'plan_enter', 'plan_exit'].map((permission) => ({
    permission,
    pattern: '*',
    action: 'deny',
  }))
  const ses = made.session('ses_1', { permission: JSON.stringify(rules) })
  made.answer(ses, [call('c1', failed('cp a ..', 'The user rejected permission to use this specific tool call.'))])
  const items = read(made.unit(ses))
  expect(events(items).find(({ kind }) => kind === 'tool_result')?.marks).toEqual({ denied: 'rule' })
  expect(items.find((item) => item.item === 'facts')).toMatchObject({ facts: { automated: true } })
})

test('a part of an unknown type is told once a session', () => {
  const made = new OpencodeHome(tempDir())
  const ses = made.session('ses_1')
  made.answer(ses, [{ type: 'novelty' }, { type: 'novelty' }, { type: 'patch', hash: 'x', files: [] }])
  expect(read(made.unit(ses)).filter(({ item }) => item === 'problem')).toMatchObject([
    { type: 'part novelty', level: 'info' },
  ])
})

test('a fork is told as one, and what it copied is counted once', async () => {
  const home = tempDir()
  const made = new OpencodeHome(home)
  const ses = made.session('ses_first', { title: 'Adding' })
  made.prompt(ses, 'add them up')
  made.answer(ses, [{ type: 'text', text: 'I add.' }, call('c1', done('npm test', 'green', 0))])
  made.fork(ses, 'ses_fork')
  made.prompt('ses_fork', 'and subtract')
  made.answer('ses_fork', [{ type: 'text', text: 'I subtract.' }])
  const { recall, store } = productOn(home)
  await recall.index()
  const sessions = (await recall.list(ALL)).sessions
  const fork = sessions.find(({ nativeId }) => nativeId === 'ses_fork')
  expect(fork).toMatchObject({ parentUid: 'opencode:ses_first', promptCount: 1, toolCount: 0, isSubagent: false })
  expect(query(store, 'SELECT count(*) AS n, sum(input) AS input FROM ledger')).toEqual([{ n: 2, input: 1200 }])
  await recall.close()
})

describe("the agent's directory", () => {
  const state = (dir: string) =>
    readdirSync(dir).map((name) => {
      const file = path.join(dir, name)
      const { mtimeNs, ino, size } = statSync(file, { bigint: true })
      const hash = createHash('sha256').update(readFileSync(file)).digest('hex')
      return `${name} ${ino} ${size} ${mtimeNs} ${hash}`
    })

  const lay = (home: string, how: string) => {
    const made = new OpencodeHome(home)
    made.prompt(made.session('ses_1'), 'one word')
    if (how === 'no log') made.checkpoint()
    const others = path.join(tempDir(), '.local/share/opencode')
    mkdirSync(others, { recursive: true })
    const files = how === 'a log, and the agent is running' ? [] : how === 'no log' ? [''] : ['', '-wal']
    for (const end of files) copyFileSync(made.file + end, path.join(others, `opencode.db${end}`))
    return files.length === 0 ? { home, root: made.root } : { home: path.resolve(others, '../../..'), root: others }
  }

  /** Another process than the agent's, as ever: one process shares what it has open of a database. */
  function indexIn(home: string, root: string, ...before: string[]) {
    mkdirSync(path.join(home, '.config/recall'), { recursive: true })
    writeFileSync(
      path.join(home, '.config/recall/config.toml'),
      `[sources.opencode]\nroots = [${JSON.stringify(root)}]\n`,
    )
    const [program = process.execPath, ...args] = [...before, process.execPath, bin, 'index', '--full', '--json']
    const run = spawnSync(program, args, { env: cleanEnv(home), encoding: 'utf8' })
    expect(JSON.parse(run.stdout)).toMatchObject({ sessions: { new: 1 } })
  }

  test.each(['a log, and the agent is running', 'a log without its index', 'no log'])(
    'stays as it is with %s',
    (how) => {
      const { home, root } = lay(tempDir(), how)
      const before = [state(root), statSync(root, { bigint: true }).mtimeNs]
      indexIn(home, root)
      expect([state(root), statSync(root, { bigint: true }).mtimeNs]).toEqual(before)
    },
  )

  test.skipIf(!existsSync('/usr/bin/strace'))('is neither written to nor added to, call by call', () => {
    const { home, root } = lay(tempDir(), 'a log, and the agent is running')
    const trace = path.join(tempDir(), 'trace')
    const calls =
      'openat,open,creat,write,pwrite64,writev,pwritev,ftruncate,truncate,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat'
    indexIn(home, root, 'strace', '-f', '-y', '-e', `trace=${calls}`, '-o', trace)
    const lines = readFileSync(trace, 'utf8')
      .split('\n')
      .filter((line) => line.includes(root))
    expect(lines.some((line) => line.includes('opencode.db"'))).toBe(true)
    expect(lines.filter((line) => !/\bopenat?\(/.test(line))).toEqual([])
    // SQLite opens the log as it would to begin one; it is there, and not written to.
    const opened = lines.filter((line) => /O_CREAT|O_RDWR|O_WRONLY/.test(line) && !line.includes('opencode.db-wal"'))
    expect(opened).toEqual([])
    expect(readdirSync(root).sort()).toEqual(['opencode.db', 'opencode.db-shm', 'opencode.db-wal'])
  })
})

/** What happens to a database while an agent works, one write at a time. */
function life(made: OpencodeHome): (() => void)[] {
  const ses = 'ses_life'
  const prompt = { role: 'user', time: { created: START + 10_000 } }
  const answer = { role: 'assistant', modelID: 'lab-large', time: { created: START + 11_000 } }
  const ended = {
    ...answer,
    time: { created: START + 11_000, completed: START + 15_000 },
    tokens: TOKENS,
    cost: 0.01,
    finish: 'stop',
  }
  const running = { status: 'running', input: { command: 'npm test' }, time: { start: START + 12_000 } }
  const wrong = { role: 'user', time: { created: START + 20_000 } }
  const oh = { ...answer, time: { created: START + 21_000, completed: START + 22_000 }, tokens: TOKENS, finish: 'stop' }
  return [
    () => made.session(ses),
    () => made.message(ses, 'msg_1', prompt),
    () => made.part(ses, 'msg_1', 'prt_1', { type: 'text', text: 'test it' }),
    () => made.message(ses, 'msg_2', answer),
    () => made.part(ses, 'msg_2', 'prt_2', { type: 'text', text: '' }),
    () => made.part(ses, 'msg_2', 'prt_2', { type: 'text', text: 'I test.', time: { start: START + 11_500 } }),
    () => made.part(ses, 'msg_2', 'prt_3', call('c1', { status: 'pending', input: {}, raw: '' })),
    () => made.part(ses, 'msg_2', 'prt_3', call('c1', running)),
    () => made.part(ses, 'msg_2', 'prt_3', call('c1', done('npm test', 'red', 1))),
    () => made.message(ses, 'msg_2', ended),
    () => made.message(ses, 'msg_1', { ...prompt, summary: { diffs: [{ file: 'a' }] } }),
    () => made.set(ses, 'title', 'Testing'),
    () => made.message(ses, 'msg_3', wrong),
    () => made.part(ses, 'msg_3', 'prt_4', { type: 'text', text: 'wrong way' }),
    () => made.message(ses, 'msg_4', oh),
    () => made.part(ses, 'msg_4', 'prt_5', { type: 'text', text: 'Oh.' }),
    () => made.set(ses, 'revert', JSON.stringify({ messageID: 'msg_3' })),
    () => made.set(ses, 'revert', null),
    () => made.set(ses, 'revert', JSON.stringify({ messageID: 'msg_3' })),
    () => made.remove(ses, 'msg_3'),
    () => made.remove(ses, 'msg_4'),
    () => made.set(ses, 'revert', null),
    () => made.message(ses, 'msg_5', { role: 'user', time: { created: START + 30_000 } }),
    () => made.part(ses, 'msg_5', 'prt_6', { type: 'text', text: 'right way' }),
    () => made.message(ses, 'msg_6', { ...answer, time: { created: START + 31_000 } }),
    () => made.part(ses, 'msg_6', 'prt_7', { type: 'text', text: '' }),
    () => made.message(ses, 'msg_7', { role: 'user', time: { created: START + 40_000 } }),
    () => made.part(ses, 'msg_7', 'prt_8', { type: 'text', text: 'are you there?' }),
    () =>
      made.part(
        ses,
        'msg_2',
        'prt_3',
        call('c1', { ...done('npm test', 'red', 1), time: { start: START + 5000, end: START + 6000, compacted: 3 } }),
      ),
    () => made.set(ses, 'time_archived', START + 50_000),
  ]
}

describe('a database that grows', () => {
  test.each([1, 2, 3, 5])('looked at after every %i writes ends as if it had been read once', async (every) => {
    const home = tempDir()
    const made = new OpencodeHome(home)
    const seen = productOn(home)
    for (const [n, step] of life(made).entries()) {
      step()
      if (n % every === 0) await seen.recall.index()
    }
    await seen.recall.index()
    const once = productOn(home)
    await once.recall.index()
    expect(stable(seen.store, home)).toEqual(stable(once.store, home))
    const before = stable(seen.store, home)
    await seen.recall.index({ full: true })
    expect(stable(seen.store, home)).toEqual(before)
    expect(await seen.recall.doctor()).toEqual([])
    const superseded = query(once.store, 'SELECT text FROM event WHERE flags & 2 AND text IS NOT NULL ORDER BY pos')
    expect(superseded.map(({ text }) => text)).toContain('wrong way')
    await seen.recall.close()
    await once.recall.close()
  })

  test('without a log of changes keeps what was taken back, if it was read before', async () => {
    const home = tempDir()
    const made = new OpencodeHome(home, { hasLog: false })
    const { recall, store } = productOn(home)
    for (const step of life(made)) {
      step()
      await recall.index()
    }
    const wrong = query(store, "SELECT flags & 2 AS superseded FROM event WHERE text = 'wrong way'")
    expect(wrong).toEqual([{ superseded: 2 }])
    expect((await recall.list(ALL)).sessions).toMatchObject([{ title: 'Testing' }])
    await recall.close()
  })

  test('is read on from where reading stopped: a message after ten thousand costs no more than a few', async () => {
    const home = tempDir()
    const made = new OpencodeHome(home)
    const ses = made.session('ses_long')
    const words = 'lorem ipsum dolor sit amet '.repeat(40)
    for (let n = 0; n < 400; n++) {
      made.prompt(ses, `question ${n} ${words}`)
      made.answer(ses, [{ type: 'text', text: `answer ${n} ${words}` }])
    }
    const { recall } = productOn(home)
    const first = await recall.index()
    expect(first.bytesRead).toBeGreaterThan(900_000)
    made.prompt(ses, 'one more')
    made.answer(ses, [{ type: 'text', text: 'Yes.' }])
    const second = await recall.index()
    expect([second.events, second.files.parsed]).toEqual([3, 1])
    expect(second.bytesRead).toBeLessThan(2000)
    const third = await recall.index()
    expect([third.bytesRead, third.files.parsed]).toEqual([0, 0])
    await recall.close()
  })

  test('reads no session again that has not changed', async () => {
    const home = tempDir()
    const made = new OpencodeHome(home)
    for (const id of ['ses_a', 'ses_b', 'ses_c']) made.prompt(made.session(id), `words of ${id}`)
    const { recall } = productOn(home)
    await recall.index()
    made.answer('ses_b', [{ type: 'text', text: 'Yes.' }])
    const report = await recall.index()
    expect([report.files.found, report.files.parsed, report.files.skipped]).toEqual([3, 1, 2])
    await recall.close()
  })

  test('from which a session is deleted leaves it in memory', async () => {
    const home = tempDir()
    const made = new OpencodeHome(home)
    made.prompt(made.session('ses_a'), 'kept words')
    made.prompt(made.session('ses_b'), 'other words')
    const { recall } = productOn(home)
    await recall.index()
    made.delete('ses_a')
    made.prompt('ses_b', 'more')
    await recall.index()
    await recall.index({ full: true })
    expect((await recall.list(ALL)).sessions.map(({ title }) => title).sort()).toEqual(['kept words', 'other words'])
    await recall.close()
  })

  test('forgets and stays forgotten, while the others are read on', async () => {
    const home = tempDir()
    const made = new OpencodeHome(home)
    made.prompt(made.session('ses_a'), 'secret words')
    made.prompt(made.session('ses_b'), 'other words')
    const { recall, store } = productOn(home)
    await recall.index()
    await recall.forget([await recall.find('opencode:ses_a')])
    made.prompt('ses_a', 'more secrets')
    made.prompt('ses_b', 'more words')
    await recall.index()
    await recall.index({ full: true })
    const left = query(store, 'SELECT text FROM event WHERE text IS NOT NULL').map(({ text }) => text)
    expect(left).toEqual(['other words', 'more words'])
    await recall.close()
  })

  test('that cannot be read is one message, and everything else is read', async () => {
    const home = tempDir()
    const root = path.join(home, '.local/share/opencode')
    mkdirSync(root, { recursive: true })
    writeFileSync(path.join(root, 'opencode.db'), 'not a database '.repeat(100))
    layTree(root, 'ses_tree')
    const { recall } = productOn(home)
    const said: string[] = []
    await recall.index({ onProblem: (file, message) => said.push(`${path.basename(file)}: ${message}`) })
    expect(said).toEqual(['opencode.db: file is not a database'])
    expect((await recall.list(ALL)).sessions).toMatchObject([{ nativeId: 'ses_tree' }])
    await recall.close()
  })
})

test('sessions are found by what they say, counted with their helpers, and continued by their own command', async () => {
  const home = tempDir()
  const [unit] = layEventful(home)
  const { recall } = productOn(home)
  await recall.index()
  const session = await recall.find('opencode:ses_eventful')
  expect(session.sourcePath).toBe(placeOf(unit!))
  expect(opencode.resume(session.nativeId)).toEqual(['opencode', '--session', 'ses_eventful'])
  const audit = await recall.audit('opencode:ses_eventful')
  expect([audit.counted.length, audit.gone]).toEqual([7, []])
  await recall.close()
})
