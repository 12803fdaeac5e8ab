import { QUARTER_MS } from '../insight.ts'
import type { Form, Judge, FormSum, FormSums, FormsWanted } from '../permissions.ts'
import { FLAG, type UsageFilter } from '../store.ts'
import type { Database, Row } from './database.ts'
import { dropMeta, keepMeta, readMeta } from './meta.ts'
import { rollUpMeanwhile } from './rollup.ts'
import { placesOf } from './session-groups.ts'
import { CALLS, COUNTED } from './event-conditions.ts'
import { keepQuestions, readAsked, type Asked } from './questions.ts'

/** Calls of a shell `e` in lanes `l`, with whether they failed. */
export function shellRuns(lanes: string): string {
  return `lane l JOIN event e ON e.lane = l.id LEFT JOIN (
      SELECT x.lane, x.call, 1 AS failed FROM event x
      WHERE x.kind = 'error' AND x.call IS NOT NULL AND x.lane IN ${lanes} GROUP BY 1, 2
    ) r ON r.lane = e.lane AND r.call = e.call
    WHERE l.id IN ${lanes} AND e.kind IN (${CALLS}) AND ${COUNTED} AND e.text IS NOT NULL`
}

/** The lanes in which shell calls were made in these quarters of an hour. */
export function lanesNear(first: number, last: number): string {
  return `(SELECT id FROM lane WHERE session IN (SELECT session FROM ruled WHERE quarter BETWEEN ${first} AND ${last}))`
}

const CHANGED = '(SELECT id FROM lane WHERE session IN (SELECT session FROM unruled))'

/** Whether nothing has changed since all was judged, by this revision. */
export function areFormsKept(db: Database, revision: string): boolean {
  if (readMeta(db, 'form_revision') !== revision) return false
  return db.get('SELECT 1 FROM unruled UNION ALL SELECT 1 FROM stale_rollup LIMIT 1') === undefined
}

/** Judges the command lines of sessions that have changed since; of all, if they were judged by another revision. */
export function keepForms(db: Database, revision: string, judge: Judge): void {
  rollUpMeanwhile(db)
  const known = readMeta(db, 'form_revision')
  if (known !== revision) {
    for (const table of ['ruled', 'form', 'question']) db.run(`DELETE FROM ${table}`)
    db.run('INSERT OR IGNORE INTO unruled SELECT id FROM session WHERE evicted_at IS NULL')
    keepMeta(db, 'form_revision', revision)
  }
  if (!db.get('SELECT 1 FROM unruled LIMIT 1')) return
  for (const table of ['ruled', 'question'])
    db.run(`DELETE FROM ${table} WHERE session IN (SELECT session FROM unruled)`)
  const idOf = formIds(db)
  keepUses(db, judge, idOf)
  const asked = readAsked(db, CHANGED)
  keepQuestions(db, asked, judge)
  addAsked(db, asked, (command) => idOf(judge.form(command)))
  db.run('DELETE FROM unruled')
}

function keepUses(db: Database, judge: Judge, idOf: (form: Form) => number): void {
  const insert = db.hot(
    `INSERT INTO ruled VALUES (?1, ?2, ?3, ?4, ?5, 0, 0, 0, ?6, ?7, ?8) ON CONFLICT (form, session, quarter) DO UPDATE SET
       count = count + ?4, errors = errors + ?5, unseen = unseen + ?6,
       last_at = max(coalesce(last_at, ?7), coalesce(?7, last_at)), event = max(event, ?8)`,
  )
  const agents = agentsWatched(db)
  const rows = db.all(
    `SELECT l.session, coalesce(CAST(e.at AS INTEGER) / ${QUARTER_MS}, -1) AS quarter,
       CASE WHEN e.flags & ${FLAG.compound} THEN NULL ELSE e.text END AS command, count(*) AS n, count(r.failed) AS errors,
       max(e.at) AS last, max(e.id) AS event
     FROM ${shellRuns(CHANGED)} GROUP BY 1, 2, 3`,
  )
  for (const { session = 0, quarter = 0, command = null, n = 0, errors = 0, last = null, event = 0 } of rows) {
    const line = command === null ? null : String(command)
    const agent = agents.get(Number(session))
    const unseen = line !== null && agent !== undefined && judge.asksUnseen(agent, line) ? n : 0
    insert.run(idOf(judge.form(line)), session, quarter, n, errors, unseen, last, event)
  }
}

/** Sessions with a person before them, in which questions were asked that their log does not tell of. */
function agentsWatched(db: Database): ReadonlyMap<number, string> {
  const rows = db.all(
    `SELECT s.id, s.flavor FROM session s JOIN unruled u ON u.session = s.id WHERE s.automated = 0
       AND NOT EXISTS (SELECT 1 FROM lane l WHERE l.session = s.id AND l.facts ->> 'questions' IS NOT NULL)`,
  )
  return new Map(rows.map((row) => [Number(row['id']), String(row['flavor'])]))
}

/** What a log tells of is not also taken to be unseen. */
function addAsked(db: Database, asked: readonly Asked[], formOf: (command: string | null) => number): void {
  const add = db.hot(
    `UPDATE ruled SET asked = asked + 1, commented = commented + ?4, waited_ms = waited_ms + ?5, unseen = max(0, unseen - 1)
     WHERE form = ?1 AND session = ?2 AND quarter = ?3`,
  )
  for (const { command, isCompound, session, quarter, isCommented, waitedMs } of asked)
    if (command !== null) add.run(formOf(isCompound ? null : command), session, quarter, isCommented ? 1 : 0, waitedMs)
}

