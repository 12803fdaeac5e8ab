import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { cleanEnv, recallDone as run, recallJson } from './kit/cli.ts'
import { query } from './kit/dump.ts'
import { demoHome, tempDir } from './kit/home.ts'
import { PYTHON, sh, without } from './kit/programs.ts'

type Env = Record<string, string>

const storeOf = (env: Env) => path.join(env['XDG_DATA_HOME'] ?? '', 'recall', 'recall.db')

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
