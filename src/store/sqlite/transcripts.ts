import { laneBase, MAIN_LANE } from '../../model/event.ts'
import { callId, messageId, orphanCallId } from '../../model/ids.ts'
import { FLAG } from '../store.ts'
import type { Database, Row } from './database.ts'
import { LOST } from './shelf.ts'

/** Messages of a session's second transcript count from here, of its third from twice as far, … */
const MESSAGES_OF_A_TRANSCRIPT = 1_000_000

/** Where the messages of the lane `l` count from, as the view `messages` has it: a subagent's block goes by its rank. */
export const MESSAGE_BASE = `CASE WHEN l.message_base < 1000000000 THEN l.message_base
  ELSE ${MESSAGES_OF_A_TRANSCRIPT} * (SELECT count(DISTINCT o.message_base) FROM lane o
    WHERE o.session = l.session AND o.message_base < l.message_base) END`

/** True for a transcript of the conversation itself: not a subagent's, not a copy, not what another has lost. */
export function isTranscript(lane: Row): boolean {
  const name = String(lane['name'])
  return lane['originality'] === 0 && !name.endsWith(LOST) && !name.startsWith('~')
}

/** Lanes by how original they are; several transcripts of one session in the order in which they were written. */
export function inWrittenOrder(db: Database, lanes: readonly Row[]): Row[] {
  const transcripts = lanes.filter(isTranscript)
  if (transcripts.length < 2) return [...lanes]
  const began = new Map(transcripts.map((lane) => [lane, firstTime(db, Number(lane['id']))]))
  return lanes.toSorted(
    (a, b) =>
      Number(a['originality']) - Number(b['originality']) ||
      (began.get(a) ?? Infinity) - (began.get(b) ?? Infinity) ||
      (String(a['name']) < String(b['name']) ? -1 : 1),
  )
}

function firstTime(db: Database, lane: number): number {
  const row = db.get(`SELECT min(at) AS at FROM event WHERE lane = ? AND flags & ${FLAG.copy | FLAG.shelved} = 0`, lane)
  return Number(row?.['at'] ?? Infinity)
}

/** A log of all prompts, which tells a session where nothing else is left of it. */
export const PROMPT_LOG = 4

/**
 * Positions of messages: from 0 in the session's own transcript, or in its first where none bears its name; the others
 * stand in blocks behind it, in the order they were written. Where there is none, a log of prompts counts from 0.
 * Names messages anew where that changes them.
 */
export function placeMessages(db: Database, lanes: readonly Row[], shortId: string): void {
  const transcripts = lanes.filter(isTranscript)
  const logs = lanes.filter((lane) => lane['originality'] === PROMPT_LOG)
  const first = transcripts.find((lane) => lane['name'] === MAIN_LANE) ?? transcripts[0] ?? logs[0]
  let others = 0
  for (const lane of [...transcripts, ...logs]) {
    const isLog = logs.includes(lane)
    const base = lane === first ? 0 : isLog ? laneBase(String(lane['name'])) : ++others * MESSAGES_OF_A_TRANSCRIPT
    if (lane['message_base'] === base) continue
    db.run('UPDATE lane SET message_base = ? WHERE id = ?', base, Number(lane['id']))
    nameMessages(db, Number(lane['id']), base, shortId)
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
    const idx = row['call_idx'] === null ? null : Number(row['call_idx'])
    const call = idx === null ? null : id === null ? orphanCallId(shortId, idx) : callId(id, idx)
    db.run(
      'UPDATE event SET message_id = ?, call_id = ? WHERE id = ?',
      id && Buffer.from(id, 'hex'),
      call && Buffer.from(call, 'hex'),
      Number(row['id']),
    )
  }
}
