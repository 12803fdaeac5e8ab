import { UserError } from '../../model/errors.ts'
import type { Audit } from '../../insight/audit.ts'
import { grouped, plural } from '../../model/text.ts'
import { isoTime } from '../../model/time.ts'
import type { UsageFilter, UsageKey, UsageSum } from '../../store/store.ts'
import type { Context, Given } from '../command.ts'
import { flag, word } from '../given.ts'
import { noteRest } from '../sessions.ts'
import { printTable } from '../table.ts'
import { tokensJson } from './cost-json.ts'
import { barColumn, keyNames, keyOf, limitedBy, reportFilter, type Report } from './report.ts'

/** A session each: more than anyone reads. */
const USUAL = 30

export const tokens: Report = {
  name: 'tokens',
  summary: 'what was billed, each response once',
  options: [
    { flags: '--audit <what>', help: 'tokens: every record behind the sum of a session or a day, counted or left out' },
  ],
  examples: ['recall stats tokens --by model --since 30d', 'recall stats tokens --audit 2026-11-03'],
  async run(context, given) {
    const audited = word(given, 'audit')
    if (audited?.startsWith('-')) {
      throw new UserError('USAGE', '--audit takes a session or a day', 'e.g. --audit 2026-11-03')
    }
    if (audited !== undefined) return audit(context, given, audited)
    const by = keyOf(given) ?? 'project'
    const { rows, totals } = await sums(context, by, reportFilter(context, given))
    const json = flag(given, 'json')
    const shown = limitedBy(by, given, rows, json || by !== 'session' ? 0 : USUAL)
    if (json) return context.terminal.json({ by, rows: shown.map(sumJson), totals: sumJson(totals) })
    if (rows.length === 0) return context.terminal.note('no tokens found')
    print(context, by, shown, totals)
    noteRest(context.terminal, shown.length, rows.length, 'row')
  },
}

interface Sums {
  /** Largest first; days in order. */
  readonly rows: readonly UsageSum[]
  readonly totals: UsageSum
}

async function sums({ recall }: Context, by: UsageKey, filter: UsageFilter): Promise<Sums> {
  const silent = await recall.insight.silent(by, filter)
  const { rows, total } = await recall.insight.cost(by, filter)
  const told = rows.map((row) => withUnknown(row, silent.get(row.key) ?? 0))
  const talking = new Set(rows.map(({ key }) => key))
  const mute = [...silent].filter(([key]) => !talking.has(key))
  const all = [...told, ...mute.map(([key, unknown]) => withUnknown({ ...NOTHING, key }, unknown))]
  const unknown = [...silent.values()].reduce((sum, sessions) => sum + sessions, 0)
  return {
    rows: all.sort((a, b) => (by === 'day' ? 0 : weight(b) - weight(a)) || compare(a.key ?? '', b.key ?? '')),
    totals: withUnknown(total, unknown),
  }
}

const NOTHING = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, reasoning: 0, responses: 0 }

/** Field by field: to spread ten thousand rows would take longer than to read them. */
function withUnknown(row: Omit<UsageSum, 'unknown'>, unknown: number): UsageSum {
  return {
    key: row.key,
    input: row.input,
    output: row.output,
    cacheRead: row.cacheRead,
    cacheWrite5m: row.cacheWrite5m,
    cacheWrite1h: row.cacheWrite1h,
    reasoning: row.reasoning,
    responses: row.responses,
    unknown,
  }
}

function weight(row: UsageSum): number {
  return row.input + row.output + row.cacheRead + row.cacheWrite5m + row.cacheWrite1h
}

function sumJson(row: UsageSum) {
  return { key: row.key, ...tokensJson(row), responses: row.responses, unknown: row.unknown }
}

function print({ terminal }: Context, by: UsageKey, rows: readonly UsageSum[], totals: UsageSum): void {
  const number = (pick: (row: UsageSum) => number) => (row: UsageSum) =>
    row.responses === 0 && row.unknown > 0 ? 'unknown' : grouped(pick(row))
  const nameOf = keyNames(terminal, by, rows)
  const named = (row: UsageSum) => (row === totals ? 'all' : nameOf(row.key))
  printTable(
    terminal,
    [...rows, totals],
    [
      { title: by, value: named, flexible: by === 'project', tail: true, least: 20 },
      { title: 'input', value: number((row) => row.input), right: true, spare: true },
      { title: 'output', value: number((row) => row.output), right: true },
      { title: 'cache read', value: number((row) => row.cacheRead), right: true, spare: true },
      { title: 'cache write', value: number((row) => row.cacheWrite5m + row.cacheWrite1h), right: true, spare: true },
      { title: 'reasoning', value: number((row) => row.reasoning), right: true, spare: true },
      { title: 'responses', value: number((row) => row.responses), right: true, spare: true },
      ...barColumn(terminal, rows, (row) => (row === totals ? 0 : weight(row))),
    ],
  )
  if (totals.unknown > 0)
    terminal.note(terminal.dim(`not in these sums: ${plural(totals.unknown, 'session')} that told no tokens`))
}

async function audit(context: Context, given: Given, target: string): Promise<void> {
  const result = await context.recall.audit(target)
  if (flag(given, 'json')) return context.terminal.json(auditJson(result))
  printAudit(context, result)
}

function auditJson({ counted, leftOut, gone }: Audit) {
  return {
    counted: counted.map((entry) => ({ ...placeJson(entry), cost_usd: entry.costUsd })),
    left_out: leftOut.map((entry) => ({ ...placeJson(entry), reason: entry.reason })),
    gone,
  }
}

function placeJson(entry: Audit['counted'][number] | Audit['leftOut'][number]) {
  return {
    session_uid: entry.sessionUid,
    thread: entry.thread,
    native_key: entry.key,
    model: entry.model,
    at: isoTime(entry.at),
    file: entry.file,
    line: entry.line,
    ...tokensJson(entry),
  }
}

function printAudit({ terminal }: Context, { counted, leftOut, gone }: Audit): void {
  const rows = [
    ...counted.map((entry) => ({ ...entry, verdict: 'counted' })),
    ...leftOut.map((entry) => ({ ...entry, verdict: entry.reason.replaceAll('_', ' ') })),
  ].sort((a, b) => compare(a.file ?? '', b.file ?? '') || a.line - b.line)
  printTable(terminal, rows, [
    { title: 'verdict', value: (row) => row.verdict },
    { title: 'input', value: (row) => String(row.input), right: true },
    { title: 'output', value: (row) => String(row.output), right: true },
    { title: 'cache read', value: (row) => String(row.cacheRead), right: true },
    { title: 'cache write', value: (row) => String(row.cacheWrite5m + row.cacheWrite1h), right: true },
    { title: 'model', value: (row) => row.model ?? '' },
    {
      title: 'told at',
      value: (row) => `${row.file ?? 'a transcript that is gone'}:${row.line}`,
      flexible: true,
      tail: true,
    },
  ])
  terminal.note(terminal.dim(`${plural(counted.length, 'response')} counted, ${leftOut.length} records left out`))
  for (const file of gone) terminal.note(terminal.yellow(`${file} is gone: what it repeated cannot be told`))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
