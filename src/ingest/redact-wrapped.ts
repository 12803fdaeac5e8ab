/** Lines are wrapped at one of these widths, or at the width of the first line if several are as wide. */
const USUAL_WIDTHS = new Set([60, 64, 70, 72, 75, 76, 78, 79, 80, 90, 96, 100, 120, 128])
const LEAST_WIDTH = 40
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
    if (wide > width) return end
    const isLast = wide < width
    if (isLast && lines === 0 && !(USUAL_WIDTHS.has(width) && isMixed(run))) return end
    end += whole.length
    if (isLast) return end
  }
  return end
}

const LEAST_RUN = 20
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

/** Lines that begin with a token at `at`, as they were before they were wrapped; null if the first is not wrapped. */
export function unwrapped(text: string, at: number): { text: string; at: number; to: number } | null {
  const end = endOfRun(text, at)
  if (end - at < LEAST_RUN || end - at > MAX_WIDTH) return null
  const to = endOfWrapped(text, at, end)
  if (to === end) return null
  const before = text.slice(Math.max(0, at - MAX_BEFORE), at)
  const joined = text.slice(at, to).replaceAll(/\r?\n[ \t>|+*#-]{0,16}/g, '')
  return { text: before + joined, at: before.length, to }
}

const TOKEN = new Uint8Array(128)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+/=~-%')
  TOKEN[character.charCodeAt(0)] = 1

function lineStart(text: string, from: number): number {
  let at = from
  while (at > 0 && from - at <= MAX_WIDTH && text.charCodeAt(at - 1) !== 10) at--
  return at
}

/** No word and no assignment: the remainder of something random. */
function isMixed(run: string): boolean {
  return (/\d/.test(run) || /[a-z][A-Z]/.test(run)) && !/=[^=]/.test(run)
}
