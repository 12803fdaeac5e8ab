import type { Database, Row } from './database.ts'
import { eachPage, type PageSums } from './page-sums.ts'
import { rowIdsOn } from './schema-pages.ts'

/** What stands on a page of the database. */
export interface PageOwner {
  readonly page: number
  /** The table or index; null for a page that is free or cannot be placed. */
  readonly table: string | null
  /** Sessions that rows on it belong to, as far as that can be told. */
  readonly sessions: readonly string[]
}

/** How the sessions of rows are found, by table. */
const SESSIONS: Readonly<Record<string, string>> = {
  event:
    'SELECT DISTINCT s.uid FROM event e JOIN lane l ON l.id = e.lane JOIN session s ON s.id = l.session WHERE e.id IN',
  lane: 'SELECT DISTINCT s.uid FROM lane l JOIN session s ON s.id = l.session WHERE l.id IN',
  exchange:
    'SELECT DISTINCT s.uid FROM exchange x JOIN lane l ON l.id = x.lane JOIN session s ON s.id = l.session WHERE x.id IN',
  chunk: 'SELECT DISTINCT s.uid FROM chunk c JOIN session s ON s.id = c.session WHERE c.id IN',
  session: 'SELECT uid FROM session WHERE id IN',
  digests: 'SELECT session_uid AS uid FROM digests WHERE rowid IN',
}

interface Placed {
  readonly name: string
  readonly path: string
  readonly isOverflow: boolean
}

/** Whose pages these are. A damaged database answers as far as it can. */
export function pageOwners(db: Database, { pageSize }: PageSums, pages: readonly number[]): PageOwner[] {
  const wanted = new Set(pages)
  const placed = new Map<number, Placed>()
  const leaves = new Map<string, number>()
  for (const row of allReadable(db, 'SELECT pageno, name, path, pagetype FROM dbstat')) {
    const [name, path] = [String(row['name']), String(row['path'])]
    if (row['pagetype'] === 'leaf' && Object.hasOwn(SESSIONS, name))
      leaves.set(`${name} ${path}`, Number(row['pageno']))
    if (!wanted.has(Number(row['pageno']))) continue
    placed.set(Number(row['pageno']), { name, path, isOverflow: row['pagetype'] === 'overflow' })
  }
  return pages.map((page) => {
    const place = placed.get(page)
    if (place === undefined) return { page, table: null, sessions: [] }
    const ids = rowIds(db, pageSize, page, place, leaves)
    return { page, table: place.name, sessions: sessionsOf(db, place.name, ids) }
  })
}

/** Rows on a page; of a page that a long row goes on in, that row. */
function rowIds(
  db: Database,
  pageSize: number,
  page: number,
  place: Placed,
  leaves: ReadonlyMap<string, number>,
): number[] {
  const read = (number: number) => {
    let ids: number[] = []
    eachPage(db.path, pageSize, { from: number, to: number }, (_, data) => (ids = rowIdsOn(data)))
    return ids
  }
  if (!place.isOverflow) return read(page)
  const [, leafPath = '', cell = ''] = /^(.*\/)([\da-f]+)\+[\da-f]+$/.exec(place.path) ?? []
  const leaf = leaves.get(`${place.name} ${leafPath}`)
  const id = leaf === undefined ? undefined : read(leaf)[Number.parseInt(cell, 16)]
  return id === undefined ? [] : [id]
}

function sessionsOf(db: Database, table: string, ids: readonly number[]): string[] {
  const sql = Object.hasOwn(SESSIONS, table) ? SESSIONS[table] : undefined
  if (sql === undefined || ids.length === 0) return []
  return allReadable(db, `${sql} (SELECT value FROM json_each('${JSON.stringify(ids)}'))`).map((row) =>
    String(row['uid']),
  )
}

function allReadable(db: Database, sql: string): Row[] {
  const rows: Row[] = []
  try {
    for (const row of db.each(sql)) rows.push(row)
  } catch {
    return rows
  }
  return rows
}
