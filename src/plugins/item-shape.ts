import { EVENT_KINDS } from '../model/event.ts'
import { isObject, type Json } from '../sources/kit/json.ts'
import type { Item } from '../sources/source.ts'

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'tool'])
const KINDS: ReadonlySet<unknown> = new Set(EVENT_KINDS)
const DENIED: ReadonlySet<unknown> = new Set(['person', 'rule', 'sandbox', 'hook'])
const TURNS: ReadonlySet<unknown> = new Set(['started', 'completed', 'failed', 'interrupted', 'aborted'])
const COMPACTED: ReadonlySet<unknown> = new Set(['auto', 'manual', 'unknown'])
const SUBAGENT: ReadonlySet<unknown> = new Set(['started', 'completed', 'failed', 'cancelled'])
const MAX_NAME = 300
const MAX_POS = 2 ** 31

type Check = (value: unknown) => boolean

const text: Check = (value) => typeof value === 'string'
const name: Check = (value) => typeof value === 'string' && value.length <= MAX_NAME
const named: Check = (value) => name(value) && value !== ''
const flag: Check = (value) => typeof value === 'boolean'
const yes: Check = (value) => value === true
const figure: Check = (value) => typeof value === 'number'
const index: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < MAX_POS
const time: Check = (value) => value === null || typeof value === 'number'
const anything: Check = () => true
const oneOf =
  (values: ReadonlySet<unknown>): Check =>
  (value) =>
    values.has(value)
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)

const MARKS: Readonly<Record<string, Check>> = {
  denied: oneOf(DENIED),
  asked: yes,
  approved: yes,
  waitedMs: figure,
  interrupted: yes,
  stopped: yes,
  compacted: oneOf(COMPACTED),
  turn: oneOf(TURNS),
  exitCode: figure,
  subagent: oneOf(SUBAGENT),
  made: (value) =>
    Array.isArray(value) &&
    value.every((one) => isObject(one) && text(one['value']) && (one['kind'] === 'commit' || one['kind'] === 'pr')),
  takenBack: figure,
  midTurn: yes,
  onDenial: yes,
  onApproval: yes,
  injected: yes,
  command: text,
  alone: yes,
}

const FACTS: Readonly<Record<string, Check>> = {
  customTitle: text,
  agentTitle: text,
  firstPrompt: text,
  cwd: text,
  gitRepo: text,
  repoIdentity: text,
  branch: text,
  branches: (value) => Array.isArray(value) && value.every(text),
  model: text,
  version: text,
  parent: text,
  hidden: flag,
  automated: flag,
  writtenSince: figure,
  startedAt: figure,
  endedAt: figure,
  complete: flag,
}

const known =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) &&
    Object.entries(value).every(([key, one]) => Object.hasOwn(checks, key) && checks[key]?.(one) === true)

const LANE = { session: named, lane: name }
const SHAPES: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  lane: {
    ...LANE,
    originality: (value) => [0, 1, 2, 3, 4].includes(Number(value)),
    mainPath: text,
    yieldsTo: maybe(text),
  },
  event: {
    ...LANE,
    pos: index,
    parent: (value) => value === null || text(value) || index(value),
    at: time,
    kind: oneOf(KINDS),
    role: oneOf(ROLES),
    tool: maybe(name),
    text: maybe(text),
    input: anything,
    body: maybe(text),
    human: maybe(flag),
    sidechain: maybe(flag),
    thread: maybe(name),
    native: named,
    block: index,
    call: maybe(name),
    message: maybe(index),
    callIdx: maybe(index),
    line: index,
    type: maybe(name),
    eventClass: maybe(name),
    marks: maybe(known(MARKS)),
  },
  usage: {
    ...LANE,
    key: named,
    model: orNull(text),
    at: time,
    input: figure,
    output: figure,
    cacheRead: figure,
    cacheWrite5m: figure,
    cacheWrite1h: figure,
    reasoning: figure,
    costUsd: orNull(figure),
    message: orNull(index),
    pos: maybe(index),
    line: index,
    leftOut: maybe(text),
  },
  facts: { ...LANE, facts: known(FACTS) },
  supersede: { ...LANE, from: index, to: index },
  title: { leaf: named, title: text },
  problem: {
    type: name,
    level: (value) => value === 'info' || value === 'warn',
    message: text,
    line: index,
    offset: index,
  },
}

/** Why something is no item that a reader may give; null if it is one. */
export function faultOf(item: unknown): string | null {
  if (!isObject(item)) return `${typeof item} is no item`
  const shape =
    typeof item['item'] === 'string' && Object.hasOwn(SHAPES, item['item']) ? SHAPES[item['item']] : undefined
  if (shape === undefined) return `there is no item ${JSON.stringify(item['item'])}`
  return faultIn(item, shape)
}

function faultIn(item: Json, shape: Readonly<Record<string, Check>>): string | null {
  for (const [key, check] of Object.entries(shape))
    if (!check(item[key])) return `${String(item['item'])}.${key} is ${shown(item[key])}`
  const extra = Object.keys(item).find((key) => key !== 'item' && !Object.hasOwn(shape, key))
  return extra === undefined ? null : `${String(item['item'])} has no field ${JSON.stringify(extra).slice(0, 80)}`
}

function shown(value: unknown): string {
  return value === undefined ? 'missing' : (JSON.stringify(value)?.slice(0, 80) ?? typeof value)
}

export function isItem(item: unknown): item is Item {
  return faultOf(item) === null
}
