import path from 'node:path'

export type Env = Readonly<Record<string, string | undefined>>

/** How the value of a setting is written. `read` gives undefined for a value of another kind. */
export interface Kind<T> {
  /** What it must be, for messages: `must be <expected>`. */
  readonly expected: string
  readonly example: string
  read(value: unknown, env: Env): T | undefined
}

export function homeOf(env: Env): string {
  return env['HOME'] || env['USERPROFILE'] || path.parse(process.cwd()).root
}

function expand(value: string, env: Env): string {
  return path.resolve(value.replace(/^~(?=$|[\\/])/, homeOf(env)))
}

export const file: Kind<string> = {
  expected: 'a path',
  example: '"~/recall.db"',
  read: (value, env) => (typeof value === 'string' && value !== '' ? expand(value, env) : undefined),
}

/** The same place from wherever the program is started. */
export const directory: Kind<string> = {
  expected: 'a path that begins with / or ~',
  example: '"~/journals"',
  read: (value, env) =>
    typeof value === 'string' && /^~|^[\\/]|^[A-Za-z]:/.test(value) ? expand(value, env) : undefined,
}

export const directories: Kind<readonly string[]> = {
  expected: 'a list of paths',
  example: '["~/.agent"]',
  read: (value, env) => (isTexts(value) ? value.map((dir) => expand(dir, env)) : undefined),
}

export const texts: Kind<readonly string[]> = {
  expected: 'a list of texts',
  example: '["one", "two"]',
  read: (value) => (typeof value === 'string' ? splitCommas(value) : isTexts(value) ? value : undefined),
}

export const text: Kind<string> = {
  expected: 'a text',
  example: '"…"',
  read: (value) => (typeof value === 'string' ? value : undefined),
}

/** A table whose keys the user chooses. */
export const textByName: Kind<ReadonlyMap<string, string>> = {
  expected: 'a table of texts',
  example: '{ name = "…" }',
  read(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const entries = Object.entries(value)
    return entries.every(([, inner]) => typeof inner === 'string') ? new Map(entries as [string, string][]) : undefined
  },
}

/** A table of tables of numbers; the user chooses the outer keys. */
export const numbersByName: Kind<ReadonlyMap<string, Readonly<Record<string, number>>>> = {
  expected: 'a table of tables of numbers',
  example: '{ "my-model" = { input = 3, output = 15 } }',
  read(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const entries = Object.entries(value)
    return entries.every(([, inner]) => isRates(inner))
      ? new Map(entries as [string, Record<string, number>][])
      : undefined
  },
}

function isRates(inner: unknown): boolean {
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return false
  return Object.values(inner).every((n) => typeof n === 'number' && Number.isFinite(n) && n >= 0)
}

const UNITS: Readonly<Record<string, number>> = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
  TIB: 2 ** 40,
}

export const bytes: Kind<number> = {
  expected: 'a size',
  example: '"4GiB"',
  read(value) {
    if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : undefined
    const [, count, unit = 'B'] = (typeof value === 'string' && /^(\d+(?:\.\d+)?)\s*([KMGT]?i?B)?$/i.exec(value)) || []
    const factor = UNITS[unit.toUpperCase()]
    return count === undefined || factor === undefined ? undefined : Math.round(Number(count) * factor)
  },
}

export const number: Kind<number> = {
  expected: 'a number',
  example: '45',
  read(value) {
    const given = typeof value === 'string' && value !== '' ? Number(value) : value
    return typeof given === 'number' && Number.isFinite(given) && given >= 0 ? given : undefined
  },
}

export const share: Kind<number> = {
  expected: 'a number from 0 to 1',
  example: '0.7',
  read(value, env) {
    const given = number.read(value, env)
    return given !== undefined && given <= 1 ? given : undefined
  },
}

/** A list, or names with commas between them. */
export function someOf<const T extends string>(...words: readonly T[]): Kind<readonly T[]> {
  return {
    expected: `some of ${words.join(', ')}`,
    example: JSON.stringify(words),
    read(value, env) {
      const given = texts.read(value, env)?.map((word) => words.find((known) => known === word))
      return given === undefined || given.length === 0 || given.includes(undefined)
        ? undefined
        : words.filter((word) => given.includes(word))
    },
  }
}

export function oneOf<const T extends string>(...words: readonly T[]): Kind<T> {
  return {
    expected: `one of ${words.join(', ')}`,
    example: `"${words[0]}"`,
    read: (value) => words.find((word) => word === value),
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}

function splitCommas(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
