import path from 'node:path'
import { UserError } from '../../model/errors.ts'
import type { PermissionTarget } from '../../model/permission.ts'
import { asArray, asObject, type Json } from '../kit/json.ts'
import { tryToml } from '../kit/toml.ts'
import { codexAdmits } from './rule-matching.ts'
import { triedWith } from '../kit/tried.ts'

const FILE = 'recall.rules'
/** Where an administrator puts settings for everybody. */
const MANAGED = '/etc/codex'
const HEADER =
  '# Commands that need no approval, from `recall stats bash --suggest`. Codex reads every file in this directory.\n'
const RULE = /^prefix_rule\(\s*pattern\s*=\s*(\[.*\])\s*,\s*decision\s*=\s*"allow"\s*,?\s*\)\s*$/
const BARRING = /^(prefix_rule\(\s*pattern\s*=\s*\[.*\]\s*,\s*decision\s*=\s*)"(?:forbidden|prompt)".*\)\s*$/

const WITHOUT = {
  git: 'Codex lets a command run in any directory, outside the sandbox: in one made for it, git runs what its settings say',
}

/** Codex: a rules file of our own beside the user's. A rule allows every command that begins with its words. */
export const codexPermissions: PermissionTarget = {
  agent: 'codex',
  label: 'Codex',
  noExact: 'Codex has only rules for a beginning, and a longer command with this beginning may do harm',
  noWide: null,
  without: WITHOUT,
  guide: 'AGENTS.md',
  ignoresCase: false,
  tellsQuestions: true,
  tried: triedWith('codex'),

  admits: (rules, command) => codexAdmits(rules, command),

  admitsTool: () => false,

  toolRule: () => null,

  rule({ words, wide }) {
    return wide && !Object.hasOwn(WITHOUT, words[0] ?? '') ? ruleLine(words) : null
  },

  file(scope, env, cwd) {
    const home =
      scope === 'project' ? path.join(cwd, '.codex') : env['CODEX_HOME'] || path.join(env['HOME'] ?? '', '.codex')
    return path.join(path.resolve(home), 'rules', FILE)
  },

  settings(env, cwd) {
    return [
      { scope: 'user', path: path.dirname(this.file('user', env, cwd)) },
      { scope: 'project', path: path.dirname(this.file('project', env, cwd)) },
      { scope: 'managed', path: path.join(MANAGED, 'rules') },
      { scope: 'managed', path: path.join(MANAGED, 'requirements.toml') },
    ]
  },

  alsoReads: () => [],

  add(text, rules) {
    const present = new Set(linesOf(text ?? '').map(normal))
    const missing = [...new Set(rules.map(checked))].filter((rule) => !present.has(rule))
    const allowed = [...present, ...missing].filter((line) => wordsOf(line) !== null)
    const unbound = [...new Set(allowed.map(bindingOf))].filter((line) => !present.has(line))
    if (missing.length + unbound.length === 0 && text !== null) return text
    const before = text === null || text.trim() === '' ? HEADER : text.endsWith('\n') ? text : `${text}\n`
    return before + [...unbound, ...missing].map((line) => `${line}\n`).join('')
  },

  remove(text, rules) {
    const gone = new Set(rules.map(checked))
    const left = text.split('\n').filter((line) => !gone.has(normal(line)))
    const needed = new Set(left.flatMap((line) => (wordsOf(line) === null ? [] : bindingOf(line))))
    const unused = new Set([...gone].map(bindingOf).filter((line) => !needed.has(line)))
    return left.filter((line) => !unused.has(line.trim())).join('\n')
  },

  list(text) {
    return linesOf(text).flatMap((line) => (RULE.test(line) ? [normal(line)] : []))
  },

  barred(text) {
    const required = tryToml(text)
    if (required !== null) return requiredRules(required)
    return linesOf(text).flatMap((line) => {
      const start = BARRING.exec(line)?.[1]
      return start === undefined ? [] : [`${start}"allow")`]
    })
  },

  holdsAlone: () => false,
}

/** The rules of an administrator's requirements, which can only forbid or have asked: in the words of a file of rules. */
function requiredRules(required: Json): string[] {
  return asArray(asObject(required['rules'])?.['prefix_rules']).flatMap((rule) => {
    const pattern = asArray(asObject(rule)?.['pattern']).map((part): readonly unknown[] => {
      const { token, any_of: some } = asObject(part) ?? {}
      return token === undefined ? asArray(some) : [token]
    })
    const isPlain = pattern.length > 0 && pattern.every((some) => some.every((word) => typeof word === 'string'))
    if (!isPlain || pattern.some((some) => some.length === 0)) return []
    return combined(pattern as readonly (readonly string[])[]).map(ruleLine)
  })
}

const MOST_COMBINED = 1000

function combined(pattern: readonly (readonly string[])[]): string[][] {
  return pattern.reduce<string[][]>(
    (starts, some) => starts.flatMap((start) => some.map((word) => [...start, word])).slice(0, MOST_COMBINED),
    [[]],
  )
}

function ruleLine(words: readonly string[]): string {
  return `prefix_rule(pattern=[${words.map((word) => JSON.stringify(word)).join(', ')}], decision="allow")`
}

const USUAL_DIRS = ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', '/opt/local/bin']

/**
 * Codex takes a rule for `ls` to be one for any path that ends so, also for `./ls`, unless it is told which paths are
 * meant. Those are the usual ones, not none: by the same paths it finds the rules of others that forbid.
 */
function bindingOf(rule: string): string {
  const name = wordsOf(rule)?.[0] ?? ''
  const paths = USUAL_DIRS.map((dir) => JSON.stringify(`${dir}/${name}`))
  return `host_executable(name=${JSON.stringify(name)}, paths=[${paths.join(', ')}])`
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim())
}

/** The same rule is the same text, whatever its spacing. Other lines stay as they are. */
function normal(line: string): string {
  const words = wordsOf(line)
  return words === null ? line : ruleLine(words)
}

function wordsOf(line: string): string[] | null {
  const list = RULE.exec(line.trim())?.[1]
  if (list === undefined || !/^\[\s*("(?:[^"\\]|\\.)*"\s*,?\s*)+\]$/.test(list)) return null
  return [...list.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((word) => (word[1] ?? '').replace(/\\(.)/g, '$1'))
}

function checked(rule: string): string {
  if (wordsOf(rule) !== null) return normal(rule)
  throw new UserError(
    'USAGE',
    `not a rule of Codex: ${rule}`,
    'A rule looks like prefix_rule(pattern=["ls"], decision="allow").',
  )
}
