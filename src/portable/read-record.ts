import { DECISIONS_LANE, EVENT_KINDS, INFERRED_LANE, isToolCall, type EventKind, type Role } from '../model/event.ts'
import type { Facts } from '../model/facts.ts'
import { isInTime } from '../model/time.ts'
import {
  RECORD_VERSION,
  type DecisionLine,
  type DigestLine,
  type EventLine,
  type LaneRecord,
  type LedgerLine,
  type PortableRecord,
  type SessionLine,
  type SignalLine,
} from '../model/records.ts'
import { isDenier, isDigest, isSignalKind, marksIn } from './json-shapes.ts'
import { isTag } from '../model/tags.ts'
import { FLAG } from '../store/store.ts'

type Json = Readonly<Record<string, unknown>>

const ROLES: ReadonlySet<unknown> = new Set<Role>(['user', 'assistant', 'system', 'tool'])
const KINDS: ReadonlySet<unknown> = new Set(EVENT_KINDS)
const UID = /^[a-z][a-z0-9_-]{0,31}:[^\s\p{C}/\\]{1,200}$/u
const HEX = /^(?:[0-9a-f]{2}){1,64}$/
const MOST_LANES = 10_000
const NOT_TOLD = [INFERRED_LANE, DECISIONS_LANE, '~digest']
/** Numbers in one lane are smaller than this. */
const LANE_NUMBERS = 2 ** 31
const MOST_FILES = 10_000
const HIGHEST_FLAGS = 4095
/** Without those that say how events stand to others here: that is found out, not believed. */
const TOLD_FLAGS = HIGHEST_FLAGS & ~(FLAG.copy | FLAG.twin | FLAG.aside | FLAG.inferred)

class Unfit extends Error {}

/**
 * A record of somebody else's, with nothing in it but what the format knows and every value of the kind it must be; null
 * if it cannot be one, or is of a later version. Texts are as they came: whoever keeps them redacts them.
 */
export function readRecord(json: Json): PortableRecord | null {
  if (json['v'] !== RECORD_VERSION) return null
  try {
    const uid = matching(json, 'session_uid', UID)
    switch (json['record']) {
      case 'session':
        return session(json, uid)
      case 'event':
        return event(json, uid)
      case 'ledger':
        return ledger(json, uid)
      case 'digest':
        return digest(json, uid)
      case 'signal':
        return signal(json, uid)
      case 'decision':
        return decision(json, uid)
      case 'tag': {
        const tag = text(json, 'tag').slice(0, 200)
        if (!isTag(tag)) return null
        return { ...head('tag', uid), tag, on: json['on'] === true, at: time(json, 'at') }
      }
      case 'title':
        return { ...head('title', uid), title: textOrNull(json, 'title')?.slice(0, 1000) ?? null, at: time(json, 'at') }
      case 'tombstone':
        return { ...head('tombstone', uid), at: time(json, 'at') }
      default:
        return null
    }
  } catch (error) {
    if (error instanceof Unfit) return null
    throw error
  }
}

function head<Name extends string>(record: Name, uid: string) {
  return { v: RECORD_VERSION, record, session_uid: uid } as const
}

function session(json: Json, uid: string): SessionLine {
  const flavor = uid.slice(0, uid.indexOf(':'))
  const counted = (name: string) => count(json, name)
  return {
    ...head('session', uid),
    id: matching(json, 'id', /^[0-9a-f]{16}$/),
    flavor,
    source: matching(json, 'source', /^[a-z][a-z0-9_]{0,63}$/),
    native_id: uid.slice(flavor.length + 1),
    source_path: text(json, 'source_path'),
    title: textOrNull(json, 'title'),
    cwd: textOrNull(json, 'cwd'),
    git_repo: textOrNull(json, 'git_repo'),
    git_branch: textOrNull(json, 'git_branch'),
    model: textOrNull(json, 'model'),
    parent_uid: textOrNull(json, 'parent_uid'),
    started_at: instant(json, 'started_at'),
    ended_at: instant(json, 'ended_at'),
    message_count: counted('message_count'),
    prompt_count: counted('prompt_count'),
    tool_count: counted('tool_count'),
    event_count: counted('event_count'),
    retry_count: counted('retry_count'),
    thread_count: counted('thread_count'),
    outcome: matching(json, 'outcome', /^(?:success|fail|abandoned|unknown)$/),
    task_ref: textOrNull(json, 'task_ref'),
    evicted_at: instant(json, 'evicted_at'),
    evict_reason: textOrNull(json, 'evict_reason'),
    lanes: lanes(json),
  }
}

/** Each under a name of its own, and none that is not told. */
function lanes(json: Json): LaneRecord[] {
  const told = listOf(json, 'lanes', MOST_LANES).map(lane)
  const names = new Set(told.map(({ name }) => name))
  if (names.size < told.length || NOT_TOLD.some((name) => names.has(name))) throw new Unfit()
  return told
}

