import type { Bookkeeping } from '../insight/bookkeeping.ts'
import { TIERS, type ClaimLine, type Tier } from '../insight/journals.ts'
import { UserError } from '../model/errors.ts'
import { claimLine } from './claim-document.ts'
import { operation } from './operation.ts'
import { called, choice, object, text } from './schema.ts'

const HINT = 'e.g. recall claim "wave 5 took 18 min" --tier FROM-JOURNAL --pointer tasks.jsonl#wave5'

export interface Claimed {
  readonly line: ClaimLine
  /** Where the journals are. */
  readonly dir: string
}

export const claim = operation({
  name: 'claim',
  summary: 'keep a claim with a number in it together with what it rests on',
  details:
    'Appends a line to `numeric-claims.jsonl`, the journal of claims. REAL: measured; FROM-JOURNAL: taken from a journal; ESTIMATE-HTC: estimated.',
  effect: 'writes',
  input: object(
    {
      text: text('what is claimed'),
      tier: called('tier', choice(TIERS, TIERS.join(', '))),
      pointer: called('where', text('where the evidence is: `tasks.jsonl#name`, `uid#seq`, a file')),
    },
    { session: called('id', text('the session in which it is claimed')) },
  ),
  output: object({ claim: claimLine }),
  async run({ recall, watching }, asked): Promise<Claimed> {
    const { value, tier, pointer } = checked(asked)
    const session = asked.session === undefined ? {} : { session_id: (await recall.find(asked.session)).nativeId }
    const books = await recall.chronicle.books()
    const line = books.claim({ value, evidence_tier: tier, pointer, ...session })
    const missing = missingTask(books, pointer)
    if (missing !== null) watching.onNote?.(`the journal has no task ${missing}; \`recall time tasks\` lists them`)
    return { line, dir: books.dir }
  },
  document: ({ line }: Claimed) => ({ claim: line }),
})

interface ClaimInput {
  readonly text?: string
  readonly tier?: Tier
  readonly pointer?: string
}

function checked({ text: typed = '', tier, pointer: typedPointer = '' }: ClaimInput) {
  const [value, pointer] = [typed.trim(), typedPointer.trim()]
  if (value === '') throw new UserError('USAGE', 'a claim needs words', HINT)
  if (tier === undefined)
    throw new UserError('USAGE', 'a claim needs its tier', `give --tier ${TIERS.join(', --tier ')}`)
  if (pointer === '') throw new UserError('USAGE', 'a claim needs a pointer to its evidence', HINT)
  return { value, tier, pointer }
}

/** A pointer into the journal of tasks should lead to a task: its name, or its name and a day. */
function missingTask(books: Bookkeeping, pointer: string): string | null {
  const name = /^tasks\.jsonl#(.+)$/.exec(pointer)?.[1]
  if (name === undefined) return null
  const { tasks } = books.tasks()
  return tasks.some((task) => name === task.name || name.startsWith(`${task.name}-`)) ? null : name
}
