import { DatabaseSync, constants } from '@photostructure/sqlite'

/**
 * Answers one question in a process of its own, which may be ended at any moment: SQLite cannot be told to stop. It
 * reads four views of one file, and nothing else of this machine.
 */
interface Asked {
  readonly store: string
  readonly sql: string
  readonly limit: number
}

const READABLE: ReadonlySet<string> = new Set([
  'sessions',
  'messages',
  'tool_calls',
  'digests',
  'json_each',
  'json_tree',
  'sqlite_schema',
  'sqlite_master',
])
/** Tables behind the views. */
const BEHIND: ReadonlySet<string> = new Set(['session', 'event', 'lane'])
const MOST_BYTES_A_VALUE = 64 * 2 ** 20
const MOST_MEMORY = 512 * 2 ** 20
const REFUSED = new Set(['load_extension', 'fts3_tokenizer', 'fts5'])

process.stdin.setEncoding('utf8')
let input = ''
process.stdin.on('data', (piece: string) => (input += piece))
process.stdin.on('end', () => {
  const { store, sql, limit } = JSON.parse(input) as Asked
  process.stdout.write(JSON.stringify(answer(store, sql, limit)))
})

function answer(store: string, sql: string, limit: number): object {
  const db = new DatabaseSync(store, {
    readOnly: true,
    timeout: 5000,
    limits: { length: MOST_BYTES_A_VALUE, attach: 0 },
  })
  try {
    db.exec(`PRAGMA query_only = ON; PRAGMA hard_heap_limit = ${MOST_MEMORY}; PRAGMA temp_store = MEMORY`)
    db.setAuthorizer((action, first, second, _database, view) =>
      isAllowed(action, first, second, view) ? constants.SQLITE_OK : constants.SQLITE_DENY,
    )
    const statement = db.prepare(sql)
    if (hasMore(sql)) return { refused: 'one statement at a time' }
    statement.setReadBigInts(true)
    statement.setReturnArrays(true)
    const columns = statement.columns().map(({ name }) => name)
    if (columns.length === 0) return { refused: 'only SELECT is answered' }
    const rows: unknown[][] = []
    for (const row of statement.iterate() as Iterable<unknown>) {
      if (limit > 0 && rows.length === limit) return { columns, rows, more: true }
      rows.push((row as unknown[]).map(shown))
    }
    return { columns, rows, more: false }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return {
      refused: /not authorized|prohibited|readonly/i.test(message) ? `this is not allowed: ${message}` : message,
    }
  } finally {
    db.close()
  }
}

function isAllowed(action: number, first: string | null, second: string | null, view: string | null): boolean {
  if (action === constants.SQLITE_SELECT || action === constants.SQLITE_RECURSIVE) return true
  if (action === constants.SQLITE_FUNCTION) return !REFUSED.has((second ?? '').toLowerCase())
  if (action !== constants.SQLITE_READ) return false
  // Of a view that only counts, SQLite names the tables behind it, and no column.
  if (second === '' && BEHIND.has(first ?? '')) return true
  return READABLE.has((first ?? '').toLowerCase()) || READABLE.has((view ?? '').toLowerCase())
}

function shown(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}

/** Whether something stands behind the first statement. */
function hasMore(sql: string): boolean {
  const plain = sql.replace(
    /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g,
    (piece) => (/^[-/]/.test(piece) ? ' ' : 'x'),
  )
  return /;\s*[^\s;]/.test(plain)
}
