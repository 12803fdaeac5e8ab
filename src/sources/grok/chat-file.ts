import path from 'node:path'
import { statRegular } from '../../model/regular-file.ts'
import { parseObjects } from '../kit/json.ts'
import { LineReader } from '../kit/lines.ts'
import { chatRowOf, type ChatRow } from './chat-rows.ts'
import type { SessionPlace } from './place.ts'

/** The rows of a session's chat history on whose lines these bytes stand. */
export function* chatRowsWith({ dir }: SessionPlace, word: Buffer): Generator<ChatRow> {
  const file = path.join(dir, 'chat_history.jsonl')
  if (statRegular(file) === null) return
  for (const { bytes } of new LineReader(file, null)) {
    if (bytes === null || bytes.indexOf(word) === -1) continue
    for (const record of parseObjects(bytes.toString('utf8')) ?? []) yield chatRowOf(record)
  }
}

/** What the chat history has as the result of a call, null if it has none. */
export function chatResult(place: SessionPlace, call: string): string | null {
  let body: string | null = null
  for (const row of chatRowsWith(place, Buffer.from(JSON.stringify(call)))) {
    if (row.is === 'result' && row.call === call) body = row.body
  }
  return body
}
