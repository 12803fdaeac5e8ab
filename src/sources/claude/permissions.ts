import path from 'node:path'
import { UserError } from '../../model/errors.ts'
import type { PermissionTarget } from '../../model/permission.ts'
import { asArray, isObject, type Json } from '../kit/json.ts'

/** Claude Code: `permissions.allow` in settings.json; in a project, in the file that is not committed. */
export const claudePermissions: PermissionTarget = {
  agent: 'claude',
  label: 'Claude Code',
  noExact: null,
  noWide: null,

  rule({ words, wide }) {
    return `Bash(${words.join(' ')}${wide ? ':*' : ''})`
  },

  file(scope, env, cwd) {
    if (scope === 'project') return path.join(cwd, '.claude', 'settings.local.json')
    const configured = env['CLAUDE_CONFIG_DIR']?.split(',')[0]?.trim()
    return path.join(path.resolve(configured || path.join(env['HOME'] ?? '', '.claude')), 'settings.json')
  },

  add(text, rules) {
    const settings = parse(text)
    const present = allowOf(settings)
    const missing = [...new Set(rules)].filter((rule) => !present.includes(rule))
    return missing.length === 0 && text !== null ? text : write(settings, [...present, ...missing], text)
  },

  remove(text, rules) {
    const settings = parse(text)
    const present = allowOf(settings)
    const left = present.filter((rule) => typeof rule !== 'string' || !rules.includes(rule))
    return left.length === present.length ? text : write(settings, left, text)
  },

  list(text) {
    return allowOf(parse(text)).filter((rule) => typeof rule === 'string')
  },
}

function parse(text: string | null): Json {
  if (text === null || text.trim() === '') return {}
  const value = parseJson(text.replace(MARK, ''))
  if (!isObject(value)) throw unreadable('its outermost value is not an object')
  return value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw unreadable(`it is not JSON: ${error.message}`)
    throw error
  }
}

function allowOf(settings: Json): readonly unknown[] {
  const permissions = settings['permissions'] ?? {}
  if (!isObject(permissions)) throw unreadable('"permissions" is not an object')
  const allow = permissions['allow'] ?? []
  if (!Array.isArray(allow)) throw unreadable('"permissions.allow" is not a list')
  return asArray(allow)
}

/** Everything else stays, in its order, with its indentation and its ends of lines. */
function write(settings: Json, allow: readonly unknown[], before: string | null): string {
  if (before !== null && before.trim() !== '' && !survives(before))
    throw unreadable('it has a name twice, or a number with too many digits, that writing it anew would lose')
  const permissions = isObject(settings['permissions']) ? settings['permissions'] : {}
  const after = { ...settings, permissions: { ...permissions, allow } }
  const indent = /\n([ \t]+)"/.exec(before ?? '')?.[1] ?? '  '
  const end = before === null || before.trim() === '' || before.endsWith('\n') ? '\n' : ''
  const text = JSON.stringify(after, null, indent) + end
  const mark = before?.startsWith(MARK) === true ? MARK : ''
  return mark + (before?.includes('\r\n') === true ? text.replaceAll('\n', '\r\n') : text)
}

const MARK = '\uFEFF'
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[^\s]/g

/** True if reading and writing a text changes no more than its spelling. */
function survives(text: string): boolean {
  const spelt = (text.replace(MARK, '').match(TOKEN) ?? []).map((token) => {
    if (token.startsWith('"')) return JSON.stringify(parseJson(token))
    return /^-?\d+$/.test(token) ? BigInt(token) : /^-?\d/.test(token) ? Number(token) : token
  })
  return spelt.join('') === JSON.stringify(parseJson(text.replace(MARK, '')))
}

function unreadable(why: string): UserError {
  return new UserError(
    'BAD_CONFIG',
    `the settings of Claude Code cannot be read: ${why}`,
    'Repair the file; nothing was written.',
  )
}
