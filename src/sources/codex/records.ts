import { asObject, asString, asText, type Json } from '../kit/json.ts'
import { parseInstant } from '../../model/time.ts'
import { mapEvent, noteModel } from './events.ts'
import { mapToolResults } from './call-events.ts'
import { mapItem, mapToolUse } from './items.ts'
import { mapLetter } from './letters.ts'
import { mapLegacyMessage } from './messages.ts'
import { baseOf, isAutomated, isSpawned, parentOf } from './origin.ts'
import type { Scribe } from './scribe.ts'
import { countOf, totalOf } from './tokens.ts'
import { noteCompaction } from './turn-events.ts'
import { IGNORED_RECORDS } from './types.ts'
import { writeUsage } from './usage.ts'

/** The header of a rollout: `session_meta`, or the first line of the oldest kind, which has no type. */
export function headerOf(record: Json): Json | null {
  if (record['type'] === 'session_meta') return asObject(record['payload'])
  const bare = record['type'] === undefined && record['record_type'] === undefined && asText(record['id']) !== null
  return bare && ('timestamp' in record || 'instructions' in record) ? record : null
}

/** Appends the items of one record of any generation. */
export function mapRecord(record: Json, scribe: Scribe): void {
  const header = headerOf(record)
  if (header !== null) return mapHeader(header, scribe)
  scribe.origin.meet(record, scribe.place.at)
  const type = asString(record['type']) ?? asString(record['record_type'])
  const payload = asObject(record['payload'])
  if (type === null) return scribe.problem('record without type', 'info', 'a record has no type')
  if (payload === null) return mapBare(type, record, scribe)
  if (scribe.origin.inherited) return mapInherited(type, payload, scribe)
  switch (type) {
    case 'response_item':
      return mapItem(payload, scribe)
    case 'event_msg':
      return mapEvent(payload, scribe)
    case 'turn_context':
      return mapContext(payload, scribe)
    case 'message':
      return mapWhole(payload, scribe)
    case 'function_call':
    case 'function_call_output':
    case 'reasoning':
      return mapItem({ ...payload, type }, scribe)
    default:
      return mapOther(type, payload, scribe)
  }
}

/** A message that may hold calls and their outputs, as early versions wrote them. */
function mapWhole(message: Json, scribe: Scribe): void {
  mapLegacyMessage(message, scribe, (part, key) => mapToolUse(part, key, scribe))
  mapToolResults(message, scribe)
}

/** A response item without an envelope. */
function mapBare(type: string, record: Json, scribe: Scribe): void {
  if (Object.hasOwn(IGNORED_RECORDS, type)) return
  if (type === 'message') return mapWhole(record, scribe)
  if (/^(?:response_item|event_msg|turn_context|session_meta|compacted)$/.test(type)) {
    return scribe.problem(`${type} without payload`, 'warn', `a ${type} record has no payload`)
  }
  mapItem(record, scribe, type)
}

function mapOther(type: string, payload: Json, scribe: Scribe): void {
  switch (type) {
    case 'compacted':
      return noteCompaction('item', asText(payload['message']), scribe)
    case 'token_usage_record':
      return mapUsageRecord(payload, scribe)
    case 'inter_agent_communication':
      return mapLetter(payload, 'event', scribe)
    default:
      if (Object.hasOwn(IGNORED_RECORDS, type)) return
      scribe.problem(type, 'info', `unknown record type ${JSON.stringify(type)}`)
  }
}

function mapUsageRecord(payload: Json, scribe: Scribe): void {
  const total = totalOf(payload['thread_token_usage'])
  if (total !== null) writeUsage('token_usage_record', total, totalOf(payload['usage']), scribe)
}

/** Of what an agent was given when it was started, only what its own records go on from. */
function mapInherited(type: string, payload: Json, scribe: Scribe): void {
  if (type === 'turn_context') return mapContext(payload, scribe)
  if (type === 'token_usage_record') return mapUsageRecord(payload, scribe)
  const count = type === 'event_msg' && payload['type'] === 'token_count' ? countOf(payload) : null
  if (count !== null) writeUsage('token_count', count.total, count.latest, scribe)
}

function mapContext(payload: Json, scribe: Scribe): void {
  const turn = asText(payload['turn_id'])
  if (turn !== null) scribe.natives.startTurn(turn)
  noteModel(payload['model'], scribe)
  notePermissions(payload, scribe)
  const cwd = asText(payload['cwd'])
  if (cwd !== null && !scribe.knows('cwd')) scribe.tell('cwd', cwd)
}

/** What commands may do in the turn, and whether somebody may be asked for more. */
function notePermissions(context: Json, scribe: Scribe): void {
  const sandbox = asObject(context['sandbox_policy'])
  const mode = asText(sandbox?.['type']) ?? asText(sandbox?.['mode'])
  const profile = asText(asObject(context['permission_profile'])?.['type'])
  if (mode !== null) scribe.sandboxed = mode === 'read-only' || mode === 'workspace-write'
  else if (profile !== null) scribe.sandboxed = profile === 'managed'
  if ('approval_policy' in context) scribe.mayAsk = context['approval_policy'] !== 'never'
  if ('approvals_reviewer' in context) scribe.asksPerson = context['approvals_reviewer'] === 'user'
}

/** The first header is the session's own, the same again a resumption, another one that of the session it was forked from. */
function mapHeader(meta: Json, scribe: Scribe): void {
  const id = asText(meta['id'])
  if (id === null) return scribe.problem('session_meta without id', 'warn', 'a session_meta has no id')
  switch (scribe.origin.met(id, meta)) {
    case 'own':
      return tellOwn(meta, scribe)
    case 'again':
      tellBranch(meta, scribe)
      return void scribe.note('resumed', 'session resumed')
    default:
      if (scribe.origin.leading) scribe.natives.setRoot(id)
      if (!scribe.knows('parent')) scribe.tell('parent', `codex:${id}`)
  }
}

function tellOwn(meta: Json, scribe: Scribe): void {
  const startedAt = parseInstant(meta['timestamp'])
  if (startedAt !== null) scribe.facts({ startedAt })
  const cwd = asText(meta['cwd'])
  if (cwd !== null) scribe.tell('cwd', cwd)
  tellBranch(meta, scribe)
  const version = asText(meta['cli_version'])
  if (version !== null) scribe.tell('version', version)
  const parent = parentOf(meta)
  if (parent !== null && parent !== scribe.lane.session) scribe.tell('parent', `codex:${parent}`)
  if (isSpawned(meta)) scribe.facts({ hidden: true })
  if (isAutomated(meta)) scribe.facts({ automated: true })
  const base = isSpawned(meta) ? null : baseOf(meta)
  if (base !== null) scribe.facts({ inherits: { uid: `codex:${base.thread}`, records: base.records } })
}

function tellBranch(meta: Json, scribe: Scribe): void {
  const branch = asText(asObject(meta['git'])?.['branch'])
  if (branch === null || branch === 'HEAD') return
  if (!scribe.knows('branch')) scribe.tell('branch', branch)
  scribe.onBranch(branch)
}
