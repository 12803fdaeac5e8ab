import { AmbiguousError, UserError } from '../model/errors.ts'
import type { SessionRecord } from '../model/session.ts'
import type { OperationContext } from './operation.ts'

/** A uid, a short id or the beginning of one. */
const ID = /^(?:last|[a-z]+:[\w-]{6,}|(?=.*\d)[0-9a-f][0-9a-f-]{5,})(?:#[\w.]+)?$/
const CANDIDATES = 5

export function isSessionId(text: string): boolean {
  return ID.test(text)
}

/** A session that somebody means, and whether it was found by words. */
export interface Meant {
  readonly session: SessionRecord
  readonly byWords: boolean
}

/** The session of an id, `last`, or words; AMBIGUOUS with the likeliest where words leave it open. */
export async function sessionMeant({ recall, now }: OperationContext, asked: string): Promise<Meant> {
  const words = asked.trim()
  if (isSessionId(words)) return { session: await recall.find(words), byWords: false }
  const filter = { limit: CANDIDATES, automated: false }
  const { hits } = await recall.search({ text: words, filter, now: now(), bySession: true })
  const [first, second] = hits
  if (first === undefined) {
    const hint = '`recall list` shows what there is; `recall browse` finds as you type'
    throw new UserError('NOT_FOUND', `no session is about ${JSON.stringify(words)}`, hint)
  }
  const isClear =
    first.confidence === 'sure' ||
    second === undefined ||
    (first.confidence === 'likely' && second.confidence === 'guess')
  if (isClear) return { session: first.session, byWords: true }
  const candidates = hits.map(({ session }) => ({
    session_uid: session.uid,
    id: session.shortId,
    title: session.title,
  }))
  throw new AmbiguousError(JSON.stringify(words), candidates)
}
