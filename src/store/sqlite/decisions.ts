import { DECISIONS_LANE } from '../../model/event.ts'
import { messageId, nativeKey } from '../../model/ids.ts'
import { oneLine } from '../../model/text.ts'
import { noteChange } from './changes.ts'
import type { Database } from './database.ts'
import { indexExchanges } from './exchanges.ts'
import { ORIGINALITY, ownLane } from './session-lanes.ts'
import { uidOf } from './session-ids.ts'
import { writeSessionRow } from './session-row.ts'

/** Decisions stand in a lane of their own that no transcript writes. */
export function addDecision(db: Database, session: number, text: string, at: number): number {
  const lane = ownLane(db, session, DECISIONS_LANE, ORIGINALITY.own)
  // As it was when the lane was made: numbers never move.
  const base = Number(db.get('SELECT base FROM lane WHERE id = ?', lane)?.['base'])
  const pos = Number(db.get('SELECT coalesce(max(pos) + 1, 0) AS pos FROM event WHERE lane = ?', lane)?.['pos'])
  db.run(
    `INSERT INTO event (lane, pos, at, kind, role, summary, text, flags, native, block, message, message_id, line, exchange, event_class)
     VALUES (?, ?, ?, 'decision', 'system', ?, ?, 0, ?, 0, NULL, NULL, 0, ?, 'other')`,
    lane,
    pos,
    at,
    oneLine(text, 120),
    text,
    nativeKey(messageId(uidOf(db, session), base + pos)),
    pos,
  )
  indexExchanges(db, lane, pos)
  writeSessionRow(db, session, at)
  noteChange(db, session, 'tagged', at)
  return base + pos
}
