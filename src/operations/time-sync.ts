import { operation } from './operation.ts'
import { count, object, text } from './schema.ts'

export const timeSync = operation({
  name: 'time.sync',
  summary: 'tells the journal of sessions what is not in it yet',
  effect: 'writes',
  input: object({}),
  output: object({ added: count(), told: count(), dir: text() }),
  async run({ recall }) {
    const { added, known } = await recall.activity.recordSessions()
    const { dir } = await recall.activity.journal()
    return { added, told: known, dir }
  },
  document: (synced) => synced,
})
