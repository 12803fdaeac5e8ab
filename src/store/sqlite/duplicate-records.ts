import { FLAG } from '../store.ts'
import type { Database } from './database.ts'
import { ORIGINALITY } from './session-lanes.ts'
import { inOwnerOrder, rankOf, SAME, type LaneRank } from './owner-order.ts'

export interface Claims {
  /** Lanes whose records changed hands. */
  readonly lanes: ReadonlySet<number>
  /** Sessions whose figures changed by it. */
  readonly sessions: ReadonlySet<number>
}

/** Lanes that share records are few; so many are looked at together at the most. */
const MAX_RELATED = 256

/**
 * A record may stand in several transcripts: forks, resumed sessions and side questions copy history. It belongs to
 * the most original lane that holds it; elsewhere it is a copy, shown in another session but not counted or searched.
 * A record that one transcript tells twice is told once. All that share records are judged together and anew, so that
 * it never matters what came first, or how far a transcript had been read when another came.
 */
export function claimRecords(db: Database, written: ReadonlyMap<number, number>): Claims {
  const claims = { lanes: new Set<number>(), sessions: new Set<number>() }
  const judged = new Set<number>()
  for (const [lane, from] of written) {
    if (judged.has(lane) || !db.get('SELECT 1 FROM lane WHERE id = ?', lane)) continue
    const isKnownToShare = db.get('SELECT shares FROM lane WHERE id = ?', lane)?.['shares'] === 1
    if (!isKnownToShare && !standsElsewhere(db, lane, from)) continue
    if (markRepeats(db, lane, from)) claims.lanes.add(lane)
    if (!isKnownToShare && !sharesAny(db, lane, from)) continue
    const related = relatedTo(db, lane)
    for (const { id } of related) judged.add(id)
    assignOwners(db, related, claims)
  }
  return claims
}

/** Judges anew who owns what is left when a session and its lanes are gone. */
export function claimAgain(db: Database, lanes: readonly number[]): Claims {
  return claimRecords(db, new Map(lanes.map((lane) => [lane, 0])))
}

/** Lanes of other sessions that hold records of this one. */
export function sharedWith(db: Database, session: number): number[] {
  const rows = db.all(
    `SELECT DISTINCT o.lane FROM lane l JOIN event e ON e.lane = l.id JOIN event o ON o.native = e.native
       JOIN lane x ON x.id = o.lane AND x.session <> l.session WHERE l.session = ? AND l.shares = 1`,
    session,
  )
  return rows.map((row) => Number(row['lane']))
}

/** True if a record written from here on may stand anywhere else: one look into an index for each, for most do not. */
function standsElsewhere(db: Database, lane: number, from: number): boolean {
  const again = db.get(
    `SELECT 1 FROM event e JOIN event o ON o.native = e.native AND o.id <> e.id AND o.block = e.block
     WHERE e.lane = ? AND e.pos >= ? LIMIT 1`,
    lane,
    from,
  )
  return again !== undefined
}

/** Marks what a transcript has told before; true if there was any. */
function markRepeats(db: Database, lane: number, from: number): boolean {
  const { changes } = db.run(
    `UPDATE event SET flags = flags | ${FLAG.copy | FLAG.twin} WHERE lane = ?1 AND pos >= ?2 AND flags & ${FLAG.copy} = 0
       AND EXISTS (SELECT 1 FROM event w WHERE ${SAME('w', 'event')} AND w.lane = event.lane AND w.pos < event.pos)`,
    lane,
    from,
  )
  return changes > 0
}

/** True if what was written from here on stands in another lane too. */
function sharesAny(db: Database, lane: number, from: number): boolean {
  const other = db.get(
    `SELECT 1 FROM event e JOIN event o ON ${SAME('o', 'e')} AND o.lane <> e.lane
     WHERE e.lane = ? AND e.pos >= ? AND o.flags & ${FLAG.superseded} = 0 LIMIT 1`,
    lane,
    from,
  )
  return other !== undefined
}

/** A lane, those it shares records with, those that they do, and so on. */
function relatedTo(db: Database, lane: number): LaneRank[] {
  const related = new Map<number, LaneRank>([[lane, rankOf(db, lane)]])
  for (const id of related.keys()) {
    if (related.size > MAX_RELATED) break
    const partners = db.all(
      `SELECT DISTINCT o.lane AS id FROM event e JOIN event o ON ${SAME('o', 'e')} AND o.lane <> e.lane
       WHERE e.lane = ? AND o.flags & ${FLAG.superseded} = 0`,
      id,
    )
    for (const { id: partner = 0 } of partners) {
      if (!related.has(Number(partner))) related.set(Number(partner), rankOf(db, Number(partner)))
    }
  }
  return [...related.values()]
}

