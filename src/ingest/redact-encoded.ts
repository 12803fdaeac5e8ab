import { keyBlockAt } from './redact-blocks.ts'
import type { Cleared } from './redact-joined.ts'
import type { Found, Scanner } from './redact-scan.ts'
import { bytesOf } from './redact-suspects.ts'
import { looksLikePassword, looksRandom, looksStrong } from './redact-values.ts'

export interface Encoded {
  /** What was encoded, without its secrets; another text may be looked through meanwhile. */
  readonly clear: (text: string) => Cleared
  readonly allow: readonly string[]
  readonly found: Found
  /** Told of each secret in what was encoded, in the clear. */
  readonly hidden: ((secret: string) => void) | undefined
}

const ENCODED = 'encoded-secret'

/** Shorter ones are words more often than anything in base64. */
const LEAST_RUN = 20
/** So much of what is encoded tells what it is. */
const MAX_DECODED = 256 * 1024

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** The value of a digit of base64, plus one; 0 for all else. */
const VALUE = new Uint8Array(256)
for (const [i, digit] of [...DIGITS].entries()) VALUE[digit.charCodeAt(0)] = i + 1

/**
 * Finds what no literal gives away: runs of base64 that hold a secret once they are decoded, and the lines of a
 * private key without its head. Looks at about every fifth character of ordinary text.
 */
export function createEncodedScanner({ clear, allow, found, hidden }: Encoded): Scanner {
  return function scan(text, from = 0) {
    const pieces: string[] = []
    let done = 0
    const bytes = bytesOf(text)
    for (let run = nextRun(bytes, from, text.length); run !== null;) {
      const block = run.to - run.from >= LEAST_LINE ? keyBlockAt(text, run) : null
      const end = block?.to ?? padded(text, run.to)
      const secret = text.slice(run.from, end)
      const within = secretsIn(mayBeText(text, run.from) ? (block?.lines ?? secret) : null)
      const rule = within === null ? (block?.isKey ? 'private-key' : null) : within.length > 0 ? ENCODED : null
      if (rule !== null && !allow.some((literal) => literal.includes(secret))) {
        found(rule, secret)
        for (const one of within ?? []) hidden?.(one)
        pieces.push(text.slice(done, run.from), `[REDACTED:${rule}]`)
        done = end
      }
      run = nextRun(bytes, end, text.length)
    }
    return done === 0 ? text : pieces.join('') + text.slice(done)
  }

  /** The secrets in what is encoded; null if that is no text. */
  function secretsIn(digits: string | null): readonly string[] | null {
    const read = digits === null ? null : decoded(digits.slice(0, MAX_DECODED))
    if (read === null) return null
    const password = passwordOf(read)
    return password === null ? clear(read).secrets.map(([, secret]) => secret) : [password]
  }
}

const LEAST_LINE = 60

interface Run {
  readonly from: number
  readonly to: number
}

/** The next run of digits of base64 that is long enough. Looks at the end of where one would have to be, and leaps. */
function nextRun(bytes: Uint8Array, start: number, length: number): Run | null {
  let from = start
  let at = start + LEAST_RUN - 1
  while (at < length) {
    if (VALUE[bytes[at]!] === 0) {
      from = at + 1
    } else if (VALUE[bytes[at - 7]!] === 0) {
      from = at - 6
    } else {
      let back = at - 1
      while (back >= from && VALUE[bytes[back]!] !== 0) back--
      if (back < from) {
        let to = at + 1
        while (to < length && VALUE[bytes[to]!] !== 0) to++
        return { from: behindEscape(bytes, from), to }
      }
      from = back + 1
    }
    at = from + LEAST_RUN - 1
  }
  return null
}

const [BACKSLASH, ESCAPE, BRACKET, SEMICOLON, SMALL_M, SMALL_N] = [92, 27, 91, 59, 109, 110]

/** Behind the `n` of a `\\n` that is spelled out, and behind a colour of a terminal: both end in letters. */
function behindEscape(bytes: Uint8Array, from: number): number {
  const before = bytes[from - 1]
  if (before === BACKSLASH && bytes[from] === SMALL_N) return from + 1
  if (before !== SEMICOLON && !(before === BRACKET && bytes[from - 2] === ESCAPE)) return from
  for (let at = from; at <= from + 3; at++) if (bytes[at] === SMALL_M) return at + 1
  return from
}

function padded(text: string, to: number): number {
  let end = to
  while (end - to < 2 && text.charCodeAt(end) === 61) end++
  return end
}

const LOOKED_AT = 16

/** What these digits stand for may be text in ASCII, which every fourth, and most others, must fit. */
function mayBeText(text: string, from: number): boolean {
  for (let at = from; at < from + LOOKED_AT; at += 4) {
    const first = VALUE[text.charCodeAt(at) & 255]! - 1
    if (first > 31 || (first < 8 && first !== 2 && first !== 3)) return false
    if (
      ((VALUE[text.charCodeAt(at + 1) & 255]! - 1) & 8) !== 0 ||
      ((VALUE[text.charCodeAt(at + 2) & 255]! - 1) & 2) !== 0
    )
      return false
  }
  return true
}

function decoded(digits: string): string | null {
  const text = Buffer.from(digits, 'base64').toString('utf8')
  // eslint-disable-next-line no-control-regex
  return /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]/.test(text) ? null : text
}

const NO_USER = /^(?:\d+|cursor|arrayconnection|offset|page|g?id|sha\d*|md5|v\d+|https?|urn|data)$/i

/** Of `user:password`, as for Basic authentication; not the id of something, which many an API writes so. */
function passwordOf(text: string): string | null {
  const [, user = '', password = ''] = /^([\w.@+-]{1,64}):([^\s/]\S{5,255})\s{0,2}$/.exec(text) ?? []
  if (password === '' || NO_USER.test(user)) return null
  const isSecret = /^[A-Z][A-Za-z]+$/.test(user)
    ? looksStrong(password) && !/^(?:[\da-f]{4,}-?)+$/i.test(password)
    : looksLikePassword(password) || looksRandom(password)
  return isSecret ? password : null
}
