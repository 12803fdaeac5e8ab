import { DatabaseSync } from '@photostructure/sqlite'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { statRegular } from '../../model/regular-file.ts'

/**
 * The title that the client's own search index gives a session, or null. It is opened as
 * immutable, so that nothing is ever written beside it; what the client has not yet merged into it is not seen.
 */
export function indexedTitle(root: string, session: string): string | null {
  const file = path.join(root, 'sessions', 'session_search.sqlite')
  if (statRegular(file) === null) return null
  const url = pathToFileURL(file)
  url.searchParams.set('immutable', '1')
  try {
    const db = new DatabaseSync(url, { readOnly: true })
    try {
      const title = db.prepare('SELECT title FROM session_docs WHERE session_id = ?').get(session)?.['title']
      return typeof title === 'string' ? title.trim() || null : null
    } finally {
      db.close()
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}
