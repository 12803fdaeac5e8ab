import { operation } from './operation.ts'
import { count, object, text } from './schema.ts'

export const timeSync = operation({
  name: 'time.sync',
  summary: 'tells the journal of sessions what is not in it yet',
  effect: 'writes',
  input: object({}),
  output: object({ added: count(), told: count(), dir: text() }),
  async run({ recall }) {
    const { added, told } = await recall.chronicle.tellSessions()
    const { dir } = await recall.chronicle.books()
    return { added, told, dir }
  },
  document: (synced) => synced,
})
