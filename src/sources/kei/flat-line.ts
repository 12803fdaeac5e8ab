import { asText, isObject, type Json } from '../kit/json.ts'
import type { Item } from '../source.ts'
import type { Draft, FlatLane } from './flat-lane.ts'

const KINDS: ReadonlySet<unknown> = new Set(['tool_use', 'tool_result', 'other'])

export function isFlat(record: Json): boolean {
  return asText(record['type']) === null && KINDS.has(record['kind'])
}

export function sessionOf(record: Json): string | null {
  return asText(record['sessionId']) ?? asText(record['session_id'])
}

/** The events of a flat line: a call and, on the same line, what it gave back; a result; or a remark. */
export function mapFlatLine(record: Json, lane: FlatLane, line: number): Item[] {
  return draftsOf(record, lane).map((draft) => lane.event(record, line, draft))
}

function draftsOf(record: Json, lane: FlatLane): Draft[] {
  const label = labelled(asText(record['event_class']))
  switch (record['kind']) {
    case 'tool_use':
      return callOf(record, lane)
    case 'tool_result':
      return [{ ...resultOf(record, answeredBy(record, lane)), ...label }]
    default: {
      const kind = record['is_error'] === true ? 'error' : 'lifecycle'
      return [{ kind, role: 'system', text: said(record) ?? '', type: 'other', ...toolOf(record), ...label }]
    }
  }
}

/** A given label stays with the call if it names one or if the line says no more; else it is about what came of it. */
function callOf(record: Json, lane: FlatLane): Draft[] {
  const file = asText(record['file_path'])
  const label = asText(record['event_class'])
  const answered = said(record) !== null || record['is_error'] === true
  const callIdx = lane.counter.orphanIndex()
  const call = lane.callId(callIdx)
  const input = file === null ? {} : { input: { file_path: file } }
  const draft: Draft = { kind: 'tool_call', role: 'assistant', ...toolOf(record), ...input, call, callIdx }
  if (!answered) {
    lane.opened(call, asText(record['tool']) ?? '')
    return [{ ...draft, ...labelled(label) }]
  }
  const ofCall = label?.startsWith('tool_use') === true
  const result = resultOf(record, call)
  return [
    { ...draft, ...labelled(ofCall ? label : null) },
    { ...result, ...labelled(ofCall ? null : label) },
  ]
}

function resultOf(record: Json, call: string | null): Draft {
  const kind = record['is_error'] === true ? 'error' : 'tool_result'
  return { kind, role: 'tool', body: said(record) ?? '', ...toolOf(record), ...(call === null ? {} : { call }) }
}

function answeredBy(record: Json, lane: FlatLane): string | null {
  return lane.answered(asText(record['tool']) ?? '')
}

function toolOf(record: Json): Pick<Draft, 'tool'> {
  const tool = asText(record['tool'])
  return tool === null ? {} : { tool }
}

function labelled(eventClass: string | null): Pick<Draft, 'eventClass'> {
  return eventClass === null ? {} : { eventClass }
}

function said(record: Json): string | null {
  const message = record['message']
  return isObject(message) ? JSON.stringify(message) : asText(message)
}
