import { UserError } from '../model/errors.ts'
import type { Rule } from './redact-rule.ts'

/** What the user adds to the rules, and what they take for no secret. */
export interface RedactionConfig {
  /** Name to the source of a regular expression; the whole match is the secret. */
  readonly rules: ReadonlyMap<string, string>
  /** Literal texts that are never redacted, nor any part of them. */
  readonly allow: readonly string[]
}

export const NO_CONFIG: RedactionConfig = { rules: new Map(), allow: [] }

const LEAST_START = 3
/** A rule must not find its own name in the place of a secret that it took. */
const NOT_IN_PLACEHOLDER = '(?<!\\[RE?D?A?C?T?E?D?(?::[a-z0-9-]{0,40})?)(?!\\[?REDACTED:)'

/** Throws BAD_CONFIG for a rule that does not compile, or that does not say by which letters it is to be looked for. */
export function userRules({ rules }: RedactionConfig): Rule[] {
  return [...rules].map(([name, source]) => {
    if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name)) {
      throw bad(name, 'has a name that cannot stand in a placeholder', 'use small letters, digits and -, at most 40')
    }
    const starts = alternatives(source).map(literalStart)
    const pattern = compiled(name, source)
    if (starts.some((start) => start.length < LEAST_START)) {
      const hint = `let the expression begin with ${LEAST_START} or more plain characters, such as \`acme_[a-z0-9]{32}\``
      throw bad(name, `does not begin with ${LEAST_START} plain characters`, hint)
    }
    return { name, starts, back: 0, pattern, whole: true }
  })
}

function compiled(name: string, source: string): RegExp {
  try {
    return new RegExp(`${NOT_IN_PLACEHOLDER}(?:${new RegExp(source).source})`, 'y')
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw bad(
      name,
      `is no regular expression: ${error.message}`,
      'correct it under [redaction.rules] in the config',
      error,
    )
  }
}

function bad(name: string, what: string, hint: string, cause?: unknown): UserError {
  return new UserError('BAD_CONFIG', `redaction rule ${JSON.stringify(name)} ${what}`, hint, cause)
}

/** The parts of an expression between those `|` that stand in no group and no class. */
function alternatives(source: string): string[] {
  const parts = ['']
  let depth = 0
  let inClass = false
  for (const [piece] of source.matchAll(/\\?[^]/g)) {
    if (piece === '|' && depth === 0 && !inClass) {
      parts.push('')
      continue
    }
    if (inClass) inClass = piece !== ']'
    else if (piece === '[') inClass = true
    else if (piece === '(') depth++
    else if (piece === ')') depth--
    parts[parts.length - 1] += piece
  }
  return parts
}

/** The text that every match of `source` begins with. */
function literalStart(source: string): string {
  let start = ''
  for (const [piece, next] of pairs(source.replace(/^\\b/, ''))) {
    const literal = literalOf(piece)
    if (literal === null || (next !== '' && '*?{'.includes(next))) break
    start += literal
    if (next === '+') break
  }
  return start
}

function pairs(source: string): [piece: string, next: string][] {
  const pieces = [...source.matchAll(/\\?[^]/g)].map(([piece]) => piece)
  return pieces.map((piece, i) => [piece, pieces[i + 1] ?? ''])
}

/** The character that a piece of an expression stands for, or null if it means something else. */
function literalOf(piece: string): string | null {
  if (piece.length === 1) return '.*+?^${}()|[]\\'.includes(piece) ? null : piece
  return /^\\[^A-Za-z0-9]$/.test(piece) ? piece.slice(1) : null
}
