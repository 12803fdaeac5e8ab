import type { Cleared } from './redact-joined.ts'
import type { Found, Scanner } from './redact-scan.ts'

export interface Escaped {
  /** What was escaped, without its secrets; another text may be looked through meanwhile. */
  readonly clear: (text: string) => Cleared
  readonly found: Found
}

/** So far before the first escape a word is read, and so much of it at a time. */
const MAX_BEFORE = 400
const MAX_WORD = 64 * 1024
/** A form within a form within an address. */
const MAX_LEVELS = 3

/**
 * Finds what is written with `%3A` and the like, as in forms and in addresses within addresses, where other rules know
 * neither the name nor the sign. Such a word stands unescaped, without the secret; what would end it stays escaped.
 */
export function createEscapedScanner({ clear, found }: Escaped): Scanner {
  return function scan(text, from = 0) {
    const pieces: string[] = []
    let done = 0
    for (let at = text.indexOf('%', from); at >= 0;) {
      if (!isEscape(text, at)) {
        at = text.indexOf('%', at + 1)
        continue
      }
      const word = wordAround(text, at, done)
      const plain = unescaped(text.slice(word.from, word.to))
      const cleared = clear(plain)
      if (cleared.text !== plain) {
        for (const [rule, secret] of cleared.secrets) found(rule, secret)
        pieces.push(text.slice(done, word.from), escaped(cleared.text))
        done = word.to
      }
      at = text.indexOf('%', word.to)
    }
    return done === 0 ? text : pieces.join('') + text.slice(done)
  }
}

const HEX = new Uint8Array(128)
for (const digit of '0123456789abcdefABCDEF') HEX[digit.charCodeAt(0)] = 1
const ENDING = new Uint8Array(128)
for (const character of ' \t\n\v\f\r"\'`<>\\\x1b') ENDING[character.charCodeAt(0)] = 1

function isEscape(text: string, at: number): boolean {
  return HEX[text.charCodeAt(at + 1)] === 1 && HEX[text.charCodeAt(at + 2)] === 1
}

function wordAround(text: string, at: number, least: number): { readonly from: number; readonly to: number } {
  let from = at
  while (from > least && at - from < MAX_BEFORE && ENDING[text.charCodeAt(from - 1)] !== 1) from--
  let to = at
  while (to < text.length && to - from < MAX_WORD && ENDING[text.charCodeAt(to)] !== 1) to++
  return { from, to }
}

/** Characters of ASCII only: what else is escaped is no part of a name or a sign. */
function unescaped(word: string): string {
  let plain = word
  for (let level = 0; level < MAX_LEVELS && plain.includes('%'); level++) {
    const next = plain.replaceAll(/%([0-7][\da-f])/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    if (next === plain) break
    plain = next
  }
  return plain
}

/** Blanks, control characters and what else would end the word. */
// eslint-disable-next-line no-control-regex
const OUTSIDE = /[\x00-\x20"'`<>\\\x7f]/g

function escaped(plain: string): string {
  return plain.replaceAll(OUTSIDE, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}
