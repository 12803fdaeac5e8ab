import { parse, TomlError } from 'smol-toml'
import { UserError } from '../../model/errors.ts'
import { isObject, type Json } from './json.ts'

/** A file of settings in TOML; BAD_CONFIG for what is none. */
export function parseToml(text: string): Json {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const reason = error.message.split('\n')[0]
    throw new UserError(
      'BAD_CONFIG',
      `is not TOML (line ${error.line}: ${reason})`,
      'mend it first; nothing was changed',
      error,
    )
  }
}

/** Null for what is none. */
export function tryToml(text: string): Json | null {
  try {
    const value: unknown = parse(text)
    return isObject(value) ? value : null
  } catch (error) {
    if (error instanceof TomlError) return null
    throw error
  }
}

export function tomlWords(words: readonly string[]): string {
  return `[${words.map((word) => JSON.stringify(word)).join(', ')}]`
}

/** How lines end in a text. */
export function lineEnd(text: string | null): string {
  return text?.includes('\r\n') ? '\r\n' : '\n'
}
