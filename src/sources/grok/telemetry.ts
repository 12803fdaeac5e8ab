import { isDeepStrictEqual } from 'node:util'
import { asText, type Json } from '../kit/json.ts'
import type { Line } from '../kit/lines.ts'
import { ORIGINALITY, ReadAgain, type Checkpoint, type Item, type Reading, type Unit } from '../source.ts'
import { millis } from './envelope.ts'
import { IGNORED_TELEMETRY, IGNORED_TELEMETRY_FAMILIES } from './kinds.ts'
import { LinesReading, problem, rememberedBy, type LineMapper } from '../kit/lines-reading.ts'
import type { Note } from './notes.ts'
import { hasTranscript, hasUpdates, placeOf, type SessionPlace } from './place.ts'
import { cancelName, marked } from './event-drafts.ts'
import { hasTurnEnds } from './session-state.ts'
import { isSubagent, readSummary } from './summary.ts'
import { isTelemetryNote, telemetryNote, type Around } from './telemetry-notes.ts'
import { UnknownTypes } from './unknown-types.ts'

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
  /** Notes of the kinds that were told from the beginning: their names count only each other. */
  named: number
  others: number
  cancels: number
  model: string | null
  unasked: boolean
  /** The step that is running has had no answer from the model yet. */
  unanswered: boolean
  /** An error of this turn was told. */
  erred: boolean
  types: string[]
  beside: Beside | null
}

/** What the files beside this one tell. */
type Beside = Pick<Around, 'turnsTold' | 'hasTranscript' | 'byProgram'>

const AT_START: State = {
  pos: 0,
  named: 0,
  others: 0,
  cancels: 0,
  model: null,
  unasked: false,
  unanswered: false,
  erred: false,
  types: [],
  beside: null,
}

class TelemetryMapper implements LineMapper {
  readonly #place: SessionPlace
  readonly #state: State
  readonly #types: UnknownTypes
  readonly #beside: Beside
  #announced = false

  constructor(place: SessionPlace, remembered: Json | null) {
    this.#place = place
    this.#state = { ...AT_START, ...(remembered as unknown as State | null) }
    this.#types = new UnknownTypes(this.#state.types)
    const before = this.#state.beside
    this.#beside = lookBeside(place, before)
    if (before !== null && !isDeepStrictEqual(before, this.#beside)) throw new ReadAgain(null)
  }

  state(): State {
    return { ...this.#state, types: this.#types.state(), beside: this.#beside }
  }

  record(record: Json, line: Line): Item[] {
    const type = asText(record['type']) ?? ''
    const retried = this.#follow(type, record)
    if (isTelemetryNote(type)) return this.#note(type, record, line)
    if (retried) return this.#event({ kind: 'lifecycle', text: 'the model was asked again' }, record, line, null)
    if (Object.hasOwn(IGNORED_TELEMETRY, type)) return []
    if (IGNORED_TELEMETRY_FAMILIES.some((family) => type.startsWith(family))) return []
    const unknown = problem(type || 'event without type', 'info', `unknown event ${JSON.stringify(type)}`, line)
    return this.#types.isNew(unknown) ? [unknown] : []
  }

  end(): Item[] {
    return []
  }

  /** True for a step that does again what one before it got no answer to. */
  #follow(type: string, record: Json): boolean {
    const state = this.#state
    if (type === 'turn_started') state.unasked = record['yolo_mode'] === true
    if (type === 'turn_started' || type === 'error') state.erred = type === 'error'
    if (type === 'yolo_toggled') state.unasked = record['enabled'] === true
    const retried = type === 'loop_started' && state.unanswered
    if (type === 'loop_started') state.unanswered = true
    else if (ANSWERED.has(type)) state.unanswered = false
    return retried
  }

  #note(type: string, record: Json, line: Line): Item[] {
    const { unasked, erred } = this.#state
    const note = telemetryNote(type, record, { ...this.#beside, unasked, erred })
    if (note === null) return []
    const items = this.#event(note, record, line, this.#nativeOf(type, record))
    const model = type === 'turn_started' ? asText(record['model_id']) : null
    if (model === null || model === this.#state.model) return items
    this.#state.model = model
    return [...items, { item: 'facts', session: this.#place.session, lane: TELEMETRY_LANE, facts: { model } }]
  }

  #nativeOf(type: string, record: Json): string | null {
    const { session } = this.#place
    if (type === 'error' || type === 'retry') return null
    const nth = this.#state.named++
    const cancelled = type === 'turn_ended' && record['outcome'] === 'cancelled'
    return cancelled ? cancelName(session, this.#state.cancels++) : `${session}:event:${nth}`
  }

  #event(note: Note, record: Json, line: Line, native: string | null): Item[] {
    const ref = { session: this.#place.session, lane: TELEMETRY_LANE }
    const pos = this.#state.pos++
    const call = asText(record['tool_call_id'])
    const tool = asText(record['tool_name'])
    const event: Item = {
      item: 'event',
      ...ref,
      pos,
      parent: pos === 0 ? null : pos - 1,
      at: millis(record['ts']),
      kind: note.kind,
      text: note.text,
      role: note.kind === 'human_intervention' ? 'user' : 'system',
      native: native ?? `${ref.session}:other:${this.#state.others++}`,
      block: 0,
      line: line.number,
      ...(call === null ? {} : { call }),
      ...(tool === null ? {} : { tool }),
      ...marked(note.marks),
    }
    if (this.#announced) return [event]
    this.#announced = true
    return [{ item: 'lane', ...ref, originality: ORIGINALITY.embedded, mainPath: this.#place.dir }, event]
  }
}

/** After one of these, another step is no repeat of the last. */
const ANSWERED: ReadonlySet<string> = new Set(['first_token', 'tool_started', 'turn_started', 'turn_ended'])

/** A transcript that told the end of one turn tells the others too, as long as it is there. */
function lookBeside(place: SessionPlace, before: Beside | null): Beside {
  const turnsTold = hasUpdates(place) && (before?.turnsTold === true || hasTurnEnds(place))
  return { turnsTold, hasTranscript: hasTranscript(place), byProgram: isSubagent(readSummary(place)) }
}
