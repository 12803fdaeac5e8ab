import type { GroupRecord } from '../groups/face.ts'
import type { TaskOutcome } from '../groups/host.ts'
import { isoTime } from '../model/time.ts'
import type { HistoryEntry } from '../store/pointers.ts'
import { called, count, flag, instant, integer, nullable, object, text } from './schema.ts'

/** Whose sessions are meant. */
export const groupField = { group: called('name', text('which group')) }

export const groupSchema = object({
  name: text(),
  is_main: flag(),
  session_id: nullable(text('the active session')),
  history: count('sessions that were put aside'),
  archives: count(),
  last_activity: instant,
})

export function groupDocument({ name, isMain, sessionId, history, archives, lastActivity }: GroupRecord) {
  const active = isoTime(lastActivity)
  return { name, is_main: isMain, session_id: sessionId, history, archives, last_activity: active }
}

export const historySchema = object({
  id: integer(),
  session_id: text(),
  name: text(),
  created_at: text(),
  archived_at: text(),
})

export function historyDocument({ id, session_id, name, created_at, archived_at }: HistoryEntry) {
  return { id, session_id, name, created_at, archived_at }
}

export const outcomeSchema = object({
  group: text(),
  file: nullable(text('the task file; null where none of the group could be looked at')),
  type: nullable(text()),
  session_id: nullable(text()),
  archive: nullable(text('the file in `conversations/` that was written')),
  error: nullable(text('why it could not be acted on')),
  warning: nullable(text('what could not be written in the directories of the group')),
})

export function outcomeDocument({ group, file, type, sessionId, archive, error, warning }: TaskOutcome) {
  return { group, file, type, session_id: sessionId, archive, error, warning }
}
