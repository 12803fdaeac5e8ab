import type { DecisionLine, SessionLine, TitleLine, TagLine, WordLine } from '../../model/records.ts'
import { importedFrom, type KnownHere } from '../portable.ts'
import { noteChange } from './changes.ts'
import type { Database } from './database.ts'
import { addDecision } from './decisions.ts'
import { setTag, setTitle } from './own-words.ts'
import { idOf } from './session-ids.ts'

const IMPORTED = importedFrom('')

export function knownHere(db: Database, uid: string): KnownHere {
  const row = db.get('SELECT id, evicted_at FROM session WHERE uid = ?', uid)
  const own = `SELECT 1 FROM lane l JOIN file f ON f.id = l.file WHERE l.session = ? AND substr(f.path, 1, ${IMPORTED.length}) <> '${IMPORTED}'`
  const stamp = db.get('SELECT stamp FROM file WHERE path = ?', importedFrom(uid))?.['stamp']
  return {
    id: row === undefined ? null : Number(row['id']),
    isForgotten: db.get('SELECT 1 FROM tombstone WHERE uid = ?', uid) !== undefined,
    isEvicted: typeof row?.['evicted_at'] === 'number',
    isOwn: row !== undefined && db.get(own, Number(row['id'])) !== undefined,
    stamp: typeof stamp === 'string' && stamp !== '' ? stamp : null,
  }
}

export function uidsHere(db: Database, own: boolean): { uid: string; id: number }[] {
  const imported = `SELECT 1 FROM lane l JOIN file f ON f.id = l.file WHERE l.session = s.id AND substr(f.path, 1, ${IMPORTED.length}) = '${IMPORTED}'`
  const rows = db.all(
    `SELECT s.uid, s.id FROM session s WHERE (s.event_count > 0 OR s.evicted_at IS NOT NULL) ${own ? `AND NOT EXISTS (${imported})` : ''} ORDER BY s.uid`,
  )
  return rows.map((row) => ({ uid: String(row['uid']), id: Number(row['id']) }))
}

/** A transcript that is read here later is the same session's: it takes the place of what was taken in. */
export function settleImported(
  db: Database,
  line: SessionLine,
  decisions: readonly DecisionLine[],
  stamp: string,
  now: number,
): void {
  const { session_uid: uid } = line
  db.run("UPDATE file SET status = 'gone', stamp = ? WHERE path = ?", stamp, importedFrom(uid))
  const id = idOf(db, uid)
  if (id === null) return
  for (const decision of decisions) mergeDecision(db, id, decision, now)
  if (line.evicted_at !== null) keepCounts(db, id, line)
}

/** Of a session whose words are gone: what can be counted no more. */
function keepCounts(db: Database, id: number, line: SessionLine): void {
  const ms = (time: string | null) => (time === null ? null : Date.parse(time))
  db.run(
    `UPDATE session SET started_at = ?, ended_at = ?, message_count = ?, prompt_count = ?, tool_count = ?, event_count = ?,
       retry_count = ?, thread_count = ?, title = ?, evicted_at = ?, evict_reason = ? WHERE id = ?`,
    ms(line.started_at),
    ms(line.ended_at),
    line.message_count,
    line.prompt_count,
    line.tool_count,
    line.event_count,
    line.retry_count,
    line.thread_count,
    line.title,
    ms(line.evicted_at),
    line.evict_reason,
    id,
  )
}

/** Keeps the later word. A word about a session that is not here waits for it. */
export function mergeWords(
  db: Database,
  words: readonly WordLine[],
  now: number,
): { forgotten: string[]; news: number } {
  const forgotten: string[] = []
  let news = 0
  for (const word of words) {
    const uid = word.session_uid
    if (db.get('SELECT 1 FROM tombstone WHERE uid = ?', uid)) continue
    if (word.record === 'tombstone') {
      forgotten.push(uid)
      if (idOf(db, uid) === null) {
        db.run("INSERT OR REPLACE INTO tombstone (uid, forgotten_at, files) VALUES (?, ?, '[]')", uid, word.at)
        news++
      }
    } else if (word.record === 'decision') {
      const session = idOf(db, uid)
      if (session !== null && mergeDecision(db, session, word, now)) news++
    } else if (word.record === 'title') news += mergeTitle(db, word) ? 1 : 0
    else news += mergeTag(db, word, now) ? 1 : 0
  }
  return { forgotten: forgotten.filter((uid) => idOf(db, uid) !== null), news }
}

/** The same words of the same moment are the same decision, whatever number it has elsewhere. */
function mergeDecision(db: Database, session: number, { text, ts }: DecisionLine, now: number): boolean {
  const at = ts === null ? now : Date.parse(ts)
  const known = `SELECT 1 FROM lane l JOIN event e ON e.lane = l.id WHERE l.session = ?1 AND e.kind = 'decision' AND e.text = ?2 AND (e.at = ?3 OR ?4)`
  if (db.get(known, session, text, at, ts === null ? 1 : 0)) return false
  addDecision(db, session, text, at)
  return true
}

function mergeTag(db: Database, { session_uid: uid, tag, on, at }: TagLine, now: number): boolean {
  const there = db.get('SELECT at FROM tag WHERE session_uid = ? AND tag = ?', uid, tag)
  const gone = db.get('SELECT at FROM untagged WHERE session_uid = ? AND tag = ?', uid, tag)
  const known = there ?? gone
  // Of two words of the same moment the tag stays on: nothing is lost by it.
  if (known !== undefined && (Number(known['at']) > at || (Number(known['at']) === at && (there !== undefined || !on))))
    return false
  const session = idOf(db, uid)
  if (session !== null && on !== (there !== undefined)) setTag(db, session, { tag, on }, now)
  db.run(`DELETE FROM ${on ? 'untagged' : 'tag'} WHERE session_uid = ? AND tag = ?`, uid, tag)
  db.run(`INSERT OR REPLACE INTO ${on ? 'tag' : 'untagged'} (session_uid, tag, at) VALUES (?, ?, ?)`, uid, tag, at)
  return true
}

function mergeTitle(db: Database, { session_uid: uid, title, at }: TitleLine): boolean {
  const known = db.get('SELECT title, at FROM own_title WHERE session_uid = ?', uid)
  const isOlder = known !== undefined && Number(known['at']) > at
  const isSame = known !== undefined && Number(known['at']) === at && String(known['title'] ?? '') >= (title ?? '')
  if (isOlder || isSame) return false
  const session = idOf(db, uid)
  if (session !== null) setTitle(db, session, title, at)
  const was = db.get('SELECT was FROM own_title WHERE session_uid = ?', uid)?.['was'] ?? null
  db.run('INSERT OR REPLACE INTO own_title (session_uid, title, was, at) VALUES (?, ?, ?, ?)', uid, title, was, at)
  if (session !== null) noteChange(db, session, 'tagged', at)
  return true
}
