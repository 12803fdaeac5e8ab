import { asObject, asString, asText, type Json } from '../kit/json.ts'
import { parseInstant } from '../../model/time.ts'
import { mapEvent, noteModel } from './events.ts'
import { mapToolResults } from './call-events.ts'
import { mapItem, mapToolUse } from './items.ts'
import { mapLetter } from './agent-messages.ts'
import { mapLegacyMessage } from './messages.ts'
import { baseOf, isAutomated, isSpawned, parentOf } from './fork-origin.ts'
import type { ItemWriter } from './item-writer.ts'
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
export function mapRecord(record: Json, writer: ItemWriter): void {
  const header = headerOf(record)
  if (header !== null) return mapHeader(header, writer)
  writer.origin.meet(record, writer.place.at)
  const type = asString(record['type']) ?? asString(record['record_type'])
  const payload = asObject(record['payload'])
  if (type === null) return writer.problem('record without type', 'info', 'a record has no type')
  if (payload === null) return mapBare(type, record, writer)
  if (writer.origin.inherited) return mapInherited(type, payload, writer)
  switch (type) {
    case 'response_item':
      return mapItem(payload, writer)
    case 'event_msg':
      return mapEvent(payload, writer)
    case 'turn_context':
      return mapContext(payload, writer)
    case 'message':
      return mapWhole(payload, writer)
    case 'function_call':
    case 'function_call_output':
    case 'reasoning':
      return mapItem({ ...payload, type }, writer)
    default:
      return mapOther(type, payload, writer)
  }
}

/** A message that may hold calls and their outputs, as early versions wrote them. */
function mapWhole(message: Json, writer: ItemWriter): void {
  mapLegacyMessage(message, writer, (part, key) => mapToolUse(part, key, writer))
  mapToolResults(message, writer)
}

/** A response item without an envelope. */
function mapBare(type: string, record: Json, writer: ItemWriter): void {
  if (Object.hasOwn(IGNORED_RECORDS, type)) return
  if (type === 'message') return mapWhole(record, writer)
  if (/^(?:response_item|event_msg|turn_context|session_meta|compacted)$/.test(type)) {
    return writer.problem(`${type} without payload`, 'warn', `a ${type} record has no payload`)
  }
  mapItem(record, writer, type)
}

function mapOther(type: string, payload: Json, writer: ItemWriter): void {
  switch (type) {
    case 'compacted':
      return noteCompaction('item', asText(payload['message']), writer)
    case 'token_usage_record':
      return mapUsageRecord(payload, writer)
    case 'inter_agent_communication':
      return mapLetter(payload, 'event', writer)
    default:
      if (Object.hasOwn(IGNORED_RECORDS, type)) return
      writer.problem(type, 'info', `unknown record type ${JSON.stringify(type)}`)
  }
}

function mapUsageRecord(payload: Json, writer: ItemWriter): void {
  const total = totalOf(payload['thread_token_usage'])
  if (total !== null) writeUsage('token_usage_record', total, totalOf(payload['usage']), writer)
}

/** Of what an agent was given when it was started, only what its own records go on from. */
function mapInherited(type: string, payload: Json, writer: ItemWriter): void {
  if (type === 'turn_context') return mapContext(payload, writer)
  if (type === 'token_usage_record') return mapUsageRecord(payload, writer)
  const count = type === 'event_msg' && payload['type'] === 'token_count' ? countOf(payload) : null
  if (count !== null) writeUsage('token_count', count.total, count.latest, writer)
}

function mapContext(payload: Json, writer: ItemWriter): void {
  const turn = asText(payload['turn_id'])
  if (turn !== null) writer.nativeIds.startTurn(turn)
  noteModel(payload['model'], writer)
  notePermissions(payload, writer)
  const cwd = asText(payload['cwd'])
  if (cwd !== null && !writer.knows('cwd')) writer.tell('cwd', cwd)
}

/** What commands may do in the turn, and whether somebody may be asked for more. */
function notePermissions(context: Json, writer: ItemWriter): void {
  const sandbox = asObject(context['sandbox_policy'])
  const mode = asText(sandbox?.['type']) ?? asText(sandbox?.['mode'])
  const profile = asText(asObject(context['permission_profile'])?.['type'])
  if (mode !== null) writer.sandboxed = mode === 'read-only' || mode === 'workspace-write'
  else if (profile !== null) writer.sandboxed = profile === 'managed'
  if ('approval_policy' in context) writer.mayAsk = context['approval_policy'] !== 'never'
  if ('approvals_reviewer' in context) writer.asksPerson = context['approvals_reviewer'] === 'user'
}

/** The first header is the session's own, the same again a resumption, another one that of the session it was forked from. */
function mapHeader(meta: Json, writer: ItemWriter): void {
  const id = asText(meta['id'])
  if (id === null) return writer.problem('session_meta without id', 'warn', 'a session_meta has no id')
  switch (writer.origin.met(id, meta)) {
    case 'own':
      return tellOwn(meta, writer)
    case 'again':
      tellBranch(meta, writer)
      return void writer.note('resumed', 'session resumed')
    default:
      if (writer.origin.leading) writer.nativeIds.setRoot(id)
      if (!writer.knows('parent')) writer.tell('parent', `codex:${id}`)
  }
}

function tellOwn(meta: Json, writer: ItemWriter): void {
  const startedAt = parseInstant(meta['timestamp'])
  if (startedAt !== null) writer.facts({ startedAt })
  const cwd = asText(meta['cwd'])
  if (cwd !== null) writer.tell('cwd', cwd)
  tellBranch(meta, writer)
  const version = asText(meta['cli_version'])
  if (version !== null) writer.tell('version', version)
  const parent = parentOf(meta)
  if (parent !== null && parent !== writer.lane.session) writer.tell('parent', `codex:${parent}`)
  if (isSpawned(meta)) writer.facts({ hidden: true })
  if (isAutomated(meta)) writer.facts({ automated: true })
  const base = isSpawned(meta) ? null : baseOf(meta)
  if (base !== null) writer.facts({ inherits: { uid: `codex:${base.thread}`, records: base.records } })
}

function tellBranch(meta: Json, writer: ItemWriter): void {
  const branch = asText(asObject(meta['git'])?.['branch'])
  if (branch === null || branch === 'HEAD') return
  if (!writer.knows('branch')) writer.tell('branch', branch)
  writer.onBranch(branch)
}
