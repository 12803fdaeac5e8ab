/**
 * What a secret looks like. A rule is tried only where one of its `starts` occurs, so a new rule costs
 * ordinary text nothing. To add one: a row in `redact-tokens.ts` if the secret is a fixed prefix and a run of
 * characters, in `redact-commands.ts` if it stands on a command line, else a row in `redact-rules.ts`; a positive and a negative in `redact.test.ts`; and raise
 * `REDACTION_REVISION`.
 */
export interface Rule {
  readonly name: string
  /** Literals of three characters or more. Wherever the pattern matches, one of them stands `back` characters in. */
  readonly starts: readonly string[]
  readonly back: number
  /** Where to try the pattern if the start does not stand at the same place in every match. Must not look far. */
  readonly seek?: (text: string, start: number) => number
  /**
   * Sticky. Group 1, if it took part, stays; the rest of the match is the secret. Must be linear: nothing may have to
   * follow an unbounded run, and a long bounded run must exclude what may stand before the next start.
   */
  readonly pattern: RegExp
  /** Spares the pattern: false only where it cannot match. */
  readonly gate?: Gate
  /** The whole match is the secret, whatever its groups are. */
  readonly whole?: true
  /** The last word, where a pattern alone cannot tell. Must be linear in the match. */
  readonly judge?: (match: RegExpExecArray) => boolean
  /** Goes on where a line was wrapped in its middle. */
  readonly wraps?: true
  /** For what stands in many places at once: writes it anew, from where it was tried. Null if there is nothing to take. */
  readonly rewrite?: (text: string, at: number, stays: (secret: string) => boolean) => Rewritten | null
}

/** What stands up to `to` now, and the secrets that were in it. */
export interface Rewritten {
  readonly to: number
  readonly text: string
  readonly secrets: readonly string[]
  /** The rule that found each of them, if that is not the one that wrote this. */
  readonly rules?: readonly string[]
}

/** A cheap look at where a pattern would be tried. With `cut`, the text begins where many a secret was cut off before. */
export type Gate = (text: string, at: number, cut: boolean) => boolean

/** Escapes and colours end in letters, yet a token may begin right behind them: `\n`, `\u003d`, `%3D`, `ESC[32m`. */
const AFTER_ESCAPE = String.raw`\\[bfnrt]|\\u[\da-fA-F]{4}|%[\dA-F]{2}|\[[\d;]{0,16}[mK]`
/** A token does not begin in the middle of a word, though it may behind a number: `12ghp_…` … */
export const START = `(?<=^|[^A-Za-z]|${AFTER_ESCAPE})`
/** … and not within base64, if it is made of letters and digits only … */
export const PLAIN_START = `(?<=^|[^A-Za-z0-9]|(?<![A-Za-z0-9+/])\\d{1,9}|${AFTER_ESCAPE})`
/** … and some do not begin in the middle of a kebab-case or snake_case name either, unless a number or a diff begins it. */
export const STRICT_START = `(?<=^|[^A-Za-z0-9_-]|(?<![A-Za-z0-9_-])[\\d+-]{1,9}[_-]?|${AFTER_ESCAPE})`
export const END = '(?![A-Za-z0-9])'
/** … also where `git diff --word-diff` ends what was removed: `[-…-]`. */
export const STRICT_END = '(?![A-Za-z0-9_]|-(?!\\]))'

/** The next line, spelled out or not, and what a diff, `grep -n`, `cat -n`, a quotation, a comment or a log set before it. */
export const LINE = String.raw`(?:\r?\n|(?:\\{1,7}r)?\\{1,7}n)(?:[-+]|[>#|*][ \t]?|//[ \t]?|[ \t]{0,8}\d{1,6}[→\t:|-]|[\w./-]{1,80}[:-]\d{1,6}[:-]|[\w.-]{1,40}[ \t]{1,8}\|[ \t]?|[\d:.,TZ/-]{8,32}[ \t]{1,2}(?:[A-Z]{3,8}[ \t]{1,3})?(?:\[[\w.-]{1,40}\][ \t])?)?`

export const HEX = '[0-9a-f]'
export const ALNUM = '[A-Za-z0-9]'
export const WORD = '[A-Za-z0-9_-]'
export const BASE64 = '[A-Za-z0-9+/]'
export const UUID = `${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}`
/** Quotes around a name or a value, also within strings. A backslash alone is no quote: it begins what follows. */
export const QUOTES = '(?:\\\\{0,6}["\'`]){0,3}'
/** Between a name and its value, in headers, JSON, code and shell. */
export const ASSIGN = `${QUOTES}\\s{0,4}[:=]\\s{0,4}${QUOTES}`
/** Addresses that other scanners take for a secret as long as something stands before an `@`; so the `@` goes, too. */
export const OF_DATABASE = '(?<=mongodb(?:\\+srv)?|mysqlx?|postgres(?:ql)?)'
/** A secret that is gone already. */
export const REDACTED = '\\[REDACTED:[a-z0-9-]{1,40}\\]'

export function rule(name: string, starts: readonly string[], source: string, back = 0): Rule {
  const bare = { name, starts, back, pattern: new RegExp(source, 'y') }
  const begins = [START, PLAIN_START, STRICT_START].some((start) => source.startsWith(start))
  return begins ? { ...bare, gate: mayBegin } : bare
}

/** What must hold wherever `START`, `PLAIN_START` or `STRICT_START` does. */
export function mayBegin(text: string, at: number): boolean {
  return at === 0 || !isLetter(text.charCodeAt(at - 1)) || mayEndEscape(text, at)
}

const SMALL_M = 109
const CAPITAL_K = 75
const BACKSLASH = 92
const PERCENT = 37

function mayEndEscape(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  if (before === SMALL_M || before === CAPITAL_K || (at > 1 && text.charCodeAt(at - 2) === BACKSLASH)) return true
  return (at > 2 && text.charCodeAt(at - 3) === PERCENT) || (at > 5 && text.charCodeAt(at - 6) === BACKSLASH)
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}

/** Where a word begins that goes back to `from`: behind an escape or a colour, of which it is no part. */
export function behindEscape(text: string, from: number): number {
  const escape = /^(?:\\[bfnrt]|\[[\d;]{0,16}m)/.exec(text.slice(Math.max(0, from - 1), from + 20))
  return escape === null ? from : from - 1 + escape[0].length
}

/** A rule for names that people write in any case; `starts` lists the spellings in mixed case. */
export function anyCase(name: string, starts: readonly string[], source: string): Rule {
  return { name, starts: spellings(starts), back: 0, pattern: new RegExp(source, 'iy') }
}

export function spellings(starts: readonly string[]): string[] {
  return [...new Set(starts.flatMap((start) => [start, start.toLowerCase(), start.toUpperCase()]))]
}

/** Every text made of one character of each set, in order. */
export function each(...sets: string[]): string[] {
  return sets.reduce<string[]>((texts, set) => texts.flatMap((text) => [...set].map((one) => text + one)), [''])
}

export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

/** A character of a value that stands in no quotes, `but` for others; a closing tag behind the value is none of it. */
export function unquoted(but = ''): string {
  return `(?:[^\\s"'\`\\\\\\x1b<${but}]|<(?!/[a-zA-Z]))`
}
