/** What an agent in a group may ask of its host. */
export type GroupTask =
  | { readonly type: 'clear_session'; readonly name: string }
  | { readonly type: 'resume_session'; readonly sessionHistoryId: number; readonly saveName: string | null }

/** A task file: ours, somebody else's, or nothing that anybody could act on. */
export type ReadTask =
  | { readonly is: 'ours'; readonly task: GroupTask }
  | { readonly is: 'foreign' }
  | { readonly is: 'bad'; readonly why: string }

/** Which group a file speaks of is not asked: that is the directory it lies in. */
export function readTask(text: string | null): ReadTask {
  if (text === null) return bad('it is no regular file, or too large')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return bad('it is not JSON')
    throw error
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return bad('it is no object')
  const fields = new Map(Object.entries(value))
  const type: unknown = fields.get('type')
  if (type === 'clear_session') return clearing(fields)
  if (type === 'resume_session') return resuming(fields)
  return typeof type === 'string' ? { is: 'foreign' } : bad('it has no type')
}

function clearing(fields: ReadonlyMap<string, unknown>): ReadTask {
  const name = fields.get('name')
  if (typeof name !== 'string' || name.trim() === '') return bad('it gives the session no name')
  return { is: 'ours', task: { type: 'clear_session', name } }
}

function resuming(fields: ReadonlyMap<string, unknown>): ReadTask {
  const id = fields.get('sessionHistoryId')
  const saveName = fields.get('saveName') ?? null
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return bad('it has no number of a session')
  if (saveName !== null && typeof saveName !== 'string') return bad('its saveName is no text')
  const isNamed = saveName !== null && saveName.trim() !== ''
  return { is: 'ours', task: { type: 'resume_session', sessionHistoryId: id, saveName: isNamed ? saveName : null } }
}

function bad(why: string): ReadTask {
  return { is: 'bad', why }
}

/** A task as it lies in a file. */
export function taskText(task: GroupTask, groupFolder: string, now: number): string {
  const about = { groupFolder, timestamp: new Date(now).toISOString() }
  if (task.type === 'clear_session') return `${JSON.stringify({ type: task.type, name: task.name, ...about })}\n`
  const { type, sessionHistoryId, saveName } = task
  return `${JSON.stringify({ type, sessionHistoryId, ...(saveName === null ? {} : { saveName }), ...about })}\n`
}

export function taskFileName(now: number): string {
  return `${now}-${Math.random().toString(36).slice(2, 8).padEnd(6, '0')}.json`
}
