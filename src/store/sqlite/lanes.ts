import { laneBase, MAIN_LANE } from '../../model/event.ts'
import { addFacts, type Facts } from '../../model/facts.ts'
import { sessionUid, shortSessionId } from '../../model/ids.ts'
import type { LaneBatch, UnitBatch } from '../store.ts'
import type { Database } from './database.ts'
import { setAside } from './superseded-lanes.ts'
import type { DirtySessions } from './dirty-sessions.ts'
import { LOST } from './lane-names.ts'

export interface LaneHandle {
  readonly id: number
  readonly session: number
  readonly shortId: string
  readonly name: string
  readonly base: number
  /** What is added to the number of a message in the lane. */
  readonly messageBase: number
}

/** Lanes that a file writes: not those of what it has lost. */
export function lanesOf(db: Database, file: number): { id: number; session: number }[] {
  return db
    .all(`SELECT id, session FROM lane WHERE file = ? AND name NOT LIKE '%${LOST}'`, file)
    .map((row) => ({ id: Number(row['id']), session: Number(row['session']) }))
}

/** The row of a lane, made if it is new; its facts and its file brought up to date. */
export function openLane(
  db: Database,
  batch: UnitBatch,
  lane: LaneBatch,
  file: number,
  dirty: DirtySessions,
  now: number,
): LaneHandle {
  const uid = sessionUid(lane.flavor, lane.session)
  const session = openSession(db, lane, uid, dirty, now)
  if (batch.done || dirty.created.has(uid)) dirty.sessions.add(session.id)
  const name = laneName(db, session.id, lane, file, batch)
  const old = db.get('SELECT id, file, facts, message_base FROM lane WHERE session = ? AND name = ?', session.id, name)
  const facts = JSON.stringify(mergeFacts(old?.['facts'], lane.facts, batch.restart))
  const base = laneBase(name)
  const messageBase = Number(old?.['message_base'] ?? (name === MAIN_LANE ? 0 : base))
  const handle = { session: session.id, shortId: session.shortId, name, base, messageBase }
  if (!old) {
    const id = db.run(
      `INSERT INTO lane (session, name, base, originality, yields_to, file, main_path, facts, side, message_base)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      session.id,
      name,
      base,
      lane.originality,
      lane.yieldsTo,
      file,
      lane.mainPath,
      facts,
      JSON.stringify(lane.side ?? {}),
      messageBase,
    ).lastId
    return { id, ...handle }
  }
  const id = Number(old['id'])
  db.run('UPDATE lane SET file = ?, main_path = ?, facts = ? WHERE id = ?', file, lane.mainPath, facts, id)
  if (lane.side !== null) db.run('UPDATE lane SET side = ? WHERE id = ?', JSON.stringify(lane.side), id)
  if (old['file'] !== file && batch.restart) {
    const lost = setAside(db, id)
    if (lost !== null) dirty.lane(lost, 0)
    dirty.lane(id, 0)
  }
  return { id, ...handle }
}

/**
 * A second transcript of the same name that is also still there gets a lane of its own, and keeps it. So it is of one
 * whose words were evicted, too: what they were must not be asked of it. A copy of that one is no second: by how it begins.
 */
function laneName(
  db: Database,
  session: number,
  lane: LaneBatch,
  file: number,
  { path, checkpoint }: UnitBatch,
): string {
  const own = `${lane.lane}@${shortSessionId('path', path).slice(0, 8)}`
  const other = db.get(
    `SELECT 1 FROM lane l JOIN file f ON f.id = l.file WHERE l.session = ?1 AND (
       l.name = ?2 AND f.id <> ?3 AND (f.status IN ('ok', 'partial') OR f.status = 'evicted' AND f.head <> ?4)
       OR l.name = ?5 AND f.id = ?3)`,
    session,
    lane.lane,
    file,
    checkpoint?.head ?? '',
    own,
  )
  return other ? own : lane.lane
}

function openSession(
  db: Database,
  lane: LaneBatch,
  uid: string,
  dirty: DirtySessions,
  now: number,
): { id: number; shortId: string } {
  const pathId = shortSessionId(lane.longName, lane.mainPath)
  const old = db.get('SELECT id, short_id FROM session WHERE uid = ?', uid)
  let session = old ? { id: Number(old['id']), shortId: String(old['short_id']) } : null
  if (!session) {
    const id = db.run(
      `INSERT INTO session (uid, short_id, flavor, source, native_id, source_path, discovered_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      uid,
      pathId,
      lane.flavor,
      lane.longName,
      lane.session,
      lane.mainPath,
      now,
    ).lastId
    dirty.created.add(uid)
    session = { id, shortId: pathId }
  }
  db.run(
    'INSERT OR IGNORE INTO session_path (short_id, session, path) VALUES (?, ?, ?)',
    pathId,
    session.id,
    lane.mainPath,
  )
  return session
}

function mergeFacts(old: unknown, facts: LaneBatch['facts'], restart: boolean): Partial<Facts> {
  return addFacts(restart || typeof old !== 'string' ? {} : (JSON.parse(old) as Partial<Facts>), facts)
}