function lane(value: unknown): LaneRecord {
  const json = object(value)
  return {
    name: text(json, 'name').slice(0, 500),
    originality: bounded(json, 'originality', 16),
    main_path: text(json, 'main_path'),
    yields_to: textOrNull(json, 'yields_to'),
    facts: facts(json['facts']),
    side: facts(json['side']),
  }
}

const isText = (value: unknown) => typeof value === 'string'
const isFlag = (value: unknown) => typeof value === 'boolean'
const isTime = (value: unknown) => typeof value === 'number' && isInTime(value)

/** What each fact must be; every one that a source can tell. */
const FACT_KINDS: Readonly<Record<keyof Facts, (value: unknown) => boolean>> = {
  customTitle: isText,
  agentTitle: isText,
  firstPrompt: isText,
  cwd: isText,
  gitRepo: isText,
  repoIdentity: isText,
  branch: isText,
  model: isText,
  version: isText,
  parent: isText,
  hidden: isFlag,
  automated: isFlag,
  complete: isFlag,
  writtenSince: isTime,
  startedAt: isTime,
  endedAt: isTime,
  questions: (value) => value === 'told' || value === 'none',
  branches: (value) => Array.isArray(value) && value.length <= 1000 && value.every((one) => typeof one === 'string'),
  inherits: (value) => {
    const json = asObject(value)
    return json !== null && typeof json['uid'] === 'string' && isCount(json['records'])
  },
  redactions: (value) => {
    const json = asObject(value)
    return json !== null && Object.keys(json).length <= 1000 && Object.values(json).every(isCount)
  },
  billed: (value) => {
    const json = asObject(value)
    const models: unknown = json?.['models']
    return isCount(json?.['line']) && Array.isArray(models) && models.length <= 1000 && models.every(isBill)
  },
}
const BILLED = ['input', 'output', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'reasoning'] as const

function isBill(value: unknown): boolean {
  const json = asObject(value)
  return json !== null && typeof json['model'] === 'string' && BILLED.every((name) => isCount(json[name]))
}

/** What is no fact, or none of its kind, is left out. */
function facts(value: unknown): LaneRecord['facts'] {
  const json = asObject(value) ?? {}
  return Object.fromEntries(
    Object.entries(json).filter(
      ([name, one]) => Object.hasOwn(FACT_KINDS, name) && FACT_KINDS[name as keyof Facts](one),
    ),
  )
}

function event(json: Json, uid: string): EventLine {
  const place = object(json['place'])
  const kind = json['kind']
  const role = json['role']
  if (!KINDS.has(kind) || !ROLES.has(role)) throw new Unfit()
  // What a call gave back is no call.
  if (isToolCall(kind as EventKind) && (role === 'tool' || !isJsonOrNull(json['output']))) throw new Unfit()
  const parent = place['parent'] ?? null
  const isParent = parent === null || isCount(parent) || (typeof parent === 'string' && HEX.test(parent))
  if (!isParent) throw new Unfit()
  return {
    ...head('event', uid),
    seq: count(json, 'seq'),
    ts: instant(json, 'ts'),
    kind: kind as EventKind,
    role: role as Role,
    tool: textOrNull(json, 'tool'),
    text: textOrNull(json, 'text'),
    input: json['input'] ?? null,
    output: textOrNull(json, 'output'),
    event_class: text(json, 'event_class').slice(0, 500),
    is_error: json['is_error'] === true,
    thread: textOrNull(json, 'thread'),
    marks: marksIn(json['marks']),
    files: listOf(json, 'files', MOST_FILES).map((one) => {
      const [path, edit] = pair(one)
      if (typeof path !== 'string' || typeof edit !== 'number') throw new Unfit()
      return [path, edit === 1 ? 1 : 0] as const
    }),
    made: listOf(json, 'made', MOST_FILES).map((one) => {
      const [what, value] = pair(one)
      if ((what !== 'commit' && what !== 'pr') || typeof value !== 'string') throw new Unfit()
      return [what, value] as const
    }),
    place: {
      lane: text(place, 'lane').slice(0, 500),
      pos: bounded(place, 'pos', LANE_NUMBERS - 2),
      parent: parent as number | string | null,
      native: matching(place, 'native', HEX),
      block: bounded(place, 'block', 2 ** 31),
      call: place['call'] === null || place['call'] === undefined ? null : matching(place, 'call', HEX),
      message: countOrNull(place, 'message'),
      call_idx: countOrNull(place, 'call_idx', LANE_NUMBERS),
      line: bounded(place, 'line', 2 ** 48),
      exchange: bounded(place, 'exchange', 2 ** 31),
      flags: bounded(place, 'flags', HIGHEST_FLAGS) & TOLD_FLAGS,
      summary: textOrNull(place, 'summary'),
      base: textOrNull(place, 'base'),
      sub: textOrNull(place, 'sub'),
      runs: namesOrNull(place, 'runs'),
    },
  }
}

