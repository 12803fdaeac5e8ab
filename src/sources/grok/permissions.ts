import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parse, TomlError } from 'smol-toml'
import { UserError } from '../../model/errors.ts'
import type { PermissionTarget } from '../../model/permission.ts'
import { isObject, type Json } from '../kit/json.ts'
import { arrayAt, tableAt, topOf, type TextArray } from './toml-text.ts'

/**
 * Grok Build: `[permission] allow` in config.toml. A rule without wildcard is a beginning there, so an exact form is
 * written as a glob whose first letter stands in brackets: no command begins like that, and as a glob it fits one only.
 * A wildcard stands for anything, in some versions for a whole further command, so there is no rule with one.
 */
export const grokPermissions: PermissionTarget = {
  agent: 'grok',
  label: 'Grok',
  noExact: null,
  noWide: 'Grok has compared a rule with the whole line: one with a wildcard would also allow `; rm -rf x` after it',
  without: {},

  rule({ words, wide }) {
    const text = words.join(' ')
    return wide ? null : `Bash([${text.slice(0, 1)}]${text.slice(1)})`
  },

  file(scope, env, cwd) {
    const home =
      scope === 'project' ? path.join(cwd, '.grok') : env['GROK_HOME'] || path.join(env['HOME'] ?? '', '.grok')
    return path.join(path.resolve(home), 'config.toml')
  },

  add(text, rules) {
    const present = allowOf(read(text ?? ''))
    const missing = [...new Set(rules)].filter((rule) => !present.includes(rule))
    if (missing.length === 0 && text !== null) return text
    const before = text ?? ''
    return proven(before, insert(before, missing), [...present, ...missing])
  },

  remove(text, rules) {
    const present = allowOf(read(text))
    const left = present.filter((rule) => !rules.includes(rule))
    return left.length === present.length ? text : proven(text, cut(text, rules), left)
  },

  list(text) {
    return allowOf(read(text))
  },
}

function read(text: string): Json {
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof TomlError) throw unreadable(`it is not TOML: ${error.message.split('\n')[0] ?? ''}`)
    throw error
  }
}

function allowOf(config: Json): string[] {
  const permission = config['permission'] ?? {}
  if (!isObject(permission)) throw unreadable('"permission" is not a table')
  const allow = permission['allow'] ?? []
  if (!Array.isArray(allow) || !allow.every((rule) => typeof rule === 'string'))
    throw unreadable('"permission.allow" is not a list of texts')
  return allow
}

/** In the ends of lines that the file has. */
function insert(text: string, rules: readonly string[]): string {
  const after = inserted(text.replaceAll('\r\n', '\n'), rules)
  return text.includes('\r\n') ? after.replaceAll('\n', '\r\n') : after
}

function inserted(text: string, rules: readonly string[]): string {
  const quoted = rules.map((rule) => JSON.stringify(rule))
  const list = `allow = [\n${quoted.map((rule) => `  ${rule},\n`).join('')}]\n`
  const array = allowAt(text)
  if (array === null) {
    const table = tableAt(text, 'permission')
    if (table === null)
      return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${text.trim() === '' ? '' : '\n'}[permission]\n${list}`
    return text.slice(0, table.start) + (text[table.start - 1] === '\n' ? '' : '\n') + list + text.slice(table.start)
  }
  const last = array.items.at(-1)
  if (last === undefined) return `${text.slice(0, array.start + 1)}${quoted.join(', ')}${text.slice(array.start + 1)}`
  const manyLines = text.slice(array.start, array.end).includes('\n')
  return (
    text.slice(0, last.end) +
    quoted.map((rule) => (manyLines ? `,\n  ${rule}` : `, ${rule}`)).join('') +
    text.slice(last.end)
  )
}

/** In its table, or as `permission.allow` before any table. */
function allowAt(text: string): TextArray | null {
  const table = tableAt(text, 'permission')
  return table === null ? arrayAt(text, topOf(text), 'permission\\.allow') : arrayAt(text, table, 'allow')
}

function cut(text: string, rules: readonly string[]): string {
  let after = text
  for (const item of allowAt(text)?.items.toReversed() ?? []) {
    if (!rules.includes(item.value)) continue
    const comma = /^[ \t]*,[ \t]*(\n[ \t]*)?/.exec(after.slice(item.end))
    after = after.slice(0, item.start) + after.slice(item.end + (comma?.[0].length ?? 0))
  }
  return after
}

/** Text is edited so that comments survive; what was meant is proven on the result, or nothing is written. */
function proven(before: string, after: string, allow: readonly string[]): string {
  const was = read(before)
  const expected = { ...was, permission: { ...(isObject(was['permission']) ? was['permission'] : {}), allow } }
  if (isDeepStrictEqual(plain(parsed(after)), plain(expected))) return after
  throw unreadable('"permission.allow" is written in a way that cannot be edited safely')
}

/** Null if it is none: `permission.allow = […]` leaves no room for a table of that name. */
function parsed(text: string): Json | null {
  try {
    return parse(text)
  } catch {
    return null
  }
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner)))
}

function unreadable(why: string): UserError {
  return new UserError(
    'BAD_CONFIG',
    `the config of Grok cannot be edited: ${why}`,
    'Repair the file or add the rules by hand; nothing was written.',
  )
}
