/**
 * What is kept of the part of a session whose raw text went before new words came: how far each lane had been read,
 * its digest, its signals, its sums. All of it is added to what the new words give.
 */
export const EVICTED_PARTS = `
ALTER TABLE file ADD COLUMN whole INTEGER NOT NULL DEFAULT 0;
ALTER TABLE lane ADD COLUMN evicted_until INTEGER;
ALTER TABLE lane ADD COLUMN evicted_line INTEGER;
ALTER TABLE session ADD COLUMN part_evicted_at INTEGER;
ALTER TABLE session ADD COLUMN part TEXT;
ALTER TABLE session ADD COLUMN evicted_start INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN evicted_end INTEGER NOT NULL DEFAULT 0;
ALTER TABLE digests ADD COLUMN part TEXT;
ALTER TABLE signal ADD COLUMN part_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE course ADD COLUMN part TEXT;
CREATE TABLE part_called AS SELECT * FROM called WHERE 0;
CREATE INDEX part_called_session ON part_called(session);
CREATE TABLE part_ran AS SELECT * FROM ran WHERE 0;
CREATE INDEX part_ran_session ON part_ran(session);
CREATE TABLE part_touched AS SELECT * FROM touched WHERE 0;
CREATE INDEX part_touched_session ON part_touched(session);
CREATE TRIGGER part_gone AFTER DELETE ON session BEGIN
  DELETE FROM part_called WHERE session = old.id;
  DELETE FROM part_ran WHERE session = old.id;
  DELETE FROM part_touched WHERE session = old.id;
END;
UPDATE lane SET evicted_until = (SELECT s.ended_at FROM session s WHERE s.id = lane.session),
  evicted_line = coalesce((SELECT f.line FROM file f WHERE f.id = lane.file), 0)
WHERE session IN (SELECT id FROM session WHERE evicted_at IS NOT NULL);
UPDATE session SET evicted_start = 1 WHERE evicted_at IS NOT NULL;
UPDATE session SET evicted_end = 1 WHERE evicted_at IS NOT NULL AND EXISTS (
  SELECT 1 FROM digests d WHERE d.session_uid = session.uid AND json_extract(d.json, '$.kind_counts.completion') > 0);
UPDATE file SET status = 'ok' WHERE status = 'evicted' AND id IN (
  SELECT l.file FROM lane l JOIN session s ON s.id = l.session WHERE s.evicted_at IS NULL);
`
