import type { Database } from './database.ts'
import { keepMeta, readMeta } from './meta.ts'

/** Changes with the rule that titles are made by. */
const TITLE_REVISION = '1'

/** Whether the titles of this store were made by the rule of today. */
export function areTitlesCurrent(db: Database): boolean {
  return readMeta(db, 'title_revision') === TITLE_REVISION
}

export function keepTitleRevision(db: Database): void {
  keepMeta(db, 'title_revision', TITLE_REVISION)
}
