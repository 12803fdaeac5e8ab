import type { SessionFilter, SessionRecord } from '../model/session.ts'
import { filterFields, limit, narrowing } from './filters.ts'
import { operation, type OperationContext } from './operation.ts'
import { count, flag, list as listOf, object, type TypeOf } from './schema.ts'
import { sessionDocument, sessionFields } from './session-document.ts'

const USUAL = 20

const input = object(
  {},
  {
    ...filterFields,
    subagents: flag('also sessions that an agent started, marked ↳'),
    automated: flag('also runs of programs and scripts, marked [auto]'),
    empty: flag('also sessions that hold no prompt, no answer and no call'),
    all: flag('all of these'),
    hidden: flag('all that is folded away: the same as --subagents --automated'),
    limit: limit(USUAL),
  },
)

const output = object({
  sessions: listOf(object({ ...sessionFields, subagent_count: count() })),
  total: count(),
  folded: object({ subagents: count(), automated: count() }),
})

export interface Folded {
  readonly subagents: number
  readonly automated: number
}

export interface Listed {
  readonly sessions: readonly SessionRecord[]
  readonly total: number
  /** How many subagents with a session of their own each has started, by its uid. */
  readonly subagents: ReadonlyMap<string, number>
  readonly folded: Folded
}

export const list = operation({
  name: 'list',
  summary: 'sessions, newest first',
  details:
    'Sessions that agents started are folded into the one that started them (`sub` counts them), runs of programs and ' +
    'scripts (`codex exec`, `claude -p`, an SDK) and sessions without any word are left out, unless asked for.',
  effect: 'reads',
  input,
  output,
  async run(context, asked): Promise<Listed> {
    const { recall } = context
    const filter = filterOf(context, asked)
    const { sessions, total } = await recall.list(filter)
    const subagents = await recall.subagents()
    const folded = await countFolded(context, filter, { total, subagents: subagents.size })
    return { sessions, total, subagents, folded }
  },
  document: ({ sessions, total, subagents, folded }: Listed) => ({
    sessions: sessions.map((session) => ({
      ...sessionDocument(session),
      subagent_count: subagents.get(session.uid) ?? 0,
    })),
    total,
    folded: { ...folded },
  }),
})

function filterOf(context: OperationContext, asked: TypeOf<typeof input>): SessionFilter {
  const { sessions, holding } = narrowing(context, asked, USUAL)
  const hidden = asked.hidden === true
  return {
    ...(asked.automated || asked.all || hidden ? {} : { automated: false }),
    ...sessions,
    hidden: asked.subagents === true || asked.all === true || hidden,
    empty: asked.empty === true || asked.all === true,
    ...(Object.keys(holding).length === 0 ? {} : { holding }),
  }
}

/** How many more there would be. */
async function countFolded(
  { recall }: OperationContext,
  filter: SessionFilter,
  { total, subagents }: { readonly total: number; readonly subagents: number },
): Promise<Folded> {
  const { automated, ...others } = filter
  const more = async (wider: SessionFilter) => (await recall.list({ ...wider, limit: 1 })).total - total
  return {
    subagents: filter.hidden === true || subagents === 0 ? 0 : await more({ ...filter, hidden: true }),
    automated: automated === false ? await more(others) : 0,
  }
}
