import { UserError } from '../model/errors.ts'
import type { SessionRecord } from '../model/session.ts'
import { isTag } from '../model/tags.ts'
import { operation } from './operation.ts'
import { list, object, text } from './schema.ts'

function tagging(name: string, on: boolean, summary: string, details: string) {
  return operation({
    name,
    summary,
    details,
    effect: 'writes',
    input: object({ id: text('which session'), tags: text('one or more, apart by spaces') }),
    output: object({ session_uid: text(), tags: list(text(), 'all that it has now') }),
    async run({ recall }, { id, tags }): Promise<SessionRecord> {
      const named = tagsIn(tags)
      const { uid } = await recall.find(id)
      for (const tag of named) await recall.describe(await recall.find(uid), { tag, on })
      return recall.find(uid)
    },
    document: ({ uid, tags }: SessionRecord) => ({ session_uid: uid, tags }),
  })
}

export const tag = tagging(
  'tag',
  true,
  'put tags on a session',
  'Tags stay when the session is read again or its text goes. `recall list --tag`, and `tag:` in a search, find them.',
)
export const untag = tagging('untag', false, 'take tags off a session', 'A tag that it does not have is passed over.')

function tagsIn(words: string): string[] {
  const tags = words
    .normalize('NFC')
    .split(/\s+/)
    .filter((word) => word !== '')
  if (tags.length === 0) throw new UserError('USAGE', 'which tags?', 'e.g. recall tag 3f2a9c1e auth client-x')
  const wrong = tags.find((word) => !isTag(word))
  if (wrong === undefined) return [...new Set(tags)]
  const message = `${JSON.stringify(wrong.slice(0, 80))} cannot be a tag`
  throw new UserError('USAGE', message, 'a tag is one word of at most 64 letters, digits and signs')
}
