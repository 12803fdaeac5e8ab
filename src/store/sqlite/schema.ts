import { COURSE_TABLE, UNCHARTED_TABLE } from './course-rows.ts'
import { DAILY_TABLES } from './daily.ts'
import { FORM_TABLES, RULED_BY_FORM } from './forms.ts'
import { LATEST_INDEX } from './sessions.ts'
import { EVICTED_PART_MIGRATION } from './evicted-part-migration.ts'
import { MARKS_MIGRATION } from './marks-migration.ts'
import { MESSAGE_POSITIONS_MIGRATION } from './message-positions-migration.ts'
import { ROLLUP_TABLES } from './rollup.ts'
import { VECTOR_TABLES } from './vectors-tables.ts'

/**
 * Numbered, append-only. A released migration is never edited; each runs in a transaction of its own.
 *
 * Event flags: 1 sidechain, 2 superseded, 4 copy, 8 human, 16 inferred, 32 compound, 64 message start, 128 shelved,
 * 256 tests passed, 512 tests failed, 1024 twin, 2048 remark.
 */
export const MIGRATIONS: readonly string[] = [
  `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE file (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  path TEXT NOT NULL UNIQUE,
  stamp TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime_ms REAL NOT NULL,
  status TEXT NOT NULL,
  offset INTEGER NOT NULL,
  line INTEGER NOT NULL,
  state TEXT NOT NULL,
  head TEXT NOT NULL,
  tail TEXT NOT NULL,
  provisional INTEGER NOT NULL
);

CREATE TABLE session (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  short_id TEXT NOT NULL,
  flavor TEXT NOT NULL,
  source TEXT NOT NULL,
  native_id TEXT NOT NULL,
  source_path TEXT NOT NULL,
  title TEXT,
  told_title TEXT,
  indexed_title TEXT,
  cwd TEXT,
  git_repo TEXT,
  repo_identity TEXT,
  git_branch TEXT,
  model TEXT,
  started_at INTEGER,
  ended_at INTEGER,
  message_count INTEGER NOT NULL DEFAULT 0,
  prompt_count INTEGER NOT NULL DEFAULT 0,
  tool_count INTEGER NOT NULL DEFAULT 0,
  event_count INTEGER NOT NULL DEFAULT 0,
  retry_count INTEGER NOT NULL DEFAULT 0,
  thread_count INTEGER NOT NULL DEFAULT 0,
  responses INTEGER NOT NULL DEFAULT 0,
  input_tokens INTEGER,
  output_tokens INTEGER,
  cache_read INTEGER,
  cache_write_5m INTEGER,
  cache_write_1h INTEGER,
  reasoning INTEGER,
  parent_uid TEXT,
  is_complete INTEGER NOT NULL DEFAULT 1,
  hidden INTEGER NOT NULL DEFAULT 0,
  file_mtime REAL,
  file_size INTEGER,
  source_bytes INTEGER NOT NULL DEFAULT 0,
  row_bytes INTEGER NOT NULL DEFAULT 0,
  redactions TEXT NOT NULL DEFAULT '{}',
  outcome TEXT NOT NULL DEFAULT 'unknown',
  task_ref TEXT,
  discovered_at INTEGER,
  ingested_at INTEGER,
  analyzed_at INTEGER,
  evicted_at INTEGER,
  evict_reason TEXT
);
CREATE INDEX session_started ON session(started_at DESC);
CREATE INDEX session_held ON session(uid) WHERE evicted_at IS NULL AND event_count > 0;

CREATE TABLE moved_repo (root TEXT PRIMARY KEY, now_at TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE session_path (
  short_id TEXT PRIMARY KEY,
  session INTEGER NOT NULL,
  path TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE lane (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  name TEXT NOT NULL,
  base INTEGER NOT NULL,
  originality INTEGER NOT NULL,
  yields_to TEXT,
  file INTEGER,
  main_path TEXT,
  facts TEXT NOT NULL DEFAULT '{}',
  side TEXT NOT NULL DEFAULT '{}',
  UNIQUE (session, name)
);
CREATE INDEX lane_file ON lane(file);

CREATE TABLE event (
  id INTEGER PRIMARY KEY,
  lane INTEGER NOT NULL,
  pos INTEGER NOT NULL,
  parent INTEGER,
  at INTEGER,
  kind TEXT NOT NULL,
  role TEXT NOT NULL,
  tool TEXT,
  summary TEXT,
  text TEXT,
  input TEXT,
  chunk INTEGER,
  body_offset INTEGER,
  body_length INTEGER,
  flags INTEGER NOT NULL,
  native BLOB NOT NULL,
  block INTEGER NOT NULL,
  call BLOB,
  message INTEGER,
  message_id BLOB,
  call_idx INTEGER,
  call_id BLOB,
  line INTEGER NOT NULL,
  exchange INTEGER NOT NULL,
  event_class TEXT,
  bash_base TEXT,
  bash_sub TEXT,
  thread TEXT
);
CREATE UNIQUE INDEX event_place ON event(lane, pos);
CREATE INDEX event_native ON event(native);
CREATE INDEX event_message ON event(lane, message) WHERE message IS NOT NULL;

CREATE TABLE path (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE touch (
  path INTEGER NOT NULL,
  event INTEGER NOT NULL,
  edit INTEGER NOT NULL,
  PRIMARY KEY (path, event)
) WITHOUT ROWID;
CREATE INDEX touch_event ON touch(event);
CREATE TABLE made (
  event INTEGER NOT NULL,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (event, kind, value)
) WITHOUT ROWID;
CREATE INDEX made_value ON made(value);
CREATE TRIGGER event_gone AFTER DELETE ON event BEGIN
  DELETE FROM touch WHERE event = old.id;
  DELETE FROM made WHERE event = old.id;
END;

CREATE TABLE exchange (
  id INTEGER PRIMARY KEY,
  lane INTEGER NOT NULL,
  ord INTEGER NOT NULL,
  first_pos INTEGER NOT NULL,
  last_pos INTEGER NOT NULL,
  size INTEGER NOT NULL,
  UNIQUE (lane, first_pos)
);
CREATE VIRTUAL TABLE exchange_fts USING fts5(
  title, prompt, answer, thinking, command, file, error, parts,
  content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
);
INSERT INTO exchange_fts(exchange_fts, rank) VALUES ('automerge', 16);

CREATE TABLE pack (id INTEGER PRIMARY KEY, bytes INTEGER NOT NULL);
CREATE TABLE chunk (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  pack INTEGER NOT NULL,
  offset INTEGER NOT NULL,
  length INTEGER NOT NULL,
  raw_length INTEGER NOT NULL
);
CREATE INDEX chunk_session ON chunk(session);

CREATE TABLE ledger (
  key TEXT PRIMARY KEY,
  flavor TEXT NOT NULL,
  session INTEGER NOT NULL,
  lane INTEGER NOT NULL,
  owner TEXT NOT NULL,
  message INTEGER,
  model TEXT,
  at INTEGER,
  input INTEGER NOT NULL,
  output INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cache_write_5m INTEGER NOT NULL,
  cache_write_1h INTEGER NOT NULL,
  reasoning INTEGER NOT NULL,
  cost_usd REAL,
  file INTEGER NOT NULL,
  line INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX ledger_session ON ledger(session);

CREATE TABLE told_title (leaf BLOB PRIMARY KEY, title TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE problem (
  id INTEGER PRIMARY KEY,
  file INTEGER NOT NULL,
  type TEXT NOT NULL,
  level TEXT NOT NULL,
  message TEXT NOT NULL,
  line INTEGER NOT NULL,
  offset INTEGER NOT NULL
);
CREATE INDEX problem_file ON problem(file);

CREATE TABLE signal (
  session INTEGER NOT NULL,
  kind TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  summary TEXT NOT NULL,
  count INTEGER NOT NULL,
  tool TEXT,
  seqs TEXT NOT NULL,
  PRIMARY KEY (session, kind, fingerprint)
) WITHOUT ROWID;
CREATE INDEX signal_fingerprint ON signal(kind, fingerprint);

CREATE TABLE tag (
  session_uid TEXT NOT NULL,
  tag TEXT NOT NULL,
  PRIMARY KEY (session_uid, tag)
) WITHOUT ROWID;
CREATE TABLE tombstone (uid TEXT PRIMARY KEY, forgotten_at INTEGER NOT NULL, files TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE notice (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  message TEXT NOT NULL,
  acknowledged_at INTEGER
);

CREATE TABLE digests (
  session_uid TEXT PRIMARY KEY,
  json TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  analyzed_at TEXT
);

CREATE VIEW sessions AS
SELECT short_id AS id, source, source_path, native_id AS source_session_id,
  strftime('%Y-%m-%dT%H:%M:%fZ', started_at / 1000.0, 'unixepoch') AS started_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', ended_at / 1000.0, 'unixepoch') AS ended_at,
  CAST(round((ended_at - started_at) / 1000.0) AS INTEGER) AS duration_seconds,
  model, cwd, git_repo, git_branch, message_count, tool_count, input_tokens, output_tokens, is_complete,
  file_mtime, file_size,
  strftime('%Y-%m-%dT%H:%M:%fZ', ingested_at / 1000.0, 'unixepoch') AS indexed_at,
  uid AS session_uid, title
FROM session;

CREATE VIEW messages AS
SELECT lower(hex(e.message_id)) AS id, s.short_id AS session_id,
  CASE WHEN l.name = '' THEN e.message ELSE l.base + e.message END AS idx,
  e.role AS role,
  (SELECT group_concat(t.text, char(10)) FROM (
     SELECT text FROM event x WHERE x.lane = e.lane AND x.message = e.message AND x.kind <> 'thinking'
       AND x.kind NOT IN ('tool_call', 'test_run', 'edit', 'retry') AND x.text <> '' ORDER BY x.pos) t) AS content,
  (SELECT group_concat(t.text, char(10)) FROM (
     SELECT text FROM event x WHERE x.lane = e.lane AND x.message = e.message AND x.kind = 'thinking'
       AND x.text <> '' ORDER BY x.pos) t) AS thinking,
  strftime('%Y-%m-%dT%H:%M:%fZ', e.at / 1000.0, 'unixepoch') AS timestamp,
  EXISTS (SELECT 1 FROM event x WHERE x.lane = e.lane AND x.message = e.message AND x.kind = 'thinking') AS has_thinking,
  NULL AS content_embedding, NULL AS thinking_embedding, e.thread AS thread
FROM event e JOIN lane l ON l.id = e.lane JOIN session s ON s.id = l.session
WHERE e.flags & 64 AND e.flags & 134 = 0;

CREATE VIEW tool_calls AS
SELECT lower(hex(e.call_id)) AS id, s.short_id AS session_id, lower(hex(e.message_id)) AS message_id,
  e.call_idx AS idx, e.tool AS tool_name, e.input AS tool_input, e.text AS bash_command,
  e.bash_base AS bash_base, e.bash_sub AS bash_sub, (e.flags & 32) <> 0 AS is_compound,
  NULL AS bash_embedding, e.thread AS thread
FROM event e JOIN lane l ON l.id = e.lane JOIN session s ON s.id = l.session
WHERE e.kind IN ('tool_call', 'test_run', 'edit', 'retry') AND e.flags & 134 = 0;
`,
  COURSE_TABLE,
  ROLLUP_TABLES,
  DAILY_TABLES + FORM_TABLES,
  VECTOR_TABLES,
  UNCHARTED_TABLE,
  RULED_BY_FORM + LATEST_INDEX,
  MARKS_MIGRATION,
  EVICTED_PART_MIGRATION,
  'ALTER TABLE chunk ADD COLUMN crc INTEGER',
  MESSAGE_POSITIONS_MIGRATION,
]
