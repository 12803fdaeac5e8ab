import path from 'node:path'
import { UserError } from '../../model/errors.ts'
import type { PermissionTarget } from '../../model/permission.ts'

const FILE = 'recall.rules'
const HEADER =
  '# Commands that need no approval, from `recall stats bash --suggest`. Codex reads every file in this directory.\n'
const RULE = /^prefix_rule\(\s*pattern\s*=\s*(\[.*\])\s*,\s*decision\s*=\s*"allow"\s*,?\s*\)\s*$/

/** Codex: a rules file of our own beside the user's. A rule allows every command that begins with its words. */
export const codexPermissions: PermissionTarget = {
  agent: 'codex',
  label: 'Codex',
  noExact: 'Codex has only rules for a beginning, and a longer command with this beginning may do harm',
  noWide: null,

  rule({ words, wide }) {
    return wide ? ruleLine(words) : null
  },

  file(scope, env, cwd) {
    const home =
      scope === 'project' ? path.join(cwd, '.codex') : env['CODEX_HOME'] || path.join(env['HOME'] ?? '', '.codex')
    return path.join(path.resolve(home), 'rules', FILE)
  },

  add(text, rules) {
    const present = new Set(linesOf(text ?? '').map(normal))
    const missing = [...new Set(rules.map(checked))].filter((rule) => !present.has(rule))
    if (missing.length === 0 && text !== null) return text
    const before = text === null || text.trim() === '' ? HEADER : text.endsWith('\n') ? text : `${text}\n`
    return before + missing.map((rule) => `${rule}\n`).join('')
  },

  remove(text, rules) {
    const gone = new Set(rules.map(checked))
    const lines = text.split('\n')
    return lines.filter((line) => !gone.has(normal(line))).join('\n')
  },

  list(text) {
    return linesOf(text).flatMap((line) => (RULE.test(line) ? [normal(line)] : []))
  },
}

function ruleLine(words: readonly string[]): string {
  return `prefix_rule(pattern=[${words.map((word) => JSON.stringify(word)).join(', ')}], decision="allow")`
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
