import type { PermissionTarget, ToolAsked, ToolCall } from '../../model/permission.ts'
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

/** Other tools, and sites beside the one that a rule is for. */
function callsBeside(asked: ToolAsked): ToolCall[] {
  if (asked.kind === 'server')
    return [`${asked.server}__${asked.tool}x`, `${asked.server}__other`, `${asked.server}x__${asked.tool}`].map(
      (name) => ({ kind: 'server', name }),
    )
  return [`sub.${asked.host}`, `x${asked.host}`, `${asked.host}.example`].map((host) => ({
    kind: 'fetch',
    url: `https://${host}/`,
  }))
}

/**
 * Why a rule must not stand in a file that this other agent reads, too; null if it means no more to it. Rules with a
 * wildcard have no form that does harm: what counts is that nothing beside them is let through.
 */
export function widerFor(
  own: PermissionTarget,
  reader: PermissionTarget,
  { rule, pattern, tool }: Pick<Suggestion, 'rule' | 'pattern' | 'tool'>,
): string | null {
  if (tool !== undefined) {
    const call = callsBeside(tool).find((one) => reader.admitsTool([rule], one) && !own.admitsTool([rule], one))
    if (call === undefined) return null
    const what = call.kind === 'server' ? `let \`${call.name}\` be used` : `fetch \`${call.url}\``
    return `${reader.label} reads this file, too, and would also ${what} unasked`
  }
  const isWide = pattern.endsWith(' *')
  const words = isWide ? pattern.slice(0, -2) : pattern
  const opened = nearMisses(words, isWide).find(
    (command) => reader.admits([rule], command) && !own.admits([rule], command),
  )
  if (opened === undefined) return null
  return `${reader.label} reads this file, too, and would also run \`${opened}\` unasked`
}
