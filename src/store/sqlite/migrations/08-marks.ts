/**
 * What sources know of events beyond their words; links to parents in other transcripts; every branch of a session;
 * positions of messages that count from 0 in a session's first transcript, whatever it is called.
 */
export const MARKS = `
ALTER TABLE event ADD COLUMN marks TEXT;
ALTER TABLE event ADD COLUMN parent_key BLOB;
ALTER TABLE session ADD COLUMN branches TEXT;
ALTER TABLE session ADD COLUMN automated INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN spoken INTEGER NOT NULL DEFAULT 1;
CREATE INDEX ledger_lane ON ledger(lane);
ALTER TABLE session ADD COLUMN inherits TEXT;
ALTER TABLE signal ADD COLUMN denied_by TEXT;
ALTER TABLE ledger ADD COLUMN pos INTEGER;
ALTER TABLE lane ADD COLUMN message_base INTEGER;
ALTER TABLE lane ADD COLUMN fork_of TEXT;
ALTER TABLE lane ADD COLUMN shares INTEGER NOT NULL DEFAULT 0;
ALTER TABLE lane ADD COLUMN inherited TEXT;
CREATE INDEX lane_fork ON lane(fork_of) WHERE fork_of IS NOT NULL;
UPDATE lane SET message_base = CASE WHEN name = '' THEN 0 ELSE base END;

-- What older readers said in words. Transcripts that are still there are read again; of others this is all there is.
UPDATE event SET marks = CASE
  WHEN kind = 'lifecycle' AND text LIKE 'conversation compacted%' THEN '{"compacted":"unknown"}'
  WHEN kind = 'lifecycle' AND (text LIKE 'turn took %' OR text LIKE 'task complete%' OR text LIKE 'turn ended%') THEN '{"turn":"completed"}'
  WHEN kind = 'lifecycle' AND text LIKE 'turn aborted:%' THEN '{"turn":"aborted"}'
  WHEN kind = 'lifecycle' AND (text LIKE 'rewound to before prompt%' OR text LIKE '% taken back') THEN '{"takenBack":1}'
  WHEN kind = 'lifecycle' AND text LIKE 'subagent of %) completed%' THEN '{"subagent":"completed"}'
  WHEN kind = 'lifecycle' AND text LIKE 'subagent of %) cancel%' THEN '{"subagent":"cancelled"}'
  WHEN kind = 'lifecycle' AND (text LIKE 'subagent of %) failed%' OR text LIKE 'subagent of %) error%') THEN '{"subagent":"failed"}'
  WHEN kind = 'human_intervention' AND text LIKE 'interjected%' THEN '{"midTurn":true}'
  WHEN kind = 'human_intervention' AND text LIKE 'permission:%' THEN '{"asked":true,"denied":"person"}'
  WHEN kind = 'human_intervention' THEN '{"interrupted":true}'
  WHEN kind = 'error' AND role = 'tool' AND (text LIKE '%doesn''t want to proceed with this tool use%' OR text LIKE '%rejected by user%'
    OR text LIKE '%denied by user%' OR text LIKE '%has been denied%' OR text LIKE '%haven''t granted it%') THEN '{"denied":"person"}'
  WHEN kind = 'user_msg' AND role = 'user' AND flags & 8 = 0 AND text LIKE '/%' AND instr(substr(text, 2, 40), '/') = 0
    THEN json_object('command', substr(text, 1, instr(text || ' ', ' ') - 1))
  WHEN kind = 'user_msg' AND role = 'user' AND flags & 8 = 0 AND (text LIKE '<%' OR text LIKE '[%' OR text LIKE '# %' OR text LIKE 'Caveat:%')
    THEN '{"injected":true}'
  WHEN kind = 'assistant_msg' AND text = 'No response requested.' THEN '{"injected":true}'
END
WHERE kind IN ('lifecycle', 'human_intervention', 'error', 'user_msg') OR kind = 'assistant_msg' AND text = 'No response requested.';
UPDATE event SET kind = 'tool_result' WHERE kind = 'error' AND marks = '{"denied":"person"}';

DROP VIEW messages;
CREATE VIEW messages AS
SELECT lower(hex(e.message_id)) AS id, s.short_id AS session_id,
  coalesce(l.message_base, l.base) + e.message AS idx,
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
SELECT lower(hex(e.call_id)) AS id, s.short_id AS session_id,
  CASE WHEN e.message_id IS NULL THEN NULL ELSE lower(hex(e.message_id)) END AS message_id,
  e.call_idx AS idx, e.tool AS tool_name, e.input AS tool_input, e.text AS bash_command,
  e.bash_base AS bash_base, e.bash_sub AS bash_sub, (e.flags & 32) <> 0 AS is_compound,
  (SELECT v.vector FROM embedding_link k JOIN embedding v ON v.hash = k.hash
     AND v.model = (SELECT value FROM meta WHERE key = 'embedding_model')
   WHERE k.event = e.id AND k.event > 0) AS bash_embedding,
  e.thread AS thread
FROM event e JOIN lane l ON l.id = e.lane JOIN session s ON s.id = l.session
WHERE e.kind IN ('tool_call', 'test_run', 'edit', 'retry') AND e.flags & 134 = 0 AND l.originality <> 3;
`
