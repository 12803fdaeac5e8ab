import type { Database } from './database.ts'

/** Who was at work when, of each analysed session, as a short text: so that nobody need read its events for it. */
export const COURSE_TABLE = `
CREATE TABLE course (session INTEGER PRIMARY KEY, spans TEXT NOT NULL);
CREATE TRIGGER course_gone AFTER DELETE ON session BEGIN
  DELETE FROM course WHERE session = old.id;
END;
`

/** For a session `s`: what is kept of its course is all there is to know of it. */
export const IS_KEPT = `EXISTS (SELECT 1 FROM course c WHERE c.session = s.id)
  AND (s.evicted_at IS NOT NULL OR s.analyzed_at >= s.ingested_at)`

/** A store that an older program has written has none before its next index. */
export function hasCourses(db: Database): boolean {
  return db.get("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'course'") !== undefined
}

export function keepCourse(db: Database, session: number, spans: string): void {
  db.run('INSERT OR REPLACE INTO course (session, spans) VALUES (?, ?)', session, spans)
}
