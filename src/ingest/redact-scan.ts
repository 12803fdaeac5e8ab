import type { Gate, Rule } from './redact-rule.ts'
import {
  bytesOf,
  nextSuspect,
  slotOf,
  suspectsBySlot,
  suspiciousOf,
  windowAt,
  WINDOW_MASK,
  type Suspect,
} from './redact-suspects.ts'
import { endOfWrapped, unwrapped } from './redact-wrapped.ts'

export interface Scan {
  readonly rules: readonly Rule[]
  /** Texts that stay whatever rule finds them. */
  readonly allow: readonly string[]
  readonly found: Found
}

/** Told of every secret, before it is gone. */
export type Found = (rule: string, secret: string) => void

/** What stands at the start of a text may be read to its end: also behind so many cuts, but not behind thousands. */
const FEW_CUTS = 16

/** Joined so many at a time: pieces that live long are the dearest. */
const MAX_PIECES = 1024

/** Reads a text from a place on, and takes out what its rules find. */
export type Scanner = (text: string, from?: number) => string

/**
 * Looks at every character once: the last three as a number, checked against a bit set of the windows of all
 * starts. A regex that lists all starts finds the same at a third of the speed, and slows with each rule.
 */
export function createScanner({ rules, allow, found }: Scan): Scanner {
  const { hitAt, suspicious } = matcherOf(rules, allow)
  return scannerOf(hitAt, suspicious, found)
}

/** Rules made ready: where to look, and what stands there. Several scanners may share them. */
export interface Matching {
  readonly suspects: readonly (readonly Suspect[])[]
  readonly suspicious: Uint8Array
  readonly hitAt: Matcher
}

export function matcherOf(rules: readonly Rule[], allow: readonly string[]): Matching {
  const suspects = suspectsBySlot(rules)
  return { suspects, suspicious: suspiciousOf([suspects]), hitAt: createMatcher(suspects, allow) }
}

export interface Pair {
  readonly first: Matching
  readonly second: Matching
  readonly joined?: Matching
  readonly found: Found
}

/**
 * What the second scanner makes of what the first one leaves, and that of what `joined` leaves. Most texts hold nothing
 * that any of them takes out: those are looked through once, for all.
 */
export function createScannerPair({ first, second, joined, found }: Pair): Scanner {
  const scanFirst = scannerOf(first.hitAt, first.suspicious, found)
  const scanSecond = scannerOf(second.hitAt, second.suspicious, found)
  const scanJoined = joined === undefined ? null : scannerOf(joined.hitAt, joined.suspicious, found)
  const [isFirst, isSecond, isJoint] = [first.suspicious, second.suspicious, joined?.suspicious ?? null]
  const isAny = suspiciousOf([first.suspects, second.suspects, joined?.suspects ?? []])
  const places: number[] = []

  return function scan(text, from = 0) {
    places.length = 0
    const bytes = bytesOf(text)
    for (let at = nextSuspect(isAny, bytes, from, text.length); at >= 0;) {
      const window = ((bytes[at]! << 14) ^ (bytes[at + 1]! << 7) ^ bytes[at + 2]!) & WINDOW_MASK
      const bit = 1 << (window & 7)
      if (
        ((isFirst[window >>> 3]! & bit) !== 0 && first.hitAt(text, at, false) !== null) ||
        (isJoint !== null && (isJoint[window >>> 3]! & bit) !== 0 && joined?.hitAt(text, at, false) != null)
      ) {
        const whole = scanJoined?.(text, at) ?? text
        return scanSecond(scanFirst(whole, whole === text ? at : from), from)
      }
      if ((isSecond[window >>> 3]! & bit) !== 0) places.push(at)
      at = nextSuspect(isAny, bytes, at + 1, text.length)
    }
    for (const at of places) if (second.hitAt(text, at, false) !== null) return scanSecond(text, at)
    return text
  }
}

function scannerOf(hitAt: Matcher, suspicious: Uint8Array, found: Found): Scanner {
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
      for (const [i, secret] of (hit.secrets ?? [rest.slice(hit.from, hit.to)]).entries()) {
        found(hit.rules?.[i] ?? hit.rule, secret)
      }
      pieces.push(rest.slice(0, hit.from), hit.text)
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

interface Hit {
  readonly rule: string
  readonly from: number
  readonly to: number
  /** What takes the place. */
  readonly text: string
  /** If it is more than one. */
  readonly secrets?: readonly string[]
  readonly rules?: readonly string[]
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
      if (!open) continue
      const hit = rule.rewrite === undefined ? hitOf(rule, text, at) : rewritten(rule, allow, text, at)
      if (hit !== null && !isAllowed(allow, text, hit)) return hit
    }
    return null
  }
  return (text, window, cut) => {
    for (const suspect of suspects[slotOf(windowAt(text, window))]!) {
      const { start } = suspect
      const at = window - suspect.offset
      if (at < 0 || text.charCodeAt(at) !== suspect.first) continue
      if (text.charCodeAt(at + start.length - 1) !== suspect.last || !text.startsWith(start, at)) continue
      if (suspect.begins !== null && !suspect.begins(text, at, cut)) continue
      const hit = hitOfAny(suspect.rules, text, at, cut)
      if (hit !== null) return hit
    }
    return null
  }
}

function hitOf(rule: Rule, text: string, at: number): Hit | null {
  rule.pattern.lastIndex = at
  const match = rule.pattern.exec(text)
  if (match === null) return rule.wraps ? wrappedHit(rule, text, at) : null
  if (rule.judge?.(match) === false) return null
  const from = rule.whole ? at : at + (match[1]?.length ?? 0)
  const end = at + match[0].length
  return hitFrom(rule, from, rule.wraps ? endOfWrapped(text, from, end) : end)
}

/** Where the first line is too little to tell. */
function wrappedHit(rule: Rule, text: string, at: number): Hit | null {
  for (const lines of unwrapped(text, at)) {
    rule.pattern.lastIndex = lines.at
    const match = rule.pattern.exec(lines.text)
    if (match === null || lines.at + match[0].length < lines.text.length || rule.judge?.(match) === false) continue
    return hitFrom(rule, at + (match[1]?.length ?? 0), lines.to)
  }
  return null
}

function hitFrom({ name }: Rule, from: number, to: number): Hit {
  return { rule: name, from, to, text: `[REDACTED:${name}]` }
}

function rewritten({ name, rewrite }: Rule, allow: readonly string[], text: string, at: number): Hit | null {
  const stays = (secret: string): boolean => allow.some((literal) => literal.includes(secret))
  const anew = rewrite?.(text, at, stays) ?? null
  return anew === null ? null : { ...anew, rule: name, from: at }
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
