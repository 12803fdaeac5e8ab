import { hash32 } from './hash.ts'
import { sha256 } from './sha256.ts'

/** First 16 hex digits of SHA-256: the id format shared by sessions, messages and calls. */
export function shortHash(text: string): string {
  return sha256(text, 'hex').slice(0, 16)
}

/** Id of a session as derived from the place of its main transcript. `source` is the long name, e.g. `claude_code`. */
export function shortSessionId(source: string, absolutePath: string): string {
  return shortHash(`${source}:${absolutePath}`)
}

export function messageId(sessionId: string, idx: number): string {
  return shortHash(`${sessionId}:${idx}`)
}

export function callId(message: string, idx: number): string {
  return shortHash(`${message}:${idx}`)
}

export function orphanCallId(sessionId: string, idx: number): string {
  return shortHash(`${sessionId}:orphan:${idx}`)
}

export function sessionUid(flavor: string, nativeId: string): string {
  return `${flavor}:${nativeId}`
}

/** The value of a hex digit, plus one; 0 for all else. */
const HEX = new Uint8Array(128)
for (const [value, digits] of [
  '0',
  '1',
  '2',
  '3',
  '4',
  '5',
  '6',
  '7',
  '8',
  '9',
  'aA',
  'bB',
  'cC',
  'dD',
  'eE',
  'fF',
].entries()) {
  for (const digit of digits) HEX[digit.charCodeAt(0)] = value + 1
}
const UUID_LENGTH = 36
const DASH = 45

function isUuid(id: string): boolean {
  if (id.length !== UUID_LENGTH) return false
  for (let at = 0; at < UUID_LENGTH; at++) {
    const code = id.charCodeAt(at)
    const fits = at === 8 || at === 13 || at === 18 || at === 23 ? code === DASH : HEX[code]! > 0
    if (!fits) return false
  }
  return true
}

/** The eight bytes of the last half of a UUID. */
function lastHalf(uuid: string): Uint8Array {
  const key = Buffer.allocUnsafe(8)
  for (let byte = 0; byte < 8; byte++) {
    const at = byte < 2 ? 19 + 2 * byte : 20 + 2 * byte
    key[byte] = ((HEX[uuid.charCodeAt(at)]! - 1) << 4) | (HEX[uuid.charCodeAt(at + 1)]! - 1)
  }
  return key
}

/**
 * Eight bytes that stand for a record's own id, equal in every file that holds a copy of the record.
 * The last half of a UUID is its random half in versions 4 and 7; any other id is hashed.
 */
export function nativeKey(id: string): Uint8Array {
  if (isUuid(id)) return lastHalf(id)
  const key = Buffer.allocUnsafe(8)
  key.writeUInt32LE(hash32(id, 0x811c9dc5), 0)
  key.writeUInt32LE(hash32(id, 0x9747b28c), 4)
  return key
}

/** A record's own id as it may be compared across sessions: one that is no UUID means something only in its session. */
export function recordId(session: string, id: string): string {
  return isUuid(id) ? id : `${session}:${id}`
}
