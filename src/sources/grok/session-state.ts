import { closeSync, readSync } from 'node:fs'
import path from 'node:path'
import { openRegular, statRegular } from '../../model/regular-file.ts'
import { readSmall, type SessionPlace } from './place.ts'

/** True if a window of the client has the session open; one that crashed stays on the list. */
export function isLive({ root, session }: SessionPlace): boolean {
  const text = readSmall(path.join(root, 'active_sessions.json'))
  return text !== null && text.includes(JSON.stringify(session))
}

const TURN_END = Buffer.from('"turn_completed"')
const BLOCK_BYTES = 256 * 1024

/** True if the transcript tells how turns ended; older versions left that to the telemetry. Its last lines are looked at first. */
export function hasTurnEnds({ dir }: SessionPlace): boolean {
  const file = path.join(dir, 'updates.jsonl')
  const size = statRegular(file)?.size ?? 0
  if (size === 0) return false
  const fd = openRegular(file)
  const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, size))
  const tellsAt = (from: number) => block.subarray(0, readSync(fd, block, 0, block.length, from)).includes(TURN_END)
  try {
    if (tellsAt(Math.max(0, size - BLOCK_BYTES))) return true
    for (let from = 0; from < size; from += BLOCK_BYTES - TURN_END.length) if (tellsAt(from)) return true
    return false
  } finally {
    closeSync(fd)
  }
}
