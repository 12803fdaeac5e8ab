import { titleText } from '../../model/facts.ts'
import { asObject, asString, asText, isObject, type Json } from '../kit/json.ts'
import { oneLine } from '../../model/text.ts'
import { argumentsOf, mapWebSearch, writeCall, writeOutput } from './items.ts'
import { mapAnswer, mapPromptEvent, mapThoughts } from './messages.ts'
import { digest } from './natives.ts'
import { exited, outputOf, textOf, type Output } from './outputs.ts'
import { namedTurn, type Scribe } from './scribe.ts'
import { countOf } from './tokens.ts'
import { mapTurnItem } from './turn-items.ts'
import { IGNORED_EVENTS } from './types.ts'
import { writeUsage } from './usage.ts'

/** Appends what an event says that no response item says: most repeat one. */
export function mapEvent(event: Json, scribe: Scribe): void {
  const type = asString(event['type']) ?? ''
  if (mapWords(type, event, scribe) || mapTurn(type, event, scribe) || mapEnd(type, event, scribe)) return
  if (mapRest(type, event, scribe) || Object.hasOwn(IGNORED_EVENTS, type)) return
  scribe.problem(`event_msg/${type}`, 'info', `unknown event ${JSON.stringify(type)}`)
}

function mapWords(type: string, event: Json, scribe: Scribe): boolean {
  const turn = namedTurn(event)
  switch (type) {
    case 'user_message':
      mapPromptEvent(asString(event['message']) ?? '', 'event', scribe, turn)
      return true
    case 'agent_message':
      mapAnswer(asString(event['message']) ?? '', 'event', scribe, turn)
      return true
    case 'agent_reasoning':
    case 'agent_reasoning_raw_content':
      mapThoughts([asString(event['text']) ?? ''], 'event', scribe, turn)
      return true
    case 'item_completed':
      mapTurnItem(asObject(event['item']) ?? {}, turn, scribe)
      return true
    default:
      return false
  }
}

/** Where turns begin and end, are broken off and taken back. */
function mapTurn(type: string, event: Json, scribe: Scribe): boolean {
  switch (type) {
    case 'task_started':
    case 'turn_started':
      startTask(event, scribe)
      return true
    case 'task_complete':
    case 'turn_complete':
      scribe.note('complete', 'task complete')
      mapError(event['error'], scribe)
      scribe.turns.taskEnded()
      return true
    case 'turn_aborted':
      mapAbort(event, scribe)
      return true
    case 'thread_rolled_back':
      mapRollback(event, scribe)
      return true
    case 'context_compacted':
      scribe.note('compaction', 'conversation compacted')
      return true
    default:
      return false
  }
}

function startTask(event: Json, scribe: Scribe): void {
  const turn = asText(event['turn_id'])
  if (turn !== null) scribe.natives.startTurn(turn)
  scribe.mirrors.forget()
  const pos = scribe.note('started', 'task started')
  if (pos !== null) scribe.turns.taskStarted(pos)
}

function mapAbort(event: Json, scribe: Scribe): void {
  const reason = asText(event['reason']) ?? 'interrupted'
  const byPerson = reason === 'interrupted' || reason === 'replaced'
  scribe.note('aborted', `turn aborted: ${reason}`, byPerson ? 'human_intervention' : 'lifecycle')
  mapError(event['error'], scribe)
  scribe.turns.taskEnded()
}

function mapRollback(event: Json, scribe: Scribe): void {
  const count = typeof event['num_turns'] === 'number' ? event['num_turns'] : 0
  const from = scribe.turns.takeBack(count)
  const to = scribe.lane.pos - 1
  scribe.note('rollback', `${count} ${count === 1 ? 'turn' : 'turns'} taken back`)
  const { session, lane } = scribe.lane
  if (from !== null && from <= to) scribe.items.push({ item: 'supersede', session, lane, from, to })
}

function mapError(error: unknown, scribe: Scribe): void {
  const text = typeof error === 'string' ? error : asText(asObject(error)?.['message'])
  if (text === null || text === '') return
  const what = `e:${digest(text)}`
  if (!scribe.mirrors.isNews(isObject(error) && 'type' in error ? 'event' : 'turnItem', what, '')) return
  scribe.event({ kind: 'error', role: 'system', text: oneLine(text, 2000), what })
}

