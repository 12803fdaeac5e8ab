// What two stores say of the same home, compared row by row; times of indexing and row numbers aside.
import { DatabaseSync } from '@photostructure/sqlite'

const QUERIES = {
  session: `SELECT uid, title, cwd, git_branch, branches, model, started_at, ended_at, message_count, prompt_count, tool_count,
    event_count, retry_count, thread_count, responses, input_tokens, output_tokens, cache_read, reasoning, parent_uid,
    is_complete, hidden, automated, inherits FROM session ORDER BY uid`,
  event: `SELECT s.uid, l.name AS lane, e.pos, e.at, e.kind, e.role, e.tool, e.text, e.input, e.body_length, e.flags, e.marks,
    hex(e.native) AS native, e.block, e.message, e.call_idx, e.exchange, e.thread
    FROM event e JOIN lane l ON l.id = e.lane JOIN session s ON s.id = l.session WHERE l.name <> '~inferred'
    ORDER BY s.uid, l.name, e.pos`,
  ledger: `SELECT g.key, s.uid, g.model, g.input, g.output, g.cache_read, g.cache_write_5m, g.cache_write_1h, g.reasoning
    FROM ledger g JOIN session s ON s.id = g.session ORDER BY g.key`,
}

/** A line for each row that only one of two stores has. */
export function differingRows(first, second, except = []) {
  const [a, b] = [first, second].map((file) => new DatabaseSync(file, { readOnly: true }))
  try {
    return Object.entries(QUERIES).flatMap(([table, sql]) => {
      const [x, y] = [a, b].map((db) =>
        db
          .prepare(sql)
          .all()
          .map((row) => JSON.stringify(row))
          .filter((row) => !except.some((uid) => row.includes(uid))),
      )
      const [inX, inY] = [new Set(x), new Set(y)]
      return [
        ...x.filter((row) => !inY.has(row)).map((row) => `${table} only while watching: ${row.slice(0, 300)}`),
        ...y.filter((row) => !inX.has(row)).map((row) => `${table} only afterwards: ${row.slice(0, 300)}`),
      ]
    })
  } finally {
    a.close()
    b.close()
  }
}
