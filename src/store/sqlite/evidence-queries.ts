import type {
  EvidenceQueries,
  MadeCommit,
  MetError,
  RanCommand,
  RememberedTouch,
  Touch,
  TroubleText,
  Workplace,
} from '../evidence.ts'
import { FLAG } from '../store.ts'
import { textOf, numberOf, type Database, type Row, type Value } from './database.ts'
import { CALLS, COUNTED, FAILED } from './event-conditions.ts'

const SHORTEST_HASH = 7
const LONGEST_HASH = 40

export function evidenceQueries(db: Database): EvidenceQueries {
  return {
    touches: async (baseName) => readTouches(db, baseName),
    remembered: async (baseName) => readRemembered(db, baseName),
    workplaces: async () => db.all('SELECT id, cwd, git_repo FROM session ORDER BY id').map(toWorkplace),
    commits: async (hash) => readCommits(db, hash),
    errors: async (fingerprints) => fingerprints.flatMap((fingerprint) => readErrors(db, fingerprint)),
    troubles: async (session, from, to) => readTroubles(db, session, from, to),
    commands: async (sessions) => sessions.flatMap((session) => readCommands(db, 'l.session = ?', session)),
    commandsSaying: async (text, from, to) =>
      readCommands(
        db,
        `l.session IN (SELECT id FROM session WHERE started_at <= ?2 AND ended_at >= ?1)
         AND e.at BETWEEN ?1 AND ?2 AND instr(e.text, ?3) > 0`,
        from,
        to,
        text,
      ),
    filesOf: async (session) => readFiles(db, session),
  }
}

function readTouches(db: Database, baseName: string): Touch[] {
  const rows = db.all(
    `SELECT l.session, l.name AS lane, l.base + e.pos AS seq, e.at, p.name AS path, t.edit, coalesce(${FAILED}, 0) AS failed
     FROM path p JOIN touch t ON t.path = p.id JOIN event e ON e.id = t.event JOIN lane l ON l.id = e.lane
     WHERE (p.name = ?1 OR substr(p.name, -length(?1) - 1) IN ('/' || ?1, '\\' || ?1)) AND ${COUNTED}
     ORDER BY e.at, l.session, seq`,
    baseName,
  )
  return rows.map((row) => ({
    session: Number(row['session']),
    lane: String(row['lane']),
    seq: Number(row['seq']),
    at: numberOf(row['at']),
    path: String(row['path']),
    edit: row['edit'] === 1,
    failed: row['failed'] === 1,
  }))
}

function readRemembered(db: Database, baseName: string): RememberedTouch[] {
  const rows = db.all(
    `SELECT * FROM (
       SELECT s.id, f.value ->> 'path' AS name, f.value ->> 'edits' AS edits, f.value ->> 'reads' AS reads
       FROM session s JOIN digests d ON d.session_uid = s.uid, json_each(d.json, '$.files') f WHERE s.evicted_at IS NOT NULL)
     WHERE name = ?1 OR substr(name, -length(?1) - 1) IN ('/' || ?1, '\\' || ?1) ORDER BY id`,
    baseName,
  )
  return rows.map((row) => ({
    session: Number(row['id']),
    path: String(row['name']),
    edits: Number(row['edits']),
    reads: Number(row['reads']),
  }))
}

function toWorkplace(row: Row): Workplace {
  return { session: Number(row['id']), cwd: textOf(row['cwd']), gitRepo: textOf(row['git_repo']) }
}

function readCommits(db: Database, hash: string): MadeCommit[] {
  const whole = hash.toLowerCase()
  const shorter: string[] = []
  for (let n = SHORTEST_HASH; n < Math.min(whole.length, LONGEST_HASH); n++) shorter.push(whole.slice(0, n))
  const marks = shorter.map(() => '?').join(', ')
  const rows = db.all(
    `SELECT l.session, l.base + e.pos AS seq, e.at, m.value AS hash
     FROM made m JOIN event e ON e.id = m.event JOIN lane l ON l.id = e.lane
     WHERE m.kind = 'commit' AND (m.value >= ? AND m.value < ? OR m.value IN (${marks})) AND ${COUNTED}
     UNION ALL
     SELECT s.id, NULL, s.ended_at, c.value FROM session s JOIN digests d ON d.session_uid = s.uid, json_each(d.json, '$.commits') c
     WHERE s.evicted_at IS NOT NULL AND (c.value >= ? AND c.value < ? OR c.value IN (${marks}))
     ORDER BY 3, 1, 2`,
    whole,
    `${whole}g`,
    ...shorter,
    whole,
    `${whole}g`,
    ...shorter,
  )
  return rows.map((row) => ({
    session: Number(row['session']),
    seq: numberOf(row['seq']),
    at: numberOf(row['at']),
    hash: String(row['hash']),
  }))
}

function readErrors(db: Database, fingerprint: string): MetError[] {
  const rows = db.all(
    "SELECT session, fingerprint, summary, count, seqs FROM signal WHERE kind = 'error' AND fingerprint = ? ORDER BY session",
    fingerprint,
  )
  return rows.map((row) => ({
    session: Number(row['session']),
    fingerprint,
    summary: String(row['summary']),
    count: Number(row['count']),
    seqs: JSON.parse(String(row['seqs'])) as number[],
  }))
}

function readTroubles(db: Database, session: number, from: number, to: number): TroubleText[] {
  const rows = db.all(
    `SELECT l.base + e.pos AS seq, e.at, e.text, e.kind <> 'error' AS person
     FROM lane l JOIN event e ON e.lane = l.id AND e.pos BETWEEN ?2 - l.base AND ?3 - l.base
     WHERE l.session = ?1 AND (e.kind = 'error' OR e.kind = 'user_msg' AND e.flags & ${FLAG.human})
       AND e.text IS NOT NULL AND ${COUNTED} ORDER BY seq`,
    session,
    from,
    to,
  )
  return rows.map((row) => ({
    seq: Number(row['seq']),
    at: numberOf(row['at']),
    text: String(row['text']),
    byPerson: row['person'] === 1,
  }))
}

function readCommands(db: Database, where: string, ...values: Value[]): RanCommand[] {
  const rows = db.all(
    `SELECT l.session, l.name AS lane, l.base + e.pos AS seq, e.at, e.exchange, e.text, ${FAILED} AS failed,
       CASE WHEN json_valid(e.input) AND json_type(e.input) = 'object' THEN e.input ->> 'description' END AS purpose
     FROM lane l JOIN event e ON e.lane = l.id
     WHERE e.kind IN (${CALLS}) AND e.kind <> 'edit' AND e.bash_base IS NOT 'apply_patch' AND e.text IS NOT NULL AND ${COUNTED} AND ${where} ORDER BY l.session, l.base, e.pos`,
    ...values,
  )
  return rows.map((row) => ({
    session: Number(row['session']),
    lane: String(row['lane']),
    seq: Number(row['seq']),
    at: numberOf(row['at']),
    exchange: Number(row['exchange']),
    command: String(row['text']),
    purpose: textOf(row['purpose']),
    ok: row['failed'] === null ? null : row['failed'] !== 1,
  }))
}

function readFiles(db: Database, session: number): string[] {
  const rows = db.all(
    `SELECT p.name FROM lane l JOIN event e ON e.lane = l.id JOIN touch t ON t.event = e.id JOIN path p ON p.id = t.path
     WHERE l.session = ? AND ${COUNTED} GROUP BY p.id ORDER BY sum(t.edit) DESC, count(*) DESC, p.name`,
    session,
  )
  return rows.map((row) => String(row['name']))
}
