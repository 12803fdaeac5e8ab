import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, test } from 'vitest'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallDone as run, recallJson } from './kit/cli.ts'
import { writeConfig } from './kit/config.ts'
import { query } from './kit/dump.ts'
import { demoHome, tempDir } from './kit/home.ts'
import { FLAT_LINES, jsonl, tracePath } from './kit/kei-trace.ts'
import { PYTHON, sh, without } from './kit/programs.ts'

type Env = Record<string, string>

/** Every file below, with what is in it. */
function filesIn(dir: string): Map<string, string> {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8', withFileTypes: false }).sort()
  return new Map(
    names.flatMap((name) => {
      try {
        return [[name, readFileSync(path.join(dir, name)).toString('base64')] as const]
      } catch {
        return []
      }
    }),
  )
}

const storeOf = (env: Env) => path.join(env['XDG_DATA_HOME'] ?? '', 'recall', 'recall.db')
const emptyEnv = () => cleanEnv(tempDir())

describe('exported, taken in and exported again', () => {
  function everything(): Env {
    const home = demoHome()
    const env = cleanEnv(home)
    run(env, 'index')
    run(env, 'analyze', '--all')
    run(env, 'tag', 'last', 'zoo', 'old')
    run(env, 'untag', 'last', 'old')
    run(env, 'title', 'last', 'stripes')
    run(env, 'decide', 'last', 'we stay')
    run(env, 'time', 'start', 'audit')
    run(env, 'time', 'stop', 'audit')
    return env
  }

  test('the bytes are the same, and so is what is found, counted and shown', () => {
    const env = everything()
    const [a, b] = [path.join(tempDir(), 'a'), path.join(tempDir(), 'b')]
    run(env, 'export', 'traces', '--out', a)
    const other = emptyEnv()
    expect(recallJson(other, 'import', 'traces', a)).toMatchObject({ bad: 0, sessions: { same: 0 } })
    run(other, 'export', 'traces', '--out', b)
    expect([...filesIn(b)]).toEqual([...filesIn(a)])
    for (const question of [
      ['search', 'nginx'],
      ['stats', 'tools'],
      ['stats', 'tokens'],
      ['cost'],
      ['digest', 'last'],
    ]) {
      const there = recallJson(other, ...question)
      const here = recallJson(env, ...question)
      const plain = (json: object) =>
        JSON.parse(
          JSON.stringify(json).replace(
            /"(ingested|indexed|discovered|analyzed|file_\w+?|source_bytes)[\w]*":[^,}]+,?/g,
            '',
          ),
        ) as unknown
      if (question[0] !== 'search') expect(plain(there), question.join(' ')).toEqual(plain(here))
      else expect((there['hits'] as unknown[]).length).toBe((here['hits'] as unknown[]).length)
    }
    expect(query(storeOf(other), 'SELECT 1 FROM event WHERE flags & 128').length).toBe(0)
    expect(recallJson(other, 'import', 'traces', a)).toMatchObject({ words: 0, sessions: { kept: 0, forgotten: 0 } })
    expect(recallCli(other, 'doctor', '--deep').code).toBe(0)
  })

  test('a session whose text was let go comes along as what is left of it', () => {
    const env = everything()
    writeConfig(env, '[session_memory.retention]\nraw_soft_cap_bytes = 1\nraw_hard_cap_bytes = 2\n')
    run(env, 'sweep')
    const [a, b] = [path.join(tempDir(), 'a'), path.join(tempDir(), 'b')]
    run(env, 'export', 'traces', '--out', a)
    const other = emptyEnv()
    run(other, 'import', 'traces', a)
    run(other, 'export', 'traces', '--out', b)
    expect([...filesIn(b)]).toEqual([...filesIn(a)])
    expect(recallJson(other, 'digest', 'last')).toEqual(recallJson(env, 'digest', 'last'))
    run(other, 'index')
    expect(query(storeOf(other), 'SELECT 1 FROM session WHERE evicted_at IS NULL').length).toBe(0)
  })

  test('a transcript that is read later takes the place of what was taken in, and nothing counts twice', () => {
    const env = everything()
    const a = path.join(tempDir(), 'a')
    run(env, 'export', 'traces', '--out', a)
    const totals = (of: Env) => recallJson(of, 'status')['totals']
    const other = { ...emptyEnv(), HOME: env['HOME'] ?? '' }
    run(other, 'import', 'traces', a)
    expect(totals(other)).toEqual(totals(env))
    run(other, 'index')
    expect(totals(other)).toEqual(totals(env))
    const uids =
      'SELECT l.base + e.pos AS seq, s.uid, e.text FROM event e JOIN lane l ON l.id = e.lane JOIN session s ON s.id = l.session WHERE e.flags & 128 = 0 ORDER BY 2, 1'
    expect(query(storeOf(other), uids)).toEqual(query(storeOf(env), uids))
    run(other, 'import', 'traces', a)
    expect(totals(other)).toEqual(totals(env))
  })
})

