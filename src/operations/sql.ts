import { UserError } from '../model/errors.ts'
import type { SqlAnswer } from '../portable/sql.ts'
import { limit } from './filters.ts'
import { operation } from './operation.ts'
import { anything, called, count, flag, list, object, text } from './schema.ts'

const USUAL_ROWS = 1000
const USUAL_SECONDS = 30

export const sql = operation({
  name: 'sql',
  summary: 'ask the store in SQL',
  details:
    'Reads the views `sessions`, `messages` and `tool_calls` and the table `digests` (docs/portable.md), in the dialect of ' +
    'SQLite, and nothing else: it writes nothing, and opens no other file.',
  effect: 'reads',
  isSlow: true,
  input: object(
    { query: text('one SELECT') },
    { limit: limit(USUAL_ROWS), timeout: called('seconds', count(`how long it may take (${USUAL_SECONDS})`)) },
  ),
  output: object({ columns: list(text()), rows: list(list(anything())), more: flag('there are more rows') }),
  run({ recall }, asked): Promise<SqlAnswer> {
    const query = asked.query.trim()
    if (query === '') throw new UserError('USAGE', 'ask what?', 'e.g. recall sql "SELECT count(*) FROM sessions"')
    return recall.portable.sql({
      sql: query,
      limit: asked.limit ?? USUAL_ROWS,
      seconds: asked.timeout || USUAL_SECONDS,
    })
  },
  document: (answer: SqlAnswer) => ({ ...answer }),
})
