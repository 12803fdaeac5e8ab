import type { ActiveSession } from '../groups/face.ts'
import type { TaskOutcome } from '../groups/host.ts'
import type { HistoryEntry } from '../store/pointers.ts'
import { groupField, historyDocument, historySchema, outcomeDocument, outcomeSchema } from './group-document.ts'
import { operation } from './operation.ts'
import { called, integer, list, nullable, object, text } from './schema.ts'

const historyId = integer('its number in the history')
const name = text('what it is called; without, as its agent or its first prompt calls it')

export const sessionGet = operation({
  name: 'session.get',
  summary: 'the session that is active in a group',
  effect: 'reads',
  input: object(groupField),
  output: object({
    group: text(),
    session_id: nullable(text()),
    resume_at: nullable(text()),
    resumeAt: nullable(text()),
  }),
  run: ({ recall }, { group }): Promise<ActiveSession> => recall.groups.get(group),
  document: ({ group, sessionId, resumeAt }: ActiveSession) => ({
    group,
    session_id: sessionId,
    resume_at: resumeAt,
    resumeAt,
  }),
})

export interface Changed {
  readonly group: string
  readonly sessionId: string
}

const changed = object({ group: text(), session_id: text() })
const changedDocument = ({ group, sessionId }: Changed) => ({ group, session_id: sessionId })

export const sessionSet = operation({
  name: 'session.set',
  summary: 'make a session the active one of a group',
  effect: 'writes',
  input: object({ ...groupField, id: text('its own id, as the agent knows it') }),
  output: changed,
  async run({ recall }, { group, id }): Promise<Changed> {
    await recall.groups.set(group, id)
    return { group, sessionId: id }
  },
  document: changedDocument,
})

export const sessionClear = operation({
  name: 'session.clear',
  summary: 'archive the active session of a group; the next message starts a new one',
  effect: 'writes',
  input: object(groupField, { name }),
  output: outcomeSchema,
  run: ({ recall }, { group, name: given = '' }): Promise<TaskOutcome> => recall.groups.clear(group, given),
  document: outcomeDocument,
})

export const sessionArchive = operation({
  name: 'session.archive',
  summary: 'put the active session of a group into its history; it stays active',
  effect: 'writes',
  input: object(groupField, { name }),
  output: historySchema,
  run: ({ recall }, { group, name: given = '' }): Promise<HistoryEntry> => recall.groups.archive(group, given),
  document: historyDocument,
})

export const sessionRestore = operation({
  name: 'session.restore',
  summary: 'make a session of the history active again',
  effect: 'writes',
  input: object({ ...groupField, id: historyId }),
  output: changed,
  run: async ({ recall }, { group, id }): Promise<Changed> => ({
    group,
    sessionId: await recall.groups.restore(group, id),
  }),
  document: changedDocument,
})

export const sessionHistory = operation({
  name: 'session.history',
  summary: 'the sessions of a group that were put aside, the newest first',
  effect: 'reads',
  input: object(groupField),
  output: object({ sessions: list(historySchema) }),
  run: ({ recall }, { group }): Promise<HistoryEntry[]> => recall.groups.history(group),
  document: (sessions: HistoryEntry[]) => ({ sessions: sessions.map(historyDocument) }),
})

export const sessionResume = operation({
  name: 'session.resume',
  summary: 'switch a group to a session of its history',
  details: 'With `save_as` the active session is put into the history first. The running agent is told to end.',
  effect: 'writes',
  input: object(
    { ...groupField, id: historyId },
    { save_as: called('name', text('keep the active session in the history under this name')) },
  ),
  output: outcomeSchema,
  run: ({ recall }, { group, id, save_as: saveAs }): Promise<TaskOutcome> =>
    recall.groups.resume(group, id, saveAs === undefined || saveAs.trim() === '' ? null : saveAs),
  document: outcomeDocument,
})
