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
/** Where a line is no more than its end, and what ends a text that holds lines. */
const END_OF_LINE = /(?<![A-Za-z0-9+/])([A-Za-z0-9+/]{4,256}={0,2})(?:["'`]{1,3}|<\/\w{1,16}>)*$/
/** Narrower lines with anything before them are no lines of a key. */
const LEAST_WIDTH = 48

/** The block that begins with this run, if the run ends its line and others follow. */
export function keyBlockAt(text: string, run: Place): Block | null {
  const plus = text.charCodeAt(run.from) === 43 && KEY_WIDTHS.has(run.to - run.from - 1) ? 1 : 0
  const width = run.to - run.from - plus
  const line = breakAt(text, run.to)
  if (width > MAX_LINE || line === '') return null
  const before = shapeOf(text.slice(lineStart(text, run.from, line), run.from))
  const bodies = [text.slice(run.from + plus, run.to)]
  let end = run.to
  while (bodies.length < MAX_LINES && text.startsWith(line, end)) {
    const from = end + line.length
    const next = endOfLine(text, from, line)
    const body = next - from > MAX_LINE ? '' : bodyOf(text.slice(from, next), { width, before })
    if (body === '' || body.length > width) break
    bodies.push(body)
    end = from + text.slice(from, next).lastIndexOf(body) + body.length
    if (body.length < width || !text.startsWith(line, end)) break
  }
  if (bodies.length === 1) return null
  const isKey = KEY_WIDTHS.has(width) && isWide(bodies) && bodies.every(isRandomLine) && !isOther(text, run.from, end)
  return { to: end, lines: bodies.join(''), isKey }
}

/** Two lines are as wide as each other, so that it is no coincidence. */
function isWide(bodies: readonly string[]): boolean {
  return bodies.length > 1 && bodies[0]?.length === bodies[1]?.length
}

interface Expected {
  readonly width: number
  /** What stood before the line beside it, in shape. */
  readonly before: string
}

function bodyOf(line: string, { width, before }: Expected): string {
  if (line.length === width && DIGITS.test(line)) return line
  const body = line.replace(MARK, '')
  if (DIGITS.test(body)) return body
  const found = END_OF_LINE.exec(line)
  const last = found?.[1] ?? ''
  const isSame =
    found !== null && (found.index === 0 || (before !== '' && shapeOf(line.slice(0, found.index)) === before))
  return isSame || (last.length === width && width >= LEAST_WIDTH) ? last : ''
}

/** Of what stands before a line only what does not count: a log numbers and times its lines. */
function shapeOf(before: string): string {
  return before.replaceAll(/[\d \t]+/g, '0')
}

/** A line break as it is, or spelled out as often as there are strings in strings; '' if there is none. */
function breakAt(text: string, at: number): string {
  const first = text.charCodeAt(at)
  if (first === 10) return '\n'
  if (first === 13) return text.charCodeAt(at + 1) === 10 ? '\r\n' : ''
  return first === 92 ? (/^(?:\\{1,7}r)?\\{1,7}n/.exec(text.slice(at, at + 16))?.[0] ?? '') : ''
}

function endOfLine(text: string, from: number, line: string): number {
  const end = text.indexOf(line, from)
  if (line.startsWith('\\') && (end < 0 || end - from > MAX_LINE)) {
    const quote = text.slice(from, from + MAX_LINE).search(/["'\\]/)
    return quote < 0 ? from + MAX_LINE + 1 : from + quote
  }
  return end < 0 ? text.length : end
}

function lineStart(text: string, at: number, line: string): number {
  const from = text.lastIndexOf(line, at - 1)
  return from < 0 || at - from > MAX_LINE ? at : from + line.length
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
    const end = text.charCodeAt(at - 2) === 13 ? at - 2 : at - 1
    const body = bodyOf(text.slice(from, end), { width: 0, before: '' })
    if (body === '' || (lines > 0 && body.length < 16)) break
    start = from + text.slice(from, at).indexOf(body)
    at = from
  }
  return start
}
