import type { SessionRecord } from '../model/session.ts'
import { BOOKMARK_TAG, KEEP_TAG } from '../store/keeping.ts'
import { operation } from './operation.ts'
import { flag, object, text } from './schema.ts'

const PINNED = object({ session_uid: text(), pinned: flag() })

function pinning(name: string, on: boolean, summary: string) {
  return operation({
    name,
    summary,
    effect: 'writes',
    input: object({ id: text('which session') }),
    output: PINNED,
    async run({ recall }, { id }): Promise<SessionRecord> {
      const session = await recall.find(id)
      await recall.describe(session, { tag: KEEP_TAG, on })
      return session
    },
    document: ({ uid }: SessionRecord) => ({ session_uid: uid, pinned: on }),
  })
}

export const pin = pinning('pin', true, 'keep the raw text of a session as long as possible')
export const unpin = pinning('unpin', false, 'let a pinned session go like any other')

export interface Bookmarked {
  readonly session: SessionRecord
  readonly isOn: boolean
}

export const bookmark = operation({
  name: 'bookmark',
  summary: 'mark a session to find it again; it is kept like a pinned one',
  details: '`recall list --tag bookmark` lists them.',
  effect: 'writes',
  input: object({ id: text('which session') }, { remove: flag('take the mark off') }),
  output: object({ session_uid: text(), bookmarked: flag() }),
  async run({ recall }, { id, remove }): Promise<Bookmarked> {
    const session = await recall.find(id)
    const isOn = remove !== true
    await recall.describe(session, { tag: BOOKMARK_TAG, on: isOn })
    return { session, isOn }
  },
  document: ({ session, isOn }: Bookmarked) => ({ session_uid: session.uid, bookmarked: isOn }),
})
