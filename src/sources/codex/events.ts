import { titleText } from '../../model/facts.ts'
import { asObject, asString, asText, type Json } from '../kit/json.ts'
import { argumentsOf } from './arguments.ts'
import { writeCall } from './call-events.ts'
import { mapCommandEnd, mapPatchEnd, mapServerEnd, serverOutput } from './call-ends.ts'
import { mapWebSearch } from './items.ts'
import { mapAnswer, mapPromptEvent, mapThoughts } from './messages.ts'
import { digest } from './text-hash.ts'
import type { ItemWriter } from './item-writer.ts'
import { namedTurn } from './turns.ts'
import { countOf } from './tokens.ts'
import { mapError, mapTurn } from './turn-events.ts'
import { mapTurnItem } from './turn-items.ts'
import { IGNORED_EVENTS } from './types.ts'
import { writeUsage } from './usage.ts'

/** Appends what an event says that no response item says: most repeat one. */
export function mapEvent(event: Json, writer: ItemWriter): void {
  const type = asString(event['type']) ?? ''
  if (mapWords(type, event, writer) || mapTurn(type, event, writer) || mapEnd(type, event, writer)) return
  if (mapRest(type, event, writer) || Object.hasOwn(IGNORED_EVENTS, type)) return
  writer.problem(`event_msg/${type}`, 'info', `unknown event ${JSON.stringify(type)}`)
}

function mapWords(type: string, event: Json, writer: ItemWriter): boolean {
  const turn = namedTurn(event)
  switch (type) {
    case 'user_message':
      mapPromptEvent(asString(event['message']) ?? '', 'event', writer, turn)
      return true
    case 'agent_message':
      mapAnswer(asString(event['message']) ?? '', 'event', writer, turn)
      return true
    case 'agent_reasoning':
    case 'agent_reasoning_raw_content':
      mapThoughts([asString(event['text']) ?? ''], 'event', writer, turn)
      return true
    case 'item_completed':
      mapTurnItem(event, turn, writer)
      return true
    default:
      return false
  }
}

/** The end of a call, told beside its output. */
function mapEnd(type: string, event: Json, writer: ItemWriter): boolean {
  const id = asText(event['call_id']) ?? ''
  const turn = namedTurn(event)
  switch (type) {
    case 'exec_command_end':
      if (event['source'] !== 'user_shell') mapCommandEnd(id, event, turn, writer)
      return true
    case 'mcp_tool_call_end':
      mapServerEnd(id, asObject(event['invocation']) ?? {}, serverOutput(event['result']), turn, writer)
      return true
    case 'patch_apply_end':
      mapPatchEnd(id, event, turn, writer)
      return true
    case 'web_search_end':
      mapWebSearch(event, 'event', writer)
      return true
    default:
      return mapQuestion(type, id, writer)
  }
}

/** What is asked about a call before it begins, and that it begins. */
function mapQuestion(type: string, id: string, writer: ItemWriter): boolean {
  switch (type) {
    case 'exec_approval_request':
    case 'apply_patch_approval_request':
    case 'request_permissions':
      writer.approvals.asked(id, writer.at)
      return true
    case 'exec_command_begin':
    case 'patch_apply_begin':
    case 'mcp_tool_call_begin':
      writer.approvals.begun(id, writer.at)
      return true
    default:
      return false
  }
}

function mapRest(type: string, event: Json, writer: ItemWriter): boolean {
  switch (type) {
    case 'token_count': {
      const count = countOf(event)
      if (count !== null) writeUsage('token_count', count.total, count.latest, writer)
      return true
    }
    case 'function_call': {
      const id = asText(event['call_id']) ?? asText(event['id']) ?? ''
      if (writer.calls.get(id) !== null) return true
      const input = argumentsOf(event['parameters'] ?? event['arguments'], true)
      writeCall({ id, tool: asText(event['name']) ?? 'unknown', input, turn: namedTurn(event) }, writer)
      return true
    }
    case 'error':
    case 'stream_error':
      mapError(event, writer)
      return true
    default:
      return mapNote(type, event, writer)
  }
}

function mapNote(type: string, event: Json, writer: ItemWriter): boolean {
  switch (type) {
    case 'entered_review_mode':
      writer.note('review', labelled('entered review mode', event['user_facing_hint']))
      return true
    case 'exited_review_mode':
      writer.note('reviewed', labelled('exited review mode', asObject(event['review_output'])?.['overall_explanation']))
      return true
    case 'undo_completed':
      writer.note('undo', labelled(event['success'] === false ? 'undo failed' : 'undone', event['message']))
      return true
    case 'warning':
    case 'guardian_warning':
    case 'model_reroute':
      writer.note(type, labelled(type.replaceAll('_', ' '), event['message'] ?? event['reason']))
      return true
    case 'thread_goal_updated': {
      const goal = asObject(event['goal'])
      const text = labelled(`goal ${asText(goal?.['status']) ?? 'set'}`, goal?.['objective'])
      writer.note(`goal ${digest(text)}`, text)
      return true
    }
    case 'thread_name_updated': {
      const name = asText(event['thread_name'])
      if (name !== null) writer.tell('agentTitle', titleText(name))
      return true
    }
    case 'thread_settings_applied':
      noteModel(asObject(event['thread_settings'])?.['model'], writer)
      return true
    default:
      return false
  }
}

export function noteModel(value: unknown, writer: ItemWriter): void {
  const model = asText(value)
  if (model === null) return
  writer.model = model
  writer.tell('model', model)
}

function labelled(what: string, more: unknown): string {
  const text = asText(more)
  return text === null ? what : `${what}: ${text}`
}
