import type { SessionRecord } from '../model/session.ts'
import { operation } from './operation.ts'
import { flag, object, text } from './schema.ts'

function pinning(name: string, on: boolean, summary: string) {
  return operation({
    name,
    summary,
    effect: 'writes',
    input: object({ id: text('which session') }),
    output: object({ session_uid: text(), pinned: flag() }),
    async run({ recall }, { id }): Promise<SessionRecord> {
      const session = await recall.find(id)
      await recall.pin(session, on)
      return session
    },
    document: ({ uid }: SessionRecord) => ({ session_uid: uid, pinned: on }),
  })
}

export const pin = pinning('pin', true, 'keep the raw text of a session as long as possible')
export const unpin = pinning('unpin', false, 'let a pinned session go like any other')