describe('exported again', () => {
  function zoo() {
    const home = tempDir()
    const env = cleanEnv(home)
    const lay = (name: string, more = '') => {
      const file = transcriptPath(home, uuid(name))
      write(file, new ClaudeLog(uuid(name)).user(`about ${name} ${more}`).say('ok').text())
      return file
    }
    lay('badgers')
    lay('otters')
    run(env, 'index')
    const out = path.join(tempDir(), 'out')
    const again = () => recallJson(env, 'export', 'traces', '--out', out)['sessions']
    again()
    const trace = (name: string) => path.join(out, 'traces', `${uuid(name)}.jsonl`)
    return { home, env, lay, out, again, trace }
  }

  test('only what has changed is written', () => {
    const { env, lay, again, out } = zoo()
    expect(again()).toEqual({ written: 0, unchanged: 2, removed: 0 })
    appendFileSync(lay('badgers'), new ClaudeLog(uuid('badgers')).user('and setts?').text())
    lay('stoats')
    run(env, 'index')
    expect(again()).toEqual({ written: 2, unchanged: 1, removed: 0 })
    run(env, 'tag', uuid('otters'), 'zoo')
    expect(again()).toEqual({ written: 1, unchanged: 2, removed: 0 })
    const fresh = path.join(tempDir(), 'fresh')
    run(env, 'export', 'traces', '--out', fresh)
    expect([...filesIn(fresh)]).toEqual([...filesIn(out)])
  })

  test('what was forgotten goes, with a tombstone, and does not come back from an older export', () => {
    const { env, again, trace, out } = zoo()
    const older = path.join(tempDir(), 'older')
    cpSync(out, older, { recursive: true })
    run(env, 'forget', `claude:${uuid('otters')}`, '--yes')
    expect(again()).toEqual({ written: 0, unchanged: 1, removed: 1 })
    expect([existsSync(trace('otters')), existsSync(trace('badgers'))]).toEqual([false, true])
    expect(readFileSync(path.join(out, 'words.jsonl'), 'utf8')).toContain('"record":"tombstone"')
    expect(recallJson(env, 'import', 'traces', older)['sessions']).toMatchObject({ forgotten: 1, own: 1, kept: 0 })
    expect(recallCli(env, 'show', uuid('otters')).code).toBe(1)
    const other = emptyEnv()
    run(other, 'import', 'traces', out)
    expect(recallJson(other, 'import', 'traces', older)['sessions']).toMatchObject({ forgotten: 1, kept: 0 })
  })

  test('a directory with other files is not touched without --force, and no half file is left', () => {
    const { env } = zoo()
    const dir = tempDir()
    writeFileSync(path.join(dir, 'mine.txt'), 'mine')
    expect(recallCli(env, 'export', 'traces', '--out', dir)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--force'),
    })
    expect(readdirSync(dir)).toEqual(['mine.txt'])
    run(env, 'export', 'traces', '--out', dir, '--force')
    expect([...filesIn(dir).keys()].filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  test('a filter is kept to, and changed by hand it is written whole again', () => {
    const { env, out, again, trace } = zoo()
    const some = path.join(tempDir(), 'some')
    expect(
      recallJson(env, 'export', 'traces', '--out', some, '--project', 'no-such-project')['sessions'],
    ).toMatchObject({ written: 0 })
    writeFileSync(path.join(out, 'manifest.json'), '{}')
    rmSync(trace('badgers'))
    expect(recallCli(env, 'export', 'traces', '--out', out).code).toBe(2)
    expect(recallJson(env, 'export', 'traces', '--out', out, '--force')['sessions']).toMatchObject({ written: 2 })
    expect(existsSync(trace('badgers'))).toBe(true)
    expect(again()).toMatchObject({ unchanged: 2 })
  })
})

describe('what somebody else wrote', () => {
  test('a memory of kei is taken in', () => {
    const home = tempDir()
    const file = tracePath(home, 'legacy')
    write(file, jsonl(FLAT_LINES))
    const env = emptyEnv()
    expect(recallJson(env, 'import', 'traces', path.join(home, '.claude', 'memory'))).toMatchObject({
      traces: 1,
      bad: 0,
    })
    expect(recallJson(env, 'show', 'kei:legacy')['session_uid']).toBe('kei:legacy')
    expect(recallCli(env, 'import', 'traces', tempDir()).code).toBe(1)
  })

  test('lines that are no records are counted and shown, paths do not lead out, and secrets are taken out', () => {
    const home = tempDir()
    const env = cleanEnv(home)
    write(transcriptPath(home, uuid('a')), new ClaudeLog(uuid('a')).user('hello badger').say('ok').text())
    run(env, 'index')
    const out = path.join(tempDir(), 'out')
    run(env, 'export', 'traces', '--out', out)
    const trace = path.join(out, 'traces', `${uuid('a')}.jsonl`)
    const records = path.join(out, 'records', `${uuid('a')}.jsonl`)
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const lines = readFileSync(trace, 'utf8')
    writeFileSync(
      trace,
      `not json\n[]\n{"recall":"{}"}\n${'{"a":'.repeat(3000)}\n${lines.replace('hello badger', `hello ${secret}`)}`,
    )
    const session = readFileSync(records, 'utf8').split('\n')[0] ?? ''
    appendFileSync(
      records,
      `{"v":1,"record":"digest"}\n${session.replaceAll(`claude:${uuid('a')}`, 'claude:../../etc')}\n`,
    )
    const manifest = path.join(out, 'manifest.json')
    const json = JSON.parse(readFileSync(manifest, 'utf8')) as { sessions: Record<string, { file: string }> }
    const entry = json.sessions[`claude:${uuid('a')}`]!
    json.sessions['claude:escape'] = { ...entry, file: '../../../etc/passwd' }
    json.sessions['claude:other'] = entry
    writeFileSync(manifest, JSON.stringify(json))
    const other = emptyEnv()
    const taken = recallJson(other, 'import', 'traces', out)
    expect(taken).toMatchObject({ code: 0, sessions: { kept: 1 } })
    expect(Number(taken['bad'])).toBeGreaterThanOrEqual(6)
    expect((taken['problems'] as string[]).join('\n')).toContain(`${uuid('a')}.jsonl:1 is no record`)
    const shown = JSON.stringify(recallJson(other, 'show', uuid('a')))
    expect([shown.includes(secret), shown.includes('[REDACTED:')]).toEqual([false, true])
    expect(query(storeOf(other), 'SELECT uid FROM session').length).toBe(1)
  })

  test('a tombstone of somebody else takes nothing away that is here', () => {
    const home = tempDir()
    const env = cleanEnv(home)
    write(transcriptPath(home, uuid('a')), new ClaudeLog(uuid('a')).user('hello').say('ok').text())
    run(env, 'index')
    const out = path.join(tempDir(), 'out')
    run(env, 'export', 'traces', '--out', out)
    appendFileSync(
      path.join(out, 'words.jsonl'),
      `{"v":1,"record":"tombstone","session_uid":"claude:${uuid('a')}","at":1790000000000}\n`,
    )
    run(env, 'import', 'traces', out)
    expect(recallCli(env, 'show', uuid('a')).code).toBe(0)
  })
})

test.skipIf(process.platform !== 'linux')(
  'a place that takes no files is said at once',
  () => {
    const env = emptyEnv()
    const home = env['HOME'] ?? ''
    write(transcriptPath(home, uuid('a')), new ClaudeLog(uuid('a')).user('hello').say('ok').text())
    run(env, 'index')
    for (const args of [
      ['sync', '/proc/x'],
      ['export', 'traces', '--out', '/proc/x'],
      ['export', 'html', 'last', '--out', '/proc/x.html'],
      ['backup', '/proc/x.tar'],
      ['export', 'duckdb', '/proc/x.duckdb'],
    ]) {
      const { code, err } = recallCli(env, ...args)
      expect([args.join(' '), code, err.includes('this is a bug')]).toEqual([args.join(' '), 4, false])
    }
  },
  60_000,
)

test('the ledger of an export is a database of its own', () => {
  const env = cleanEnv(demoHome())
  run(env, 'index')
  const out = path.join(tempDir(), 'out')
  run(env, 'export', 'traces', '--out', out)
  const db = new DatabaseSync(path.join(out, 'agents', 'ledger.sqlite'), { readOnly: true })
  const sums = db.prepare('SELECT sum(tokens_in) AS a, sum(tokens_out) AS b, sum(responses) AS n FROM agents').get()
  db.close()
  expect(sums).toEqual(query(storeOf(env), 'SELECT sum(input) AS a, sum(output) AS b, count(*) AS n FROM ledger')[0])
})

test('the reader in the documents prints a session', ({ skip }) => {
  const python = without(PYTHON)
  if (python) skip(python)
  const home = tempDir()
  const env = cleanEnv(home)
  const log = new ClaudeLog(uuid('a')).user('why – über?').think('hm').call('t1', 'Bash', { command: 'ls "x"' })
  write(transcriptPath(home, uuid('a')), log.result('t1', 'no such file', { is_error: true }).say('done').text())
  run(env, 'index')
  const out = path.join(tempDir(), 'out')
  run(env, 'export', 'traces', '--out', out)
  const docs = readFileSync(path.resolve(import.meta.dirname, '../docs/portable.md'), 'utf8')
  const program = /```python\n([\s\S]*?)```/.exec(docs)?.[1] ?? ''
  expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(20)
  const file = path.join(tempDir(), 'read.py')
  writeFileSync(file, program)
  const printed = sh(`${PYTHON} ${file} ${out} ${uuid('a')}`, { PYTHONIOENCODING: 'utf-8' })
  for (const piece of [
    'user: why – über?',
    '(thinking) hm',
    '[Bash] {"command": "ls \\"x\\""}',
    '✗ no such file',
    'assistant: done',
  ])
    expect(printed).toContain(piece)
})
