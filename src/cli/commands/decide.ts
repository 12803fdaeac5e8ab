import { UserError } from '../../model/errors.ts'
import { pointerOf } from '../../model/pointers.ts'
import { JSON_OPTION, type Command } from '../command.ts'
import { flag } from '../given.ts'

export const decide: Command = {
  name: 'decide',
  summary: 'record a decision about a session that its transcript does not hold',
  details: 'It becomes an event of the session, is found by search, and stays through indexing and eviction.',
  args: [
    { name: 'id', help: 'which session', required: true },
    { name: 'text', help: 'what was decided', required: true, many: true },
  ],
  options: [JSON_OPTION],
  examples: ['recall decide 3f2a9c1e "we stay on SQLite"'],
  async run({ recall, terminal }, args, given) {
    const [id = '', ...words] = args
    const text = words.join(' ').trim()
    if (text === '')
      throw new UserError('USAGE', 'a decision needs words', 'e.g. recall decide 3f2a9c1e "we stay on SQLite"')
    const session = await recall.find(id)
    const seq = await recall.decide(session, text)
    if (flag(given, 'json')) terminal.json({ session_uid: session.uid, seq, pointer: pointerOf(seq) })
    else terminal.line(`recorded as ${session.uid}${pointerOf(seq)}`)
  },
}
