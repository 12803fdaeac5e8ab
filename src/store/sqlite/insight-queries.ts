import type { Outcome } from '../../model/digest.ts'
import type { InsightQueries, SessionSum, ShellSum, SpentSum, SumKey, TimeSum } from '../insight.ts'
import { OUTCOMES, QUARTER_MS } from '../insight.ts'
import type { UsageFilter } from '../store.ts'
import { boundedSum } from './amounts.ts'
import { textOf, type Database, type Row, type Value } from './database.ts'
import { DAY_RAN, DAY_SHELL, DAY_SPENT, DAY_TOOL, DAY_TOUCHED } from './daily.ts'
import { lanesNear, shellRuns } from './permission-forms.ts'
import { CALLED, RAN, SPENT, TOUCHED } from './rollup.ts'
import { between, ofSessions } from './session-conditions.ts'
import { ended, KEYS, rolled, summed } from './summed-rows.ts'

// Rows that come by the ten thousand are taken by place (`{ 0: of }`, `row[0]`): as lists (`[of]`) that takes twice as long.

/** A session may use several models: what is billed is filed under its own. */
const MODEL_OF_RESPONSE = "nullif(q.model, '')"

export function insightQueries(db: Database): InsightQueries {
  return {
    spent: async (by, filter) => readSpent(db, by, filter),
    silent: async (by, filter) => {
      const { sql, values, key } = ended(db, by, filter, ['silent'])
      const rows = db.all(`SELECT ${key} AS key, sum(q.silent) AS n ${sql} GROUP BY 1 HAVING n > 0`, ...values)
      return new Map(rows.map((row) => [text(row, 'key'), number(row, 'n')]))
    },
    sessionsOfModels: async (by, filter) => {
      const { sql, values, key: filed, sessions } = rolled(SPENT, by, filter)
      const key = by === 'model' ? MODEL_OF_RESPONSE : filed
      const rows = db.lists(`SELECT ${key}, q.model, ${sessions} ${sql} GROUP BY 1, 2`, ...values)
      return rows.map(({ 0: of, 1: model, 2: n }) => ({
        key: textOf(of),
        model: textOf(model) || null,
        sessions: Number(n),
      }))
    },
    calls: async (by, filter) => {
      const { sql, values, key, sessions } = summed(db, [CALLED, DAY_TOOL], by, filter)
      const rows = db.lists(
        `SELECT ${key}, q.tool, sum(q.count) AS n, sum(q.errors), ${sessions} ${sql} GROUP BY 1, 2 ORDER BY n DESC, 2, 1`,
        ...values,
      )
      return rows.map(({ 0: of, 1: tool, 2: n, 3: errors, 4: held }) => ({
        key: textOf(of),
        tool: String(tool),
        count: Number(n),
        errors: Number(errors),
        sessions: Number(held),
      }))
    },
    shell: async (by, filter) => readShell(db, by, filter),
    inner: async (by, filter) => {
      const { sql, values, key } = summed(db, [RAN, DAY_RAN], by, filter)
      const rows = db.lists(`SELECT ${key}, q.name, sum(q.count) ${sql} GROUP BY 1, 2`, ...values)
      return rows.map(({ 0: of, 1: name, 2: n }) => ({ key: textOf(of), name: textOf(name) || null, count: Number(n) }))
    },
    commands: async (by, filter) => readCommands(db, by, filter),
    errors: async (by, filter) => readErrors(db, by, filter),
    files: async (by, filter) => {
      const { sql, values, key, sessions } = summed(db, [TOUCHED, DAY_TOUCHED], by, filter)
      const rows = db.lists(
        `SELECT t.key, p.name, t.edits, t.reads, t.sessions FROM (
           SELECT ${key} AS key, q.path, sum(q.edits) AS edits, sum(q.reads) AS reads,
             ${sessions} AS sessions ${sql} GROUP BY 1, 2
         ) t JOIN path p ON p.id = t.path ORDER BY t.edits DESC, t.reads DESC, p.name, t.key`,
        ...values,
      )
      return rows.map(({ 0: of, 1: name, 2: edits, 3: reads, 4: held }) => ({
        key: textOf(of),
        path: String(name),
        edits: Number(edits),
        reads: Number(reads),
        sessions: Number(held),
      }))
    },
    time: async (by, filter) => readTime(db, by, filter),
    sessions: async (by, { since, before, ...sessions }) => {
      const span = { ...(since === undefined ? {} : { since }), ...(before === undefined ? {} : { before }) }
      return readSessions(db, by, { ...span, sessions })
    },
  }
}

