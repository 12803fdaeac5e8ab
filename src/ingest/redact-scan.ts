import type { Rule } from './redact-rule.ts'

export interface Scan {
  readonly rules: readonly Rule[]
  /** Texts that stay whatever rule finds them. */
  readonly allow: readonly string[]
  readonly found: (rule: string) => void
}

/** A start that a window of three characters gives away, how far into it the window stands, and what to try there. */
interface Suspect {
  readonly start: string
  readonly offset: number
  readonly rules: readonly Rule[]
}

const WINDOW = 3
/** Seven bits a character: exact for ASCII; what else may fall together is told apart by comparing the start itself. */
const WINDOW_MASK = (1 << 21) - 1

/**
 * Looks at every character once: the last three as a number, checked against a bit set of the windows of all
 * starts. A regex that lists all starts finds the same at a third of the speed, and slows with each rule.
 */
export function createScanner({ rules, allow, found }: Scan): (text: string) => string {
  const suspects = suspectsByWindow(rules)
  const suspicious = new Uint8Array((WINDOW_MASK + 1) / 8)
  for (const window of suspects.keys()) suspicious[window >>> 3]! |= 1 << (window & 7)

  return function scan(text) {
    let out = ''
    let rest = text
    let at = nextSuspect(suspicious, rest, 0)
    while (at >= 0) {
      const hit = firstHit(suspects.get(windowAt(rest, at)) ?? [], rest, at, allow)
      if (hit === null) {
        at = nextSuspect(suspicious, rest, at + 1)
      } else {
        out += `${rest.slice(0, hit.from)}[REDACTED:${hit.rule}]`
        // Cut off, so that what follows is read as it will be read behind the placeholder.
        rest = rest.slice(hit.to)
        at = nextSuspect(suspicious, rest, 0)
        found(hit.rule)
      }
    }
    return out === '' ? text : out + rest
  }
}

function windowAt(text: string, at: number): number {
  return ((text.charCodeAt(at) << 14) ^ (text.charCodeAt(at + 1) << 7) ^ text.charCodeAt(at + 2)) & WINDOW_MASK
}

/** Where the next suspicious window begins, or -1. A call or a read past the end in here would halve its speed. */
function nextSuspect(suspicious: Uint8Array, text: string, from: number): number {
  if (text.length < from + WINDOW) return -1
  let window = (text.charCodeAt(from) << 7) ^ text.charCodeAt(from + 1)
  for (let i = from + WINDOW - 1; i < text.length; i++) {
    window = ((window << 7) ^ text.charCodeAt(i)) & WINDOW_MASK
    if (((suspicious[window >>> 3]! >>> (window & 7)) & 1) !== 0) return i - WINDOW + 1
  }
  return -1
}

interface Hit {
  readonly rule: string
  readonly from: number
  readonly to: number
}

function firstHit(suspects: readonly Suspect[], text: string, window: number, allow: readonly string[]): Hit | null {
  for (const { start, offset, rules } of suspects) {
    const at = window - offset
    if (at < 0 || !text.startsWith(start, at)) continue
    for (const rule of rules) {
      const hit = at < rule.back || rule.gate?.(text, at) === false ? null : hitOf(rule, text, at - rule.back)
      if (hit !== null && !isAllowed(allow, text, hit)) return hit
    }
  }
  return null
}

function hitOf(rule: Rule, text: string, at: number): Hit | null {
  rule.pattern.lastIndex = at
  const match = rule.pattern.exec(text)
  if (match === null || rule.judge?.(match) === false) return null
  return { rule: rule.name, from: rule.whole ? at : at + (match[1]?.length ?? 0), to: at + match[0].length }
}

/** The secret is, or is part of, a text that shall stay. */
function isAllowed(allow: readonly string[], text: string, { from, to }: Hit): boolean {
  if (allow.length === 0) return false
  const secret = text.slice(from, to)
  return allow.some(
    (literal) =>
      literal.includes(secret) && text.slice(Math.max(0, from - literal.length), to + literal.length).includes(literal),
  )
}

function suspectsByWindow(rules: readonly Rule[]): Map<number, Suspect[]> {
  const byWindow = new Map<number, Suspect[]>()
  for (const start of new Set(rules.flatMap((rule) => rule.starts))) {
    const offset = rarestWindow(start)
    const window = windowAt(start, offset)
    const list = byWindow.get(window) ?? []
    list.push({ start, offset, rules: rules.filter((rule) => rule.starts.includes(start)) })
    byWindow.set(window, list)
  }
  return byWindow
}

const COMMON_FIRST = ' etaoinsrhldcumfpgwybvkxjqz'

/** The window of `start` that ordinary text has least: capitals, digits and signs are rarer than any small letter. */
function rarestWindow(start: string): number {
  const rarity = [...start].map((char) => (COMMON_FIRST.includes(char) ? COMMON_FIRST.indexOf(char) : 30))
  let best = 0
  let bestSum = -1
  for (let i = 0; i + WINDOW <= rarity.length; i++) {
    const sum = rarity.slice(i, i + WINDOW).reduce((a, b) => a + b)
    if (sum > bestSum) [best, bestSum] = [i, sum]
  }
  return best
}
