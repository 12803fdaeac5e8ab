import path from 'node:path'
import { UserError } from '../../model/errors.ts'
import type { PermissionTarget } from '../../model/permission.ts'
import { asArray, asObject, isObject, type Json } from '../kit/json.ts'
import { readSettings, writeSettings } from '../kit/settings-json.ts'
import { claudeAdmits, claudeAdmitsTool } from './rule-matching.ts'
import { triedWith } from '../kit/tried.ts'

const tried = triedWith('claude')
/** Where an administrator puts settings for everybody. */
const MANAGED =
  process.platform === 'darwin'
    ? '/Library/Application Support/ClaudeCode'
    : process.platform === 'win32'
      ? 'C:\\Program Files\\ClaudeCode'
      : '/etc/claude-code'

/** Claude Code: `permissions.allow` in settings.json; in a project, in the file that is not committed. */
export const claudePermissions: PermissionTarget = {
  agent: 'claude',
  label: 'Claude Code',
  noExact: null,
  noWide: null,
  without: {},
  guide: 'CLAUDE.md',
  ignoresCase: false,
  tellsQuestions: false,
  tried,

  admits: (rules, command) => claudeAdmits(rules, command, (text) => tried.commands.get(text) === 'never'),

  admitsTool: claudeAdmitsTool,

  toolRule: (asked) =>
    asked.kind === 'fetch' ? `WebFetch(domain:${asked.host})` : `mcp__${asked.server}__${asked.tool}`,

  rule({ words, wide }) {
    return `Bash(${words.join(' ')}${wide ? ':*' : ''})`
  },

  file(scope, env, cwd) {
    if (scope === 'project') return path.join(cwd, '.claude', 'settings.local.json')
    const configured = env['CLAUDE_CONFIG_DIR']?.split(',')[0]?.trim()
    return path.join(path.resolve(configured || path.join(env['HOME'] ?? '', '.claude')), 'settings.json')
  },

  settings(env, cwd) {
    const user = path.dirname(this.file('user', env, cwd))
    const project = path.join(cwd, '.claude')
    return [
      { scope: 'user', path: path.join(user, 'settings.json') },
      { scope: 'user', path: path.join(user, 'settings.local.json') },
      { scope: 'project', path: path.join(project, 'settings.json') },
      { scope: 'local', path: path.join(project, 'settings.local.json') },
      { scope: 'managed', path: path.join(MANAGED, 'managed-settings.json') },
      { scope: 'managed', path: path.join(MANAGED, 'managed-settings.d') },
    ]
  },

  alsoReads: () => [],

  add(text, rules) {
    const settings = readSettings(text, unreadable)
    const present = allowOf(settings)
    const missing = [...new Set(rules)].filter((rule) => !present.includes(rule))
    return missing.length === 0 && text !== null ? text : write(settings, [...present, ...missing], text)
  },

  remove(text, rules) {
    const settings = readSettings(text, unreadable)
    const present = allowOf(settings)
    const left = present.filter((rule) => typeof rule !== 'string' || !rules.includes(rule))
    return left.length === present.length ? text : write(settings, left, text)
  },

  list(text) {
    return allowOf(readSettings(text, unreadable)).filter((rule) => typeof rule === 'string')
  },

  barred(text) {
    const permissions = asObject(readSettings(text, unreadable)['permissions'])
    return ['deny', 'ask'].flatMap((name) => asArray(permissions?.[name])).filter((rule) => typeof rule === 'string')
  },

  holdsAlone: (text) => readSettings(text, unreadable)['allowManagedPermissionRulesOnly'] === true,
}

function allowOf(settings: Json): readonly unknown[] {
  const permissions = settings['permissions'] ?? {}
  if (!isObject(permissions)) throw unreadable('"permissions" is not an object')
  const allow = permissions['allow'] ?? []
  if (!Array.isArray(allow)) throw unreadable('"permissions.allow" is not a list')
  return asArray(allow)
}

function write(settings: Json, allow: readonly unknown[], before: string | null): string {
  const permissions = isObject(settings['permissions']) ? settings['permissions'] : {}
  return writeSettings({ ...settings, permissions: { ...permissions, allow } }, before, unreadable)
}

function unreadable(why: string): UserError {
  return new UserError(
    'BAD_CONFIG',
    `the settings of Claude Code cannot be read: ${why}`,
    'Repair the file; nothing was written.',
  )
}
