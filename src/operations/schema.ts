/**
 * JSON Schema with the TypeScript type of what it describes: said once, it is checked by the compiler where a document
 * is made, by `accepted` where an input comes in, and printed for others as it stands.
 */
export interface Schema<T> {
  readonly [OF]?: T
  readonly [keyword: string]: unknown
}

declare const OF: unique symbol

export type TypeOf<S> = S extends Schema<infer T> ? T : never

type Fields = Readonly<Record<string, Schema<unknown>>>
type Required<F extends Fields> = { readonly [K in keyof F]: TypeOf<F[K]> }
type Optional<F extends Fields> = { readonly [K in keyof F]?: TypeOf<F[K]> | undefined }
type Simple<T> = { readonly [K in keyof T]: T[K] }

export type ObjectSchema<R extends Fields, O extends Fields> = Schema<Simple<Required<R> & Optional<O>>> & {
  readonly properties: R & O
}

function schema<T>(json: Readonly<Record<string, unknown>>, description?: string): Schema<T> {
  return description === undefined ? json : { ...json, description }
}

export function text(description?: string): Schema<string> {
  return schema({ type: 'string' }, description)
}

export function integer(description?: string): Schema<number> {
  return schema({ type: 'integer' }, description)
}

/** How many; never below 0. */
export function count(description?: string): Schema<number> {
  return schema({ type: 'integer', minimum: 0 }, description)
}

export function number(description?: string): Schema<number> {
  return schema({ type: 'number' }, description)
}

/** Above 0. */
export function positive(description?: string): Schema<number> {
  return schema({ type: 'number', exclusiveMinimum: 0 }, description)
}

export function flag(description?: string): Schema<boolean> {
  return schema({ type: 'boolean' }, description)
}

export function choice<const T extends string>(words: readonly T[], description?: string): Schema<T> {
  return schema({ enum: words }, description)
}

export function list<T>(items: Schema<T>, description?: string): Schema<readonly T[]> {
  return schema({ type: 'array', items }, description)
}

/** By names that nobody knows before. */
export function record<T>(values: Schema<T>, description?: string): Schema<Readonly<Record<string, T>>> {
  return schema({ type: 'object', additionalProperties: values }, description)
}

export function anything(description?: string): Schema<unknown> {
  return schema({}, description)
}

/** Null where it is not known. */
export function nullable<T>(of: Schema<T>): Schema<T | null> {
  if (typeof of['type'] === 'string') return { ...of, type: [of['type'], 'null'] } as Schema<T | null>
  if (Array.isArray(of['enum'])) return { ...of, enum: [...of['enum'], null] } as Schema<T | null>
  return { anyOf: [of, { type: 'null' }] } as Schema<T | null>
}

/** One of several shapes. */
export function either<A, B>(a: Schema<A>, b: Schema<B>): Schema<A | B> {
  return { anyOf: [a, b] } as Schema<A | B>
}

export function object<R extends Fields, O extends Fields = Record<never, never>>(
  required: R,
  optional?: O,
): ObjectSchema<R, O> {
  const properties = { ...required, ...optional }
  return { type: 'object', properties, required: Object.keys(required) } as unknown as ObjectSchema<R, O>
}

/** A time in UTC as JSON has it, or null. */
export const instant: Schema<string | null> = schema({ type: ['string', 'null'], format: 'date-time' })

/** A word for the value in the help of the command line: `--limit <n>`. */
export function called<T>(word: string, of: Schema<T>): Schema<T> {
  return { ...of, 'x-word': word }
}
