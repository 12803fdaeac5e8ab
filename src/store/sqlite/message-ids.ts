import { laneBase, MAIN_LANE } from '../../model/event.ts'
import { callId, messageId, orphanCallId } from '../../model/ids.ts'
import { numberOf, type Database } from './database.ts'
import { MESSAGES_OF_A_TRANSCRIPT } from './message-positions.ts'
import { isTranscript, ORIGINALITY, type SessionLane } from './session-lanes.ts'

/**
 * Positions of messages: from 0 in the session's own transcript, or in its first where none bears its name; the others
 * stand in blocks behind it, in the order they were written. Where there is none, a log of prompts counts from 0.
 * Names messages anew where that changes them.
 */
export function placeMessages(db: Database, lanes: readonly SessionLane[], shortId: string): void {
  const transcripts = lanes.filter(isTranscript)
  const logs = lanes.filter(({ originality }) => originality === ORIGINALITY.promptLog)
  const first = transcripts.find(({ name }) => name === MAIN_LANE) ?? transcripts[0] ?? logs[0]
  let others = 0
  for (const lane of [...transcripts, ...logs]) {
    const isLog = logs.includes(lane)
    const base = lane === first ? 0 : isLog ? laneBase(lane.name) : ++others * MESSAGES_OF_A_TRANSCRIPT
    if (lane.messageBase === base) continue
    db.run('UPDATE lane SET message_base = ? WHERE id = ?', base, lane.id)
    nameMessages(db, lane.id, base, shortId)
  }
}

/** A session whose main transcript moved has a new short id, and so have its messages and calls. */
export function renameMessages(db: Database, session: number, shortId: string): void {
  const lanes = db.all('SELECT id, coalesce(message_base, base) AS base FROM lane WHERE session = ?', session)
  for (const lane of lanes) nameMessages(db, Number(lane['id']), Number(lane['base']), shortId)
}

function nameMessages(db: Database, lane: number, base: number, shortId: string): void {
  const rows = db.all(
    'SELECT id, message, call_idx FROM event WHERE lane = ? AND (message_id IS NOT NULL OR call_id IS NOT NULL)',
    lane,
  )
  for (const row of rows) {
    const id = row['message'] === null ? null : messageId(shortId, base + Number(row['message']))
    const idx = numberOf(row['call_idx'])
    const call = idx === null ? null : id === null ? orphanCallId(shortId, idx) : callId(id, idx)
    db.run(
      'UPDATE event SET message_id = ?, call_id = ? WHERE id = ?',
      id && Buffer.from(id, 'hex'),
      call && Buffer.from(call, 'hex'),
      Number(row['id']),
    )
  }
}
