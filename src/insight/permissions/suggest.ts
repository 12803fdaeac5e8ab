import { parseShell, simpleCommand } from '../../distill/shell.ts'
import {
  parsePattern,
  patternText,
  type Pattern,
  type PermissionTarget,
  type ToolAsked,
} from '../../model/permission.ts'
import type { Form, FormSum, FormSums } from '../../store/permissions.ts'
import { confidenceOf, type Confidence } from './confidence.ts'
import { neverAsks, whyUnasked } from './never-asked.ts'
import { fits, groupText, judge, type Judgement } from './rules.ts'

/** How often one command line was used. */
export interface CommandUse {
  readonly command: string
  readonly count: number
  /** How many of them failed. */
  readonly errors: number
  readonly projects: readonly string[]
  readonly lastUsed: number | null
  /** Questions about it that the log tells of; of them, those answered with a no and a comment; the time they took. */
  readonly asked: number
  readonly commented?: number
  readonly waitedMs?: number
  /** Questions that there must have been, though the log does not tell of them. */
  readonly unseen?: number
}

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
  /** Questions that it would have spared: those on record, but for a no with a comment, and those that there must have been. */
  readonly spared: number
  /** Questions on record. */
  readonly asked: number
  /** How long people were waited for, as far as it is known. */
  readonly waitedMs: number
  /** What the rule is for, if not for a shell. */
  readonly tool?: ToolAsked
  /** What else the rule would let run, in words. Always null if `high` or `medium`. */
  readonly nearestDanger: string | null
}

export interface Skipped {
  readonly pattern: string
  readonly count: number
  readonly reason: string
}

/** A rule that could be written, and would change nothing. */
export interface Idle extends Skipped {
  readonly rule: string
}

export interface Suggestions {
  readonly suggestions: readonly Suggestion[]
  readonly idle: readonly Idle[]
  readonly skipped: readonly Skipped[]
}

export interface SuggestOptions {
  /** The agent in whose words the rules are. */
  readonly target: PermissionTarget
  /** Fewest uses of one exact form that is worth a rule; 2 unless told. */
  readonly fewest?: number
}

/** Fewest uses of one exact form that is worth a rule. */
export const FEWEST = 2
const MAX_SAMPLES = 3

/**
 * The rules that the uses speak for and that can allow nothing harmful, in the words of one agent. Pipes, lists,
 * redirections and failures speak for nothing. What is not offered is counted, with the reason. Sorted, most questions first.
 */
export function suggest(uses: readonly CommandUse[], { target, fewest = FEWEST }: SuggestOptions): Suggestions {
  return suggestForms(sumForms(uses, fewest), target)
}

/** The same for uses that were summed by form before. Every form is judged again: the table may have changed since. */
export function suggestForms({ forms, rare }: FormSums, target: PermissionTarget): Suggestions {
  const offers: Suggestion[] = []
  const idle: Idle[] = []
  const skipped = new Map<string, Skipped>()
  const skip = (pattern: string, count: number, reason: string): void => {
    const key = `${pattern}\n${reason}`
    skipped.set(key, { pattern, count: (skipped.get(key)?.count ?? 0) + count, reason })
  }
  for (const form of forms) {
    if (form.offer === 'none') {
      skip(form.pattern, form.count, form.reason)
      continue
    }
    const { pattern, reason, row, name } = judgeForm(form)
    const rule = pattern === null ? null : target.rule(pattern)
    if (pattern === null) skip(groupText(name), form.count, reason)
    else if (rule === null) skip(form.pattern, form.count, noRule(target, pattern))
    else if (target.ignoresCase && otherCase(pattern) !== null)
      skip(
        form.pattern,
        form.count,
        `${target.label} takes capital and small letters for the same: it would also allow ${otherCase(pattern)}`,
      )
    else if (sparedBy(form) === 0 || neverAsks(target, form.pattern))
      idle.push({ ...whyIdle(form, target), pattern: form.pattern, rule, count: form.count })
    else offers.push(toSuggestion(form, { rule, reason, danger: row?.verdict === 'review' ? row.danger : null }))
  }
  for (const { name, count } of rare) skip(groupText(name), count, 'forms that came up too rarely to be worth a rule')
  return {
    suggestions: offers.sort((a, b) => b.spared - a.spared || b.waitedMs - a.waitedMs || byWeight(a, b)),
    idle: idle.sort(byWeight),
    skipped: [...skipped.values()].sort(byWeight),
  }
}

/** The same form with an option in letters of the other case, where that is not known to be harmless; null if all are. */
function otherCase({ words, wide }: Pattern): string | null {
  if (wide) return null
  for (const [i, word] of words.entries()) {
    if (!/^-[A-Za-z]/.test(word)) continue
    for (const [at, letter] of [...word].entries()) {
      const swapped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
      if (swapped === letter) continue
      const other = words.with(i, word.slice(0, at) + swapped + word.slice(at + 1))
      if (judge({ words: other, plain: true, redirected: false, assigns: false }).pattern === null)
        return other.join(' ')
    }
  }
  return null
}

/** A person who said no and why did not want a rule. */
function sparedBy({ asked, commented, unseen }: FormSum): number {
  return asked - commented + unseen
}

