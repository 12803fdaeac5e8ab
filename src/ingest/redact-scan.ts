import { mayBegin, mayBeginName, type Gate, type Rule } from './redact-rule.ts'

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
  /** All of them are for tokens, which do not begin within a word: that is asked before the start is compared. */
  readonly begins: Gate | null
}

const WINDOW = 3
/** Six bits a character. What falls together is told apart by comparing the start itself. */
const WINDOW_MASK = (1 << 18) - 1

/** What stands at the start of a text may be read to its end: also behind so many cuts, but not behind thousands. */
const FEW_CUTS = 16

/** Joined so many at a time: pieces that live long are the dearest. */
const MAX_PIECES = 1024

/**
 * Looks at every character once: the last three as a number, checked against a bit set of the windows of all
 * starts. A regex that lists all starts finds the same at a third of the speed, and slows with each rule.
 */
export function createScanner({ rules, allow, found }: Scan): (text: string, from?: number) => string {
  const suspects = suspectsBySlot(rules)
  const suspicious = new Uint8Array((WINDOW_MASK + 1) / 8)
  for (const { start, offset } of suspects.flat()) {
    const window = windowAt(start, offset)
    suspicious[window >>> 3]! |= 1 << (window & 7)
  }

  const hitAt = createMatcher(suspects, allow)

  return function scan(text, from = 0) {
    const bytes = bytesOf(text)
    const done: string[] = []
    let pieces: string[] = []
    let rest = text
    let base = 0
    let cuts = 0
    let at = nextSuspect(suspicious, bytes, from, text.length)
    while (at >= 0) {
      const hit = hitAt(rest, at - base, cuts > FEW_CUTS)
      if (hit === null) {
        at = nextSuspect(suspicious, bytes, at + 1, text.length)
        continue
      }
      found(hit.rule)
      pieces.push(rest.slice(0, hit.from), `[REDACTED:${hit.rule}]`)
      if (pieces.length > MAX_PIECES) {
        done.push(pieces.join(''))
        pieces = []
      }
      // Cut off, so that what follows is read as it will be read behind the placeholder.
      rest = rest.slice(hit.to)
      base += hit.to
      cuts++
      at = nextSuspect(suspicious, bytes, base, text.length)
    }
    return cuts === 0 ? text : done.join('') + pieces.join('') + rest
  }
}

const scratch = Buffer.allocUnsafe(1 << 18)

/** The low bytes of a text, until the next is asked for: a loop over them is as fast whatever the text is made of. */
function bytesOf(text: string): Uint8Array {
  if (text.length > scratch.length) return Buffer.from(text, 'latin1')
  scratch.write(text, 0, 'latin1')
  return scratch
}

function windowAt(text: string, at: number): number {
  const [a, b, c] = [text.charCodeAt(at) & 255, text.charCodeAt(at + 1) & 255, text.charCodeAt(at + 2) & 255]
  return ((a << 12) ^ (b << 6) ^ c) & WINDOW_MASK
}

const SLOTS = 4096

function slotOf(window: number): number {
  return (window ^ (window >>> 9)) & (SLOTS - 1)
}

/** Where the next suspicious window begins, or -1. */
function nextSuspect(suspicious: Uint8Array, bytes: Uint8Array, from: number, end: number): number {
  if (end < from + WINDOW) return -1
  let window = (bytes[from]! << 6) ^ bytes[from + 1]!
  for (let i = from + WINDOW - 1; i < end; i++) {
    window = ((window << 6) ^ bytes[i]!) & WINDOW_MASK
    if (((suspicious[window >>> 3]! >>> (window & 7)) & 1) !== 0) return i - WINDOW + 1
  }
  return -1
}

interface Hit {
  readonly rule: string
  readonly from: number
  readonly to: number
}

/** The first hit of what the window at a place gives away. `cut` is for the gates. */
type Matcher = (text: string, window: number, cut: boolean) => Hit | null

function createMatcher(suspects: readonly (readonly Suspect[])[], allow: readonly string[]): Matcher {
  const hitOfAny = (rules: readonly Rule[], text: string, found: number, cut: boolean): Hit | null => {
    let asked: Gate | undefined
    let askedAt = found
    let open = true
    for (const rule of rules) {
      const at = rule.seek === undefined ? found - rule.back : rule.seek(text, found)
      if (at < 0) continue
      if (rule.gate !== asked || at !== askedAt) {
        open = rule.gate === undefined || rule.gate(text, at, cut)
        asked = rule.gate
        askedAt = at
      }
      const hit = open ? hitOf(rule, text, at) : null
      if (hit !== null && !isAllowed(allow, text, hit)) return hit
    }
    return null
  }
  return (text, window, cut) => {
    for (const { start, offset, rules, begins } of suspects[slotOf(windowAt(text, window))]!) {
      const at = window - offset
      if (at < 0 || (begins !== null && !begins(text, at, cut)) || !text.startsWith(start, at)) continue
      const hit = hitOfAny(rules, text, at, cut)
      if (hit !== null) return hit
    }
    return null
  }
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

/** By the slot of their window. Two windows may have one slot: the starts are compared anyway. */
function suspectsBySlot(rules: readonly Rule[]): Suspect[][] {
  const byStart = new Map<string, Rule[]>()
  for (const rule of rules) {
    for (const start of new Set(rule.starts)) byStart.set(start, [...(byStart.get(start) ?? []), rule])
  }
  const bySlot = Array.from({ length: SLOTS }, (): Suspect[] => [])
  for (const [start, tried] of byStart) {
    const offset = rarestWindow(start)
    bySlot[slotOf(windowAt(start, offset))]!.push({ start, offset, rules: tried, begins: beginningOf(tried) })
  }
  return bySlot
}

function beginningOf(rules: readonly Rule[]): Gate | null {
  const all = (gate: Gate): boolean => rules.every((rule) => rule.gate === gate && rule.back === 0)
  return [mayBegin, mayBeginName].find(all) ?? null
}

const COMMON_FIRST = ' etaoinsrhldcumfpgwybvkxjqz'

/** The window of `start` that ordinary text has least: capitals, digits and signs are rarer than any small letter. */
function rarestWindow(start: string): number {
  const rarity = [...start].map((char) => (COMMON_FIRST.includes(char) ? COMMON_FIRST.indexOf(char) : 30))
  let best = 0
  let bestSum = -1
  for (let i = 0; i + WINDOW <= rarity.length; i++) {
    const sum = rarity.slice(i, i + WINDOW).reduce((a, b) => a + b)
    if (sum >= bestSum) [best, bestSum] = [i, sum]
  }
  return best
}
