import { DECISIONS_LANE, INFERRED_LANE, laneBase } from '../../model/event.ts'
import type { Facts } from '../../model/facts.ts'
import { numberOf, textOf, type Database, type Row } from './database.ts'
import { HIDDEN } from './event-conditions.ts'
import { LOST, NOT_A_TRANSCRIPT } from './lane-names.ts'

/** How original a lane is: whose words it tells, the smaller the more its own. */
export const ORIGINALITY = {
  /** A transcript of the conversation itself, or a lane of our own beside it. */
  own: 0,
  /** A copy of it. */
  copy: 2,
  /** Seen in passing, in the transcript of another thread: told, but calls in it are not counted. */
  passing: 3,
  /** A log of all prompts, which tells a session where nothing else is left of it. */
  promptLog: 4,
  /** Nobody's words. */
  inferred: 9,
} as const

/** A lane that a transcript writes, with what it says of its session. */
export interface SessionLane {
  readonly id: number
  readonly name: string
  readonly originality: number
  readonly yieldsTo: string | null
  readonly file: number | null
  readonly mainPath: string | null
  /** What the transcript says, and what files beside it say now. */
  readonly facts: Readonly<Partial<Facts>>
  /** How many secrets were taken out of the transcript itself. */
  readonly redactions: Facts['redactions']
  readonly messageBase: number | null
  readonly forkOf: string | null
}

/** Lanes of a session by how original they are; several transcripts of one session in the order in which they were written. */
export function readLanes(db: Database, session: number): SessionLane[] {
  const rows = db.all(
    `SELECT id, name, originality, yields_to, file, main_path, facts, side, message_base, fork_of FROM lane
     WHERE session = ? AND name NOT IN ('${INFERRED_LANE}', '${DECISIONS_LANE}') ORDER BY originality, name`,
    session,
  )
  const lanes = rows.map(toLane)
  const transcripts = lanes.filter(isTranscript)
  if (transcripts.length < 2) return lanes
  const began = new Map(transcripts.map((lane) => [lane, firstTime(db, lane.id)]))
  const start = (lane: SessionLane) => began.get(lane) ?? Infinity
  return lanes.sort((a, b) => a.originality - b.originality || start(a) - start(b) || (a.name < b.name ? -1 : 1))
}

function toLane(row: Row): SessionLane {
  const facts = JSON.parse(String(row['facts'])) as Partial<Facts>
  return {
    id: Number(row['id']),
    name: String(row['name']),
    originality: Number(row['originality']),
    yieldsTo: textOf(row['yields_to']),
    file: numberOf(row['file']),
    mainPath: textOf(row['main_path']) || null,
    facts: { ...facts, ...(JSON.parse(String(row['side'])) as Partial<Facts>) },
    redactions: facts.redactions ?? {},
    messageBase: numberOf(row['message_base']),
    forkOf: textOf(row['fork_of']) || null,
  }
}

function firstTime(db: Database, lane: number): number {
  const row = db.get(`SELECT min(at) AS at FROM event WHERE lane = ? AND flags & ${HIDDEN} = 0`, lane)
  return Number(row?.['at'] ?? Infinity)
}

/** True for a transcript of the conversation itself: not a subagent's, not a copy, not what another has lost. */
export function isTranscript({ name, originality }: Pick<SessionLane, 'name' | 'originality'>): boolean {
  return originality === ORIGINALITY.own && !name.endsWith(LOST) && !name.startsWith(NOT_A_TRANSCRIPT)
}

/** The lane of our own by this name, which no transcript writes; made if there is none. */
export function ownLane(db: Database, session: number, name: string, originality: number): number {
  db.run(
    'INSERT OR IGNORE INTO lane (session, name, base, originality) VALUES (?, ?, ?, ?)',
    session,
    name,
    laneBase(name),
    originality,
  )
  return Number(db.get('SELECT id FROM lane WHERE session = ? AND name = ?', session, name)?.['id'])
}
