import { redactionRules } from './redact-rules.ts'
import type { Rule } from './redact-rules.ts'

/** Raised when the rules change what they find: what was stored before may hold what they find now. */
export const REDACTION_REVISION = 1

/**
 * Takes secrets out of what is about to be stored. Linear in the text; doing it twice changes nothing.
 * It promises nothing about secrets without a known shape, such as a password in prose.
 */
export interface Redactor {
  /** The same text with `[REDACTED:<rule>]` for each secret; the very same string if there is none. */
  text(value: string): string
  /** The same JSON with every string in it redacted, keys too; the very same reference if nothing changed. */
  json(value: unknown): unknown
  /** How many secrets each rule took out so far. */
  readonly counts: ReadonlyMap<string, number>
}

/** A secret may show only once another is gone: within what a rule keeps, or before what it took. */
const MAX_PASSES = 4
/** Deeper JSON is no tool call. It goes as a whole, because what is not looked through must not be stored. */
const MAX_DEPTH = 1000
const TOO_DEEP = '[REDACTED:too-deep]'

export function createRedactor(): Redactor {
  const counts = new Map<string, number>()
  const scan = createScanner(redactionRules(), (rule) => counts.set(rule, (counts.get(rule) ?? 0) + 1))

  function text(value: string): string {
    let current = value
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const next = scan(current)
      if (next === current) break
      current = next
    }
    return current
  }

  return { text, json: (value) => redactJson(value, text, 0), counts }
}

function redactJson(value: unknown, text: (value: string) => string, depth: number): unknown {
  if (typeof value === 'string') return text(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === MAX_DEPTH) return TOO_DEEP
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => redactJson(item, text, depth + 1))
    return items.every((item, i) => item === value[i]) ? value : items
  }
  const before = Object.entries(value)
  const after = before.map(([key, item]: [string, unknown]) => [text(key), redactJson(item, text, depth + 1)] as const)
  const changed = after.some(([key, item], i) => key !== before[i]?.[0] || item !== before[i]?.[1])
  return changed ? Object.fromEntries(withoutClashes(after)) : value
}

/** Two secret keys of one object must not become one key. */
function withoutClashes(entries: readonly (readonly [string, unknown])[]): [string, unknown][] {
  const taken = new Set<string>()
  return entries.map(([key, item]) => {
    let name = key
    for (let n = 2; taken.has(name); n++) name = `${key}#${n}`
    taken.add(name)
    return [name, item]
  })
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
function createScanner(rules: readonly Rule[], found: (rule: string) => void): (text: string) => string {
  const suspects = suspectsByWindow(rules)
  const suspicious = new Uint8Array((WINDOW_MASK + 1) / 8)
  for (const window of suspects.keys()) suspicious[window >>> 3]! |= 1 << (window & 7)

  return function scan(text) {
    let out = ''
    let rest = text
    let at = nextSuspect(suspicious, rest, 0)
    while (at >= 0) {
      const hit = firstHit(suspects.get(windowAt(rest, at)) ?? [], rest, at)
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

function firstHit(suspects: readonly Suspect[], text: string, window: number): Hit | null {
  for (const { start, offset, rules } of suspects) {
    const at = window - offset
    if (at < 0 || !text.startsWith(start, at)) continue
    for (const { name, pattern, back } of rules) {
      if (at < back) continue
      pattern.lastIndex = at - back
      const match = pattern.exec(text)
      if (match !== null) return { rule: name, from: match.index + (match[1]?.length ?? 0), to: pattern.lastIndex }
    }
  }
  return null
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
