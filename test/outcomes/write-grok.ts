import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { CWD, GrokLog, jsonLines, laySession, type Json } from '../kit/grok-log.ts'
import { uuid, write } from '../kit/claude-log.ts'
import { stepsOf, toolOf, type Ending, type Step } from './terminal-script.ts'

/** Lays the session's directory down and returns its uid. */
export function writeGrok(home: string, { name, by, script }: Ending): string {
  const session = uuid(name)
  const log = new GrokLog(session)
  const events: Json[] = []
  const event = (type: string, body: Json) => events.push({ ts: new Date(log.clock).toISOString(), type, ...body })
  const { steps, cut } = stepsOf(script)
  let turns = 0
  let open = false
  const end = (stop: string, ended: Json) => {
    if (!open) return
    log.done({ stop_reason: stop })
    event('turn_ended', ended)
    open = false
  }
  for (const [i, step] of steps.entries()) {
    if (step.does === 'you') {
      end('end_turn', { outcome: 'completed' })
      turns++
      open = true
      const relation = by === 'subagent' ? 'subagent' : 'primary'
      const started = { session_id: session, turn_number: turns, model_id: 'grok-4.7', yolo_mode: by === 'program' }
      event('turn_started', { ...started, session_relationship: relation, schema_version: '1.0' })
      log.prompt(step.text)
    } else if (step.does === 'stop') {
      const category = step.text || 'mid_turn_abort'
      end('cancelled', { outcome: 'cancelled', cancellation_category: category })
    } else if (step.does === 'crash') {
      log.update('retry_state', { type: 'exhausted', reason: step.text })
      end('error', { outcome: 'error' })
    } else if (step.does === 'fault') {
      log.update('retry_state', { type: 'failed', error_type: 'api', message: step.text })
      end('error', { outcome: 'error' })
    } else told(log, step, `call-${i}`)
    if (step.does === 'run' && step.end === 'denied') {
      // Without a person nobody rejects the call, and the client tells it in other words.
      const [decision, category] =
        step.output === '' ? ['deny', 'permission_rejected'] : ['cancelled', 'permission_cancelled']
      event('permission_resolved', { tool_name: 'run_terminal_command', decision, wait_ms: 3100 })
      end('cancelled', { outcome: 'cancelled', cancellation_category: category })
    }
  }
  if (!cut) end('end_turn', { outcome: 'completed' })
  const kind = by === 'program' ? { session_kind: 'headless' } : by === 'subagent' ? { session_kind: 'subagent' } : {}
  const parent = by === 'subagent' ? { parent_session_id: uuid('somebody else') } : {}
  const summary = { info: { id: session, cwd: CWD }, session_summary: name, ...kind, ...parent }
  const files = { 'updates.jsonl': log.text(), 'events.jsonl': jsonLines(events) }
  laySession(path.join(home, '.grok'), session, { ...files, 'summary.json': JSON.stringify(summary) })
  if (cut && open) stillRuns(path.join(home, '.grok', 'active_sessions.json'), session)
  return `grok:${session}`
}

/** A log that ends in a turn is one of a session that goes on, as long as the client has it open. */
function stillRuns(file: string, session: string): void {
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Json[]) : []
  write(file, JSON.stringify([...known, { session_id: session, pid: 1, cwd: CWD }]))
}

function told(log: GrokLog, step: Step, id: string): void {
  switch (step.does) {
    case 'meanwhile':
      log.update('user_message_chunk', { content: { type: 'text', text: step.text }, _meta: { interjection: true } })
      return
    case 'retry': {
      const retry = { type: 'retrying', attempt: 1, max_retries: 3, reason: step.text, error_type: 'api' }
      log.update('retry_state', retry)
      return
    }
    case 'says':
      log.say(step.text)
      return
    case 'thinks':
      log.think(step.text)
      return
    case 'compacted':
      log.update('auto_compact_completed', { tokens_before: 180_000, tokens_after: 12_000 })
      return
    case 'edit':
    case 'write': {
      const file = path.posix.join(CWD, step.file)
      const input = { file_path: file, old_string: step.does === 'edit' ? 'old' : '', new_string: 'new' }
      text(log.call(id, 'search_replace', input), id, 'The file was updated.')
      return
    }
    case 'read':
      text(log.call(id, 'read_file', { target_file: path.posix.join(CWD, step.file) }), id, '…')
      return
    case 'run':
      log.call(id, 'run_terminal_command', { command: step.what })
      if (step.end === 'answered') log.result(id, step.output, step.exit)
      if (step.end === 'denied' && step.output === '') text(log, id, 'The user rejected this command.', 'failed')
      else if (step.end === 'denied' || step.end === 'refused') refused(log, id, step.output.trimEnd())
      return
    case 'call':
      log.call(id, toolOf(step.what).name, toolOf(step.what).input)
      if (step.end === 'answered') text(log, id, step.output, step.exit === 0 ? 'completed' : 'failed')
      if (step.end === 'refused') refused(log, id, step.output.trimEnd())
      return
    default:
      throw new Error(`no such step in Grok: ${step.does}`)
  }
}

function refused(log: GrokLog, id: string, words: string): void {
  const content = [{ type: 'content', content: { type: 'text', text: words } }]
  log.update('tool_call_update', { toolCallId: id, status: 'failed', content })
}

function text(log: GrokLog, id: string, output: string, status = 'completed'): void {
  const content = [{ type: 'content', content: { type: 'text', text: output } }]
  log.update('tool_call_update', { toolCallId: id, status, content, rawOutput: { type: 'Text', text: output } })
}