function whyIdle({ asked, pattern }: FormSum, target: PermissionTarget): { reason: string } {
  if (neverAsks(target, pattern) && asked > 0)
    return { reason: `${target.label} asks about it for a path outside the project alone, and no rule spares that` }
  if (asked > 0) return { reason: 'every question about it was answered with a no and a reason' }
  return { reason: whyUnasked(target, pattern) ?? `no question of ${target.label} about it is on record` }
}

function noRule({ label, noExact, noWide, without }: PermissionTarget, { words, wide }: Pattern): string {
  return without[words[0] ?? ''] ?? (wide ? noWide : noExact) ?? `${label} has no rule for it`
}

const COMPOUND: Form = {
  offer: 'none',
  pattern: '(compound)',
  reason: 'several commands at once: each needs its own rule',
  name: '',
}

/** What a command line speaks for; null: several commands at once. Reads the table, guesses nothing. */
export function formOf(command: string | null): Form {
  if (command === null) return COMPOUND
  const simple = simpleCommand(command)
  if (simple === null) return wholeReason(command)
  const { name, pattern, reason } = judge(simple)
  const none = (group: string, why: string): Form => ({ offer: 'none', pattern: group, reason: why, name })
  const { sub } = parseShell(command)
  if (pattern === null) return none(groupText(sub === null || name.includes(' ') ? name : `${name} ${sub}`), reason)
  if (simple.redirected) return none('(redirected)', 'a redirection may write: it speaks for no rule')
  if (simple.assigns) return none('(variables set)', 'variables set before a command may change what it runs')
  if (!fits(pattern, command)) return none(groupText(name), 'written in a way no rule would match')
  return { offer: pattern.wide ? 'wide' : 'exact', pattern: patternText(pattern), reason: '', name }
}

/** True if what the form stands for is what a rule for `pattern` lets pass. */
export function isOffered(text: string): boolean {
  const { pattern } = judgeForm({ pattern: text })
  return pattern !== null && patternText(pattern) === text
}

function judgeForm({ pattern: text }: Pick<Form, 'pattern'>): Judgement {
  const pattern = parsePattern(text)
  const judged = judge({ words: pattern.words, plain: true, redirected: false, assigns: false })
  const isSame = judged.pattern !== null && patternText(judged.pattern) === text
  return isSame ? judged : { ...judged, pattern: null }
}

type Sum = { -readonly [K in keyof FormSum]: FormSum[K] } & { readonly counts: Map<string, number> }

function sumForms(uses: readonly CommandUse[], fewest: number): FormSums {
  const sums = new Map<string, Sum>()
  for (const use of uses) {
    const form = formOf(use.command)
    const key = `${form.offer}\n${form.pattern}\n${form.reason}`
    const sum = sums.get(key) ?? noUse(form)
    sums.set(key, sum)
    sum.count += use.count
    sum.errors += use.errors
    sum.asked += use.asked
    sum.commented += use.commented ?? 0
    sum.waitedMs += use.waitedMs ?? 0
    sum.unseen += use.unseen ?? 0
    sum.projects = [...sum.projects, ...use.projects]
    if (use.lastUsed !== null) sum.lastUsed = Math.max(sum.lastUsed ?? 0, use.lastUsed)
    const text = use.command.trim()
    sum.counts.set(text, (sum.counts.get(text) ?? 0) + use.count)
  }
  const isRare = ({ offer, count }: Sum) => offer === 'exact' && count < fewest
  const all = [...sums.values()]
  return {
    forms: all.filter((sum) => !isRare(sum)).map(({ counts, ...sum }) => ({ ...sum, samples: mostUsed(counts) })),
    rare: all.filter(isRare),
  }
}

function noUse(form: Form): Sum {
  const questions = { asked: 0, commented: 0, waitedMs: 0, unseen: 0 }
  return { ...form, ...questions, count: 0, errors: 0, lastUsed: null, projects: [], samples: [], counts: new Map() }
}

function mostUsed(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([text]) => text)
}

interface Offer {
  readonly rule: string
  readonly reason: string
  readonly danger: string | null
}

function toSuggestion(form: FormSum, { rule, reason, danger }: Offer): Suggestion {
  const { count, errors, pattern, lastUsed } = form
  const samples = form.offer === 'exact' ? [pattern] : form.samples.map((text) => text.trim())
  return {
    pattern,
    rule,
    count,
    confidence: danger === null ? confidenceOf(count - errors) : 'low',
    reason,
    projects: [...new Set(form.projects)].sort(),
    errorRate: count === 0 ? 0 : errors / count,
    lastUsed,
    samples: [...new Set(samples)].slice(0, MAX_SAMPLES),
    spared: sparedBy(form),
    asked: form.asked,
    waitedMs: form.waitedMs,
    nearestDanger: danger,
  }
}

function wholeReason(command: string): Form {
  const { parsed, compound } = parseShell(command)
  if (compound) return COMPOUND
  const none = (pattern: string, reason: string): Form => ({ offer: 'none', pattern, reason, name: '' })
  if (!parsed) return none('(not parsed)', 'no shell, or too long: not guessed at')
  return none('(other)', 'no plain command whose name could be told before it runs')
}

function byWeight(a: { pattern: string; count: number }, b: { pattern: string; count: number }): number {
  return b.count - a.count || (a.pattern < b.pattern ? -1 : a.pattern > b.pattern ? 1 : 0)
}
