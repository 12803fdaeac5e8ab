import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { writeConfig } from './kit/config.ts'
import { query } from './kit/dump.ts'
import { demoHome, tempDir } from './kit/home.ts'
import { FLAT_LINES, jsonl, tracePath } from './kit/kei-trace.ts'
import { PYTHON, sh, without } from './kit/programs.ts'

type Env = Record<string, string>

function run(env: Env, ...args: string[]): string {
  const done = recallCli(env, ...args)
  if (done.code !== 0) throw new Error(`recall ${args.join(' ')}: exit ${done.code}: ${done.err}`)
  return done.out
}

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

describe('the recipes of the format run as they are written', () => {
  const memory = path.join(tempDir(), 'memory')
  const home = tempDir()
  /** Recipes name `~/.claude`: that is where the export goes. */
  const out = path.join(home, '.claude', 'memory')
  let env: Env
  let events: {
    readonly event_class: string
    readonly ts: string
    readonly kind: string
    readonly session_uid: string
  }[]

  beforeAll(() => {
    env = cleanEnv(demoHome())
    run(env, 'index')
    run(env, 'time', 'start', 'wave1-audit')
    run(env, 'time', 'stop', 'wave1-audit')
    run(env, 'export', 'traces', '--out', memory)
    mkdirSync(path.dirname(out), { recursive: true })
    cpSync(memory, out, { recursive: true })
    cpSync(path.join(memory, 'agents'), path.join(home, '.claude', 'agents'), { recursive: true })
    const uids = query(storeOf(env), 'SELECT uid FROM session ORDER BY uid').map((row) => String(row['uid']))
    const told = uids.map((uid) => recallJson(env, 'show', uid, '--events', '--sidechains', '--limit', '0')['events'])
    events = (told as (typeof events)[]).flat().filter(({ ts }) => ts !== undefined)
  }, 120_000)

  const recipe = (line: string) => sh(line, { HOME: home })
  const jqIs = without('jq')
  const awkIs = without('gawk')
  const sqliteIs = without('sqlite3')
  const pandasIs = without(PYTHON, '-c', 'import pandas')
  const plotsAre = without(PYTHON, '-c', 'import pandas, matplotlib')
  const traces = () =>
    readdirSync(path.join(out, 'traces')).flatMap((name) =>
      readFileSync(path.join(out, 'traces', name), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    )
  const countBy = (name: string) => {
    const counts = new Map<string, number>()
    for (const line of traces()) counts.set(String(line[name]), (counts.get(String(line[name])) ?? 0) + 1)
    return counts
  }

  test('what is exported is what `show --events` tells', () => {
    const shown = new Map<string, number>()
    for (const event of events.filter(({ kind }) => kind !== 'decision'))
      shown.set(event.event_class, (shown.get(event.event_class) ?? 0) + 1)
    const exported = countBy('event_class')
    for (const label of ['tool_use:Bash', 'tool_use:Read', 'tool_result', 'user', 'assistant'])
      expect(exported.get(label), label).toBe(shown.get(label))
  })

  test('Q1: all `tool_use:Bash` events since a day', ({ skip }) => {
    if (jqIs) skip(jqIs)
    const line = `cat ~/.claude/memory/traces/*.jsonl \\
      | jq -c 'select(.event_class == "tool_use:Bash") | select((.timestamp // "") >= "2026-04-25")'`
    expect(recipe(line).trimEnd().split('\n')).toHaveLength(countBy('event_class').get('tool_use:Bash') ?? -1)
  })

  test('Q2: median event-count per sessionId', ({ skip }) => {
    if (jqIs) skip(jqIs)
    const line = `cat ~/.claude/memory/traces/*.jsonl \\
      | jq -s 'group_by(.sessionId // .session_id) | map({s: .[0].sessionId, n: length}) | sort_by(.n) | .[length/2|floor]'`
    const counts = [...countBy('sessionId').values()].sort((a, b) => a - b)
    expect((JSON.parse(recipe(line)) as { n: number }).n).toBe(counts[Math.floor(counts.length / 2)])
  })

  test('Q3: errors-per-session timeline', ({ skip }) => {
    if (jqIs) skip(jqIs)
    const line = `cat ~/.claude/memory/traces/*.jsonl \\
      | jq -c 'select(.is_error == true or (.event_class // "" | startswith("tool_error"))) | {session: (.sessionId // .session_id), ts: (.timestamp // .ts)}' \\
      | sort | uniq -c`
    const told = recipe(line).trimEnd().split('\n')
    const sum = told.reduce((all, one) => all + Number(/^\s*(\d+)/.exec(one)?.[1]), 0)
    expect(sum).toBe(
      Number(
        query(storeOf(env), "SELECT count(*) AS n FROM event WHERE kind = 'error' AND flags & 1152 = 0")[0]?.['n'],
      ),
    )
    expect(sum).toBeGreaterThan(0)
  })

  test('Q4: median duration of tasks', ({ skip }) => {
    if (jqIs) skip(jqIs)
    const line = `jq -s '[.[] | select(.kind=="task" and (.name|test("audit"))) | .duration_s] | sort | .[length/2|floor]' ~/.claude/memory/time-metrics/tasks.jsonl`
    const tasks = readFileSync(path.join(out, 'time-metrics', 'tasks.jsonl'), 'utf8')
    expect(recipe(line).trim()).toMatch(tasks.includes('"kind":"task"') ? /^\d+$/ : /^null$/)
  })

  test('Q5: token cost outliers', ({ skip }) => {
    if (sqliteIs) skip(sqliteIs)
    const line = (least: number) => `sqlite3 ~/.claude/agents/ledger.sqlite \\
      "SELECT id, COALESCE(tokens_in,0)+COALESCE(tokens_out,0) AS tok FROM agents WHERE tok > ${least} ORDER BY tok DESC LIMIT 20;"`
    recipe(line(100000))
    const sums = query(
      storeOf(env),
      'SELECT sum(input) + sum(output) AS tok FROM ledger GROUP BY session ORDER BY tok DESC LIMIT 1',
    )
    expect(recipe(line(0)).split('\n')[0]?.split('|')[1]).toBe(String(sums[0]?.['tok']))
  })

  test('pandas, recipes 1 and 3', ({ skip }) => {
    if (pandasIs) skip(pandasIs)
    const program = `import pandas as pd, json, pathlib, glob
def load_traces(pattern="~/.claude/memory/traces/*.jsonl"):
    rows = [json.loads(l) for f in glob.glob(str(pathlib.Path(pattern).expanduser()))
            for l in open(f) if l.strip()]
    return pd.DataFrame(rows)
print(load_traces()["event_class"].value_counts().head(20))
tasks = pd.read_json("~/.claude/memory/time-metrics/tasks.jsonl", lines=True)
tasks[tasks.kind == "task"].groupby(
    tasks["name"].str.split("-").str[0])["duration_s"].median()
`
    const printed = sh(`${PYTHON} -c '${program}'`, { HOME: home })
    expect(printed).toMatch(new RegExp(`tool_use:Bash +${countBy('event_class').get('tool_use:Bash')}\\b`))
  })

  test('pandas, recipe 2, which draws', ({ skip }) => {
    if (plotsAre) skip(plotsAre)
    const program = `import pandas as pd
sess = pd.read_json("~/.claude/memory/time-metrics/sessions.jsonl", lines=True)
sess[sess.kind == "session"]["duration_s"].hist(bins=30)
print(len(sess))`
    sh(`${PYTHON} -c '${program}'`, { HOME: home, MPLBACKEND: 'agg' })
  })

  test('awk, recipe 1: events per event_class', ({ skip }) => {
    if (awkIs) skip(awkIs)
    const line = `cat ~/.claude/memory/traces/*.jsonl \\
      | gawk -F'"event_class":"' 'NF>1 {split($2,a,"\\""); counts[a[1]]++}
             END {for (k in counts) print counts[k], k}' \\
      | sort -rn | head -20`
    const told = new Map(
      recipe(line)
        .trimEnd()
        .split('\n')
        .map((one) => [one.replace(/^\d+ /, ''), parseInt(one)]),
    )
    for (const [label, count] of told) expect(count, label).toBe(countBy('event_class').get(label))
    expect(told.size).toBe(Math.min(20, countBy('event_class').size))
  })

  test('awk, recipe 2: all Bash commands', ({ skip }) => {
    if (awkIs) skip(awkIs)
    const line = `cat ~/.claude/memory/traces/*.jsonl \\
      | gawk -F'"command":"' 'NF>1 {
          split($2, a, "\\"")
          gsub(/\\\\n/, "\\n", a[1])
          print substr(a[1], 1, 120)
        }'`
    const commands = traces().flatMap((one) => {
      const [block] = (one['message'] as { content: { input?: { command?: unknown } }[] }).content
      return typeof block?.input?.command === 'string' ? [block.input.command] : []
    })
    const told = recipe(line).split('\n')
    for (const command of commands.filter((one) => !/["\\\n]/.test(one))) expect(told).toContain(command.slice(0, 120))
    expect(commands.length).toBeGreaterThan(10)
  })
})

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
