import { mayBegin } from './redact-rule.ts'

/** Lines of base64 that belong together, as one, and whether they are part of a private key. */
export interface Block {
  readonly to: number
  readonly lines: string
  readonly isKey: boolean
}

interface Place {
  readonly from: number
  readonly to: number
}

/** Lines of PEM and of OpenSSH. */
const KEY_WIDTHS = new Set([64, 70])
const MAX_LINES = 20_000
const MAX_LINE = 260
/** What stands before a line that is quoted, numbered, found or compared. */
const MARK =
  /^[ \t>|*#]{0,16}(?:(?:[A-Za-z~.][\w./-]{0,100}[:-])?\d{1,6}[→\t|:-][ \t]?|[A-Za-z~.][\w./-]{0,100}:|[+-])?[ \t]{0,16}/
const DIGITS = /^[A-Za-z0-9+/]+={0,2}$/

/** The block that begins with this run, if the run ends its line and others follow. */
export function keyBlockAt(text: string, run: Place): Block | null {
  const plus = text.charCodeAt(run.from) === 43 && KEY_WIDTHS.has(run.to - run.from - 1) ? 1 : 0
  const width = run.to - run.from - plus
  if (width > MAX_LINE || !isLineBreak(text, run.to)) return null
  const bodies = [text.slice(run.from + plus, run.to)]
  let end = run.to
  while (bodies.length < MAX_LINES && end < text.length) {
    const from = text.indexOf('\n', end) + 1
    const next = lineEnd(text, from)
    const body = next - from > MAX_LINE ? '' : bodyOf(text.slice(from, next), width)
    if (from === 0 || body === '' || body.length > width) break
    bodies.push(body)
    end = next
    if (body.length < width || !isLineBreak(text, end)) break
  }
  if (bodies.length === 1) return null
  const isKey = KEY_WIDTHS.has(width) && isWide(bodies) && bodies.every(isRandomLine) && !isOther(text, run.from, end)
  return { to: end, lines: bodies.join(''), isKey }
}

/** Two lines are as wide as each other, so that it is no coincidence. */
function isWide(bodies: readonly string[]): boolean {
  return bodies.length > 1 && bodies[0]?.length === bodies[1]?.length
}

function bodyOf(line: string, width: number): string {
  const plain = line.endsWith('\r') ? line.slice(0, -1) : line
  if (plain.length === width && DIGITS.test(plain)) return plain
  const body = plain.replace(MARK, '')
  return DIGITS.test(body) ? body : ''
}

function isLineBreak(text: string, at: number): boolean {
  return text.charCodeAt(at) === 10 || (text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) === 10)
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** No words, no hexadecimal: letters of both cases and digits, as in all that is encrypted or drawn by lot. */
function isRandomLine(line: string): boolean {
  if (line.length < 60) return true
  return /(?:[A-Z].*){6}/.test(line) && /(?:[a-z].*){6}/.test(line) && /\d/.test(line) && /[g-zG-Z]/.test(line)
}

const PICTURE = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi0|UEsDB|H4sI|PHN2Zy|PD94bW|d09G|AAEAAAA|Qk[0-9])/

/** What else is written in lines of base64: certificates, public keys, signatures, pictures. */
function isOther(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(0, from - 300), from)
  const begun = before.slice(before.lastIndexOf('-----BEGIN ') + 1)
  if (begun !== before && !begun.includes('PRIVATE')) return true
  if (/(?:base64,|Public-Lines: \d{1,3})\s*$/.test(before) || PICTURE.test(text.slice(from, from + 16))) return true
  const after = /^[^A-Za-z]{0,24}-----END ([A-Z0-9 ]{1,40})-----/.exec(text.slice(to, to + 100))?.[1]
  return after !== undefined && !after.includes('PRIVATE')
}

const MAX_BACK = 24

/** Where the lines begin that stand before the end of a private key; -1 if there are none. */
export function beforeEnd(text: string, found: number): number {
  if (!/PRIVATE KEY/.test(text.slice(found, found + 60)) || !mayBegin(text, found)) return -1
  let at = found
  while (at > 0 && found - at < MAX_BACK && text.charCodeAt(at - 1) !== 10) at--
  if (at === 0 || text.charCodeAt(at - 1) !== 10) return -1
  let start = -1
  for (let lines = 0; lines < MAX_LINES && at > 0; lines++) {
    const from = text.lastIndexOf('\n', at - 2) + 1
    if (at - from > MAX_LINE) break
    const body = bodyOf(text.slice(from, at - 1), 0)
    if (body === '' || (lines > 0 && body.length < 16)) break
    start = from + text.slice(from, at).indexOf(body)
    at = from
  }
  return start
}
