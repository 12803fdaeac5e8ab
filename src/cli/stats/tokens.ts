import type { Audit } from '../../insight/audit.ts'
import { UserError } from '../../model/errors.ts'
import { baseName } from '../../model/session.ts'
import { plural } from '../../model/text.ts'
import { isoTime } from '../../model/time.ts'
import type { Tokens } from '../../model/usage.ts'
import { USAGE_KEYS, type UsageKey, type UsageSum } from '../../store/store.ts'
import type { Context, Given } from '../command.ts'
import { count, flag, sessionFilter, word } from '../given.ts'
import { printTable } from '../table.ts'
import type { Report } from './report.ts'

export const tokens: Report = {
  name: 'tokens',
  summary: 'what was billed, each response once',
  async run(context, given) {
    const audited = word(given, 'audit')
    if (audited !== undefined) return audit(context, given, audited)
    const by = usageKey(word(given, 'by') ?? 'project')
    const { since, ...sessions } = sessionFilter(context, given, 0)
    const rows = await context.recall.usage(by, { sessions, ...(since === undefined ? {} : { since }) })
    const totals = sum(rows)
    if (flag(given, 'json')) {
      const limit = count(given, 'limit') || rows.length
      return context.terminal.json({ by, rows: rows.slice(0, limit).map(sumJson), totals: sumJson(totals) })
    }
    print(context, by, rows.slice(0, count(given, 'limit') || rows.length), totals)
  },
}

function usageKey(name: string): UsageKey {
  const key = USAGE_KEYS.find((candidate) => candidate === name)
  if (key) return key
  throw new UserError('USAGE', `cannot sum by ${JSON.stringify(name)}`, `--by takes ${USAGE_KEYS.join(', ')}`)
}

function sum(rows: readonly UsageSum[]): UsageSum {
  const add = (pick: (row: UsageSum) => number) => rows.reduce((total, row) => total + pick(row), 0)
  return {
    key: null,
    input: add((row) => row.input),
    output: add((row) => row.output),
    cacheRead: add((row) => row.cacheRead),
    cacheWrite5m: add((row) => row.cacheWrite5m),
    cacheWrite1h: add((row) => row.cacheWrite1h),
    reasoning: add((row) => row.reasoning),
    responses: add((row) => row.responses),
    unknown: add((row) => row.unknown),
  }
}

function tokensJson(row: Tokens) {
  return {
    input: row.input,
    output: row.output,
    cache_read: row.cacheRead,
    cache_write_5m: row.cacheWrite5m,
    cache_write_1h: row.cacheWrite1h,
    reasoning: row.reasoning,
  }
}

function sumJson(row: UsageSum) {
  return { key: row.key, ...tokensJson(row), responses: row.responses, unknown: row.unknown }
}

function print({ terminal }: Context, by: UsageKey, rows: readonly UsageSum[], totals: UsageSum): void {
  const number = (pick: (row: UsageSum) => number) => (row: UsageSum) => pick(row).toLocaleString('en-US')
  const named = (row: UsageSum) => {
    if (row === totals) return 'all'
    if (row.key === null) return 'unknown'
    return by === 'project' && terminal.isTTY ? baseName(row.key) : row.key
  }
  printTable(
    terminal,
    [...rows, totals],
    [
      { title: by, value: named, flexible: true },
      { title: 'input', value: number((row) => row.input), right: true },
      { title: 'output', value: number((row) => row.output), right: true },
      { title: 'cache read', value: number((row) => row.cacheRead), right: true },
      { title: 'cache write', value: number((row) => row.cacheWrite5m + row.cacheWrite1h), right: true },
      { title: 'reasoning', value: number((row) => row.reasoning), right: true },
      { title: 'responses', value: number((row) => row.responses), right: true },
    ],
  )
  if (totals.unknown > 0)
    terminal.note(terminal.dim(`${plural(totals.unknown, 'session')} told no tokens and are not in these sums`))
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
    { title: 'told at', value: (row) => `${row.file ?? 'a transcript that is gone'}:${row.line}`, flexible: true },
  ])
  terminal.note(terminal.dim(`${plural(counted.length, 'response')} counted, ${leftOut.length} records left out`))
  for (const file of gone) terminal.note(terminal.yellow(`${file} is gone: what it repeated cannot be told`))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