/** Forgets what was judged; it is judged anew when next something is written. */
export function dropForms(db: Database): void {
  for (const table of ['ruled', 'form', 'question']) db.run(`DELETE FROM ${table}`)
  dropMeta(db, 'form_revision')
}

/** A form keeps the name that it got first, in however many steps an index judges. */
function formIds(db: Database): (form: Form) => number {
  const known = new Map<string, number>()
  const find = db.hot(
    `INSERT INTO form (offer, pattern, reason, name) VALUES (?, ?, ?, ?)
     ON CONFLICT (offer, pattern, reason) DO UPDATE SET name = name RETURNING id`,
  )
  return ({ offer, pattern, reason, name }) => {
    const key = `${offer}\n${pattern}\n${reason}`
    let id = known.get(key)
    if (id === undefined) known.set(key, (id = Number((find.get(offer, pattern, reason, name) as Row)['id'])))
    return id
  }
}

const OFFERED = "offer <> 'none' AND pattern IN (SELECT value FROM json_each(?))"

/** Null if it is not kept, or not by what is asked for. `since` and `before` count by whole quarters of an hour. */
export function readForms(db: Database, filter: UsageFilter, { fewest, patterns }: FormsWanted): FormSums | null {
  const places = placesOf(filter)
  if (places === null || readMeta(db, 'form_revision') === null) return null
  const { since, before } = filter
  const from = since === undefined ? -1 : Math.floor(since / QUARTER_MS)
  const to = before === undefined ? Number.MAX_SAFE_INTEGER : Math.ceil(before / QUARTER_MS) - 1
  const among = patterns === undefined ? 'TRUE' : `q.form IN (SELECT id FROM form WHERE ${OFFERED})`
  const near = `q.quarter BETWEEN ${before === undefined ? from : Math.max(0, from)} AND ${to} AND ${among} AND ${places.sql}`
  const values = [...(patterns === undefined ? [] : [JSON.stringify(patterns)]), ...places.values]
  const rows = db.all(
    `SELECT f.id, f.offer, f.pattern, f.reason, f.name, f.offer = 'exact' AND t.n < ${fewest} AS rare, sum(t.n) AS n,
       sum(t.errors) AS errors, sum(t.asked) AS asked, sum(t.commented) AS commented, sum(t.waited) AS waited,
       sum(t.unseen) AS unseen, max(t.last) AS last, max(t.places) AS places
     FROM (
       SELECT q.form, sum(q.count) AS n, sum(q.errors) AS errors, sum(q.asked) AS asked, sum(q.commented) AS commented,
         sum(q.waited_ms) AS waited, sum(q.unseen) AS unseen, max(q.last_at) AS last,
         group_concat(DISTINCT h.place) AS places
       FROM ruled q JOIN session_place h ON h.session = q.session ${places.join} WHERE ${near} GROUP BY q.form
     ) t JOIN form f ON f.id = t.form
     GROUP BY CASE WHEN rare THEN f.name ELSE f.id END ORDER BY f.id`,
    ...values,
  )
  const samples = readSamples(db, near, places.join, values)
  const projects = projectNames(db)
  const rare = rows.filter((row) => row['rare'] === 1)
  return {
    rare: rare.map((row) => ({ name: String(row['name']), count: Number(row['n']) })),
    forms: rows.flatMap((row) => (row['rare'] === 1 ? [] : toSum(row, projects, samples.get(Number(row['id'])) ?? []))),
  }
}

const MAX_LATEST = 9

/** The latest command lines of forms that stand for several. */
function readSamples(db: Database, near: string, join: string, values: Parameters<Database['all']>[1][]) {
  const rows = db.all(
    `SELECT t.form, e.text FROM (
       SELECT q.form, q.event, row_number() OVER (PARTITION BY q.form ORDER BY q.event DESC) AS place
       FROM ruled q JOIN session_place h ON h.session = q.session ${join}
       WHERE ${near} AND q.form IN (SELECT id FROM form WHERE offer = 'wide')
     ) t JOIN event e ON e.id = t.event WHERE t.place <= ${MAX_LATEST} ORDER BY t.form, t.place`,
    ...values,
  )
  const samples = new Map<number, string[]>()
  for (const { form, text } of rows) {
    const own = samples.get(Number(form)) ?? []
    samples.set(Number(form), own)
    own.push(String(text))
  }
  return samples
}

function projectNames(db: Database): ReadonlyMap<number, string | null> {
  const rows = db.all('SELECT id, coalesce(git_repo, cwd) AS project FROM place')
  return new Map(rows.map((row) => [Number(row['id']), row['project'] === null ? null : String(row['project'])]))
}

function toSum(row: Row, projects: ReadonlyMap<number, string | null>, samples: readonly string[]): FormSum {
  const places = String(row['places']).split(',').map(Number)
  return {
    offer: String(row['offer']) as Form['offer'],
    pattern: String(row['pattern']),
    reason: String(row['reason']),
    name: String(row['name']),
    count: Number(row['n']),
    errors: Number(row['errors']),
    asked: Number(row['asked']),
    commented: Number(row['commented']),
    waitedMs: Number(row['waited']),
    unseen: Number(row['unseen']),
    lastUsed: row['last'] === null ? null : Number(row['last']),
    projects: [...new Set(places.flatMap((place) => projects.get(place) ?? []))],
    samples,
  }
}
