import type { DatabaseSyncInstance } from '@photostructure/sqlite'

type Value = string | number | bigint | null | Uint8Array
type Row = Readonly<Record<string, Value>>

/** Row numbers by what they stand for: two stores number the same rows differently. */
export interface Names {
  readonly session: ReadonlyMap<number, string>
  readonly lane: ReadonlyMap<number, string>
  readonly event: ReadonlyMap<number, string>
  readonly file: ReadonlyMap<number, string>
  readonly path: ReadonlyMap<number, string>
  readonly place: ReadonlyMap<number, string>
  readonly form: ReadonlyMap<number, string>
}

/** Where bodies lie in packs may differ; what they say is compared elsewhere. What is done twice is told of with a later number. */
const LEFT_OUT: ReadonlySet<string> = new Set(['chunk', 'pack'])
const UNCOMPARED_COLUMNS: ReadonlySet<string> = new Set(['id', 'seq', 'chunk', 'body_offset'])

/** All there is in tables but an estimate that is made when it is needed, a sorted list of lines for each, without row numbers and without the time of the runs. */
export function readTables(
  db: DatabaseSyncInstance,
  names: Names,
  mask: (text: string) => string,
): Map<string, string[]> {
  const tables = new Map<string, string[]>()
  for (const table of tableNames(db)) {
    if (LEFT_OUT.has(table)) continue
    const lines: string[] = []
    const where = table === 'meta' ? "WHERE key <> 'text_measure'" : ''
    for (const row of db.prepare(`SELECT * FROM "${table}" ${where}`).iterate() as Iterable<Row>)
      lines.push(mask(lineOf(row, names)))
    tables.set(table, lines.sort())
  }
  return tables
}

export function readNames(db: DatabaseSyncInstance): Names {
  const tables = new Set(tableNames(db))
  const map = (sql: string, name: (row: Row) => string) => {
    const isThere = tables.has(/FROM (\w+)/.exec(sql)?.[1] ?? '')
    const rows = isThere ? (db.prepare(sql).all() as Row[]) : []
    return new Map(rows.map((row) => [Number(row['id']), name(row)]))
  }
  const session = map('SELECT id, uid FROM session', (row) => String(row['uid']))
  const lane = map(
    'SELECT id, session, name FROM lane',
    (row) => `${session.get(Number(row['session']))}/${row['name']}`,
  )
  const event = map('SELECT id, lane, pos FROM event', (row) => `${lane.get(Number(row['lane']))}#${row['pos']}`)
  const file = map('SELECT id, path FROM file', (row) => String(row['path']))
  const paths = map('SELECT id, name FROM path', (row) => String(row['name']))
  const place = map('SELECT id, key FROM place', (row) => String(row['key']))
  const form = map('SELECT * FROM form', (row) => text({ ...row, id: undefined }))
  return { session, lane, event, file, path: paths, place, form }
}

function tableNames(db: DatabaseSyncInstance): string[] {
  const rows = db.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'").all() as Row[]
  return rows.map((row) => String(row['name'])).filter((name) => !name.startsWith('sqlite_'))
}

function lineOf(row: Row, names: Names): string {
  const told = Object.entries(row).filter(([column]) => !UNCOMPARED_COLUMNS.has(column))
  return text(Object.fromEntries(told.map(([column, value]) => [column, named(column, value, names)])))
}

function named(column: string, value: Value, names: Names): Value {
  if (column === 'files' && typeof value === 'string')
    return text(
      fileIds(value)
        .map((id) => names.file.get(id) ?? 'no file')
        .sort(),
    )
  if (typeof value !== 'number' || !isNamed(column)) return value
  return names[column].get(value) ?? `nothing (${value})`
}

/** Forgotten sessions keep the numbers of their files. */
function fileIds(json: string): number[] {
  const ids: unknown = JSON.parse(json)
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : []
}

function isNamed(column: string): column is keyof Names {
  return ['session', 'lane', 'event', 'file', 'path', 'place', 'form'].includes(column)
}

function text(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (part instanceof Uint8Array) return Buffer.from(part).toString('hex')
    return typeof part === 'bigint' ? String(part) : part
  })
}
