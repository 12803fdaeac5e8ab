import type { DigestEvent, DigestInput } from '../../model/digest.ts'
import type { EventKind, Role } from '../../model/event.ts'
import { readMarks } from '../../model/marks.ts'
import { oneLine } from '../../model/text.ts'
import type { Analysis } from '../keeping.ts'
import { FLAG } from '../store.ts'
import { keepSpans } from './activity-rows.ts'
import { noteChange } from './changes.ts'
import { textOf, numberOf, type Database, type Row } from './database.ts'
import { HIDDEN } from './event-conditions.ts'
import { END_IS_OVER, readPart } from './evicted-part.ts'
import { LOST } from './lane-names.ts'
import { getSession } from './sessions.ts'

export function readAnalysisInput(db: Database, id: number): DigestInput {
  const session = getSession(db, id)
  if (session === null) throw new Error(`no session ${id}`)
  const row = db.get(
    `SELECT s.redactions, ${END_IS_OVER} AS over, d.part AS digest, c.part AS spans FROM session s LEFT JOIN digests d ON d.session_uid = s.uid
     LEFT JOIN course c ON c.session = s.id WHERE s.id = ?`,
    id,
  )
  const part = typeof row?.['digest'] === 'string' ? readPart(row['digest'], row['over'] === 1) : null
  return {
    session,
    events: readDigestEvents(db, id),
    part: part === null ? null : { digest: part, spans: String(row?.['spans'] ?? '') },
    redactions: JSON.parse(String(row?.['redactions'])) as Record<string, number>,
    sources: readSources(db, id),
  }
}

function readDigestEvents(db: Database, session: number): DigestEvent[] {
  const files = groupByEvent(
    db.all(
      `SELECT t.event, p.name, t.edit FROM lane l JOIN event e ON e.lane = l.id JOIN touch t ON t.event = e.id
         JOIN path p ON p.id = t.path WHERE l.session = ? ORDER BY t.event, p.name`,
      session,
    ),
    (row) => ({ path: String(row['name']), edit: row['edit'] === 1 }),
  )
  const made = groupByEvent(
    db.all(
      'SELECT m.event, m.kind, m.value FROM lane l JOIN event e ON e.lane = l.id JOIN made m ON m.event = e.id WHERE l.session = ? ORDER BY m.event, m.value',
      session,
    ),
    (row) => ({ kind: row['kind'] === 'pr' ? ('pr' as const) : ('commit' as const), value: String(row['value']) }),
  )
  const rows = db.all(
    `SELECT e.id, l.base + e.pos AS seq, e.at, e.kind, e.role, e.tool, e.summary, e.text, e.bash_base, e.bash_sub,
       e.call, e.event_class, e.flags, e.thread, e.exchange, e.marks, l.name AS lane
     FROM lane l JOIN event e ON e.lane = l.id WHERE l.session = ? AND e.flags & ${HIDDEN} = 0`,
    session,
  )
  return rows.map((row) => toDigestEvent(row, files, made)).sort((a, b) => a.seq - b.seq)
}

/** Rows by the event they belong to. */
function groupByEvent<T>(rows: readonly Row[], read: (row: Row) => T): Map<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const row of rows) {
    const event = Number(row['event'])
    const group = groups.get(event)
    if (group) group.push(read(row))
    else groups.set(event, [read(row)])
  }
  return groups
}

function toDigestEvent(
  row: Row,
  files: ReadonlyMap<number, DigestEvent['files']>,
  made: ReadonlyMap<number, DigestEvent['made']>,
): DigestEvent {
  const text = (name: string) => textOf(row[name])
  const flags = Number(row['flags'])
  const id = Number(row['id'])
  const call = row['call'] instanceof Uint8Array ? `${row['lane']}:${Buffer.from(row['call']).toString('hex')}` : null
  return {
    seq: Number(row['seq']),
    at: numberOf(row['at']),
    kind: String(row['kind']) as EventKind,
    role: String(row['role']) as Role,
    tool: text('tool'),
    summary: text('summary') ?? oneLine(text('text') ?? '', 120),
    text: text('text'),
    base: text('bash_base'),
    sub: text('bash_sub'),
    call,
    eventClass: text('event_class') ?? 'other',
    human: (flags & FLAG.human) !== 0,
    sidechain: (flags & FLAG.sidechain) !== 0,
    superseded: (flags & FLAG.superseded) !== 0 && !String(row['lane']).endsWith(LOST),
    thread: text('thread'),
    exchange: Number(row['exchange']),
    tests: flags & FLAG.testsFailed ? 'failed' : flags & FLAG.testsPassed ? 'passed' : null,
    files: files.get(id) ?? [],
    made: made.get(id) ?? [],
    marks: readMarks(text('marks')),
  }
}

function readSources(db: Database, session: number): DigestInput['sources'] {
  const rows = db.all(
    'SELECT DISTINCT f.path, f.size, f.head, f.tail FROM lane l JOIN file f ON f.id = l.file WHERE l.session = ? ORDER BY f.path',
    session,
  )
  return rows.map((row) => ({
    path: String(row['path']),
    bytes: Number(row['size']),
    hash: `${row['head']}:${row['tail']}`,
  }))
}

export function saveAnalysis(db: Database, analysis: Analysis, now: number): void {
  db.run(
    `INSERT INTO digests (session_uid, json, schema_version, analyzed_at) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (session_uid) DO UPDATE SET json = ?2, schema_version = ?3, analyzed_at = ?4`,
    analysis.uid,
    analysis.json,
    analysis.schemaVersion,
    new Date(now).toISOString(),
  )
  db.run(
    'UPDATE session SET analyzed_at = max(?1, coalesce(ingested_at, 0)), outcome = ?2, task_ref = ?3 WHERE id = ?4',
    now,
    analysis.outcome,
    analysis.taskRef,
    analysis.session,
  )
  noteChange(db, analysis.session, 'analysed', now)
  keepSpans(db, analysis.session, analysis.spans)
  db.run('DELETE FROM signal WHERE session = ? AND part_count = 0', analysis.session)
  db.run('UPDATE signal SET count = part_count WHERE session = ?', analysis.session)
  for (const signal of analysis.signals) {
    db.run(
      `INSERT INTO signal (session, kind, fingerprint, summary, count, tool, seqs, denied_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET count = count + excluded.count`,
      analysis.session,
      signal.kind,
      signal.fingerprint,
      signal.summary,
      signal.count,
      signal.tool,
      JSON.stringify(signal.seqs),
      signal.by ?? null,
    )
  }
}
