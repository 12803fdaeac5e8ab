type Field = Readonly<Record<string, unknown>>
export type Fields = Readonly<Record<string, Field>>

export function fieldsOf(input: object): Fields {
  return (input as { readonly properties?: Fields }).properties ?? {}
}

/** What a query string asks, with numbers and flags where the schema has them; whatever else comes stays as it is. */
export function inputFrom(fields: Fields, query: URLSearchParams): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const name of new Set(query.keys())) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    input[name] =
      typeOf(field) === 'array'
        ? query.getAll(name).flatMap((words) => words.split(',').map((word) => read(word, itemsOf(field))))
        : read(query.get(name) ?? '', field)
  }
  return input
}

function typeOf(field: Field | undefined): unknown {
  const type = field?.['type']
  return Array.isArray(type) ? type[0] : type
}

function itemsOf(field: Field | undefined): Field | undefined {
  return field?.['items'] as Field | undefined
}

function read(word: string, field: Field | undefined): unknown {
  const type = typeOf(field)
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(word)) return Number(word)
  if (type === 'boolean' && ['', '1', 'true'].includes(word)) return true
  if (type === 'boolean' && ['0', 'false'].includes(word)) return false
  return word
}