function readSpent(db: Database, by: SumKey, filter: UsageFilter): SpentSum[] {
  const { sql, values, key: filed } = summed(db, [SPENT, DAY_SPENT], by === 'model' ? 'all' : by, filter)
  const key = by === 'model' ? MODEL_OF_RESPONSE : filed
  const rows = db.lists(
    `SELECT ${key}, q.model, q.size, sum(q.responses), ${boundedSum('q.input')}, ${boundedSum('q.output')}, ${boundedSum('q.cache_read')}, ${boundedSum('q.w5')}, ${boundedSum('q.w1')},
       ${boundedSum('q.reasoning')}, ${boundedSum('q.recorded_usd')}, sum(q.recorded) ${sql} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    ...values,
  )
  return rows.map((row) => ({
    key: textOf(row[0]),
    model: textOf(row[1]) || null,
    size: Number(row[2]),
    responses: Number(row[3]),
    input: Number(row[4]),
    output: Number(row[5]),
    cacheRead: Number(row[6]),
    cacheWrite5m: Number(row[7]),
    cacheWrite1h: Number(row[8]),
    reasoning: Number(row[9]),
    recordedUsd: Number(row[10]),
    recorded: Number(row[11]),
  }))
}

function readShell(db: Database, by: SumKey, filter: UsageFilter): ShellSum[] {
  const { sql, values, key } = summed(db, [CALLED, DAY_SHELL], by, filter)
  const rows = db.lists(
    `SELECT ${key}, q.base, q.sub, sum(q.count) AS n, sum(q.errors), sum(q.compound)
     ${sql} GROUP BY 1, 2, 3 ORDER BY n DESC, 2, 3, 1`,
    ...values,
  )
  return rows.map(({ 0: of, 1: base, 2: sub, 3: n, 4: errors, 5: compound }) => ({
    key: textOf(of),
    base: textOf(base) || null,
    sub: textOf(sub) || null,
    count: Number(n),
    errors: Number(errors),
    compound: Number(compound),
  }))
}

function readCommands(db: Database, by: SumKey, filter: UsageFilter) {
  const { sql, values } = ofSessions(filter.sessions === undefined ? {} : { sessions: filter.sessions })
  const time = between('e.at', filter)
  const key = KEYS[by][0].replaceAll('q.quarter', `(x.at / ${QUARTER_MS})`)
  const { since, before } = filter
  const isShort = since !== undefined && before !== undefined
  const lanes = isShort
    ? lanesNear(Math.floor(since / QUARTER_MS), Math.floor(before / QUARTER_MS))
    : '(SELECT id FROM lane)'
  const rows = db.all(
    `SELECT ${key} AS key, x.text, coalesce(s.git_repo, s.cwd) AS project, count(*) AS n, count(x.failed) AS errors,
       max(x.at) AS last
     FROM (SELECT l.session, e.text, e.at, r.failed FROM ${shellRuns(lanes)} AND ${time.sql}) x
       JOIN session s ON s.id = x.session
     WHERE ${sql} GROUP BY 1, 2, 3 ORDER BY 2, 3, 1`,
    ...time.values,
    ...values,
  )
  return rows.map((row) => ({
    key: text(row, 'key'),
    command: String(row['text']),
    project: text(row, 'project'),
    count: number(row, 'n'),
    errors: number(row, 'errors'),
    lastUsed: row['last'] === null ? null : Number(row['last']),
  }))
}

function readErrors(db: Database, by: SumKey, filter: UsageFilter) {
  const { sql, values } = ofSessions(filter)
  const rows = db.all(
    `SELECT ${KEYS[by][1]} AS key, g.fingerprint, g.tool, sum(g.count) AS n, count(DISTINCT g.session) AS sessions,
       max(coalesce(s.ended_at, s.started_at, 0)) AS last, s.uid, g.summary, g.seqs
     FROM signal g JOIN session s ON s.id = g.session WHERE g.kind = 'error' AND ${sql}
     GROUP BY 1, 2 ORDER BY n DESC, 2, 1`,
    ...values,
  )
  return rows.map((row) => ({
    key: text(row, 'key'),
    fingerprint: String(row['fingerprint']),
    summary: String(row['summary']),
    tool: text(row, 'tool'),
    count: number(row, 'n'),
    sessions: number(row, 'sessions'),
    lastAt: number(row, 'last') || null,
    evidence: evidenceOf(row),
  }))
}

function evidenceOf(row: Row): string | null {
  const seqs: unknown = JSON.parse(String(row['seqs']))
  const first: unknown = Array.isArray(seqs) ? seqs[0] : undefined
  return typeof first === 'number' ? `${String(row['uid'])}#${first}` : null
}

const TIMES = ['active_s', 'agent_s', 'waiting_s', 'idle_s']

function readTime(db: Database, by: SumKey, filter: UsageFilter): TimeSum[] {
  const { sql, values, key } = ended(db, by, filter, ['sessions', 'analysed', ...TIMES])
  const rows = db.all(
    `SELECT ${key} AS key, sum(q.sessions) AS sessions, sum(q.sessions - q.analysed) AS unknown,
       ${TIMES.map((name) => `${boundedSum(`q.${name}`)} AS ${name}`).join(', ')}
     ${sql} GROUP BY 1 HAVING sessions > 0 ORDER BY 1`,
    ...values,
  )
  return rows.map((row) => ({
    key: text(row, 'key'),
    sessions: number(row, 'sessions'),
    unknown: number(row, 'unknown'),
    activeS: number(row, 'active_s'),
    agentS: number(row, 'agent_s'),
    waitingS: number(row, 'waiting_s'),
    idleS: number(row, 'idle_s'),
  }))
}

function readSessions(db: Database, by: SumKey, filter: UsageFilter): SessionSum[] {
  if (by === 'session') return readEachSession(db, filter)
  const { sql, values, key } = ended(db, by, filter, ['sessions', 'prompts', 'calls'])
  const outcomes = OUTCOMES.map((outcome) => `sum(CASE WHEN q.outcome = '${outcome}' THEN q.sessions ELSE 0 END)`)
  const rows = db.lists(
    `SELECT ${key}, sum(q.sessions) AS sessions, sum(q.prompts), sum(q.calls), ${outcomes.join(', ')}
     ${sql} GROUP BY 1 HAVING sessions > 0 ORDER BY sessions DESC, 1`,
    ...values,
  )
  return rows.map(([of, sessions, prompts, calls, ...ends]) => ({
    key: textOf(of),
    sessions: Number(sessions),
    prompts: Number(prompts),
    toolCalls: Number(calls),
    outcomes: outcomesOf(ends),
  }))
}

function readEachSession(db: Database, filter: UsageFilter): SessionSum[] {
  const { sql, values } = ofSessions(filter)
  const rows = db.lists(
    `SELECT s.uid, s.prompt_count, s.tool_count, s.outcome FROM session s WHERE ${sql} ORDER BY s.uid`,
    ...values,
  )
  const one = new Map(OUTCOMES.map((outcome) => [outcome as Value, { [outcome]: 1 }]))
  return rows.map(({ 0: uid, 1: prompts, 2: calls, 3: outcome }) => ({
    key: String(uid),
    sessions: 1,
    prompts: Number(prompts),
    toolCalls: Number(calls),
    outcomes: one.get(outcome ?? null) ?? {},
  }))
}

function outcomesOf(counts: readonly Value[]): SessionSum['outcomes'] {
  const outcomes: Partial<Record<Outcome, number>> = {}
  for (const [i, outcome] of OUTCOMES.entries()) outcomes[outcome] = Number(counts[i])
  return outcomes
}

function text(row: Row, name: string): string | null {
  return textOf(row[name])
}

function number(row: Row, name: string): number {
  return Number(row[name] ?? 0)
}
