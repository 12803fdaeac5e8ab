import { assignmentRules, isTelling } from './redact-assignments.ts'
import { NO_CONFIG, userRules, type RedactionConfig } from './redact-config.ts'
import { loginRules } from './redact-logins.ts'
import { cutOffToken, redactionRules } from './redact-rules.ts'
import { createScanner } from './redact-scan.ts'

/** Raised when the rules change what they find: what was stored before may hold what they find now. */
export const REDACTION_REVISION = 2

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
/** Deeper JSON is no tool call. It goes as a whole, because what is not looked through must not be stored. */
const MAX_DEPTH = 1000
const TOO_DEEP = '[REDACTED:too-deep]'

/** Throws BAD_CONFIG if a rule of the user cannot be used. */
export function createRedactor(config: RedactionConfig = NO_CONFIG): Redactor {
  const counts = new Map<string, number>()
  let latest: string[] = []
  const found = (rule: string): void => {
    counts.set(rule, (counts.get(rule) ?? 0) + 1)
    latest.push(rule)
  }
  const allow = config.allow.filter((literal) => literal !== '')
  const bySelf = createScanner({ rules: [...userRules(config), ...redactionRules()], allow, found })
  const byName = createScanner({ rules: [...loginRules(), ...assignmentRules()], allow, found })

  const cutOff = cutOffToken()

  function text(value: string): string {
    let current = value
    let from = 0
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const next = byName(bySelf(current, from), from)
      if (next === current) break
      from = Math.max(0, firstDifference(current, next) - REACH)
      current = next
    }
    return current.endsWith('…') ? withoutCutOff(current) : current
  }

  function withoutCutOff(value: string): string {
    const from = Math.max(0, value.length - CUT_OFF_REACH)
    const at = value.slice(from).search(cutOff)
    if (at < 0) return value
    found(CUT_OFF)
    return `${value.slice(0, from + at)}[REDACTED:${CUT_OFF}]…`
  }

  return {
    text,
    json: (value) => redactJson(value, text, 0),
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

type Redact = (value: string) => string

function redactJson(value: unknown, text: Redact, depth: number): unknown {
  if (typeof value === 'string') return text(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === MAX_DEPTH) return TOO_DEEP
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, i) =>
      typeof item === 'string' ? argument(value[i - 1], item, text) : redactJson(item, text, depth + 1),
    )
    return items.every((item, i) => item === value[i]) ? value : items
  }
  const before = Object.entries(value)
  const label = labelOf(before)
  const after = before.map(([key, item]: [string, unknown]) => {
    if (typeof item !== 'string') return [text(key), redactJson(item, text, depth + 1)] as const
    const name = label !== null && /^value$/i.test(key) ? label : key
    return [text(key), isTelling(name) ? named(name, item, text) : text(item)] as const
  })
  const changed = after.some(([key, item], i) => key !== before[i]?.[0] || item !== before[i]?.[1])
  return changed ? Object.fromEntries(withoutClashes(after)) : value
}

/** `{"name": "DB_PASSWORD", "value": "…"}`: what the value is called. */
function labelOf(entries: readonly [string, unknown][]): string | null {
  const label = entries.find(([key, item]) => /^(?:name|key)$/i.test(key) && typeof item === 'string')?.[1]
  return typeof label === 'string' && isTelling(label) ? label : null
}

/** A string as it is read behind its name, which may be all that gives it away. */
function named(name: string, value: string, text: Redact): string {
  return within(`"${name}":"`, text(value), '"', text)
}

/** An item of a list behind another, which may be an option that it belongs to. */
function argument(previous: unknown, item: string, text: Redact): string {
  const option = typeof previous === 'string' && /^--?[A-Za-z][\w-]{0,40}$/.test(previous) && isTelling(previous)
  return option ? within(`${previous} `, text(item), '', text) : text(item)
}

function within(before: string, value: string, after: string, text: Redact): string {
  const whole = text(before + value + after)
  return whole.startsWith(before) && whole.endsWith(after)
    ? whole.slice(before.length, whole.length - after.length)
    : value
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
