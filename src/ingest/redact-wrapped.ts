import { looksRandom, looksStrong } from './redact-values.ts'

/** Lines are wrapped at one of these widths, or at the width of the first line if several are as wide. */
const USUAL_WIDTHS = new Set([60, 64, 70, 72, 75, 76, 78, 79, 80, 90, 96, 100, 120, 128])
const LEAST_WIDTH = 12
const MAX_WIDTH = 200
const MAX_LINES = 400
const LINE = /\r?\n([ \t>|+*#-]{0,16})([A-Za-z0-9_.+/=~-]{1,200})(?=\r?\n|$|["'`,;)<…])/y

/**
 * Where a token that ends with its line at `to` goes on to, if the line was wrapped in its middle: over lines as wide
 * as the first, and a shorter last one. `to` itself if it was not.
 */
export function endOfWrapped(text: string, from: number, to: number): number {
  if (text[to] !== '\n' && text[to] !== '\r') return to
  const start = lineStart(text, from)
  const width = to - start
  if (width < LEAST_WIDTH || width > MAX_WIDTH) return to
  let end = to
  for (let lines = 0; lines < MAX_LINES; lines++) {
    LINE.lastIndex = end
    const match = LINE.exec(text)
    if (match === null) return end
    const [whole, mark = '', run = ''] = match
    const wide = mark.length + run.length
    const isLast = wide !== width
    const isUsual = wide < width && (lines > 0 || (USUAL_WIDTHS.has(width) && isMixed(run)))
    if (isLast ? !isUsual && !isRemainder(run) : width < 40 && !isMixed(run)) return end
    end += whole.length
    if (isLast) return end
  }
  return end
}

const LEAST_RUN = 20
const LEAST_PIECE = 6
const MAX_BEFORE = 40

let seen = ''
let seenFrom = 0
let seenEnd = 0

/** The end of a run of a token's characters. A line of beginnings is walked through once, not once for each. */
function endOfRun(text: string, at: number): number {
  if (text !== seen || at < seenFrom || at > seenEnd) {
    seen = text
    seenFrom = at
    seenEnd = at
  }
  while (seenEnd - at <= MAX_WIDTH && TOKEN[text.charCodeAt(seenEnd)] === 1) seenEnd++
  return seenEnd
}

/** Lines as they were before they were wrapped, and where in the text they end. */
export interface Unwrapped {
  readonly text: string
  readonly at: number
  readonly to: number
}

/**
 * Lines that begin with a token at `at`, in the ways they may have been before they were wrapped; none if the first is
 * not wrapped.
 */
export function unwrapped(text: string, at: number): Unwrapped[] {
  const end = endOfRun(text, at)
  if (end - at < LEAST_PIECE || end - at > MAX_WIDTH || !isLineBreak(text.charCodeAt(end))) return []
  const before = text.slice(Math.max(0, at - MAX_BEFORE), at)
  const joined = (to: number): Unwrapped => {
    const lines = text.slice(at, to).replaceAll(/\r?\n[ \t>|+*#-]{0,16}/g, '')
    return { text: before + lines, at: before.length, to }
  }
  const to = end - at < LEAST_RUN ? end : endOfWrapped(text, at, end)
  return [...(to === end ? [] : [to]), ...narrowEnds(text, end)].map(joined)
}

/** Of so few lines any width will do, if together they are one token and nothing else. */
const MAX_NARROW = 4
const NARROW = /\r?\n[ \t>|+*#]{0,16}([A-Za-z0-9_.+/=~%-]{4,1000})(?=\r?\n|$|["'`,;)<…])/y

function narrowEnds(text: string, from: number): number[] {
  const ends: number[] = []
  for (let end = from; ends.length < MAX_NARROW; end = NARROW.lastIndex) {
    NARROW.lastIndex = end
    const run = NARROW.exec(text)?.[1]
    if (run === undefined || (ends.length === 0 && !isMixed(run) && !run.startsWith('.'))) break
    ends.push(NARROW.lastIndex)
  }
  return ends
}

function isLineBreak(code: number): boolean {
  return code === 10 || code === 13
}

const TOKEN = new Uint8Array(128)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+/=~-%')
  TOKEN[character.charCodeAt(0)] = 1

function lineStart(text: string, from: number): number {
  let at = from
  while (at > 0 && from - at <= MAX_WIDTH && text.charCodeAt(at - 1) !== 10) at--
  return at
}

/** Nothing but what was made by a machine, and so the rest of what stands above it, wherever that was cut. */
function isRemainder(run: string): boolean {
  return run.length >= 10 && !/=[^=]/.test(run) && (looksStrong(run) || looksRandom(run))
}

/** No word and no assignment: the remainder of something random. */
function isMixed(run: string): boolean {
  return (/\d/.test(run) || /[a-z][A-Z]/.test(run)) && !/=[^=]/.test(run)
}
