import { UserError } from '../model/errors.ts'

/** A session's own list of words, which may be empty. */
const WORDS = 'tags'

type Row = Readonly<Record<string, unknown>>

/** The names in `--fields a,b.c`; null if it is not given. */
export function fieldNames(given: unknown): readonly string[] | null {
  if (typeof given !== 'string') return null
  const names = given.split(',').flatMap((name) => name.trim() || [])
  if (names.length > 0) return names
  throw new UserError('USAGE', '--fields names no field', 'e.g. --fields session_uid,title')
}

/**
 * Keeps only these fields of each row of the document's first list of objects; of the document itself if it has none.
 * A dot leads into an object: `session.title`. The rest of the document stays. A field that no row has is an error.
 */
export function keepFields(document: Row, fields: readonly string[]): Row {
  const list = Object.entries(document).find(([name, value]) => name !== WORDS && isList(value))
  if (list === undefined) return pick(document, checked([document], fields))
  const [name, value] = list
  const rows = value as readonly Row[]
  const kept = checked(rows, fields)
  return { ...document, [name]: rows.map((row) => pick(row, kept)) }
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isRow)
}

function checked(rows: readonly Row[], fields: readonly string[]): readonly string[] {
  const unknown = rows.length === 0 ? undefined : fields.find((field) => !isKnown(rows, field))
  if (unknown === undefined) return fields
  const known = [...new Set(rows.flatMap((row) => Object.keys(row)))].join(', ')
  throw new UserError('USAGE', `no field ${JSON.stringify(unknown)}`, `fields are: ${known}`)
}

/** Where all rows have null, nobody knows what an object there would hold. */
function isKnown(rows: readonly Row[], field: string): boolean {
  const [name, rest] = split(field)
  const values = rows.flatMap((row) => (Object.hasOwn(row, name) ? [row[name]] : []))
  if (values.length === 0 || rest === undefined) return values.length > 0
  const objects = values.filter(isRow)
  return objects.length > 0 ? isKnown(objects, rest) : values.every((value) => value === null)
}

/** In the order in which they were asked for; a row that lacks one has null there. */
function pick(row: Row, fields: readonly string[]): Row {
  const picked: Record<string, unknown> = {}
  for (const field of fields) {
    const [name, rest] = split(field)
    const value = row[name] ?? null
    if (rest === undefined || !isRow(value)) picked[name] = value
    else picked[name] = { ...(isRow(picked[name]) ? picked[name] : {}), ...pick(value, [rest]) }
  }
  return picked
}

function split(field: string): [name: string, rest?: string] {
  const dot = field.indexOf('.')
  return dot === -1 ? [field] : [field.slice(0, dot), field.slice(dot + 1)]
}
