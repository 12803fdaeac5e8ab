import type { PermissionTarget } from '../../model/permission.ts'
import type { Suggestion } from './suggest.ts'

/** What applying or taking back rules would do to the text of a settings file. */
export interface RuleEdit {
  /** Null if the file does not exist yet. */
  readonly before: string | null
  readonly after: string
  /** Rules that come or go. */
  readonly changed: readonly string[]
  /** Rules that were there already, or already gone. */
  readonly unchanged: readonly string[]
}

/** Rules to apply: `low` ones run the project's own code or have little evidence, and need to be asked for. */
export function rulesToApply(suggestions: readonly Suggestion[], includeReview: boolean): string[] {
  return suggestions.filter((one) => includeReview || one.confidence !== 'low').map((one) => one.rule)
}

export function planApply(target: PermissionTarget, text: string | null, rules: readonly string[]): RuleEdit {
  const present = new Set(text === null ? [] : target.list(text))
  const changed = rules.filter((rule) => !present.has(rule))
  const after = changed.length === 0 && text !== null ? text : target.add(text, changed)
  return { before: text, after, changed, unchanged: rules.filter((rule) => present.has(rule)) }
}

export function planUndo(target: PermissionTarget, text: string, rules: readonly string[]): RuleEdit {
  const present = new Set(target.list(text))
  const changed = rules.filter((rule) => present.has(rule))
  const after = changed.length === 0 ? text : target.remove(text, changed)
  return { before: text, after, changed, unchanged: rules.filter((rule) => !present.has(rule)) }
}

const CONTEXT = 2

/** The lines that differ between their common beginning and end, with `+`, `-` or a space before them. */
export function lineDiff(before: string | null, after: string): string[] {
  const lines = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))
  const [old, now] = [lines(before ?? ''), lines(after)]
  let head = 0
  while (head < Math.min(old.length, now.length) && old[head] === now[head]) head++
  let tail = 0
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  if (head === now.length && head === old.length) return []
  return [
    ...now.slice(Math.max(0, head - CONTEXT), head).map((line) => `  ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `- ${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+ ${line}`),
    ...now.slice(now.length - tail, now.length - tail + CONTEXT).map((line) => `  ${line}`),
  ].map((line) => line.trimEnd())
}
