import path from 'node:path'
import type { OperationNamed } from '../operations/index.ts'
import type { DocumentOf } from '../operations/operation.ts'
import { count, object } from '../operations/schema.ts'
import { budgetTokens, project, rowOf, type Found, type Row } from './answer.ts'
import type { Memory } from './memory.ts'
import { cutQuote, quoted } from './quote.ts'
import { tool } from './tool.ts'

const USUAL_DAYS = 14
const MOST = 30
const LAST_WORDS = 400
const SHORT_WORDS = 100
const DAY_MS = 86_400_000
/** The last answer of a session stands among its last events. */
const LAST_EVENTS = 12

interface Work extends Row {
  readonly ended_at: string | null
  readonly prompts: number
  /** What the agent said last. */
  readonly last?: string
}

export const recentWork = tool({
  name: 'recent_work',
  title: 'Recent sessions',
  description: 'List the latest sessions of this project, newest first, and what came of each, to go on from there.',
  isReadOnly: true,
  input: object({}, { project, days: count(`default ${USUAL_DAYS}`), budget_tokens: budgetTokens }),
  async find(memory, { project: where, days = USUAL_DAYS }, call): Promise<Found<Work>> {
    const lag = await memory.refreshed()
    call.signal.throwIfAborted()
    const since = new Date(Date.now() - Math.max(1, days) * DAY_MS).toISOString()
    const part = where ?? memory.cwd
    const found =
      (await latest(memory, { since, project: part })) ??
      (where === undefined ? await latest(memory, { since }) : null) ??
      NOTHING
    const isHere = where === undefined && found.project === part
    const { sessions: others, left } = found
    const rows: Work[] = []
    for (const session of others) {
      call.signal.throwIfAborted()
      const last = await lastWords(memory, session.session_uid)
      rows.push({
        ...rowOf(session, last?.pointer ?? null, 'sure'),
        ended_at: session.ended_at?.slice(0, 19).concat('Z') ?? null,
        prompts: session.cost.turns,
        ...(last === null ? {} : { last: cutQuote(last.text, LAST_WORDS) }),
      })
    }
    return {
      rows,
      notes: [
        isHere ? `only in ${quoted(path.basename(memory.cwd))}; project "/" means all` : null,
        empty(rows, days),
        lag,
      ],
      shorter: (row, room) =>
        room < 100 || row.last === undefined ? null : { ...row, last: cutQuote(row.last, SHORT_WORDS) },
      rest: (shownRows) =>
        shownRows.length >= left
          ? null
          : { left_out: `${left - shownRows.length} older: ask with more budget_tokens, or fewer days` },
    }
  },
})

type Listed = DocumentOf<OperationNamed<'list'>>

interface Latest {
  readonly sessions: Listed['sessions']
  /** How many there are. */
  readonly left: number
  readonly project?: string | undefined
}

const NOTHING: Latest = { sessions: [], left: 0 }

/** The latest sessions of others, those of programs only if there is nothing else; null for none. */
async function latest(memory: Memory, filter: { since: string; project?: string }): Promise<Latest | null> {
  for (const automated of [false, true]) {
    const { sessions, total } = await memory.ask('list', { ...filter, limit: MOST, automated })
    const others = sessions.filter((session) => !memory.isCaller(session))
    if (others.length > 0)
      return { sessions: others, left: total - (sessions.length - others.length), project: filter.project }
  }
  return null
}

function empty(rows: readonly Work[], days: number): string | null {
  return rows.length > 0 ? null : `no session in ${days} days: ask with more days, or search_memory`
}

async function lastWords(memory: Memory, id: string): Promise<{ text: string; pointer: string | null } | null> {
  const { events, session } = await memory.ask('read', { id, tail: LAST_EVENTS })
  const said = events.findLast(({ kind, payload }) => kind === 'assistant_msg' && payload)
  if (said?.payload) return { text: said.payload, pointer: said.pointer }
  if (session.analyzed_at === null) return null
  const digest = await memory.ask('digest', { id }).catch(() => null)
  return digest?.last_assistant ? { text: digest.last_assistant, pointer: null } : null
}