function assignOwners(
  db: Database,
  related: readonly LaneRank[],
  claims: { lanes: Set<number>; sessions: Set<number> },
): void {
  const ordered = inOwnerOrder(db, related)
  for (const [i, lane] of ordered.entries()) {
    const earlier = ordered.slice(0, i)
    const changed = markCopies(db, lane, earlier)
    noteFork(db, lane, earlier)
    const moved = earlier.map((owner) => moveLedger(db, owner, lane)).some(Boolean)
    claims.sessions.add(lane.session)
    if (changed || moved) claims.lanes.add(lane.id)
  }
}

/** Marks the records of a lane that an earlier one holds, and takes the mark off those that none does. */
function markCopies(db: Database, lane: LaneRank, earlier: readonly LaneRank[]): boolean {
  const held = (list: readonly LaneRank[]) =>
    `EXISTS (SELECT 1 FROM event w WHERE ${SAME('w', 'event')} AND w.lane IN (${list.map(({ id }) => id).join(', ') || 'NULL'}))`
  const twins = earlier.filter(({ session }) => session === lane.session)
  const others = earlier.filter(({ session }) => session !== lane.session)
  // Twins are copies for other reasons, too: those stay.
  const isTwin = `event.flags & ${FLAG.twin}`
  const freed = db.run(
    `UPDATE event SET flags = flags & ~${FLAG.copy} WHERE lane = ? AND flags & ${FLAG.copy} AND NOT (${isTwin}) AND NOT ${held(others)}`,
    lane.id,
  ).changes
  const copied = db.run(
    `UPDATE event SET flags = flags | ${FLAG.copy} WHERE lane = ? AND flags & ${FLAG.copy} = 0 AND ${held(others)}`,
    lane.id,
  ).changes
  const twinned = db.run(
    `UPDATE event SET flags = flags | ${FLAG.copy | FLAG.twin} WHERE lane = ? AND NOT (${isTwin}) AND ${held(twins)}`,
    lane.id,
  ).changes
  return freed + copied + twinned > 0
}

/** A session is the fork of the one that it shares most with; of equal ones, of the latest. */
function noteFork(db: Database, lane: LaneRank, earlier: readonly LaneRank[]): void {
  let fork: { of: string; shared: number } | null = null
  for (const owner of earlier) {
    if (lane.originality !== ORIGINALITY.own || owner.originality !== ORIGINALITY.own || owner.session === lane.session)
      continue
    const shared = Number(
      db.get(
        `SELECT count(*) AS n FROM event e WHERE e.lane = ?1 AND EXISTS (SELECT 1 FROM event w WHERE ${SAME('w', 'e')} AND w.lane = ?2)`,
        lane.id,
        owner.id,
      )?.['n'],
    )
    if (shared > 0 && shared >= (fork?.shared ?? 0)) fork = { of: owner.uid, shared }
  }
  db.run('UPDATE lane SET shares = 1, fork_of = ? WHERE id = ?', fork?.of ?? null, lane.id)
}

/** What was billed for a copied response was billed where the response is; true if any row moved. */
function moveLedger(db: Database, winner: LaneRank, loser: LaneRank): boolean {
  const ofWinner = (
    column: string,
  ) => `(SELECT w.${column} FROM event c JOIN event w ON w.native = c.native AND w.block = c.block AND w.lane = ?1
    WHERE c.lane = ?2 AND c.message = ledger.message AND c.flags & ${FLAG.copy} AND w.message IS NOT NULL LIMIT 1)`
  const { changes } = db.run(
    `UPDATE ledger SET session = ?3, lane = ?1, message = ${ofWinner('message')}, line = ${ofWinner('line')}, owner = ?4,
       file = coalesce((SELECT file FROM lane WHERE id = ?1), file)
     WHERE session = ?5 AND lane = ?2 AND message IS NOT NULL AND ${ofWinner('message')} IS NOT NULL`,
    winner.id,
    loser.id,
    winner.session,
    `${winner.originality}:${winner.uid}:${winner.name}`,
    loser.session,
  )
  return changes > 0
}
