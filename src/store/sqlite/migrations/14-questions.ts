/**
 * What people were asked about: by tool, by what the call was about, by what in it keeps rules from fitting. Of uses of
 * a form: how many questions the log tells of, and how many there must have been beside them. All is judged again.
 */
export const QUESTIONS = `
CREATE TABLE question (
  session INTEGER NOT NULL,
  quarter INTEGER NOT NULL,
  tool TEXT NOT NULL,
  subject TEXT NOT NULL,
  obstacles TEXT NOT NULL,
  asked INTEGER NOT NULL,
  commented INTEGER NOT NULL,
  waited_ms INTEGER NOT NULL,
  last_at INTEGER,
  event INTEGER NOT NULL,
  PRIMARY KEY (session, quarter, tool, subject, obstacles)
) WITHOUT ROWID;
CREATE TRIGGER question_gone AFTER DELETE ON session BEGIN
  DELETE FROM question WHERE session = old.id;
END;
CREATE TRIGGER question_evicted AFTER UPDATE OF evicted_at ON session WHEN new.evicted_at IS NOT NULL BEGIN
  DELETE FROM question WHERE session = new.id;
END;
DROP TABLE ruled;
CREATE TABLE ruled (
  form INTEGER NOT NULL,
  session INTEGER NOT NULL,
  quarter INTEGER NOT NULL,
  count INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  asked INTEGER NOT NULL,
  commented INTEGER NOT NULL,
  waited_ms INTEGER NOT NULL,
  unseen INTEGER NOT NULL,
  last_at INTEGER,
  event INTEGER NOT NULL,
  PRIMARY KEY (form, session, quarter)
) WITHOUT ROWID;
CREATE INDEX ruled_session ON ruled (session, quarter);
DELETE FROM meta WHERE key = 'form_revision';
`
