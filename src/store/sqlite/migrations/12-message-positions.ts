/**
 * Positions of messages that can be read: those of a subagent stand behind its session's own, a block of a million for
 * each.
 */
export const MESSAGE_POSITIONS = `
DROP VIEW messages;
CREATE VIEW messages AS
SELECT lower(hex(e.message_id)) AS id, s.short_id AS session_id,
  (CASE WHEN coalesce(l.message_base, l.base) < 1000000000 THEN coalesce(l.message_base, l.base)
  ELSE 1000000 * (SELECT count(DISTINCT coalesce(o.message_base, o.base)) FROM lane o
    WHERE o.session = l.session AND coalesce(o.message_base, o.base) < coalesce(l.message_base, l.base)) END)
    + e.message AS idx,
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
`
