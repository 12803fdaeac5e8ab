import { INFERRED_LANE, MAIN_LANE, type EventKind, type Role } from '../../model/event.ts'
import { readMarks } from '../../model/marks.ts'
import { FLAG, type EventPlace, type PlacesPart } from '../store.ts'
import type { Database, Value } from './database.ts'
import { asRead, hexOf, within } from './events.ts'
import { inheritancesOf } from './inherited.ts'

const PLACES = `SELECT l.base + e.pos AS seq, e.at, e.kind, e.role, e.flags, e.tool, e.call, e.thread, e.marks, e.native, e.block, l.name AS lane FROM lane l JOIN event e ON e.lane = l.id
  WHERE l.session = ?`

/** Where all events of a session stand, in the order of `readEvents`. */
export function readPlaces(db: Database, session: number, sidechains: boolean): EventPlace[] {
  const own = db.lists(`${PLACES} AND ${within(sidechains)} ORDER BY seq`, session)
  return [...inheritedPlaces(db, session, -1), ...asRead(own.map(toPlace))]
}

/** Where some stand: reads no more than it gives, for each lane. */
export function readPlacesPart(db: Database, session: number, { from, most }: PlacesPart): EventPlace[] {
  if (from === 'start') return firstPlaces(db, session, most)
  const upTo = from === 'end' ? Number.MAX_SAFE_INTEGER : from
  const lane = `${PLACES} AND l.id = ? AND ${within(true)}`
  for (const id of lanesWith(db, session, from)) {
    const before = db.lists(`${lane} AND e.pos <= ? - l.base ORDER BY e.pos DESC LIMIT ?`, session, id, upTo, most)
    const after = db.lists(`${lane} AND e.pos > ? - l.base ORDER BY e.pos LIMIT ?`, session, id, upTo, most)
    return [...before.toReversed(), ...after].map(toPlace)
  }
  return []
}

/** The main transcript, or the one that holds the number. */
function lanesWith(db: Database, session: number, from: 'end' | number): Value[] {
  const of = 'SELECT l.id FROM lane l WHERE l.session = ?'
  const found =
    from === 'end'
      ? db.lists(`${of} AND l.name = ?`, session, MAIN_LANE)
      : db.lists(
          `${of} AND EXISTS (SELECT 1 FROM event e WHERE e.lane = l.id AND e.pos = ? - l.base AND ${within(true)})`,
          session,
          from,
        )
  return found.map(([id]) => id ?? null)
}

/** Of what is merged by time, the first stand among the first of each lane. */
function firstPlaces(db: Database, session: number, most: number): EventPlace[] {
  const first = `${PLACES} AND l.id = ? AND ${within(false)} ORDER BY e.pos LIMIT ?`
  const lanes = db.lists('SELECT l.id, l.name FROM lane l WHERE l.session = ? ORDER BY l.base', session)
  const own = lanes.flatMap(([id = null, name]) =>
    db
      .lists(first, session, id, most)
      .map(toPlace)
      .filter(({ seq }) => name !== INFERRED_LANE || seq === 0),
  )
  return [...inheritedPlaces(db, session, most), ...asRead(own)].slice(0, most)
}

function inheritedPlaces(db: Database, session: number, most: number): EventPlace[] {
  const theirs = `${PLACES} AND l.name = ? AND e.line <= ? AND ${within(false)} ORDER BY seq LIMIT ?`
  return inheritancesOf(db, session).flatMap(({ session: parent, upToLine, lane, base }) =>
    asRead(db.lists(theirs, parent, MAIN_LANE, upToLine, most).map(toPlace)).map((place) => ({
      ...place,
      seq: base + place.seq,
      lane,
      flags: place.flags | FLAG.copy,
    })),
  )
}

/** A row of PLACES. */
function toPlace(row: readonly Value[]): EventPlace {
  const [seq, at, kind, role, flags, tool = null, call, thread = null, marks = null, native, block, lane] = row
  return {
    seq: Number(seq),
    at: at === null ? null : Number(at),
    kind: kind as EventKind,
    role: role as Role,
    lane: String(lane),
    flags: Number(flags),
    tool: tool as string | null,
    call: call instanceof Uint8Array ? hexOf(call) : null,
    thread: thread as string | null,
    marks: readMarks(marks as string | null),
    record: `${native instanceof Uint8Array ? hexOf(native) : ''}.${String(block)}`,
  }
}
