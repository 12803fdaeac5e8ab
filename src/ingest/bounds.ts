import type { Facts, SessionBill } from '../model/facts.ts'
import type { Marks } from '../model/marks.ts'
import { isInTime } from '../model/time.ts'
import type { Tokens } from '../model/usage.ts'
import type { EventItem, FactsItem, Item, Problem, UsageItem } from '../sources/source.ts'

const NUMBER = 'number out of range'
const TIME = 'time out of range'
const UNKNOWN = ' taken as unknown'

/** What was out of bounds in one record, for one Problem. */
export class OutOfBounds {
  #names: Set<string> | null = null
  #type = ''
  #line = 0

  /** Of several types the first is told, with the names of all. */
  add(type: string, name: string, line: number): void {
    this.#names ??= new Set()
    this.#names.add(name)
    this.#type ||= type
    this.#line ||= line
  }

  problem(): Problem | null {
    if (this.#names === null) return null
    const message = `${[...this.#names].join(', ')}${UNKNOWN}`
    return { item: 'problem', type: this.#type, level: 'warn', message, line: this.#line, offset: 0 }
  }
}

/**
 * The item with every number and time in it that nothing could count or show taken as unknown; null if nothing is left
 * of it. Whatever a source yields passes here: what is stored can be summed, sorted and shown by everybody.
 */
export function withinBounds(item: Item, out: OutOfBounds): Item | null {
  switch (item.item) {
    case 'event':
      return boundEvent(item, out)
    case 'usage':
      return boundUsage(item, out)
    case 'facts':
      return boundFacts(item, out)
    case 'problem':
      return bounded(item, out)
    default:
      return item
  }
}

/** What a source has found itself in the same record is told with the rest. */
function bounded(problem: Problem, out: OutOfBounds): Problem | null {
  if (problem.type !== TIME && problem.type !== NUMBER) return problem
  out.add(problem.type, problem.message.replace(UNKNOWN, ''), problem.line)
  return null
}

function boundEvent(item: EventItem, out: OutOfBounds): EventItem {
  const { at, marks } = item
  const timely = at === null || isInTime(at)
  const fitting = marks === undefined || areFitting(marks)
  if (timely && fitting) return item
  if (!timely) out.add(TIME, 'its time', item.line)
  return { ...item, at: timely ? at : null, ...(fitting ? {} : { marks: boundMarks(marks, item.line, out) }) }
}

const DURATIONS = ['waitedMs', 'takenBack'] as const

function areFitting(marks: Marks): boolean {
  const { exitCode } = marks
  return (
    DURATIONS.every((name) => isCount(marks[name] ?? 0)) && (exitCode === undefined || Number.isSafeInteger(exitCode))
  )
}

/** Exit codes may be negative: some systems tell the signal so. */
function boundMarks(marks: Marks, line: number, out: OutOfBounds): Marks {
  const { waitedMs, takenBack, exitCode, ...rest } = marks
  const kept = (name: string, value: number | undefined, fits: boolean) => {
    if (value === undefined) return {}
    if (fits) return { [name]: value }
    out.add(NUMBER, name, line)
    return {}
  }
  return {
    ...rest,
    ...kept('waitedMs', waitedMs, isCount(waitedMs ?? 0)),
    ...kept('takenBack', takenBack, isCount(takenBack ?? 0)),
    ...kept('exitCode', exitCode, Number.isSafeInteger(exitCode)),
  }
}

function boundUsage(item: UsageItem, out: OutOfBounds): UsageItem | null {
  const { at, costUsd } = item
  const timely = at === null || isInTime(at)
  const affordable = costUsd === null || isCount(costUsd)
  if (timely && affordable && areWhole(item)) return item
  if (!timely) out.add(TIME, 'its time', item.line)
  if (!affordable) out.add(NUMBER, 'cost', item.line)
  const tokens = boundTokens(item, item.line, out)
  if (FIELDS.every((field) => tokens[field] === 0)) return null
  return { ...item, ...tokens, at: timely ? at : null, costUsd: affordable ? costUsd : null }
}

const FIELDS = ['input', 'output', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'reasoning'] as const

function areWhole(tokens: Tokens): boolean {
  for (const field of FIELDS) if (!(tokens[field] >= 0) || !Number.isSafeInteger(tokens[field])) return false
  return true
}

function boundTokens(tokens: Tokens, line: number, out: OutOfBounds): Tokens {
  const bound = (field: keyof Tokens) => {
    const value = tokens[field]
    if (isCount(value)) return Math.floor(value)
    out.add(NUMBER, `${field} tokens`, line)
    return 0
  }
  return {
    input: bound('input'),
    output: bound('output'),
    cacheRead: bound('cacheRead'),
    cacheWrite5m: bound('cacheWrite5m'),
    cacheWrite1h: bound('cacheWrite1h'),
    reasoning: bound('reasoning'),
  }
}

const TIMES = ['startedAt', 'endedAt', 'writtenSince'] as const

function boundFacts(item: FactsItem, out: OutOfBounds): FactsItem | null {
  const { facts } = item
  const late = TIMES.filter((name) => facts[name] !== undefined && !isInTime(facts[name]))
  const overdrawn = facts.billed !== undefined && !facts.billed.models.every(areWhole)
  const inherited = facts.inherits === undefined || isCount(facts.inherits.records)
  if (late.length === 0 && !overdrawn && inherited) return item
  for (const _ of late) out.add(TIME, 'its time', 0)
  const bounded: Partial<Facts> = { ...facts }
  for (const name of late) delete bounded[name]
  if (facts.billed !== undefined) bounded.billed = boundBill(facts.billed, out)
  if (!inherited) {
    out.add(NUMBER, 'records it inherits', 0)
    delete bounded.inherits
  }
  return Object.keys(bounded).length === 0 ? null : { ...item, facts: bounded }
}

function boundBill(bill: SessionBill, out: OutOfBounds): SessionBill {
  return { ...bill, models: bill.models.map((model) => ({ ...model, ...boundTokens(model, bill.line, out) })) }
}

function isCount(value: number): boolean {
  return value >= 0 && value <= Number.MAX_SAFE_INTEGER
}
