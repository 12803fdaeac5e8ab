import { createHmac } from 'node:crypto'
import { redactJson } from './redact-json.ts'
import { isOrdinary } from './redact-values.ts'

/**
 * The secrets of one session: what a rule has recognised in one place is found wherever else it stands, though nothing
 * there gives it away. Keeps no value, only keyed hashes, so that whoever reads the state without the key learns
 * no more of a value than its length.
 *
 * For each session: make one from the state that the store has of it; give `learn` to `createRedactor` as `onSecret`
 * while records of that session are read; pass what the redactor returns on to `text` (or `json`) before it is kept.
 * When `size` has grown at the end of a batch, keep `state()` in the same transaction and pass everything that is
 * stored of the session, whatever file it came from, through `text` once. While `size` is 0, `text` costs nothing.
 */
export interface KnownSecrets {
  /** Remembers a value, or the lines of one; not what is short or could be an ordinary word. */
  learn(rule: string, value: string): void
  /** Takes over what another knows under the same key. Returns whether that was more. */
  add(state: KnownState): boolean
  /** The same text with `[REDACTED:known-secret]` for each known value; the very same string if there is none. */
  text(value: string): string
  /** As `text`, for every string in it; the very same reference if nothing changed. */
  json(value: unknown): unknown
  /** False if neither a text nor what it is once it is parsed can hold a known value. */
  mayHold(value: string): boolean
  /** How many values are known. */
  readonly size: number
  /** How many were taken out so far. */
  readonly taken: number
  /** Plain JSON, the same whatever the order in which values were learned. */
  state(): KnownState
}

/**
 * For each value: its hash, its length, and of its longest run of letters and digits the place, the length and a hint:
 * 16 bits that spare hashing most of what is no secret.
 */
export type KnownState = readonly Known[]
type Known = readonly [hash: string, length: number, at: number, runLength: number, hint: number]

export const KNOWN = 'known-secret'
const LEAST_VALUE = 8
const LEAST_RUN = 4
const MAX_VALUE = 4096
/** More is no session with secrets but a list of them. */
const MAX_KNOWN = 5000

export function createKnownSecrets(key: Uint8Array, state: KnownState = []): KnownSecrets {
  const known = new Map(state.map((entry) => [entry[0], entry]))
  const byRun = new Map<number, Known[]>()
  const lengths = new Uint8Array(MAX_VALUE + 1)
  let least = Infinity
  let taken = 0
  const hash = (value: string): string => createHmac('sha256', key).update(value).digest('hex').slice(0, 24)
  const seed = Number.parseInt(hash('hint').slice(0, 8), 16)
  for (const entry of known.values()) enter(entry)

  function enter(entry: Known): void {
    const [, , , runLength, hint] = entry
    const run = runLength * 65536 + hint
    byRun.set(run, [...(byRun.get(run) ?? []), entry])
    lengths[runLength] = 1
    least = Math.min(least, runLength)
  }

  function learnOne(value: string): void {
    const { at, length } = longestRun(value)
    if (value.length < LEAST_VALUE || value.length > MAX_VALUE || length < LEAST_RUN || isOrdinary(value)) return
    const whole = hash(value)
    if (known.has(whole) || known.size >= MAX_KNOWN) return
    const entry = [whole, value.length, at, length, hintOf(value, { from: at, to: at + length }, seed)] as const
    known.set(whole, entry)
    enter(entry)
  }

  /** The value that a run is part of, if it is a known one. */
  function knownAt(text: string, run: Run): Run | null {
    const runLength = run.to - run.from
    if (lengths[runLength] !== 1) return null
    for (const [whole, length, at] of byRun.get(runLength * 65536 + hintOf(text, run, seed)) ?? []) {
      const from = run.from - at
      if (from >= 0 && hash(text.slice(from, from + length)) === whole) return { from, to: from + length }
    }
    return null
  }

  function mayHold(value: string): boolean {
    if (known.size === 0) return false
    if (value.includes('\\u')) return true
    for (let run = nextRun(value, 0, least); run !== null; run = nextRun(value, run.to, least)) {
      const isHinted = (from: number): boolean =>
        lengths[run.to - from] === 1 && byRun.has((run.to - from) * 65536 + hintOf(value, { from, to: run.to }, seed))
      if (isHinted(run.from) || (value.charCodeAt(run.from - 1) === BACKSLASH && isHinted(run.from + 1))) return true
    }
    return false
  }

  function text(value: string): string {
    if (known.size === 0) return value
    const pieces: string[] = []
    let done = 0
    for (let run = nextRun(value, 0, least); run !== null; run = nextRun(value, run.to, least)) {
      const place =
        knownAt(value, run) ??
        (value.charCodeAt(run.from - 1) === BACKSLASH ? knownAt(value, { from: run.from + 1, to: run.to }) : null)
      if (place === null || place.from < done) continue
      pieces.push(value.slice(done, place.from), `[REDACTED:${KNOWN}]`)
      done = place.to
      taken++
    }
    return done === 0 ? value : pieces.join('') + value.slice(done)
  }

  return {
    learn: (_rule, value) => valuesIn(value).forEach(learnOne),
    add(more) {
      const before = known.size
      for (const entry of more) {
        if (known.has(entry[0]) || known.size >= MAX_KNOWN) continue
        known.set(entry[0], entry)
        enter(entry)
      }
      return known.size > before
    },
    text,
    json: (value) => redactJson(value, text),
    mayHold,
    get size() {
      return known.size
    },
    get taken() {
      return taken
    },
    state: () => [...known.values()].sort(([a], [b]) => (a < b ? -1 : 1)),
  }
}

