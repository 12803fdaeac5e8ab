import type { Document, Effect, Operation } from './operation.ts'

type Keywords = Readonly<Record<string, unknown>>

/** An operation as far as a page about it goes. */
export type Described = Pick<Operation<unknown, unknown, Document>, 'name' | 'summary' | 'effect' | 'input' | 'output'>

const EFFECTS: Readonly<Record<Effect, string>> = {
  reads: 'only reads',
  writes: 'writes',
  destroys: 'takes away for good',
}

/** The methods of the library, one after the other, for docs/api.md. */
export function apiReference(operations: readonly Described[]): string {
  return operations.map(chapter).join('\n\n')
}

function chapter({ name, summary, effect, input, output }: Described): string {
  return [
    `### ${methodOf(name)}`,
    `${capital(summary)}. ${capital(EFFECTS[effect])}.`,
    fieldTable('input', input),
    `Answers with \`${shape(output)}\`.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** `stats.tokens` is called `statsTokens`. */
export function methodOf(name: string): string {
  return name.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** What a schema of an object takes, as a table. */
export function fieldTable(title: string, schema: Keywords): string {
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Keywords>)
  if (fields.length === 0) return ''
  const required = new Set((schema['required'] ?? []) as string[])
  const rows = fields.map(([name, field]) => {
    const isRequired = required.has(name) ? ' (required)' : ''
    return `| \`${name}\` | ${shape(field).replaceAll('|', '\\|')} | ${field['description'] ?? ''}${isRequired} |`
  })
  return [`| ${title} | type | meaning |`, '| --- | --- | --- |', ...rows].join('\n')
}

/** A schema in the words of TypeScript, as far as one line holds it. */
function shape(schema: Keywords): string {
  const { type, enum: words, anyOf, items, properties, additionalProperties } = schema
  if (Array.isArray(words)) return words.map((word) => JSON.stringify(word)).join(' | ')
  if (Array.isArray(anyOf)) return anyOf.map((one: Keywords) => shape(one)).join(' | ')
  if (Array.isArray(type)) return type.map((one: string) => shape({ ...schema, type: one })).join(' | ')
  if (type === 'array') return `${list(shape(items as Keywords))}[]`
  if (type === 'integer') return 'number'
  if (type !== 'object') return typeof type === 'string' ? type : 'unknown'
  if (properties === undefined) return `{ [name]: ${shape(additionalProperties as Keywords)} }`
  if ('session_uid' in (properties as object) && 'evicted_at' in (properties as object)) return 'Session'
  const required = new Set((schema['required'] ?? []) as string[])
  const fields = Object.entries(properties as Record<string, Keywords>).map(
    ([name, field]) => `${name}${required.has(name) ? '' : '?'}: ${shape(field)}`,
  )
  return `{ ${fields.join(', ')} }`
}

function list(item: string): string {
  return item.includes(' | ') ? `(${item})` : item
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
