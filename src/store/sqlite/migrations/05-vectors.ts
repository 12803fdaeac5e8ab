/**
 * A link says which text stands where; the vector of the text is kept once for each model. Links are written with the
 * full text of their document and go with it. A link without a vector waits for one.
 */
export const VECTORS = `
CREATE TABLE embedding (
  id INTEGER PRIMARY KEY,
  model TEXT NOT NULL,
  hash BLOB NOT NULL,
  vector BLOB NOT NULL,
  UNIQUE (model, hash)
);
CREATE TABLE embedding_bits (id INTEGER PRIMARY KEY, model TEXT NOT NULL, bits BLOB NOT NULL);
CREATE TABLE embedding_link (
  doc INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  event INTEGER NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (doc, kind, event)
) WITHOUT ROWID;
CREATE INDEX embedding_link_text ON embedding_link(kind, hash);
CREATE INDEX embedding_link_hash ON embedding_link(hash);
CREATE INDEX embedding_link_event ON embedding_link(event) WHERE event > 0;
CREATE TRIGGER exchange_unlinked AFTER DELETE ON exchange BEGIN
  DELETE FROM embedding_link WHERE doc = old.id;
END;
CREATE TRIGGER embedding_gone AFTER DELETE ON embedding BEGIN
  DELETE FROM embedding_bits WHERE id = old.id;
END;

DROP VIEW messages;
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
  (SELECT v.vector FROM event x JOIN embedding_link k ON k.event = x.id AND k.event > 0 AND k.kind IN (0, 3)
     JOIN embedding v ON v.hash = k.hash AND v.model = (SELECT value FROM meta WHERE key = 'embedding_model')
   WHERE x.lane = e.lane AND x.message = e.message ORDER BY x.pos LIMIT 1) AS content_embedding,
  (SELECT v.vector FROM event x JOIN embedding_link k ON k.event = x.id AND k.event > 0 AND k.kind = 4
     JOIN embedding v ON v.hash = k.hash AND v.model = (SELECT value FROM meta WHERE key = 'embedding_model')
   WHERE x.lane = e.lane AND x.message = e.message ORDER BY x.pos LIMIT 1) AS thinking_embedding,
  e.thread AS thread
FROM event e JOIN lane l ON l.id = e.lane JOIN session s ON s.id = l.session
WHERE e.flags & 64 AND e.flags & 134 = 0;

DROP VIEW tool_calls;
CREATE VIEW tool_calls AS
SELECT lower(hex(e.call_id)) AS id, s.short_id AS session_id, lower(hex(e.message_id)) AS message_id,
  e.call_idx AS idx, e.tool AS tool_name, e.input AS tool_input, e.text AS bash_command,
  e.bash_base AS bash_base, e.bash_sub AS bash_sub, (e.flags & 32) <> 0 AS is_compound,
  (SELECT v.vector FROM embedding_link k JOIN embedding v ON v.hash = k.hash
     AND v.model = (SELECT value FROM meta WHERE key = 'embedding_model')
   WHERE k.event = e.id AND k.event > 0) AS bash_embedding,
  e.thread AS thread
FROM event e JOIN lane l ON l.id = e.lane JOIN session s ON s.id = l.session
WHERE e.kind IN ('tool_call', 'test_run', 'edit', 'retry') AND e.flags & 134 = 0;
`
