import { splitPointer } from '../model/pointers.ts'
import { object, text } from '../operations/schema.ts'
import { rowOf, type Found, type Row } from './answer.ts'
import { within } from './patience.ts'
import { tool } from './tool.ts'

/** Whoever writes has mostly done so by then. */
const PATIENCE_MS = 4000

export const recordDecision = tool({
  name: 'record_decision',
  title: 'Record a decision',
  description: 'Keep a decision and its reason with a session for later searches. Only what the user has decided.',
  isReadOnly: false,
  input: object({ session: text('"this", or session_uid'), text: text('what, and why') }),
  async find(memory, { session: asked, text: words }): Promise<Found<Row>> {
    await memory.refreshed()
    const id = await memory.named(splitPointer(asked).session)
    const { session } = await memory.ask('read', { id, limit: 1 })
    const recorded = await within(PATIENCE_MS, memory.ask('decide', { id: session.session_uid, text: words }))
    return {
      rows: [rowOf(session, recorded?.pointer ?? null, 'sure')],
      notes: [recorded === null ? 'another recall is writing: it is recorded as soon as that ends' : 'recorded'],
    }
  },
})
