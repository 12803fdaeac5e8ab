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

export function asCount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The objects on one line: one as a rule, several if a writer lost a newline, null if any part is no JSON object. */
export function parseObjects(text: string): readonly Json[] | null {
  const whole = tryParse(text)
  if (whole !== undefined) return isObject(whole) ? [whole] : null
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

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
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
