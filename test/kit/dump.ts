import { DatabaseSync } from '@photostructure/sqlite'

export interface Dump {
  readonly sessions: readonly object[]
  readonly events: readonly object[]
  readonly ledger: readonly object[]
  readonly problems: readonly object[]
  readonly documents: readonly object[]
}

/** Everything the store says, without row numbers and times of indexing: equal dumps, equal stores. */
export function dump(file: string): Dump {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    return {
      sessions: db
        .prepare(
          `SELECT uid, short_id, title, cwd, git_branch, model, started_at, ended_at, message_count, prompt_count, tool_count,
             event_count, retry_count, thread_count, responses, input_tokens, output_tokens, cache_read, cache_write_5m,
             cache_write_1h, is_complete, parent_uid, branches, automated, inherits FROM session ORDER BY uid`,
        )
        .all(),
      events: db
        .prepare(
          `SELECT s.uid, l.base + e.pos AS seq, l.name AS lane, l.base + e.parent AS parent_seq, e.at, e.kind, e.role, e.tool,
             e.summary, e.text, e.input, e.body_length, e.flags, hex(e.native) AS native, e.block, hex(e.call) AS call,
             e.message, hex(e.message_id) AS message_id, e.call_idx, hex(e.call_id) AS call_id, e.line, e.exchange,
             e.bash_base, e.bash_sub, e.thread, e.marks
           FROM event e JOIN lane l ON l.id = e.lane JOIN session s ON s.id = l.session
           WHERE l.name <> '~inferred' ORDER BY s.uid, l.name, e.pos`,
        )
        .all(),
      ledger: db
        .prepare(
          `SELECT g.key, s.uid, l.name AS lane, g.message, g.model, g.at, g.input, g.output, g.cache_read, g.cache_write_5m,
             g.cache_write_1h, g.line FROM ledger g JOIN session s ON s.id = g.session JOIN lane l ON l.id = g.lane ORDER BY g.key`,
        )
        .all(),
      problems: db.prepare('SELECT type, level, line, offset FROM problem ORDER BY type, line').all(),
      documents: db
        .prepare(
          `SELECT s.uid, l.name AS lane, x.ord, x.first_pos, x.last_pos FROM exchange x JOIN lane l ON l.id = x.lane
             JOIN session s ON s.id = l.session ORDER BY s.uid, l.name, x.first_pos`,
        )
        .all(),
    }
  } finally {
    db.close()
  }
}

export function query(file: string, sql: string): Record<string, unknown>[] {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    return db.prepare(sql).all() as Record<string, unknown>[]
  } finally {
    db.close()
  }
}
