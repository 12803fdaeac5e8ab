import { UserError } from '../model/errors.ts'
import type { Schema } from './schema.ts'

type Json = Readonly<Record<string, unknown>>

interface ObjectKeywords {
  readonly properties?: Readonly<Record<string, Json>>
  readonly required?: readonly string[]
}

/** An input from outside, checked against its schema; a USAGE error that names the field otherwise. */
export function accepted<T>(schema: Schema<T>, input: unknown): T {
  const { properties = {}, required = [] } = schema as ObjectKeywords
  if (!isObject(input)) throw new UserError('USAGE', 'an input is an object of named values', fieldsHint(properties))
  for (const name of Object.keys(input))
    if (!Object.hasOwn(properties, name))
      throw new UserError('USAGE', `there is no input ${JSON.stringify(name)}`, fieldsHint(properties))
  for (const name of required)
    if (input[name] === undefined) throw new UserError('USAGE', `${name} is missing`, `give ${name}`)
  for (const [name, value] of Object.entries(input)) if (value !== undefined) check(properties[name], name, value)
  return input as T
}

function fieldsHint(properties: object): string {
  const names = Object.keys(properties)
  return names.length === 0 ? 'it takes none' : `it takes ${names.join(', ')}`
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function check(schema: Json | undefined, name: string, value: unknown): void {
  if (schema === undefined) return
  const { enum: words, type, items } = schema
  if (Array.isArray(words)) {
    if (!words.includes(value)) throw wrong(name, value, `one of ${words.join(', ')}`)
    return
  }
  if (type === undefined) return
  if (!TYPES[String(type)]?.is(value)) throw wrong(name, value, TYPES[String(type)]?.what ?? String(type))
  if (typeof schema['minimum'] === 'number' && Number(value) < schema['minimum'])
    throw wrong(name, value, `at least ${schema['minimum']}`)
  if (typeof schema['exclusiveMinimum'] === 'number' && Number(value) <= schema['exclusiveMinimum'])
    throw wrong(name, value, `more than ${schema['exclusiveMinimum']}`)
  if (Array.isArray(value)) for (const item of value) check(items as Json | undefined, name, item)
}

const TYPES: Readonly<Record<string, { readonly is: (value: unknown) => boolean; readonly what: string }>> = {
  string: { is: (value) => typeof value === 'string', what: 'text' },
  integer: { is: Number.isSafeInteger, what: 'a whole number' },
  number: { is: Number.isFinite, what: 'a number' },
  boolean: { is: (value) => typeof value === 'boolean', what: 'true or false' },
  array: { is: Array.isArray, what: 'a list' },
  object: { is: isObject, what: 'an object' },
}

function wrong(name: string, value: unknown, what: string): UserError {
  return new UserError('USAGE', `${name} must be ${what}, not ${JSON.stringify(value)}`, `give ${name} as it should be`)
}
