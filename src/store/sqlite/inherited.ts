import { laneBase, MAIN_LANE } from '../../model/event.ts'
import type { Facts } from '../../model/facts.ts'
import { FLAG, type EventRecord, type EventWindow } from '../store.ts'
import type { Database } from './database.ts'
import { idOf } from './session-ids.ts'

/** Whoever wants to read further back than so many forks reads the parent. */
const MAX_GENERATIONS = 16
/** Numbers of a session's main lane are smaller than this. */
const MAIN_NUMBERS = 2 ** 31

/** A stretch of another session's history that a session goes on with without telling it again. */
export interface Inheritance {
  readonly session: number
  /** The last line of that session's own transcript that is part of it. */
  readonly upToLine: number
  /** The lane under which it is shown, and what is added to its numbers. */
  readonly lane: string
  readonly base: number
}

/** What a session inherits, the oldest first. */
export function inheritancesOf(db: Database, session: number): Inheritance[] {
  const found: Inheritance[] = []
  const seen = new Set([session])
  let records = Infinity
  for (let at = session; found.length < MAX_GENERATIONS;) {
    const inherits = inheritsOf(db, at)
    const parent = inherits === null ? 0 : (idOf(db, inherits.uid) ?? 0)
    if (inherits === null || parent === 0 || seen.has(parent)) break
    seen.add(parent)
    records = Math.min(records, inherits.records)
    const lane = `~inherited ${inherits.uid}`
    const before = inheritsOf(db, parent)?.records ?? 0
    found.push({ session: parent, upToLine: records - before, lane, base: laneBase(lane) })
    at = parent
  }
  return found.toReversed()
}

function inheritsOf(db: Database, session: number): Facts['inherits'] | null {
  const json = db.get('SELECT inherits FROM session WHERE id = ?', session)?.['inherits']
  return typeof json === 'string' ? (JSON.parse(json) as Facts['inherits']) : null
}

/** What a session inherits, from however far back: shown in it, but counted and found where it was said. */
export function inheritedEvents(
  db: Database,
  session: number,
  window: EventWindow,
  read: (db: Database, session: number, window: EventWindow) => EventRecord[],
): EventRecord[] {
  const { fromSeq, toSeq, seqs } = window
  if (fromSeq !== undefined || toSeq !== undefined) return []
  return inheritancesOf(db, session).flatMap(({ session: parent, upToLine, lane, base }) =>
    read(db, parent, { sidechains: false, ...(seqs === undefined ? {} : { seqs: inheritedNumbers(base, seqs) }) })
      .filter((event) => event.lane === MAIN_LANE && event.line <= upToLine)
      .map((event) => ({
        ...event,
        seq: base + event.seq,
        parentSeq: event.parentSeq === null ? null : base + event.parentSeq,
        lane,
        flags: event.flags | FLAG.copy,
      })),
  )
}

/** Of numbers of a session, those of what it inherits, as they are where it was said. */
export function inheritedNumbers(base: number, seqs: readonly number[]): number[] {
  return seqs.map((seq) => seq - base).filter((seq) => seq > 0 && seq < MAIN_NUMBERS)
}
