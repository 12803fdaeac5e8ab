import type { HandoffText } from '../insight/handoff-text.ts'
import { UserError } from '../model/errors.ts'
import type { SessionRecord } from '../model/session.ts'
import type { Source } from '../sources/source.ts'
import { sourceNamed } from './filters.ts'
import { operation, type OperationContext } from './operation.ts'
import { called, count, flag, list, nullable, object, record, text } from './schema.ts'
import { sessionMeant } from './session-meant.ts'

const USUAL_BUDGET = 4000
const LEAST_BUDGET = 400

/** A brief, and who begins with it how. */
export interface Handoff extends HandoffText {
  readonly session: SessionRecord
  readonly to: Source | null
  readonly budget: number
}

export const handoff = operation({
  name: 'handoff',
  summary: 'write down what another agent needs to go on with a session',
  details:
    'What was asked, decided and done, what is open, which commands fail, which files were edited: quoted word for word ' +
    'from the session with pointers, secrets taken out, and within a budget of tokens; what did not fit is said. Of a ' +
    'session whose raw text is gone it is made from the digest, and says so.',
  effect: 'reads',
  input: object(
    { session: text('an id, `last`, or words') },
    {
      to: called('agent', text('who goes on with it')),
      budget: called('tokens', count(`how long it may be (${USUAL_BUDGET}; ${LEAST_BUDGET} at least)`)),
    },
  ),
  output: object({
    session_uid: text(),
    to: nullable(text()),
    text: text(),
    tokens: count(),
    budget: count(),
    evicted: flag(),
    left_out: record(count()),
    directory: nullable(text()),
    begin: nullable(list(text('a command that begins with it, word by word, but for the text itself'))),
  }),
  async run(context, asked): Promise<Handoff> {
    const budget = asked.budget ?? USUAL_BUDGET
    if (budget < LEAST_BUDGET) {
      const message = `--budget takes ${LEAST_BUDGET} tokens or more, not ${budget}`
      throw new UserError('USAGE', message, 'less would say nothing')
    }
    const to = asked.to === undefined ? null : receiver(context, asked.to)
    const { session } = await sessionMeant(context, asked.session)
    const from = context.sources.find(({ name }) => name === session.flavor)?.label ?? session.flavor
    const brief = await context.recall.handoff(session, { from, to: to?.label ?? null, budget })
    return { ...brief, session, to, budget }
  },
  document: ({ session, to, text: words, tokens, budget, leftOut }: Handoff) => ({
    session_uid: session.uid,
    to: to?.name ?? null,
    text: words,
    tokens,
    budget,
    evicted: session.evictedAt !== null,
    left_out: leftOut,
    directory: session.cwd,
    begin: to?.begin === undefined ? null : to.begin('').slice(0, -1),
  }),
})

function receiver({ sources }: OperationContext, name: string): Source {
  const able = sources.filter(({ begin }) => begin !== undefined)
  const found = sourceNamed(name, able)
  if (found !== undefined) return found
  const hint = `--to takes ${able.map((source) => source.name).join(', ')}`
  throw new UserError('USAGE', `nobody to hand over to is called ${JSON.stringify(name)}`, hint)
}
