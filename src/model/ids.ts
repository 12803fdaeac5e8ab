import { hash } from 'node:crypto'
import { hash32 } from './hash.ts'

/** First 16 hex digits of SHA-256: the id format shared by sessions, messages and calls. */
export function shortHash(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 16)
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

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * Eight bytes that stand for a record's own id, equal in every file that holds a copy of the record.
 * The last half of a UUID is its random half in versions 4 and 7; any other id is hashed.
 */
export function nativeKey(id: string): Uint8Array {
  if (UUID.test(id)) return Buffer.from(id.slice(19, 23) + id.slice(24), 'hex')
  const key = Buffer.allocUnsafe(8)
  key.writeUInt32LE(hash32(id, 0x811c9dc5), 0)
  key.writeUInt32LE(hash32(id, 0x9747b28c), 4)
  return key
}

/** A record's own id as it may be compared across sessions: one that is no UUID means something only in its session. */
export function recordId(session: string, id: string): string {
  return UUID.test(id) ? id : `${session}:${id}`
}
