/** What a person says of a session, with when, so that of two machines the later word holds; also what was taken back. */
export const OWN_WORDS = `
ALTER TABLE tag ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
CREATE TABLE untagged (
  session_uid TEXT NOT NULL,
  tag TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (session_uid, tag)
) WITHOUT ROWID;
CREATE TABLE own_title (
  session_uid TEXT PRIMARY KEY,
  title TEXT,
  was TEXT,
  at INTEGER NOT NULL
) WITHOUT ROWID;
`
