import path from 'node:path'
import { statRegular } from '../../model/regular-file.ts'
import { parseObjects } from '../kit/json.ts'
import { LineReader } from '../kit/lines.ts'
import { chatRowOf } from './chat-rows.ts'
import { parseLine } from './decode.ts'
import { whatOf } from './entries.ts'
import { millis, openEnvelope } from './envelope.ts'
import { withoutContext } from './human.ts'
import type { SessionPlace } from './place.ts'
import { TurnLog } from './turn-log.ts'

const USER_ROW = Buffer.from('"user"')
const USER_CHUNK = Buffer.from('"user_message_chunk"')
const STAMP = /"timestamp":\s?(\d{1,15})/
const HEAD_BYTES = 200
/** A prompt is logged a moment before it is sent. */
const SENT_WITHIN_MS = 3000
const LOGGED_AHEAD_MS = 1000

interface Sent {
  readonly text: string
  readonly at: number | null
  readonly index: number | null
}

/** Which prompts a session's own files have. The small ones are asked first: most prompts are found there. */
export class DeliveredPrompts {
  readonly #place: SessionPlace
  #read: TurnLog | null = null
  #rows: ReadonlySet<string> | null = null
  #sent: readonly Sent[] | null = null
  #lastAt = 0

  constructor(place: SessionPlace) {
    this.#place = place
  }

  get #log(): TurnLog {
    return (this.#read ??= TurnLog.whole(this.#place))
  }

  /** Null while nothing later happened: it may still be sent. */
  has(prompt: string, at: number): boolean | null {
    this.#rows ??= new Set(rowsOf(path.join(this.#place.dir, 'chat_history.jsonl')))
    if (this.#rows.has(prompt.trim())) return true
    if (this.#log.turns.some(({ startedAt }) => isSoonAfter(startedAt, at))) return true
    if (this.#sentOnes().some((sent) => sent.text.includes(prompt.trim()) || isSoonAfter(sent.at, at))) return true
    return this.#lastAt > at + SENT_WITHIN_MS ? false : null
  }

  wasMidTurn(at: number): boolean {
    return this.#log.isTurn(at)
  }

  #sentOnes(): readonly Sent[] {
    if (this.#sent !== null) return this.#sent
    const sent: Sent[] = []
    const file = path.join(this.#place.dir, 'updates.jsonl')
    this.#lastAt = Math.max(0, ...this.#log.turns.map(({ startedAt, endedAt }) => endedAt ?? startedAt))
    for (const { bytes } of statRegular(file) ? new LineReader(file, null) : []) {
      if (bytes === null) continue
      const stamp = STAMP.exec(bytes.toString('latin1', 0, HEAD_BYTES))?.[1]
      this.#lastAt = Math.max(this.#lastAt, millis(Number(stamp ?? 0)) ?? 0)
      if (bytes.indexOf(USER_CHUNK) !== -1) add(sent, bytes)
    }
    this.#sent = sent
    return sent
  }
}

/** A prompt may come in several pieces, on lines that follow each other. */
function add(sent: Sent[], bytes: Buffer): void {
  for (const record of parseLine(bytes) ?? []) {
    const update = openEnvelope(record)
    const what = update === null ? null : whatOf(update)
    if (what?.is === 'boundary' && what.command !== null) {
      sent.push({ text: what.command, at: update?.at ?? null, index: null })
    }
    if (what?.is !== 'user') continue
    const last = sent.at(-1)
    const goesOn = last !== undefined && last.index === (update?.promptIndex ?? null) && last.index !== null
    if (goesOn) sent[sent.length - 1] = { ...last, text: last.text + what.text }
    else sent.push({ text: what.text, at: update?.at ?? null, index: update?.promptIndex ?? null })
  }
}

function rowsOf(file: string): string[] {
  if (statRegular(file) === null) return []
  const rows: string[] = []
  for (const { bytes } of new LineReader(file, null)) {
    if (bytes === null || bytes.indexOf(USER_ROW) === -1) continue
    for (const record of parseObjects(bytes.toString('utf8')) ?? []) {
      const row = chatRowOf(record)
      if (row.is === 'user') rows.push(withoutContext(row.text))
    }
  }
  return rows
}

function isSoonAfter(sent: number | null, logged: number): boolean {
  return sent !== null && sent >= logged - LOGGED_AHEAD_MS && sent <= logged + SENT_WITHIN_MS
}
