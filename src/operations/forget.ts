import { UserError } from '../model/errors.ts'
import type { SessionRecord } from '../model/session.ts'
import { project, timeOf } from './filters.ts'
import { operation, type OperationContext } from './operation.ts'
import { called, flag, integer, list, object, text, type TypeOf } from './schema.ts'

const input = object(
  {},
  {
    id: text('which session'),
    project,
    before: called('when', text('all that ended before then: 90d, 2024-01-15')),
    yes: flag('really do it'),
  },
)

export interface Forgotten {
  readonly sessions: readonly SessionRecord[]
  /** False if it was only said what would go. */
  readonly isDone: boolean
  /** Processes that still hold the store as it was: the last bytes go when they have ended. */
  readonly heldBy: readonly number[]
  /** Some bytes are still there; the next command that writes takes them away. */
  readonly isOwing: boolean
}

export const forget = operation({
  name: 'forget',
  summary: 'delete sessions for good, raw text and digest, and never read them again',
  details:
    "Without `--yes` it only says what would go. The agents' own files are not touched: `--undo` lets the next index read a session again while its file is still there.",
  effect: 'destroys',
  input,
  output: object({ forgotten: list(text()), would_forget: list(text()), held_by: list(integer()) }),
  async run(context, asked): Promise<Forgotten> {
    const { recall } = context
    const sessions = await chosen(context, asked)
    const isDone = asked.yes === true
    const heldBy = isDone ? await recall.forget(sessions) : []
    return { sessions, isDone, heldBy, isOwing: isDone && recall.debts().length > 0 }
  },
  document: ({ sessions, isDone, heldBy }: Forgotten) => {
    const uids = sessions.map(({ uid }) => uid)
    return { forgotten: isDone ? uids : [], would_forget: isDone ? [] : uids, held_by: heldBy }
  },
})

async function chosen({ recall, now }: OperationContext, asked: TypeOf<typeof input>): Promise<SessionRecord[]> {
  const { id, project: part, before } = asked
  if (id !== undefined && (part !== undefined || before !== undefined))
    throw new UserError('USAGE', 'either a session or filters', 'leave out the id, or --project and --before')
  if (id !== undefined) return [await recall.find(id)]
  if (part === undefined && before === undefined)
    throw new UserError('USAGE', 'forget what?', 'give a session, --project or --before')
  const until = before === undefined ? null : timeOf(before, now(), 'use 90d or 2024-01-15')
  const { sessions } = await recall.list({ limit: 0, hidden: true, ...(part === undefined ? {} : { project: part }) })
  return sessions.filter((session) => until === null || (session.endedAt ?? session.startedAt ?? Infinity) < until)
}
