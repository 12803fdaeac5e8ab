import { FLAG } from '../store.ts'
import type { Database } from './database.ts'

interface LaneRank {
  readonly id: number
  readonly session: number
  readonly rank: string
}

/**
 * A record may stand in several transcripts: forks, resumed sessions and side questions copy history.
 * It belongs to the most original lane that holds it, whichever came first; elsewhere it is a copy,
 * shown in another session but not counted or searched. Returns the lanes that lost records to another.
 */
export function claimRecords(db: Database, written: ReadonlyMap<number, number>): LaneRank[] {
  const lost = new Map<number, LaneRank>()
  for (const [lane, from] of written) {
    const shared = db.all(
      `SELECT DISTINCT o.lane AS other FROM event e JOIN event o ON o.native = e.native AND o.lane <> e.lane
       WHERE e.lane = ? AND e.pos >= ? AND o.flags & ${FLAG.superseded} = 0`,
      lane,
      from,
    )
    for (const row of shared) {
      const loser = concede(db, lane, Number(row['other']))
      lost.set(loser.id, loser)
    }
  }
  return [...lost.values()]
}

function concede(db: Database, a: number, b: number): LaneRank {
  const [winner, loser] = [rankOf(db, a), rankOf(db, b)].sort((x, y) => (x.rank < y.rank ? -1 : 1))
  if (!winner || !loser) throw new Error(`lane ${a} or ${b} is gone`)
  const marks = winner.session === loser.session ? FLAG.copy | FLAG.twin : FLAG.copy
  db.run(
    `UPDATE event SET flags = flags | ${marks} WHERE lane = ?1 AND flags & ${FLAG.copy} = 0
       AND EXISTS (SELECT 1 FROM event w WHERE w.native = event.native AND w.lane = ?2)`,
    loser.id,
    winner.id,
  )
  return loser
}

function rankOf(db: Database, id: number): LaneRank {
  const row = db.get(
    `SELECT l.session, l.originality || ':' || s.uid || ':' || l.name AS rank
     FROM lane l JOIN session s ON s.id = l.session WHERE l.id = ?`,
    id,
  )
  return { id, session: Number(row?.['session']), rank: String(row?.['rank']) }
}
