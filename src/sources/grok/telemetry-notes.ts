import type { Marks } from '../../model/marks.ts'
import { oneLine } from '../../model/text.ts'
import { asCount, asText, type Json } from '../kit/json.ts'
import { approval, byHand } from './call-ends.ts'
import { reasonOf } from './log-prefix.ts'
import { MAX_TEXT, type Note } from './notes.ts'
import { cancelNote, interruption } from './turn-ends.ts'
import { REFUSALS } from './turn-log.ts'

/** What stands beside the telemetry: what the transcript tells is marked there. */
export interface Around {
  /** The transcript tells how turns ended. */
  readonly turnsTold: boolean
  readonly hasTranscript: boolean
  readonly byProgram: boolean
  /** The client was told to ask nobody. */
  readonly unasked: boolean
  /** An error of this turn was told. */
  readonly erred: boolean
}

export function isTelemetryNote(type: string): boolean {
  return Object.hasOwn(NOTES, type)
}

export function telemetryNote(type: string, record: Json, around: Around): Note | null {
  return NOTES[type]?.(record, around) ?? null
}

/** Types of telemetry that become a note; null where there is nothing to say. */
const NOTES: Readonly<Record<string, (record: Json, around: Around) => Note | null>> = {
  turn_started: (record) => {
    const model = asText(record['model_id'])
    const prompts = record['yolo_mode'] === true ? ', without permission prompts' : ''
    const text = `turn ${number(record['turn_number'])} started${model ? ` on ${model}` : ''}${prompts}`
    return { kind: 'lifecycle', text: oneLine(text, MAX_TEXT), marks: { turn: 'started' } }
  },
  turn_ended: (record, around) => {
    const note = turnEnded(record, around)
    return around.turnsTold ? { kind: 'lifecycle', text: note.text } : note
  },
  permission_resolved: (record, around) => {
    const decision = asText(record['decision']) ?? 'unknown'
    const waitedMs = asCount(record['wait_ms'])
    const wait = typeof record['wait_ms'] === 'number' ? ` after ${(waitedMs / 1000).toFixed(1)}s` : ''
    const tool = asText(record['tool_name'])
    const text = `permission: ${decision}${wait}${tool === null ? '' : ` for ${tool}`}`
    return { kind: 'lifecycle', text: oneLine(text, MAX_TEXT), marks: permission(decision, waitedMs, around) }
  },
  interjected: (record) => {
    const source = asText(record['source'])
    return { kind: 'lifecycle', text: `interjected${source === null ? '' : ` (${source})`}` }
  },
  yolo_toggled: (record) => {
    const state = record['enabled'] === true ? 'off' : 'on'
    return { kind: 'lifecycle', text: `permission prompts turned ${state}` }
  },
  error: (record) => ({ kind: 'error', text: oneLine(`error: ${reasonOf(record)}`, MAX_TEXT) }),
  retry: (record) => ({ kind: 'lifecycle', text: oneLine(`retry: ${reasonOf(record)}`, MAX_TEXT) }),
}

function turnEnded(record: Json, { byProgram, erred }: Around): Note {
  const outcome = asText(record['outcome']) ?? 'unknown'
  const category = asText(record['cancellation_category'])
  // What refused a call is told by the call or by the question about it.
  if (outcome === 'cancelled') return cancelNote({ after: '', category, denied: category !== null, byProgram })
  const why = category === null ? '' : ` (${category.replaceAll('_', ' ')})`
  const text = oneLine(`turn ended: ${outcome}${why}`, MAX_TEXT)
  if (outcome === 'interrupted') return interruption(text, byProgram)
  if (outcome === 'error') return { kind: erred ? 'lifecycle' : 'error', text, marks: { turn: 'failed' } }
  return { kind: 'lifecycle', text, ...(outcome === 'completed' ? { marks: { turn: 'completed' } } : {}) }
}

/** What was decided is marked on the result of the call; here only where no transcript tells that. */
function permission(decision: string, waitedMs: number, { hasTranscript, unasked }: Around): Marks {
  if (hasTranscript) return {}
  if (decision === 'allow') return approval({ tool: '', at: 0, allowed: true, waitedMs, unasked })
  return REFUSALS.has(decision) ? { denied: byHand(waitedMs) ? 'person' : 'rule', asked: true, waitedMs } : {}
}

function number(value: unknown): string {
  return typeof value === 'number' ? String(value) : '?'
}
