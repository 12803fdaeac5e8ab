import { asText, type Json } from '../kit/json.ts'
import type { Line } from '../kit/lines.ts'
import { ORIGINALITY, type Checkpoint, type Item, type Reading, type Unit } from '../source.ts'
import { millis } from './envelope.ts'
import { IGNORED_TELEMETRY, IGNORED_TELEMETRY_FAMILIES } from './kinds.ts'
import { LinesReading, problem, rememberedBy, type LineMapper } from './lines-reading.ts'
import type { Note } from './notes.ts'
import { placeOf, type SessionPlace } from './place.ts'
import { cancelName } from './scribe.ts'

export const TELEMETRY_LANE = '~events'

/**
 * Reads `events.jsonl`: when turns began and how they ended, how long a person was asked for permission and
 * what they said. It is a lane of its own, so that its numbers and those of the transcript never wait for each other.
 */
export function readTelemetry(unit: Unit, from: Checkpoint | null): Reading {
  return new LinesReading(unit, from, new TelemetryMapper(placeOf(unit), rememberedBy(from)))
}

interface State {
  pos: number
  cancels: number
}

class TelemetryMapper implements LineMapper {
  readonly #place: SessionPlace
  #pos: number
  #cancels: number
  #announced = false

  constructor(place: SessionPlace, remembered: Json | null) {
    const state = remembered as unknown as State | null
    this.#place = place
    this.#pos = state?.pos ?? 0
    this.#cancels = state?.cancels ?? 0
  }

  state(): State {
    return { pos: this.#pos, cancels: this.#cancels }
  }

  record(record: Json, line: Line): Item[] {
    const type = asText(record['type']) ?? ''
    if (Object.hasOwn(NOTES, type)) return this.#event(NOTES[type]?.(record) ?? null, record, line)
    if (Object.hasOwn(IGNORED_TELEMETRY, type)) return []
    if (IGNORED_TELEMETRY_FAMILIES.some((family) => type.startsWith(family))) return []
    return [problem(type || 'event without type', 'info', `unknown event ${JSON.stringify(type)}`, line)]
  }

  end(): Item[] {
    return []
  }

  #event(note: Note | null, record: Json, line: Line): Item[] {
    if (note === null) return []
    const ref = { session: this.#place.session, lane: TELEMETRY_LANE }
    const pos = this.#pos++
    const cancelled = record['type'] === 'turn_ended' && record['outcome'] === 'cancelled'
    const native = cancelled ? cancelName(ref.session, this.#cancels++) : `${ref.session}:event:${pos}`
    const lane: Item = { item: 'lane', ...ref, originality: ORIGINALITY.embedded, mainPath: this.#place.dir }
    const event: Item = {
      item: 'event',
      ...ref,
      pos,
      parent: pos === 0 ? null : pos - 1,
      at: millis(record['ts']),
      role: note.kind === 'human_intervention' ? 'user' : 'system',
      native,
      block: 0,
      line: line.number,
      ...note,
    }
    if (this.#announced) return [event]
    this.#announced = true
    return [lane, event]
  }
}

/** Types of telemetry that become a note; null where there is nothing to say. */
const NOTES: Readonly<Record<string, (record: Json) => Note | null>> = {
  turn_started: (record) => {
    const model = asText(record['model_id'])
    const prompts = record['yolo_mode'] === true ? ', without permission prompts' : ''
    return {
      kind: 'lifecycle',
      text: `turn ${number(record['turn_number'])} started${model ? ` on ${model}` : ''}${prompts}`,
    }
  },
  turn_ended: (record) => {
    const outcome = asText(record['outcome']) ?? 'unknown'
    const category = asText(record['cancellation_category'])
    const why = category === null ? '' : ` (${category.replaceAll('_', ' ')})`
    if (outcome === 'cancelled') return { kind: 'human_intervention', text: `turn cancelled${why}` }
    return { kind: outcome === 'error' ? 'error' : 'lifecycle', text: `turn ended: ${outcome}${why}` }
  },
  permission_resolved: (record) => {
    const decision = asText(record['decision']) ?? 'unknown'
    const waited = record['wait_ms']
    const wait = typeof waited === 'number' ? ` after ${(waited / 1000).toFixed(1)}s` : ''
    const tool = asText(record['tool_name'])
    const text = `permission: ${decision}${wait}${tool === null ? '' : ` for ${tool}`}`
    return { kind: decision === 'allow' ? 'lifecycle' : 'human_intervention', text }
  },
  interjected: (record) => {
    const source = asText(record['source'])
    return { kind: 'human_intervention', text: `interjected${source === null ? '' : ` (${source})`}` }
  },
  yolo_toggled: (record) => {
    const state = record['enabled'] === true ? 'off' : 'on'
    return { kind: 'lifecycle', text: `permission prompts turned ${state}` }
  },
}

function number(value: unknown): string {
  return typeof value === 'number' ? String(value) : '?'
}
