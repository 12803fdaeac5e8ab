import type { Marks } from '../../model/marks.ts'
import { oneLine, plural } from '../../model/text.ts'
import { asArray, asCount, asObject, asText, type Json } from '../kit/json.ts'

/** Something that happened beside the conversation, in one line. */
export interface Note {
  readonly kind: 'lifecycle' | 'error' | 'human_intervention'
  readonly text: string
  readonly marks?: Marks
  /** What a command put out. */
  readonly body?: string
  /** Which of the two accounts of a compaction it is. */
  readonly is?: 'checkpoint' | 'compaction'
}

export const MAX_TEXT = 500

/** Kinds of updates that become a note, each with its wording; null where there is nothing to say. */
const NOTES: Readonly<Record<string, (update: Json) => Note | null>> = {
  plan: (update) => {
    const steps = asArray(update['entries']).map((value) => asObject(value))
    const lines = steps.map((step) => `[${mark(step?.['status'])}] ${asText(step?.['content']) ?? ''}`)
    return lines.length === 0 ? null : { kind: 'lifecycle', text: `plan\n${lines.join('\n')}` }
  },
  auto_compact_started: (update) =>
    lifecycle(`compaction started (${said(update, 'reason')}, ${said(update, 'tokens_used')} tokens)`),
  auto_compact_completed: (update) => ({
    ...lifecycle(`conversation compacted (${said(update, 'tokens_before')} → ${said(update, 'tokens_after')} tokens)`),
    is: 'compaction',
  }),
  auto_compact_failed: (update) => lifecycle(`compaction failed: ${said(update, 'error')}`),
  auto_compact_cancelled: (update) => lifecycle(`compaction cancelled (${said(update, 'reason')})`),
  compaction_checkpoint: (update) => ({
    ...lifecycle(`compaction checkpoint at prompt ${said(update, 'prompt_index_at_compaction')}`),
    is: 'checkpoint',
  }),
  subagent_spawned: (update) => {
    const task = asText(update['description'])
    const child = asText(update['child_session_id']) ?? asText(update['subagent_id'])
    const session = child === null ? '' : ` (grok:${child})`
    return lifecycle(`subagent started: ${said(update, 'subagent_type')}${task === null ? '' : `, ${task}`}${session}`)
  },
  subagent_finished: (update) => {
    const child = asText(update['child_session_id']) ?? asText(update['subagent_id'])
    const session = child === null ? '' : ` (grok:${child})`
    const error = asText(update['error'])
    const why = error === null ? '' : `: ${error}`
    const calls =
      typeof update['tool_calls'] === 'number' ? `, ${plural(asCount(update['tool_calls']), 'tool call')}` : ''
    return lifecycle(`subagent ${said(update, 'status')}${why}${calls}${session}`)
  },
  task_backgrounded: (update) => lifecycle(`went on in the background: ${said(update, 'command')}`),
  task_completed: (update) => {
    const task = asObject(update['task_snapshot']) ?? {}
    const code = task['exit_code']
    const exit = typeof code === 'number' ? ` with exit code ${code}` : ''
    const body = asText(task['output'])
    return {
      ...lifecycle(`background task ended${exit}: ${said(task, 'command')}`),
      ...(body === null ? {} : { body }),
    }
  },
  scheduled_task_created: (update) =>
    lifecycle(`scheduled (${said(update, 'human_schedule')}): ${said(update, 'prompt')}`),
  scheduled_task_fired: (update) => lifecycle(`schedule fired: ${said(update, 'prompt')}`),
  scheduled_task_deleted: (update) => lifecycle(`schedule deleted: ${said(update, 'task_id')}`),
  monitor_event: (update) => lifecycle(`monitor ${said(update, 'description')}: ${said(update, 'event_text')}`),
  retry_state: (update) => {
    const reason = asText(update['reason']) ?? asText(update['message']) ?? 'unknown'
    if (update['type'] === 'retrying') return null
    const text = reason.startsWith('API error') ? reason : `API error: ${reason}`
    return { kind: 'error', text: oneLine(text, MAX_TEXT) }
  },
  auto_recovery_exhausted: (update) => ({
    kind: 'error',
    text: oneLine(`gave up after ${said(update, 'attempts')} attempts: ${said(update, 'error')}`, MAX_TEXT),
  }),
}

export function isNoted(kind: string): boolean {
  return Object.hasOwn(NOTES, kind)
}

export function noteOf(kind: string, update: Json): Note | null {
  return NOTES[kind]?.(update) ?? null
}

function lifecycle(text: string): Note {
  return { kind: 'lifecycle', text: oneLine(text, MAX_TEXT) }
}

function said(update: Json, field: string): string {
  const value = update[field]
  return typeof value === 'number' ? String(value) : (asText(value) ?? '?')
}

function mark(status: unknown): string {
  return status === 'completed' ? 'x' : status === 'in_progress' ? '~' : ' '
}
