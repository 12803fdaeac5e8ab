import type { Database } from './database.ts'

/**
 * A repository whose directory is gone, while another one with the same remote or first commit is there, has been
 * moved: its sessions are filed under where it is now. Returns the sessions that are to be: what is evicted stays as it is.
 */
export function foldMovedRepos(db: Database, exists: (dir: string) => boolean): number[] {
  const rows = db.all(
    `SELECT DISTINCT git_repo, repo_identity FROM session WHERE git_repo IS NOT NULL AND repo_identity IN (
       SELECT repo_identity FROM session GROUP BY repo_identity HAVING count(DISTINCT git_repo) > 1)
     ORDER BY repo_identity, git_repo`,
  )
  const moved: number[] = []
  for (const identity of new Set(rows.map((row) => row['repo_identity']))) {
    const roots = rows.filter((row) => row['repo_identity'] === identity).map((row) => String(row['git_repo']))
    const here = roots.find(exists)
    if (here === undefined) continue
    for (const gone of roots.filter((root) => !exists(root))) {
      db.run('INSERT INTO moved_repo VALUES (?1, ?2) ON CONFLICT (root) DO UPDATE SET now_at = ?2', gone, here)
      moved.push(
        ...db
          .all('SELECT id FROM session WHERE git_repo = ? AND evicted_at IS NULL', gone)
          .map((row) => Number(row['id'])),
      )
    }
  }
  return moved
}
