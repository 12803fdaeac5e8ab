import { SESSIONS } from './01-sessions.ts'
import { ROLLUPS } from './03-rollups.ts'
import { DAYS } from './04-days.ts'
import { VECTORS } from './05-vectors.ts'
import { MARKS } from './08-marks.ts'
import { EVICTED_PARTS } from './09-evicted-parts.ts'
import { MESSAGE_POSITIONS } from './12-message-positions.ts'
import { OWN_WORDS } from './13-own-words.ts'
import { QUESTIONS } from './14-questions.ts'

/**
 * Numbered, append-only, each in a transaction of its own. A released migration is text that is never edited and is made
 * from nothing: what the program is today must not change what a store has been through.
 */
export const MIGRATIONS: readonly string[] = [
  SESSIONS,
  // Who was at work when, as a short text.
  `
CREATE TABLE course (session INTEGER PRIMARY KEY, spans TEXT NOT NULL);
CREATE TRIGGER course_gone AFTER DELETE ON session BEGIN
  DELETE FROM course WHERE session = old.id;
END;
`,
  ROLLUPS,
  DAYS,
  VECTORS,
  // Sessions of which that is to be kept anew.
  `
CREATE TABLE uncharted (session INTEGER PRIMARY KEY);
INSERT INTO uncharted SELECT id FROM session WHERE evicted_at IS NULL;
CREATE TRIGGER uncharted_gone AFTER DELETE ON session BEGIN
  DELETE FROM uncharted WHERE session = old.id;
END;
`,
  // Forms by form first, the way they are asked for; what was kept before is judged again, and days are summed again.
  `
DROP TABLE ruled;
CREATE TABLE ruled (
  form INTEGER NOT NULL,
  session INTEGER NOT NULL,
  quarter INTEGER NOT NULL,
  count INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  last_at INTEGER,
  event INTEGER NOT NULL,
  PRIMARY KEY (form, session, quarter)
) WITHOUT ROWID;
CREATE INDEX ruled_session ON ruled (session, quarter);
DELETE FROM meta WHERE key = 'form_revision';
INSERT OR IGNORE INTO stale_day SELECT DISTINCT day FROM worked;
CREATE INDEX session_latest ON session(coalesce(ended_at, started_at));`,
  MARKS,
  EVICTED_PARTS,
  // A checksum for each chunk.
  'ALTER TABLE chunk ADD COLUMN crc INTEGER',
  // What has changed, for whoever follows.
  `
CREATE TABLE change (
  seq INTEGER PRIMARY KEY,
  session_uid TEXT NOT NULL,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (session_uid, kind)
);
INSERT INTO change (session_uid, kind, at)
SELECT uid, kind, at FROM (
  SELECT uid, 'grown' AS kind, ingested_at AS at FROM session WHERE ingested_at IS NOT NULL AND evicted_at IS NULL
  UNION ALL SELECT uid, 'analysed', analyzed_at FROM session WHERE analyzed_at IS NOT NULL
  UNION ALL SELECT uid, 'evicted', evicted_at FROM session WHERE evicted_at IS NOT NULL
  UNION ALL SELECT uid, 'forgotten', forgotten_at FROM tombstone
) ORDER BY at, uid, kind;
DELETE FROM meta WHERE key = 'text_measure';
`,
  MESSAGE_POSITIONS,
  OWN_WORDS,
  QUESTIONS,
  // What was billed in a lane is found by its session.
  'DROP INDEX ledger_lane',
  // The vectors of all pieces of a text but the first, one after the other; null as long as a vector is that of all of the text.
  'ALTER TABLE embedding ADD COLUMN further BLOB',
]
