import { UserError } from '../model/errors.ts'
import { pointerOf } from '../model/pointers.ts'
import { operation } from './operation.ts'
import { integer, object, text } from './schema.ts'

export interface Decided {
  readonly uid: string
  readonly seq: number
}

export const decide = operation({
  name: 'decide',
  summary: 'record a decision about a session that its transcript does not hold',
  details: 'It becomes an event of the session, is found by search, and stays through indexing and eviction.',
  effect: 'writes',
  input: object({ id: text('which session'), text: text('what was decided') }),
  output: object({ session_uid: text(), seq: integer(), pointer: text() }),
  async run({ recall }, asked): Promise<Decided> {
    const words = asked.text.trim()
    if (words === '')
      throw new UserError('USAGE', 'a decision needs words', 'e.g. recall decide 3f2a9c1e "we stay on SQLite"')
    const session = await recall.find(asked.id)
    return { uid: session.uid, seq: await recall.decide(session, words) }
  },
  document: ({ uid, seq }: Decided) => ({ session_uid: uid, seq, pointer: pointerOf(seq) }),
})
