import { TEXT_FIELDS, type TextField } from '../../model/search-text.ts'
import type { Database } from './database.ts'
import { keepMeta, readMeta } from './meta.ts'

const chosen = new WeakMap<Database, ReadonlySet<TextField>>()

/** What is made findable; everything, unless something else was chosen. */
export function chosenFields(db: Database): ReadonlySet<TextField> {
  const known = chosen.get(db)
  if (known) return known
  const kept = readMeta(db, 'text_fields')
  const fields = new Set(kept !== null ? (JSON.parse(kept) as TextField[]) : TEXT_FIELDS)
  chosen.set(db, fields)
  return fields
}

/** Whether just these are made findable already. */
export function areChosen(db: Database, fields: readonly TextField[]): boolean {
  const before = chosenFields(db)
  return fields.length === before.size && fields.every((field) => before.has(field))
}

/** From now on; to be kept with `keepFields` when all that is stored has been made findable so. */
export function chooseFields(db: Database, fields: readonly TextField[]): void {
  chosen.set(db, new Set(fields))
}

export function keepFields(db: Database): void {
  const value = JSON.stringify([...chosenFields(db)])
  keepMeta(db, 'text_fields', value)
}
