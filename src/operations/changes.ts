import { isoTime } from '../model/time.ts'
import type { ChangeFeed } from '../store/store.ts'
import { operation } from './operation.ts'
import { called, choice, count, instant, list, object, text } from './schema.ts'

const USUAL = 500

export const changes = operation({
  name: 'changes',
  summary: 'what has changed in the store since somebody last looked',
  details:
    'Ask with 0, then with the `last` of the answer before. A `last` below the number asked with says that the store was made anew: go on from 0.',
  effect: 'reads',
  input: object(
    {},
    { since: count('only what came after this number'), limit: called('n', count(`how many (${USUAL})`)) },
  ),
  output: object({
    changes: list(
      object({
        seq: count(),
        session_uid: text(),
        kind: choice(['grown', 'analysed', 'evicted', 'forgotten', 'tagged']),
        at: instant,
      }),
    ),
    last: count(),
  }),
  run: ({ recall }, { since = 0, limit = USUAL }): Promise<ChangeFeed> => recall.changes(since, limit),
  document: ({ changes: found, last }: ChangeFeed) => ({
    changes: found.map(({ seq, uid, kind, at }) => ({ seq, session_uid: uid, kind, at: isoTime(at) })),
    last,
  }),
})
