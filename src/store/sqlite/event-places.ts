import { MAIN_LANE, type EventKind, type Role } from '../../model/event.ts'
import { readMarks } from '../../model/marks.ts'
import { FLAG, type EventPlace } from '../store.ts'
import type { Database, Row } from './database.ts'
import { asRead, hexOf, within } from './events.ts'
import { inheritancesOf } from './inherited.ts'

const PLACES = `SELECT l.base + e.pos AS seq, e.at, e.kind, e.role, e.flags, e.tool, e.call, e.thread, e.marks, e.native, e.block, l.name AS lane FROM lane l JOIN event e ON e.lane = l.id
  WHERE l.session = ?`

/** Where all events of a session stand, in the order of `readEvents`. */
export function readPlaces(db: Database, session: number, sidechains: boolean): EventPlace[] {
  const own = db.all(`${PLACES} AND ${within(sidechains)} ORDER BY seq`, session)
  return [...inheritedPlaces(db, session), ...asRead(own.map(toPlace))]
}

function inheritedPlaces(db: Database, session: number): EventPlace[] {
  const theirs = `${PLACES} AND l.name = ? AND e.line <= ? AND ${within(false)} ORDER BY seq`
  return inheritancesOf(db, session).flatMap(({ session: parent, upToLine, lane, base }) =>
    asRead(db.all(theirs, parent, MAIN_LANE, upToLine).map(toPlace)).map((place) => ({
      ...place,
      seq: base + place.seq,
      lane,
      flags: place.flags | FLAG.copy,
    })),
  )
}

function toPlace(row: Row): EventPlace {
  return {
    seq: Number(row['seq']),
    at: row['at'] === null ? null : Number(row['at']),
    kind: String(row['kind']) as EventKind,
    role: String(row['role']) as Role,
    lane: String(row['lane']),
    flags: Number(row['flags']),
    tool: row['tool'] === null ? null : String(row['tool']),
    call: row['call'] instanceof Uint8Array ? hexOf(row['call']) : null,
    thread: row['thread'] === null ? null : String(row['thread']),
    marks: readMarks(row['marks'] === null ? null : String(row['marks'])),
    record: `${row['native'] instanceof Uint8Array ? hexOf(row['native']) : ''}.${String(row['block'])}`,
  }
}
