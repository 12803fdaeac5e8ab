/**
 * Sums by local day, and what command lines speak for.
 *
 * `place`: what a report may ask for or sum by, of a session. `worked`: the days on which a session has anything.
 * `quarter_day`: the local day of a quarter of an hour; to ask the clock for each row would take longer than the sums.
 * Rows with place 0 are the sums over all places. `form`: what command lines speak for, as it was judged when they were
 * kept. `ruled`: how often; `event` is the latest. Goes with the raw text of a session: an exact form is a command line.
 */
export const DAYS = `
CREATE TABLE place (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  git_repo TEXT,
  cwd TEXT,
  flavor TEXT NOT NULL,
  source TEXT NOT NULL,
  sources TEXT NOT NULL,
  model TEXT
);
CREATE TABLE session_place (session INTEGER PRIMARY KEY, place INTEGER NOT NULL);
CREATE TABLE worked (session INTEGER NOT NULL, day TEXT NOT NULL, PRIMARY KEY (session, day)) WITHOUT ROWID;
CREATE INDEX worked_day ON worked(day);
CREATE TABLE quarter_day (quarter INTEGER PRIMARY KEY, day TEXT NOT NULL);
CREATE TABLE stale_day (day TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE day_spent (day TEXT NOT NULL, place INTEGER NOT NULL, model TEXT NOT NULL, size INTEGER NOT NULL, responses INTEGER NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL, cache_read INTEGER NOT NULL, w5 INTEGER NOT NULL, w1 INTEGER NOT NULL, reasoning INTEGER NOT NULL, recorded_usd REAL NOT NULL, recorded INTEGER NOT NULL, PRIMARY KEY (day, place, model, size)) WITHOUT ROWID;
CREATE TABLE day_shell (day TEXT NOT NULL, place INTEGER NOT NULL, base TEXT NOT NULL, sub TEXT NOT NULL, count INTEGER NOT NULL, errors INTEGER NOT NULL, compound INTEGER NOT NULL, PRIMARY KEY (day, place, base, sub)) WITHOUT ROWID;
CREATE TABLE day_tool (day TEXT NOT NULL, place INTEGER NOT NULL, tool TEXT NOT NULL, count INTEGER NOT NULL, errors INTEGER NOT NULL, sessions INTEGER NOT NULL, last INTEGER NOT NULL, PRIMARY KEY (day, place, tool)) WITHOUT ROWID;
CREATE TABLE day_ran (day TEXT NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (day, place, name)) WITHOUT ROWID;
CREATE TABLE day_touched (day TEXT NOT NULL, place INTEGER NOT NULL, path INTEGER NOT NULL, edits INTEGER NOT NULL, reads INTEGER NOT NULL, sessions INTEGER NOT NULL, last INTEGER NOT NULL, PRIMARY KEY (day, place, path)) WITHOUT ROWID;
CREATE TABLE day_ended (
  day TEXT NOT NULL, place INTEGER NOT NULL, outcome TEXT NOT NULL, sessions INTEGER NOT NULL, prompts INTEGER NOT NULL, calls INTEGER NOT NULL, silent INTEGER NOT NULL, analysed INTEGER NOT NULL, active_s INTEGER NOT NULL, agent_s INTEGER NOT NULL, waiting_s INTEGER NOT NULL, idle_s INTEGER NOT NULL,
  PRIMARY KEY (day, place, outcome)
) WITHOUT ROWID;
CREATE TRIGGER session_left_days AFTER DELETE ON session BEGIN
  INSERT OR IGNORE INTO stale_day SELECT day FROM worked WHERE session = old.id;
  DELETE FROM worked WHERE session = old.id;
  DELETE FROM session_place WHERE session = old.id;
END;
CREATE TRIGGER session_judged AFTER UPDATE OF outcome, analyzed_at ON session BEGIN
  INSERT OR IGNORE INTO stale_day VALUES (coalesce(date(coalesce(new.ended_at, new.started_at) / 1000, 'unixepoch', 'localtime'), ''));
END;

CREATE TABLE form (
  id INTEGER PRIMARY KEY, offer TEXT NOT NULL, pattern TEXT NOT NULL, reason TEXT NOT NULL, name TEXT NOT NULL,
  UNIQUE (offer, pattern, reason)
);
CREATE TABLE ruled (
  session INTEGER NOT NULL,
  quarter INTEGER NOT NULL,
  form INTEGER NOT NULL,
  count INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  last_at INTEGER,
  event INTEGER NOT NULL,
  PRIMARY KEY (session, quarter, form)
) WITHOUT ROWID;
CREATE TABLE unruled (session INTEGER PRIMARY KEY);
CREATE TRIGGER ruled_gone AFTER DELETE ON session BEGIN
  DELETE FROM ruled WHERE session = old.id;
  DELETE FROM unruled WHERE session = old.id;
END;
CREATE TRIGGER ruled_evicted AFTER UPDATE OF evicted_at ON session WHEN new.evicted_at IS NOT NULL BEGIN
  DELETE FROM ruled WHERE session = new.id;
END;
`
