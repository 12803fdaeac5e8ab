import { mayBegin, type Gate, type Rule } from './redact-rule.ts'

/** A start that a window of three characters gives away, how far into it the window stands, and what to try there. */
export interface Suspect {
  readonly start: string
  readonly offset: number
  /** Its ends, which tell nearly all that is not this start, before anything is called. */
  readonly first: number
  readonly last: number
  readonly rules: readonly Rule[]
  /** All of them are for tokens, which do not begin within a word: that is asked before the start is compared. */
  readonly begins: Gate | null
}

const WINDOW = 3
/** Seven bits a character, as ASCII has. What else falls together is told apart by comparing the start itself. */
export const WINDOW_MASK = (1 << 21) - 1

let scratch: Buffer = Buffer.allocUnsafe(1 << 18)
let spare: Buffer | null = null

let written = ''
let bytes: Uint8Array = scratch

/**
 * The low bytes of a text, until those of another are asked for: a loop over them is as fast whatever the text is made
 * of, and all that look at one text share them.
 */
export function bytesOf(text: string): Uint8Array {
  if (text === written) return bytes
  written = text
  if (text.length > scratch.length) return (bytes = Buffer.from(text, 'latin1'))
  scratch.write(text, 0, 'latin1')
  return (bytes = scratch)
}

/** Looks through another text in between: the bytes of the one that is looked through now stay as they are. */
export function aside<T>(look: () => T): T {
  const before = { scratch, written, bytes }
  scratch = spare ?? Buffer.allocUnsafe(scratch.length)
  spare = null
  written = ''
  try {
    return look()
  } finally {
    spare = scratch
    ;({ scratch, written, bytes } = before)
  }
}

export function windowAt(text: string, at: number): number {
  return (
    (((text.charCodeAt(at) & 255) << 14) ^ ((text.charCodeAt(at + 1) & 255) << 7) ^ (text.charCodeAt(at + 2) & 255)) &
    WINDOW_MASK
  )
}

const SLOTS = 4096

export function slotOf(window: number): number {
  return (window ^ (window >>> 9)) & (SLOTS - 1)
}

/** Where the next suspicious window begins, or -1. */
export function nextSuspect(suspicious: Uint8Array, bytes: Uint8Array, from: number, end: number): number {
  if (end < from + WINDOW) return -1
  let window = (bytes[from]! << 7) ^ bytes[from + 1]!
  for (let i = from + WINDOW - 1; i < end; i++) {
    window = ((window << 7) ^ bytes[i]!) & WINDOW_MASK
    if (((suspicious[window >>> 3]! >>> (window & 7)) & 1) !== 0) return i - WINDOW + 1
  }
  return -1
}

/** The windows of all starts, a bit each. */
export function suspiciousOf(all: readonly (readonly (readonly Suspect[])[])[]): Uint8Array {
  const suspicious = new Uint8Array((WINDOW_MASK + 1) / 8)
  for (const { start, offset } of all.flat(2)) {
    const window = windowAt(start, offset)
    suspicious[window >>> 3]! |= 1 << (window & 7)
  }
  return suspicious
}

/** By the slot of their window. Two windows may have one slot: the starts are compared anyway. */
export function suspectsBySlot(rules: readonly Rule[]): Suspect[][] {
  const byStart = new Map<string, Rule[]>()
  for (const rule of rules) {
    for (const start of new Set(rule.starts)) byStart.set(start, [...(byStart.get(start) ?? []), rule])
  }
  const bySlot = Array.from({ length: SLOTS }, (): Suspect[] => [])
  for (const [start, tried] of byStart) {
    const offset = rarestWindow(start)
    const [first, last] = [start.charCodeAt(0), start.charCodeAt(start.length - 1)]
    const begins = beginningOf(tried)
    bySlot[slotOf(windowAt(start, offset))]!.push({ start, offset, first, last, rules: tried, begins })
  }
  return bySlot
}

function beginningOf(rules: readonly Rule[]): Gate | null {
  return rules.every((rule) => rule.gate === mayBegin && rule.back === 0) ? mayBegin : null
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
