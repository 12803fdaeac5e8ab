import type { PermissionTarget } from '../../model/permission.ts'
import type { Suggestion } from './suggest.ts'

/** A rule that was not written, because another agent would take it for more. */
export interface RefusedRule {
  readonly rule: string
  readonly reason: string
}

/** Commands beside what a rule is for. */
function nearMisses(words: string, isWide: boolean): string[] {
  return [
    ...(isWide ? [] : [`${words} more`, `${words} --output=x`]),
    `${words}x`,
    `${words} && other`,
    `other | ${words}`,
    `${words}; other`,
    `${words} > file`,
    `${words} $(other)`,
    `sudo ${words}`,
  ]
}

/**
 * Why a rule must not stand in a file that this other agent reads, too; null if it means no more to it. Rules with a
 * wildcard have no form that does harm: what counts is that nothing beside them is let through.
 */
export function widerFor(
  own: PermissionTarget,
  reader: PermissionTarget,
  { rule, pattern }: Pick<Suggestion, 'rule' | 'pattern'>,
): string | null {
  const isWide = pattern.endsWith(' *')
  const words = isWide ? pattern.slice(0, -2) : pattern
  const opened = nearMisses(words, isWide).find(
    (command) => reader.admits([rule], command) && !own.admits([rule], command),
  )
  if (opened === undefined) return null
  return `${reader.label} reads this file, too, and would also run \`${opened}\` unasked`
}
