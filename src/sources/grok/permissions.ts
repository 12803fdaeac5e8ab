import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parse, TomlError } from 'smol-toml'
import { UserError } from '../../model/errors.ts'
import type { PermissionTarget } from '../../model/permission.ts'
import { asArray, asObject, isObject, type Json } from '../kit/json.ts'
import { arrayAt, tableAt, topOf, type TextArray } from './toml-text.ts'
import { grokAdmits, grokAdmitsTool } from './rule-matching.ts'
import { triedWith } from '../kit/tried.ts'

/**
 * Grok Build: `[permission] allow` in config.toml. There is no rule for a command: one that is allowed also runs with
 * `< /dev/tcp/host/port` after it, and a wildcard stands for anything, in some versions for a whole further command.
 */
export const grokPermissions: PermissionTarget = {
  agent: 'grok',
  label: 'Grok',
  noExact: 'Grok would also run it with `< /dev/tcp/host/port` after it, which connects there',
  noWide: 'Grok has compared a rule with the whole line: one with a wildcard would also allow `; rm -rf x` after it',
  without: {},
  guide: 'AGENTS.md',
  ignoresCase: true,
  tellsQuestions: true,
  tried: triedWith('grok'),

  admits: (rules, command) => grokAdmits(rules, command),

  admitsTool: grokAdmitsTool,

  // `domain:` would be for every site below that one, too.
  toolRule: (asked) =>
    asked.kind === 'fetch' ? `WebFetch(https://${asked.host}/*)` : `MCPTool(${asked.server}__${asked.tool})`,

  rule: () => null,

  file(scope, env, cwd) {
    const home =
      scope === 'project' ? path.join(cwd, '.grok') : env['GROK_HOME'] || path.join(env['HOME'] ?? '', '.grok')
    return path.join(path.resolve(home), 'config.toml')
  },

  settings(env, cwd, root) {
    const user = this.file('user', env, cwd)
    const project = upTo(root, cwd).map((dir) => this.file('project', env, dir))
    return [
      { scope: 'user', path: user },
      ...project.filter((file) => file !== user).map((file) => ({ scope: 'project' as const, path: file })),
    ]
  },

  alsoReads(env, cwd, root) {
    const home = path.resolve(env['HOME'] ?? '')
    const dirs = upTo(root, cwd).filter((dir) => dir !== home)
    return [
      ...claudeFiles(home).map((file) => ({ scope: 'user' as const, path: file, writer: 'claude' })),
      ...dirs.flatMap((dir) => {
        const [shared = '', own = ''] = claudeFiles(dir)
        return [
          { scope: 'project' as const, path: shared, writer: 'claude' },
          { scope: 'local' as const, path: own, writer: 'claude' },
        ]
      }),
    ]
  },

  holdsAlone: () => false,

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

  barred(text) {
    const permission = asObject(read(text)['permission'])
    return ['deny', 'ask'].flatMap((name) => asArray(permission?.[name])).filter((rule) => typeof rule === 'string')
  },
}

/** From the working directory up to where its repository begins. */
function upTo(root: string, cwd: string): string[] {
  const dirs = [cwd]
  for (let dir = cwd; dir !== root && dir !== path.dirname(dir);) dirs.push((dir = path.dirname(dir)))
  return dirs
}

function claudeFiles(dir: string): string[] {
  return ['settings.json', 'settings.local.json'].map((name) => path.join(dir, '.claude', name))
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

function insert(text: string, rules: readonly string[]): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const quoted = rules.map((rule) => JSON.stringify(rule))
  const lines = quoted.map((rule) => `  ${rule},${eol}`).join('')
  const array = allowAt(text)
  if (array !== null) return intoArray(text, array, quoted, lines)
  const list = `allow = [${eol}${lines}]${eol}`
  const table = tableAt(text, 'permission')
  if (table !== null)
    return text.slice(0, table.start) + (text[table.start - 1] === '\n' ? '' : eol) + list + text.slice(table.start)
  const gap = (text === '' || text.endsWith('\n') ? '' : eol) + (text.trim() === '' ? '' : eol)
  return `${text}${gap}[permission]${eol}${list}`
}

/** On lines of their own where the list has such, so that every comment stays beside what it is about. */
function intoArray(text: string, array: TextArray, quoted: readonly string[], lines: string): string {
  const last = array.items.at(-1)
  const close = array.end - 1
  if (last === undefined) return text.slice(0, array.start + 1) + quoted.join(', ') + text.slice(array.start + 1)
  const between = text.slice(last.end, close)
  const ownLine = /\n[ \t]*$/.exec(between)
  if (ownLine === null) return `${text.slice(0, last.end)}, ${quoted.join(', ')}${text.slice(last.end)}`
  const comma = /^\s*,/.test(between) ? '' : ','
  const at = last.end + ownLine.index + 1
  return text.slice(0, last.end) + comma + text.slice(last.end, at) + lines + text.slice(at)
}

/** In its table, or as `permission.allow` before any table. */
function allowAt(text: string): TextArray | null {
  const table = tableAt(text, 'permission')
  return table === null ? arrayAt(text, topOf(text), 'permission.allow') : arrayAt(text, table, 'allow')
}

function cut(text: string, rules: readonly string[]): string {
  let after = text
  for (const item of allowAt(text)?.items.toReversed() ?? []) {
    if (rules.includes(item.value)) after = withoutItem(after.slice(0, item.start), after.slice(item.end))
  }
  return after
}

/** With its line, if it has one of its own, else with one comma. */
function withoutItem(before: string, rest: string): string {
  const indent = /\n([ \t]*)$/.exec(before)?.[1]
  const end = /^[ \t]*,?[ \t]*\r?\n/.exec(rest)?.[0]
  if (indent !== undefined && end !== undefined)
    return before.slice(0, before.length - indent.length) + rest.slice(end.length)
  const comma = /^[ \t]*,[ \t]*/.exec(rest)?.[0]
  return comma === undefined ? before.replace(/,[ \t]*$/, '') + rest : before + rest.slice(comma.length)
}

/** Text is edited so that comments survive; what was meant is proven on the result, or nothing is written. */
function proven(before: string, after: string, allow: readonly string[]): string {
  const was = read(before)
  const expected = { ...was, permission: { ...(isObject(was['permission']) ? was['permission'] : {}), allow } }
  if (isDeepStrictEqual(plain(parsed(after)), plain(expected))) return after
  throw unreadable('"permission.allow" is written in a way that cannot be edited safely')
}

/** Null if the edit has made it invalid: beside `permission.deny = […]` there is no room for a table of that name. */
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
