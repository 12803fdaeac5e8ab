import { SIGNAL_KINDS, type Digest } from '../model/digest.ts'
import type { Marks } from '../model/marks.ts'

// What somebody else's digests and marks must be, field by field, before anybody here relies on it.

type Check = (value: unknown) => boolean
type Json = Readonly<Record<string, unknown>>

const MOST_ITEMS = 100_000
const OUTCOMES = ['success', 'fail', 'abandoned', 'unknown']
const DENIERS = ['person', 'rule', 'sandbox', 'hook']

const text: Check = (value) => typeof value === 'string'
const truth: Check = (value) => value === true
const figure: Check = (value) => typeof value === 'number' && Number.isFinite(value)
const count: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0
const one =
  (...of: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && of.includes(value)
const maybe =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length <= MOST_ITEMS && value.every(check)
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const record =
  (check: Check): Check =>
  (value) =>
    isJson(value) && Object.values(value).every(check)
const object =
  (shape: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isJson(value) && Object.entries(shape).every(([name, check]) => Object.hasOwn(value, name) && check(value[name]))

const DIGEST: Readonly<Record<keyof Digest, Check>> = {
  session_uid: text,
  flavor: text,
  repo: maybe(text),
  domain: maybe(text),
  model: maybe(text),
  started_at: maybe(text),
  ended_at: maybe(text),
  outcome: one(...OUTCOMES),
  cost: object({
    input_tokens: maybe(count),
    output_tokens: maybe(count),
    cache_tokens: maybe(count),
    wall_clock_s: maybe(figure),
    turns: count,
    retries: count,
  }),
  tool_histogram: record(count),
  event_count: count,
  kind_counts: record(count),
  markers: object({
    errors: count,
    retries: count,
    interventions: count,
    test_runs: count,
    edits: count,
    decisions: count,
    compactions: count,
  }),
  first_prompt: maybe(text),
  last_assistant: maybe(text),
  error_snippets: list(object({ fingerprint: text, sample: text, count, tool: maybe(text) })),
  schema_version: count,
  title: maybe(text),
  outcome_confidence: figure,
  outcome_reasons: list(text),
  task_ref: maybe(text),
  exchanges: count,
  files: list(object({ path: text, edits: count, reads: count })),
  commands: list(object({ command: text, count })),
  commits: list(text),
  prs: list(text),
  time: object({ active_s: figure, agent_s: figure, waiting_s: figure, idle_s: figure }),
  compactions: count,
  redactions: record(count),
  sources: list(object({ path: text, bytes: count, hash: text })),
  infra_overhead_share: maybe(figure),
}

export const isDigest = object(DIGEST)

const MARKS: Readonly<Record<keyof Marks, Check>> = {
  denied: one(...DENIERS),
  asked: truth,
  approved: truth,
  waitedMs: figure,
  interrupted: truth,
  stopped: truth,
  compacted: one('auto', 'manual', 'unknown'),
  turn: one('started', 'completed', 'failed', 'interrupted', 'aborted'),
  exitCode: figure,
  subagent: one('started', 'completed', 'failed', 'cancelled'),
  made: list((value) => isJson(value) && one('commit', 'pr')(value['kind']) && text(value['value'])),
  takenBack: count,
  midTurn: truth,
  onDenial: truth,
  onApproval: truth,
  injected: truth,
  command: text,
  alone: truth,
}

/** Marks as they are known; what is none, or none of its kind, is left out. Null where there is none. */
export function marksIn(value: unknown): Json | null {
  if (!isJson(value)) return null
  const known = Object.entries(value).filter(
    ([name, mark]) => Object.hasOwn(MARKS, name) && MARKS[name as keyof Marks](mark),
  )
  return known.length === 0 ? null : Object.fromEntries(known)
}

export const isSignalKind = one(...SIGNAL_KINDS)
export const isDenier = maybe(one(...DENIERS))