/** The end of a call, told again: written down only where no response item tells of the call. */
function mapEnd(type: string, event: Json, scribe: Scribe): boolean {
  switch (type) {
    case 'exec_command_end':
      if (event['source'] !== 'user_shell') mapCommand(asText(event['call_id']) ?? '', event, scribe)
      return true
    case 'mcp_tool_call_end': {
      const invocation = asObject(event['invocation']) ?? {}
      const tool = `mcp__${asText(invocation['server']) ?? ''}__${asText(invocation['tool']) ?? ''}`
      const input = argumentsOf(invocation['arguments'], true)
      mapEnded({ id: asText(event['call_id']) ?? '', tool, input, output: mcpOutput(event['result']) }, event, scribe)
      return true
    }
    case 'patch_apply_end': {
      const failed = event['success'] === false
      const body = [asText(event['stdout']), asText(event['stderr'])].filter((text) => text !== null).join('\n')
      const input = { changes: event['changes'] ?? null }
      mapEnded(
        { id: asText(event['call_id']) ?? '', tool: 'apply_patch', input, output: { body, failed } },
        event,
        scribe,
      )
      return true
    }
    case 'web_search_end':
      mapWebSearch(event, 'event', scribe)
      return true
    default:
      return false
  }
}

interface Ended {
  readonly id: string
  readonly tool: string
  readonly input: unknown
  readonly output: Output
}

/** A call and its end in one. The calls of an `exec` program have ids of their own and are known from the program. */
export function mapEnded({ id, tool, input, output }: Ended, event: Json, scribe: Scribe): void {
  const known = scribe.calls.get(id)
  if (known !== null) known.failed ||= output.failed
  if (known !== null || id.startsWith('exec-') || !scribe.calls.isNew(id)) return
  const turn = namedTurn(event)
  writeCall({ id, tool, input, turn, byEvent: true }, scribe)
  writeOutput({ id, output, turn }, scribe)
}

export function mapCommand(id: string, event: Json, scribe: Scribe): void {
  const code = event['exit_code']
  const text = asText(event['aggregated_output']) ?? asText(event['formatted_output']) ?? asText(event['stdout']) ?? ''
  const output = typeof code === 'number' ? exited(code, text) : { body: text, failed: event['status'] === 'failed' }
  const input = { command: event['command'] ?? null, workdir: event['cwd'] ?? null }
  mapEnded({ id, tool: 'exec_command', input, output }, event, scribe)
}

export function mcpOutput(result: unknown): Output {
  const object = asObject(result)
  if (object === null) return { body: typeof result === 'string' ? result : '', failed: false }
  if ('Err' in object) return { body: textOf(object['Err']) || JSON.stringify(object['Err']), failed: true }
  return outputOf(object['Ok'] ?? object)
}

function mapRest(type: string, event: Json, scribe: Scribe): boolean {
  switch (type) {
    case 'token_count': {
      const count = countOf(event)
      if (count !== null) writeUsage('token_count', count.total, count.latest, scribe)
      return true
    }
    case 'function_call': {
      const id = asText(event['call_id']) ?? asText(event['id']) ?? ''
      if (scribe.calls.get(id) !== null) return true
      const input = argumentsOf(event['parameters'] ?? event['arguments'], true)
      writeCall({ id, tool: asText(event['name']) ?? 'unknown', input, turn: namedTurn(event) }, scribe)
      return true
    }
    case 'error':
    case 'stream_error':
      mapError(event, scribe)
      return true
    default:
      return mapNote(type, event, scribe)
  }
}

function mapNote(type: string, event: Json, scribe: Scribe): boolean {
  switch (type) {
    case 'entered_review_mode':
      scribe.note('review', told('entered review mode', event['user_facing_hint']))
      return true
    case 'exited_review_mode':
      scribe.note('reviewed', told('exited review mode', asObject(event['review_output'])?.['overall_explanation']))
      return true
    case 'undo_completed':
      scribe.note('undo', told(event['success'] === false ? 'undo failed' : 'undone', event['message']))
      return true
    case 'warning':
    case 'guardian_warning':
    case 'model_reroute':
      scribe.note(type, told(type.replaceAll('_', ' '), event['message'] ?? event['reason']))
      return true
    case 'thread_goal_updated': {
      const goal = asObject(event['goal'])
      const text = told(`goal ${asText(goal?.['status']) ?? 'set'}`, goal?.['objective'])
      scribe.note(`goal ${digest(text)}`, text)
      return true
    }
    case 'thread_name_updated': {
      const name = asText(event['thread_name'])
      if (name !== null) scribe.tell('agentTitle', titleText(name))
      return true
    }
    case 'thread_settings_applied':
      noteModel(asObject(event['thread_settings'])?.['model'], scribe)
      return true
    default:
      return false
  }
}

export function noteModel(value: unknown, scribe: Scribe): void {
  const model = asText(value)
  if (model === null) return
  scribe.model = model
  scribe.tell('model', model)
}

function told(what: string, more: unknown): string {
  const text = asText(more)
  return text === null ? what : `${what}: ${text}`
}
