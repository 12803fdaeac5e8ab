import { object, text } from '../operations/schema.ts'
import { rowOf, type Found, type Row } from './answer.ts'
import { tool } from './tool.ts'

export const recordDecision = tool({
  name: 'record_decision',
  title: 'Record a decision',
  description: 'Keep a decision and its reason with a session, so that later searches find it. Only what the user has decided.',
  isReadOnly: false,
  input: object({ session: text('"this" for your own, or session_uid'), text: text('what, and why') }),
  async find(memory, { session: asked, text: words }): Promise<Found<Row>> {
    await memory.refreshed()
    const id = memory.named(asked)
    const { pointer, session_uid: uid } = await memory.ask('decide', { id, text: words })
    const { session } = await memory.ask('read', { id: uid, limit: 1 })
    return { rows: [rowOf(session, pointer, 'sure')], notes: ['recorded'] }
  },
})
