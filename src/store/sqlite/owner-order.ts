import { sessionUid } from '../../model/ids.ts'
import type { Database, Row } from './database.ts'

/** A lane and what tells whether the records it shares with another are its own. */
export interface LaneRank {
  readonly id: number
  readonly session: number
  readonly uid: string
  readonly name: string
  readonly originality: number
  /** When its file was begun, and whose fork it says it is. */
  readonly writtenSince: number | null
  readonly parent: string | null
}

/** The same record, not only the same end of an id: copies keep who spoke and when. What a person said may be cut differently. */
export const SAME = (a: string, b: string): string =>
  `${a}.native = ${b}.native AND ${a}.block = ${b}.block AND ${a}.role = ${b}.role
   AND (${a}.at IS ${b}.at OR ${a}.at IS NULL OR ${b}.at IS NULL) AND (${a}.text IS ${b}.text OR ${a}.role = 'user')`

export function rankOf(db: Database, id: number): LaneRank {
  const row = db.get(
    `SELECT l.session, l.name, l.originality, s.flavor, s.native_id, l.facts ->> 'writtenSince' AS since,
       coalesce(l.side ->> 'parent', l.facts ->> 'parent') AS parent
     FROM lane l JOIN session s ON s.id = l.session WHERE l.id = ?`,
    id,
  )
  if (!row) throw new Error(`lane ${id} is gone`)
  return {
    id,
    session: Number(row['session']),
    uid: sessionUid(String(row['flavor']), String(row['native_id'])),
    name: String(row['name']),
    originality: Number(row['originality']),
    writtenSince: row['since'] === null ? null : Number(row['since']),
    parent: row['parent'] === null ? null : String(row['parent']),
  }
}

/** Lanes so that what several hold belongs to the first of them. Never depends on which was read first. */
export function inOwnerOrder(db: Database, lanes: readonly LaneRank[]): LaneRank[] {
  const ordered: LaneRank[] = []
  for (const lane of lanes.toSorted(byName)) {
    const at = ordered.findIndex((other) => comesBefore(db, lane, other))
    ordered.splice(at === -1 ? ordered.length : at, 0, lane)
  }
  return ordered
}

function comesBefore(db: Database, a: LaneRank, b: LaneRank): boolean {
  const order =
    a.originality - b.originality ||
    (a.session === b.session ? 0 : whoForked(a, b) || laterFile(a, b) || whoIsWhole(db, a, b)) ||
    byName(a, b)
  return order < 0
}

function byName(a: LaneRank, b: LaneRank): number {
  return a.uid === b.uid ? (a.name < b.name ? -1 : 1) : a.uid < b.uid ? -1 : 1
}

function whoForked(a: LaneRank, b: LaneRank): number {
  return a.parent === b.uid ? 1 : b.parent === a.uid ? -1 : 0
}

/** A fork's file begins when it was forked, after what it copies. */
function laterFile(a: LaneRank, b: LaneRank): number {
  return a.writtenSince === null || b.writtenSince === null ? 0 : a.writtenSince - b.writtenSince
}

/**
 * Where both files begin with the first record that they share: between shared records the original has what is not
 * copied, the copy has nothing; and what is only in one of two equal ones came later, in the fork.
 */
function whoIsWhole(db: Database, a: LaneRank, b: LaneRank): number {
  const [x, y] = [a, b].map((lane) => {
    const other = lane === a ? b : a
    const shared = `EXISTS (SELECT 1 FROM event o WHERE ${SAME('o', 'e')} AND o.lane = ?2)`
    return db.get(
      `SELECT max(e.line) FILTER (WHERE ${shared}) - min(e.line) FILTER (WHERE ${shared}) AS lines,
         min(e.at) FILTER (WHERE NOT ${shared}) AS own FROM event e WHERE e.lane = ?1`,
      lane.id,
      other.id,
    )
  })
  const own = (row: Row | undefined) => Number(row?.['own'] ?? 0)
  return Number(y?.['lines'] ?? 0) - Number(x?.['lines'] ?? 0) || own(x) - own(y)
}
