export type Json = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function asObject(value: unknown): Json | null {
  return isObject(value) ? value : null
}

export function asString(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

export function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** A number that can be counted to, or 0. */
export function asCount(value: unknown): number {
  return typeof value === 'number' && value > 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0
}

/**
 * A figure that is counted: of tokens, of what they cost. Absent is 0. What no counter can show is NaN, which whoever
 * takes the figure in tells as a Problem: so it must not be compared, remembered or used to find anything.
 */
export function asFigure(value: unknown): number {
  if (typeof value === 'number') return value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : Number.NaN
  return value === undefined || value === null ? 0 : Number.NaN
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The objects on one line: one as a rule, several if a writer lost a newline, null if any part is no JSON object. */
export function parseObjects(text: string): readonly Json[] | null {
  const whole = tryParse(text)
  if (whole !== undefined) return isObject(whole) ? [whole] : null
  if (!text.startsWith('{') && text.trimStart()[0] !== '{') return null
  const parts = splitObjects(text)
  if (parts.length < 2) return null
  const objects: Json[] = []
  for (const part of parts) {
    const value = tryParse(part)
    if (!isObject(value)) return null
    objects.push(value)
  }
  return objects
}

/** Undefined for what is no JSON, and for what would take more memory or stack than any record is worth. */
function tryParse(text: string): unknown {
  if (text.length > MANY_CHARACTERS && hasTooManyParts(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return text.length >= 2 * MAX_DEPTH && isDeeper(value, MAX_DEPTH) ? undefined : value
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** No agent nests a tenth of it; whatever goes through a record by recursion stands ten times as much. */
const MAX_DEPTH = 500
/** A shorter text cannot hold so many parts that they matter. */
const MANY_CHARACTERS = 4 * 1024 * 1024
const MAX_PARTS = 1_000_000
const MAX_VALUES = 8_000_000

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (const part of value) if (typeof part === 'object' && isDeeper(part, levels - 1)) return true
    return false
  }
  for (const name in value) if (isDeeper((value as Json)[name], levels - 1)) return true
  return false
}

/** Texts, lists and objects: a part may be two characters long and take a hundred bytes. Other values take less. */
function hasTooManyParts(text: string): boolean {
  let parts = 0
  let values = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === 34) i = endOfString(text, i)
    if (c === 34 || c === 123 || c === 91) parts++
    else if (c === 44) values++
    if (parts > MAX_PARTS || values > MAX_VALUES) return true
  }
  return false
}

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === 92) slashes++
    if (slashes % 2 === 0) return at
  }
  return text.length
}

function splitObjects(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let inString = false
  let start = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (inString) {
      if (c === 92) i++
      else if (c === 34) inString = false
    } else if (c === 34) inString = true
    else if (c === 123) depth++
    else if (c === 125 && --depth === 0) {
      parts.push(text.slice(start, i + 1))
      start = i + 1
    }
  }
  const rest = text.slice(start).trim()
  if (rest !== '') parts.push(rest)
  return parts
}
