import { UserError } from '../model/errors.ts'

type Row = Readonly<Record<string, unknown>>

/** The names in `--fields a,b.c`; null if it is not given. */
export function fieldNames(values: unknown): readonly string[] | null {
  if (typeof values !== 'string') return null
  const names = values.split(',').flatMap((name) => name.trim() || [])
  if (names.length > 0) return names
  throw new UserError('USAGE', '--fields names no field', 'e.g. --fields session_uid,title')
}

/** Which fields to keep, of each row of the list with this name. */
export interface Chosen {
  readonly list: string
  readonly fields: readonly string[]
}

/**
 * Keeps only these fields of each row of the list; the rest of the document stays. A dot leads into an object:
 * `session.title`. A field that no row has is an error.
 */
export function keepFields(document: Row, { list, fields }: Chosen): Row {
  const value = document[list]
  if (!Array.isArray(value)) return document
  const rows = value.filter(isRow)
  const kept = checked(rows, fields)
  return { ...document, [list]: rows.map((row) => pick(row, kept)) }
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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
