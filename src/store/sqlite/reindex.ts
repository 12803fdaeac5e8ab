import type { TextField } from '../../model/search-text.ts'
import { areChosen, chooseFields, keepFields } from './chosen-fields.ts'
import type { Database } from './database.ts'
import { dropDigestLane, indexDigest } from './digest-text.ts'
import { indexExchanges } from './exchanges.ts'
import { DIGEST_LANE } from './lane-names.ts'

/**
 * Chooses what is findable. If that is something else than before, all that is stored is made findable anew, lane by
 * lane; a run that is cut short is begun again by the next. Returns whether anything was to be done.
 */
export function reindex(db: Database, fields: readonly TextField[]): boolean {
  if (areChosen(db, fields)) return false
  chooseFields(db, fields)
  for (const row of db.all('SELECT id FROM lane WHERE name <> ?', DIGEST_LANE))
    db.transaction(() => indexExchanges(db, Number(row['id']), 0))
  db.transaction(() => {
    for (const row of db.all('SELECT session FROM lane WHERE name = ?', DIGEST_LANE)) {
      dropDigestLane(db, Number(row['session']))
      indexDigest(db, Number(row['session']))
    }
    keepFields(db)
  })
  return true
}