function ledger(json: Json, uid: string): LedgerLine {
  const place = object(json['place'])
  const cost = json['cost_usd']
  return {
    ...head('ledger', uid),
    key: text(json, 'key').slice(0, 1000),
    thread: textOrNull(json, 'thread'),
    model: textOrNull(json, 'model'),
    ts: instant(json, 'ts'),
    input: count(json, 'input'),
    output: count(json, 'output'),
    cache_read: count(json, 'cache_read'),
    cache_write_5m: count(json, 'cache_write_5m'),
    cache_write_1h: count(json, 'cache_write_1h'),
    reasoning: count(json, 'reasoning'),
    cost_usd: typeof cost === 'number' && cost >= 0 && cost < 1e9 ? cost : null,
    place: {
      lane: text(place, 'lane').slice(0, 500),
      message: countOrNull(place, 'message'),
      pos: countOrNull(place, 'pos'),
      line: bounded(place, 'line', 2 ** 48),
    },
  }
}

function digest(json: Json, uid: string): DigestLine {
  if (!isDigest(json['digest'])) throw new Unfit()
  return {
    ...head('digest', uid),
    analyzed_at: instant(json, 'analyzed_at'),
    schema_version: bounded(json, 'schema_version', 1000),
    spans: text(json, 'spans'),
    digest: object(json['digest']),
  }
}

function signal(json: Json, uid: string): SignalLine {
  if (!isSignalKind(json['kind']) || !isDenier(json['denied_by'] ?? null)) throw new Unfit()
  return {
    ...head('signal', uid),
    kind: text(json, 'kind'),
    fingerprint: text(json, 'fingerprint').slice(0, 1000),
    summary: text(json, 'summary').slice(0, 10_000),
    count: count(json, 'count'),
    tool: textOrNull(json, 'tool'),
    seqs: listOf(json, 'seqs', 100_000).map((seq) => {
      if (!isCount(seq)) throw new Unfit()
      return seq
    }),
    denied_by: textOrNull(json, 'denied_by'),
  }
}

function decision(json: Json, uid: string): DecisionLine {
  return { ...head('decision', uid), seq: count(json, 'seq'), ts: instant(json, 'ts'), text: text(json, 'text') }
}

function asObject(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
}

function object(value: unknown): Json {
  const json = asObject(value)
  if (json === null) throw new Unfit()
  return json
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function count(json: Json, name: string): number {
  const value = json[name]
  if (!isCount(value)) throw new Unfit()
  return value
}

function countOrNull(json: Json, name: string, most = 2 ** 40): number | null {
  return json[name] === null || json[name] === undefined ? null : bounded(json, name, most - 1)
}

function bounded(json: Json, name: string, most: number): number {
  const value = count(json, name)
  if (value > most) throw new Unfit()
  return value
}

function text(json: Json, name: string): string {
  const value = json[name]
  if (typeof value !== 'string') throw new Unfit()
  return value
}

function textOrNull(json: Json, name: string): string | null {
  return json[name] === null || json[name] === undefined ? null : text(json, name)
}

function matching(json: Json, name: string, pattern: RegExp): string {
  const value = text(json, name)
  if (!pattern.test(value)) throw new Unfit()
  return value
}

function instant(json: Json, name: string): string | null {
  const value = textOrNull(json, name)
  if (value === null) return null
  const at = Date.parse(value)
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && isInTime(at) ? new Date(at).toISOString() : null
}

function time(json: Json, name: string): number {
  const value = count(json, name)
  return isInTime(value) ? value : 0
}

function listOf(json: Json, name: string, most: number): readonly unknown[] {
  const value: unknown = json[name] ?? []
  if (!Array.isArray(value) || value.length > most) throw new Unfit()
  return value as readonly unknown[]
}

function pair(value: unknown): readonly [unknown, unknown] {
  if (!Array.isArray(value) || value.length !== 2) throw new Unfit()
  return [value[0], value[1]]
}

/** The body of a call is what it was given, where that is long. */
function isJsonOrNull(value: unknown): boolean {
  if (typeof value !== 'string') return true
  try {
    JSON.parse(value)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** A list of names as JSON, as it is kept. */
function namesOrNull(json: Json, name: string): string | null {
  const value = textOrNull(json, name)
  if (value === null) return null
  try {
    const names: unknown = JSON.parse(value)
    if (Array.isArray(names) && names.length <= 1000 && names.every((one) => one === null || typeof one === 'string'))
      return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new Unfit()
}
