import path from 'node:path'
import { statRegular } from '../../model/regular-file.ts'
import { asCount, asObject, type Json } from '../kit/json.ts'
import { LineReader } from '../kit/lines.ts'
import { parseLine } from './decode.ts'
import { openEnvelope } from './envelope.ts'
import type { SessionPlace } from './place.ts'

const BILL = Buffer.from('"turn_completed"')
/** A subagent's last line and its parent's news of its end are told by two clocks. */
const SLACK_MS = 2000

/** The bills of a session's turns that ended between two moments, as its transcript tells them. */
export function billsOf({ dir }: SessionPlace, from: number, to: number): Json[] {
  const file = path.join(dir, 'updates.jsonl')
  if (statRegular(file) === null) return []
  const bills = new Map<unknown, Json>()
  for (const { bytes, number } of new LineReader(file, null)) {
    if (bytes === null || bytes.indexOf(BILL) === -1) continue
    for (const record of parseLine(bytes) ?? []) {
      const update = openEnvelope(record)
      const usage = asObject(update?.body['usage'])
      if (update?.kind !== 'turn_completed' || usage === null || update.at === null) continue
      if (update.at >= from - SLACK_MS && update.at <= to + SLACK_MS) bills.set(update.promptId ?? number, usage)
    }
  }
  return [...bills.values()]
}

const FIGURES = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'cachedReadTokens',
  'cacheCreationTokens',
  'reasoningTokens',
  'modelCalls',
] as const

/** A bill less those of the subagents in it; as it is where they cannot be in it. */
export function withoutChildren(bill: Json, children: readonly Json[]): Json {
  return children.reduce((rest, child) => (contains(rest, child) ? less(rest, child) : rest), bill)
}

function contains(bill: Json, child: Json): boolean {
  if (!covers(bill, child)) return false
  const models = asObject(bill['modelUsage'])
  if (models === null) return true
  return Object.entries(asObject(child['modelUsage']) ?? {}).every(([model, share]) => {
    const whole = asObject(models[model])
    return whole !== null && covers(whole, asObject(share) ?? {})
  })
}

/** What a bill does not tell can be of any size. */
function covers(bill: Json, part: Json): boolean {
  return FIGURES.every((name) => bill[name] === undefined || asCount(part[name]) <= asCount(bill[name]))
}

function less(bill: Json, child: Json): Json {
  const models = asObject(bill['modelUsage'])
  if (models === null) return figuresLess(bill, child)
  const taken = asObject(child['modelUsage']) ?? {}
  const modelUsage = Object.entries(models).map(([model, share]) => {
    const whole = asObject(share) ?? {}
    const part = asObject(taken[model])
    return [model, part === null ? whole : figuresLess(whole, part)] as const
  })
  return { ...figuresLess(bill, child), modelUsage: Object.fromEntries(modelUsage) }
}

function figuresLess(bill: Json, child: Json): Json {
  const named = FIGURES.filter((name) => bill[name] !== undefined)
  const figures = named.map((name) => [name, asCount(bill[name]) - asCount(child[name])] as const)
  const { costUsdTicks: cost, ...rest } = bill
  const part = child['costUsdTicks']
  const own = typeof cost === 'number' && typeof part === 'number' && part <= cost ? { costUsdTicks: cost - part } : {}
  return { ...rest, ...Object.fromEntries(figures), ...own }
}
