/** Sums by session and quarter of an hour, and the times in digests where they can be summed without reading the digests. */
export const ROLLUPS = `
ALTER TABLE event ADD COLUMN runs TEXT;
CREATE TABLE stale_rollup (session INTEGER PRIMARY KEY);
CREATE TABLE ran (
  session INTEGER NOT NULL,
  quarter INTEGER NOT NULL,
  name TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (session, quarter, name)
) WITHOUT ROWID;
CREATE TABLE spent (
  session INTEGER NOT NULL,
  quarter INTEGER NOT NULL,
  model TEXT NOT NULL,
  size INTEGER NOT NULL,
  responses INTEGER NOT NULL,
  input INTEGER NOT NULL,
  output INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  w5 INTEGER NOT NULL,
  w1 INTEGER NOT NULL,
  reasoning INTEGER NOT NULL,
  recorded_usd REAL NOT NULL,
  recorded INTEGER NOT NULL,
  PRIMARY KEY (session, quarter, model, size)
) WITHOUT ROWID;
CREATE TABLE called (
  session INTEGER NOT NULL,
  quarter INTEGER NOT NULL,
  tool TEXT NOT NULL,
  shell INTEGER NOT NULL,
  base TEXT NOT NULL,
  sub TEXT NOT NULL,
  count INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  compound INTEGER NOT NULL,
  PRIMARY KEY (session, quarter, tool, shell, base, sub)
) WITHOUT ROWID;
CREATE TABLE touched (
  session INTEGER NOT NULL,
  quarter INTEGER NOT NULL,
  path INTEGER NOT NULL,
  edits INTEGER NOT NULL,
  reads INTEGER NOT NULL,
  PRIMARY KEY (session, quarter, path)
) WITHOUT ROWID;
CREATE TRIGGER session_gone AFTER DELETE ON session BEGIN
  DELETE FROM spent WHERE session = old.id;
  DELETE FROM called WHERE session = old.id;
  DELETE FROM ran WHERE session = old.id;
  DELETE FROM touched WHERE session = old.id;
END;
CREATE INDEX digest_time ON digests(session_uid, json_extract(json, '$.time.active_s'),
  json_extract(json, '$.time.agent_s'), json_extract(json, '$.time.waiting_s'), json_extract(json, '$.time.idle_s'));
INSERT INTO spent SELECT g.session AS session, coalesce(CAST(g.at AS INTEGER) / 900000, -1) AS quarter, coalesce(g.model, '') AS model, CASE WHEN g.input + g.cache_read + g.cache_write_5m + g.cache_write_1h > 512000 THEN 512000 WHEN g.input + g.cache_read + g.cache_write_5m + g.cache_write_1h > 272000 THEN 272000 WHEN g.input + g.cache_read + g.cache_write_5m + g.cache_write_1h > 271999 THEN 271999 WHEN g.input + g.cache_read + g.cache_write_5m + g.cache_write_1h > 256000 THEN 256000 WHEN g.input + g.cache_read + g.cache_write_5m + g.cache_write_1h > 200000 THEN 200000 WHEN g.input + g.cache_read + g.cache_write_5m + g.cache_write_1h > 199999 THEN 199999 WHEN g.input + g.cache_read + g.cache_write_5m + g.cache_write_1h > 128000 THEN 128000 ELSE 0 END AS size,
    count(*) AS responses, min(sum(1.0 * g.input), 9007199254740991) AS input, min(sum(1.0 * g.output), 9007199254740991) AS output, min(sum(1.0 * g.cache_read), 9007199254740991) AS cache_read,
    min(sum(1.0 * g.cache_write_5m), 9007199254740991) AS w5, min(sum(1.0 * g.cache_write_1h), 9007199254740991) AS w1, min(sum(1.0 * g.reasoning), 9007199254740991) AS reasoning,
    coalesce(min(sum(1.0 * g.cost_usd), 9007199254740991), 0) AS recorded_usd, count(g.cost_usd) AS recorded FROM ledger g
    WHERE TRUE AND TRUE AND TRUE GROUP BY 1, 2, 3, 4;
INSERT INTO called SELECT l.session AS session, coalesce(CAST(e.at AS INTEGER) / 900000, -1) AS quarter, coalesce(e.tool, '') AS tool, e.text IS NOT NULL AS shell,
    coalesce(e.bash_base, '') AS base, coalesce(e.bash_sub, '') AS sub, count(*) AS count, count(r.call) AS errors,
    sum((e.flags & 32) <> 0) AS compound FROM lane l JOIN event e ON e.lane = l.id LEFT JOIN (
      SELECT DISTINCT x.lane, x.call FROM event x WHERE x.kind = 'error' AND x.call IS NOT NULL AND TRUE
    ) r ON r.lane = e.lane AND r.call = e.call
    WHERE e.kind IN ('tool_call', 'test_run', 'edit', 'retry') AND e.flags & 134 = 0 AND TRUE AND TRUE GROUP BY 1, 2, 3, 4, 5, 6;
INSERT INTO ran SELECT l.session AS session, coalesce(CAST(e.at AS INTEGER) / 900000, -1) AS quarter, coalesce(j.value, '') AS name, count(*) AS count FROM lane l JOIN event e ON e.lane = l.id JOIN json_each(e.runs) j
    WHERE e.runs IS NOT NULL AND e.flags & 134 = 0 AND TRUE AND TRUE GROUP BY 1, 2, 3;
INSERT INTO touched SELECT l.session AS session, coalesce(CAST(e.at AS INTEGER) / 900000, -1) AS quarter, t.path AS path, sum(t.edit) AS edits, sum(1 - t.edit) AS reads FROM touch t JOIN event e ON e.id = t.event JOIN lane l ON l.id = e.lane
    WHERE e.flags & 134 = 0 AND TRUE AND TRUE GROUP BY 1, 2, 3;
`
