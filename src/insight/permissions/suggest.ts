import { parseShell, simpleCommand } from '../../distill/shell.ts'
import { isoTime } from '../../model/time.ts'
import { patternText, type Pattern, type PermissionTarget } from '../../model/permission.ts'
import { fits, groupText, judge } from './rules.ts'

/** How often one command line was used. */
export interface CommandUse {
  readonly command: string
  readonly count: number
  /** How many of them failed. */
  readonly errors: number
  readonly projects: readonly string[]
  readonly lastUsed: number | null
  /** How often the agent had to ask first. */
  readonly asked: number
}

export type Confidence = 'high' | 'medium' | 'low'

export interface Suggestion {
  readonly pattern: string
  readonly rule: string
  readonly count: number
  readonly confidence: Confidence
  readonly reason: string
  readonly projects: readonly string[]
  readonly errorRate: number
  readonly lastUsed: number | null
  readonly samples: readonly string[]
  /** Prompts it would have spared. */
  readonly spared: number
  /** What else the rule would let run, in words. Always null if `high` or `medium`. */
  readonly nearestDanger: string | null
}

export interface Skipped {
  readonly pattern: string
  readonly count: number
  readonly reason: string
}

export interface Suggestions {
  readonly suggestions: readonly Suggestion[]
  readonly skipped: readonly Skipped[]
}

export interface SuggestOptions {
  /** The agent in whose words the rules are. */
  readonly target: PermissionTarget
  /** Fewest uses of one exact form that is worth a rule; 2 unless told. */
  readonly fewest?: number
}

export const HIGH = 50
export const MEDIUM = 10
const MAX_SAMPLES = 3

/** A rule that a use speaks for. */
interface Evidence {
  readonly name: string
  readonly pattern: Pattern
  readonly rule: string
  readonly reason: string
  readonly danger: string | null
}

interface Offer extends Evidence {
  readonly uses: CommandUse[]
}

/**
 * The rules that the uses speak for and that can allow nothing harmful, in the words of one agent. Pipes, lists,
 * redirections and failures speak for nothing. What is not offered is counted, with the reason. Sorted, most used first.
 */
export function suggest(uses: readonly CommandUse[], { target, fewest = 2 }: SuggestOptions): Suggestions {
  const offers = new Map<string, Offer>()
  const skipped = new Map<string, Skipped>()
  const skip = (pattern: string, count: number, reason: string): void => {
    const key = `${pattern}\n${reason}`
    skipped.set(key, { pattern, count: (skipped.get(key)?.count ?? 0) + count, reason })
  }
  for (const use of uses) {
    const found = evidenceOf(use.command, target)
    if (!('rule' in found)) {
      skip(found.pattern, use.count, found.reason)
      continue
    }
    const text = patternText(found.pattern)
    const offer = offers.get(text) ?? { ...found, uses: [] }
    offer.uses.push(use)
    offers.set(text, offer)
  }
  for (const [text, { name, pattern, uses: own }] of offers) {
    const count = sum(own, (use) => use.count)
    if (pattern.wide || count >= fewest) continue
    offers.delete(text)
    skip(groupText(name), count, 'forms that came up too rarely to be worth a rule')
  }
  return {
    suggestions: [...offers.values()].map(toSuggestion).sort(byWeight),
    skipped: [...skipped.values()].sort(byWeight),
  }
}

function evidenceOf(command: string, target: PermissionTarget): Evidence | Omit<Skipped, 'count'> {
  const simple = simpleCommand(command)
  if (simple === null) return wholeReason(command)
  const { name, row, pattern, reason } = judge(simple)
  if (pattern === null) return { pattern: groupText(name), reason }
  if (simple.redirected) return { pattern: '(redirected)', reason: 'a redirection may write: it speaks for no rule' }
  if (simple.assigns) {
    return { pattern: '(variables set)', reason: 'variables set before a command may change what it runs' }
  }
  if (!fits(pattern, command)) return { pattern: groupText(name), reason: 'written in a way no rule would match' }
  const rule = target.rule(pattern)
  if (rule === null) {
    return { pattern: patternText(pattern), reason: target.noExact ?? `${target.label} has no rule for it` }
  }
  return { name, pattern, rule, reason, danger: row?.verdict === 'review' ? row.danger : null }
}

/** As every face shows it in JSON. */
export function suggestionJson(suggestion: Suggestion): Record<string, unknown> {
  const { errorRate, lastUsed, nearestDanger, ...rest } = suggestion
  return { ...rest, error_rate: errorRate, last_used: isoTime(lastUsed), nearest_danger: nearestDanger }
}

export function confidenceOf(successes: number): Confidence {
  return successes >= HIGH ? 'high' : successes >= MEDIUM ? 'medium' : 'low'
}

function toSuggestion(offer: Offer): Suggestion {
  const { uses } = offer
  const count = sum(uses, (use) => use.count)
  const errors = sum(uses, (use) => use.errors)
  const times = uses.map((use) => use.lastUsed).filter((time) => time !== null)
  return {
    pattern: patternText(offer.pattern),
    rule: offer.rule,
    count,
    confidence: offer.danger === null ? confidenceOf(count - errors) : 'low',
    reason: offer.reason,
    projects: [...new Set(uses.flatMap((use) => use.projects))].sort(),
    errorRate: count === 0 ? 0 : errors / count,
    lastUsed: times.length === 0 ? null : Math.max(...times),
    samples: samplesOf(uses),
    spared: sum(uses, (use) => use.asked),
    nearestDanger: offer.danger,
  }
}

function samplesOf(uses: readonly CommandUse[]): string[] {
  const counts = new Map<string, number>()
  for (const use of uses) {
    const text = use.command.trim()
    counts.set(text, (counts.get(text) ?? 0) + use.count)
  }
  const ranked = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  return ranked.slice(0, MAX_SAMPLES).map(([text]) => text)
}

function wholeReason(command: string): Omit<Skipped, 'count'> {
  const { parsed, compound } = parseShell(command)
  if (!parsed) return { pattern: '(not parsed)', reason: 'no shell, or too long: not guessed at' }
  if (compound) return { pattern: '(compound)', reason: 'several commands at once: each needs its own rule' }
  return { pattern: '(other)', reason: 'no plain command whose name could be told before it runs' }
}

function byWeight(a: { pattern: string; count: number }, b: { pattern: string; count: number }): number {
  return b.count - a.count || (a.pattern < b.pattern ? -1 : a.pattern > b.pattern ? 1 : 0)
}

function sum(uses: readonly CommandUse[], of: (use: CommandUse) => number): number {
  return uses.reduce((total, use) => total + of(use), 0)
}
