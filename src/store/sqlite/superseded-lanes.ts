import { laneBase } from '../../model/event.ts'
import { FLAG } from '../store.ts'
import type { Database } from './database.ts'
import { LOST } from './lane-names.ts'

/**
 * Puts a lane's rows aside before its transcript is read anew, numbered after what the lane lost before.
 * Returns the lane they lie in, or null if there were none.
 */
export function setAside(db: Database, lane: number): number | null {
  const row = db.get('SELECT session, name, originality, main_path FROM lane WHERE id = ?', lane)
  const has = db.get('SELECT 1 FROM event WHERE lane = ? LIMIT 1', lane)
  if (!row || !has) return null
  const name = `${row['name']}${LOST}`
  db.run(
    `INSERT OR IGNORE INTO lane (session, name, base, originality, yields_to, file, main_path)
     SELECT session, ?, ?, originality, yields_to, file, main_path FROM lane WHERE id = ?`,
    name,
    laneBase(name),
    lane,
  )
  const lost = Number(
    db.get('SELECT id FROM lane WHERE session = ? AND name = ?', Number(row['session']), name)?.['id'],
  )
  const next = db.get(
    'SELECT coalesce(max(pos) + 1, 0) AS pos, coalesce(max(exchange) + 1, 0) AS exchange FROM event WHERE lane = ?',
    lost,
  )
  db.run(
    `UPDATE event SET lane = ?1, pos = pos + ?2, exchange = exchange + ?3, parent = parent + ?2, flags = flags | ?4 WHERE lane = ?5`,
    lost,
    Number(next?.['pos']),
    Number(next?.['exchange']),
    FLAG.superseded | FLAG.aside,
    lane,
  )
  db.run('UPDATE lane SET file = (SELECT file FROM lane WHERE id = ?1) WHERE id = ?2', lane, lost)
  return lost
}

/** After the transcript was read to its end: what stands in it again was never lost. Returns the lanes looked at. */
export function dropFoundAgain(db: Database, file: number): number[] {
  const lanes = db.all(
    `SELECT lost.id AS lost, l.id AS lane FROM lane lost
     JOIN lane l ON l.session = lost.session AND l.name || '${LOST}' = lost.name
     WHERE lost.file = ? AND EXISTS (SELECT 1 FROM event WHERE lane = lost.id)`,
    file,
  )
  for (const row of lanes) {
    db.run(
      `DELETE FROM event WHERE lane = ?1 AND EXISTS (
         SELECT 1 FROM event n WHERE n.native = event.native AND n.lane = ?2 AND n.block = event.block)`,
      Number(row['lost']),
      Number(row['lane']),
    )
    // A note without an id of its own is named by its place, which a better reader may have moved.
    db.run(
      `DELETE FROM event WHERE lane = ?1 AND kind = 'lifecycle' AND EXISTS (
         SELECT 1 FROM event n WHERE n.lane = ?2 AND n.kind = 'lifecycle' AND n.text = event.text AND n.at IS event.at)`,
      Number(row['lost']),
      Number(row['lane']),
    )
    db.run(
      `UPDATE event SET flags = flags & ~${FLAG.aside} WHERE lane = ? AND flags & ${FLAG.aside}`,
      Number(row['lost']),
    )
  }
  return lanes.map((row) => Number(row['lost']))
}
