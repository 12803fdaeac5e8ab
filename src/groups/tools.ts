import { within } from './directory.ts'
import { HISTORY } from './snapshots.ts'
import { taskFileName, taskText, type GroupTask } from './task.ts'
import { TASKS } from './places.ts'

/** A tool for an agent that lives in a group: it sees the group's own directory of messages, and no database. */
export interface GroupTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly isReadOnly: boolean
  /** JSON Schema. */
  readonly input: Readonly<Record<string, unknown>>
  readonly output: Readonly<Record<string, unknown>>
  run(input: unknown): ToolAnswer
}

/** What comes of it, whole in `content`; `text` tells it in a few lines. */
export interface ToolAnswer {
  readonly isError: boolean
  readonly text: string
  readonly content: Readonly<Record<string, unknown>>
}

interface ListedSession {
  readonly id: number
  readonly name: string
  readonly created_at: string
  readonly archived_at: string
}

const MAX_HISTORY_BYTES = 4 * 1024 * 1024
/** Agents pay for every word of a schema before they have asked: no more is said than what is always there. */
const ASKED = { type: 'object', required: ['ok', 'message'] }
const LISTED = { type: 'object', required: ['sessions'] }

/** The three tools of a group whose messages lie in `ipcDir`; `groupFolder` is told to the host, which does not rely on it. */
export function groupTools(ipcDir: string, groupFolder = '', now: () => number = Date.now): readonly GroupTool[] {
  const ask = (task: GroupTask, text: string): ToolAnswer => {
    const at = now()
    within(ipcDir, [TASKS], (dir) => dir.write(taskFileName(at), taskText(task, groupFolder, at)), true)
    return answer(text)
  }
  return [
    {
      name: 'clear_session',
      title: 'Start a new conversation',
      description: 'Archive this conversation under a name; the next message starts a new one.',
      isReadOnly: false,
      input: object({ name: { type: 'string', description: 'a few words' } }, ['name']),
      output: ASKED,
      run(input) {
        const name = field(input, 'name')
        if (typeof name !== 'string' || name.trim() === '') return refusal('name must be a few words')
        return ask(
          { type: 'clear_session', name },
          'the conversation will be archived; the next message starts a new one',
        )
      },
    },
    {
      name: 'list_sessions',
      title: 'Past conversations',
      description: 'List the archived conversations, newest first, with ids for resume_session.',
      isReadOnly: true,
      input: object({}, []),
      output: LISTED,
      run() {
        const sessions = listed(ipcDir) ?? []
        const lines = sessions.map(({ id, name, archived_at }) => `${id}. ${archived_at.slice(0, 10)} · ${name}`)
        return { isError: false, text: lines.join('\n') || 'no archived conversations', content: { sessions } }
      },
    },
    {
      name: 'resume_session',
      title: 'Go back to a conversation',
      description: 'Go back to an archived conversation with the next message; save_current_as keeps this one.',
      isReadOnly: false,
      input: object(
        {
          session_id: { type: 'integer', description: 'id from list_sessions' },
          save_current_as: { type: 'string' },
        },
        ['session_id'],
      ),
      output: ASKED,
      run(input) {
        const id = field(input, 'session_id')
        const saveName = field(input, 'save_current_as') ?? null
        if (typeof id !== 'number' || !Number.isSafeInteger(id)) return refusal('session_id must be a whole number')
        if (saveName !== null && typeof saveName !== 'string') return refusal('save_current_as must be a few words')
        const known = listed(ipcDir)
        if (known !== null && !known.some((session) => session.id === id))
          return refusal(`there is no conversation ${id}: list_sessions tells what there is`)
        return ask(
          { type: 'resume_session', sessionHistoryId: id, saveName },
          `the next message goes on with conversation ${id}`,
        )
      },
    },
  ]
}

function object(properties: Readonly<Record<string, unknown>>, required: readonly string[]) {
  return { type: 'object', properties, required }
}

function field(input: unknown, name: string): unknown {
  return typeof input === 'object' && input !== null && Object.hasOwn(input, name)
    ? (input as Record<string, unknown>)[name]
    : undefined
}

/** Null where the host has told nothing yet. */
function listed(ipcDir: string): readonly ListedSession[] | null {
  const text = within(ipcDir, [], (dir) => dir.text(HISTORY, MAX_HISTORY_BYTES))
  if (text === null) return null
  try {
    const entries: unknown = JSON.parse(text)
    return Array.isArray(entries) ? entries.filter(isListed) : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function isListed(entry: unknown): entry is ListedSession {
  return (
    Number.isSafeInteger(field(entry, 'id')) &&
    ['name', 'created_at', 'archived_at'].every((name) => typeof field(entry, name) === 'string')
  )
}

function answer(message: string): ToolAnswer {
  return { isError: false, text: message, content: { ok: true, message } }
}

function refusal(message: string): ToolAnswer {
  return { isError: true, text: message, content: { ok: false, message } }
}
