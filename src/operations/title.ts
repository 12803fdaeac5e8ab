import { UserError } from '../model/errors.ts'
import { titleLine } from '../model/facts.ts'
import type { SessionRecord } from '../model/session.ts'
import { operation } from './operation.ts'
import { flag, nullable, object, text } from './schema.ts'

export const title = operation({
  name: 'title',
  summary: 'give a session a title of your own',
  details:
    'It stands before what the agent or the first prompt would make of it, is found by search, and stays when the session ' +
    'is read again or its text goes. The title that the agent itself shows is not changed.',
  effect: 'writes',
  input: object({ id: text('which session') }, { title: text('the title'), remove: flag('take it back') }),
  output: object({ session_uid: text(), title: nullable(text()) }),
  async run({ recall }, asked): Promise<SessionRecord> {
    const words = titleLine(asked.title ?? '')
    if ((words === '') === (asked.remove !== true))
      throw new UserError('USAGE', 'a title, or --remove', 'e.g. recall title 3f2a9c1e "the deploy that failed"')
    const session = await recall.find(asked.id)
    await recall.describe(session, { title: asked.remove ? null : words })
    return recall.find(session.uid)
  },
  document: ({ uid, title: now }: SessionRecord) => ({ session_uid: uid, title: now }),
})