/** What a rule takes may be several values: lines of a key, cookies, `[-old-]{+new+}`, one with its `@`, one encoded. */
function valuesIn(taken: string): string[] {
  const parts = taken.split(/\s+|\\[nrt]|["'`]|;\s?|\[-|-\](?:\{\+)?|\{\+|\+\}|(?<=^[\w.-]{1,64})=(?=[^=])/)
  return [...new Set(parts.flatMap((part) => [part, plain(part), unescaped(plain(part))]))].filter(
    (part) => part !== '',
  )
}

function plain(part: string): string {
  return part.replace(/@$|[,;.)\]}>\\]+$/, '').replace(/^[([{<]+/, '')
}

function unescaped(part: string): string {
  if (!/%[\da-f]{2}/i.test(part)) return part
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return part
    throw error
  }
}

function longestRun(value: string): { readonly at: number; readonly length: number } {
  let longest = { at: 0, length: 0 }
  for (const { 0: text, index } of value.matchAll(/[A-Za-z0-9]+/g)) {
    if (text.length > longest.length) longest = { at: index, length: text.length }
  }
  return longest
}

interface Run {
  readonly from: number
  readonly to: number
}

function hintOf(text: string, { from, to }: Run, seed: number): number {
  let hint = seed
  for (let at = from; at < to; at++) hint = Math.imul(hint ^ text.charCodeAt(at), 0x01000193)
  return (hint ^ (hint >>> 16)) & 0xffff
}

const BACKSLASH = 92
const LETTER_OR_DIGIT = new Uint8Array(65536)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789') {
  LETTER_OR_DIGIT[character.charCodeAt(0)] = 1
}

/** The next run of letters and digits that is at least so long. Looks where it would have to end, and leaps. */
function nextRun(text: string, start: number, least: number): Run | null {
  let from = start
  for (let at = from + least - 1; at < text.length; at = from + least - 1) {
    let back = at
    while (back >= from && LETTER_OR_DIGIT[text.charCodeAt(back)] === 1) back--
    if (back >= from) {
      from = back + 1
      continue
    }
    let to = at + 1
    while (to < text.length && LETTER_OR_DIGIT[text.charCodeAt(to)] === 1) to++
    return { from, to }
  }
  return null
}
