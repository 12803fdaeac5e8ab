import { isInTime } from '../../model/time.ts'
import { asObject, asText, type Json } from '../kit/json.ts'

/** One update with what its envelope says about it. Early versions wrote the update without an envelope. */
export interface Update {
  readonly kind: string
  readonly body: Json
  readonly at: number | null
  /** Tells a time, but none that can be. */
  readonly mistimed: boolean
  /** Equal in every copy of the line; null if the line has no name of its own. */
  readonly id: string | null
  /** Session that wrote the line first, if the line says so. */
  readonly origin: string | null
  /** Place in the order things happened, which is not quite the order of lines. */
  readonly order: number | null
  /** One answer of the model: words and calls with the same stream are one message. */
  readonly stream: string | null
  readonly promptId: string | null
  readonly promptIndex: number | null
  /** Why the turn was broken off, on the line that says so. */
  readonly category: string | null
}

const EVENT_ID = /^(.+)-(\d+)$/

export function openEnvelope(record: Json): Update | null {
  const params = asObject(record['params']) ?? record
  const body = asObject(params['update']) ?? params
  const kind = asText(body['sessionUpdate'])
  if (kind === null) return null
  const meta = asObject(params['_meta']) ?? {}
  const own = asObject(body['_meta']) ?? {}
  const stamp = meta['agentTimestampMs'] ?? own['agentTimestampMs']
  const event = EVENT_ID.exec(asText(meta['eventId']) ?? '')
  const promptId = asText(meta['promptId']) ?? asText(body['prompt_id'])
  const streamStart = meta['streamStartMs']
  const at = millis(stamp) ?? millis(record['timestamp'])
  return {
    kind,
    body,
    at,
    mistimed: at === null && (stamp ?? record['timestamp'] ?? null) !== null,
    id: event === null ? null : `${event[0]}@${typeof stamp === 'number' ? stamp : ''}`,
    origin: event?.[1] ?? asText(params['sessionId']),
    order: event === null ? null : Number(event[2]),
    stream: typeof streamStart === 'number' ? `${promptId ?? ''}:${streamStart}` : null,
    promptId,
    promptIndex: asIndex(own['promptIndex']) ?? asIndex(meta['promptIndex']),
    category: inSnakeCase(asText(meta['cancellationCategory'])),
  }
}

/** The telemetry writes in snake case what updates write in capitals. */
function inSnakeCase(name: string | null): string | null {
  return name?.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase() ?? null
}

const LAST_SECONDS = 1e11

/** A number of seconds or milliseconds, or a timestamp, in milliseconds. */
export function millis(value: unknown): number | null {
  const ms = typeof value === 'string' && value.length >= 10 ? Date.parse(value) : ofNumber(value)
  return isInTime(ms) ? ms : null
}

function ofNumber(value: unknown): number {
  if (typeof value !== 'number') return Number.NaN
  return Math.round(value < LAST_SECONDS ? value * 1000 : value)
}

export function asIndex(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}
