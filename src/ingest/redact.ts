import { assignmentRules } from './redact-assignments.ts'
import { createGates } from './redact-gates.ts'
import type { Rule } from './redact-rule.ts'
import { NO_CONFIG, userRules, type RedactionConfig } from './redact-config.ts'
import { redactJson } from './redact-json.ts'
import { createEncodedScanner } from './redact-encoded.ts'
import { createEscapedScanner } from './redact-escaped.ts'
import { joinedRule, type Cleared } from './redact-joined.ts'
import { listRules } from './redact-lists.ts'
import { loginRules } from './redact-logins.ts'
import { cutOffToken, isOfToken, redactionRules } from './redact-rules.ts'
import { createScannerPair, matcherOf, type Found } from './redact-scan.ts'
import { aside } from './redact-suspects.ts'
import { tableRules } from './redact-tables.ts'

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
  /** Rules of the secrets taken out since this was last asked; null if there were none. */
  taken(): readonly string[] | null
}

/** A secret may show only once another is gone: within what a rule keeps, or before what it took. */
const MAX_PASSES = 4
/** No rule but for a run without end looks further ahead: what stands so far before a change stays as it was. */
const REACH = 64 * 1024
/** The rule for what is left of a token where a text was cut. What it takes may be no secret. */
export const CUT_OFF = 'cut-off'
const CUT_OFF_REACH = 300
const LEAST_CUT_OFF = 6
const BEFORE_TOKEN = 20
/** Names of tools, keys, ids, words of an enumeration: more than half of all texts are short and were looked through before. */
const SHORT_TEXT = 64
const REMEMBERED_TEXTS = 4096

/**
 * Throws BAD_CONFIG if a rule of the user cannot be used. `onSecret` is told of every value taken out, in the clear:
 * for `KnownSecrets.learn`, which keeps no value. What is left of a token that was cut off is not told.
 */
export function createRedactor(config: RedactionConfig = NO_CONFIG, onSecret?: Found): Redactor {
  const counts = new Map<string, number>()
  let latest: string[] = []
  const counted = (rule: string): void => {
    counts.set(rule, (counts.get(rule) ?? 0) + 1)
    latest.push(rule)
  }
  const found: Found = (rule, secret) => {
    counted(rule)
    onSecret?.(rule, secret)
  }
  const allow = config.allow.filter((literal) => literal !== '')
  const [first, second] = [
    matcherOf([...userRules(config), ...redactionRules()], allow),
    matcherOf(namedRules(), allow),
  ]
  let within: [rule: string, secret: string][] = []
  const inner = createScannerPair({ first, second, found: (rule, secret) => within.push([rule, secret]) })
  const clear = (text: string): Cleared => {
    within = []
    return { text: aside(() => inner(text)), secrets: within }
  }
  const scan = createScannerPair({ first, second, joined: matcherOf([joinedRule(clear)], allow), found })
  const withoutEncoded = createEncodedScanner({
    allow,
    found,
    clear,
    hidden: (secret) => onSecret?.('encoded-secret', secret),
  })
  const withoutEscaped = createEscapedScanner({ clear, found })
  const cutOff = cutOffToken()
  let clean = new Set<string>()
  let cleanBefore = new Set<string>()

  function text(value: string): string {
    if (value.length > SHORT_TEXT) return redacted(value)
    if (clean.has(value)) return value
    const kept = cleanBefore.has(value) ? value : redacted(value)
    if (kept === value) remember(value)
    return kept
  }

  /** Of what was not asked for again while as many others were, nothing is remembered. */
  function remember(value: string): void {
    if (clean.size === REMEMBERED_TEXTS) {
      cleanBefore = clean
      clean = new Set()
    }
    clean.add(value)
  }

  function redacted(value: string): string {
    let current = value
    let from = 0
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const next = withoutEscaped(withoutEncoded(scan(current, from), from), from)
      if (next === current) break
      from = Math.max(0, firstDifference(current, next) - REACH)
      current = next
    }
    return current.endsWith('…') ? withoutCutOff(current) : current
  }

  function withoutCutOff(value: string): string {
    let word = value.length - 1
    const least = Math.max(0, value.length - CUT_OFF_REACH)
    while (word > least && isOfToken(value.charCodeAt(word - 1))) word--
    if (value.length - word < LEAST_CUT_OFF) return value
    // What stands before the word tells whether a token may begin there.
    const from = Math.max(least, word - BEFORE_TOKEN)
    const at = value.slice(from).search(cutOff)
    if (at < 0) return value
    counted(CUT_OFF)
    return `${value.slice(0, from + at)}[REDACTED:${CUT_OFF}]…`
  }

  return {
    text,
    json: (value) => redactJson(value, text),
    counts,
    taken() {
      if (latest.length === 0) return null
      const rules = latest
      latest = []
      return rules
    },
  }
}

function firstDifference(a: string, b: string): number {
  let at = 0
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return at
}

/** Rules for what is told by what stands before it or above it. */
export function namedRules(): readonly Rule[] {
  const gates = createGates()
  return [...loginRules(), ...assignmentRules(gates), ...listRules(gates), ...tableRules(gates)]
}
