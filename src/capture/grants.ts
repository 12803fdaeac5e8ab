import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { appendDurably } from '../model/durable-file.ts'
import type { PermissionScope } from '../model/permission.ts'
import { applyEdit, attempt, checkPlace, readBytes, replaceFile, type FileEdit } from './edit-file.ts'

const JOURNAL = 'permissions.jsonl'

/** A rule that was applied, and what it stands for. */
export interface GrantedRule {
  readonly rule: string
  readonly pattern: string
}

/** Rules that were written into one file of an agent. */
export interface Grant {
  readonly id: number
  readonly at: string
  readonly agent: string
  readonly scope: PermissionScope
  /** The project it is for; null if for all. */
  readonly dir: string | null
  readonly file: string
  readonly rules: readonly GrantedRule[]
  /** A copy of the file as it was; null if there was none. */
  readonly backup: string | null
  readonly undoneAt: string | null
}

type NewGrant = Omit<Grant, 'id' | 'at' | 'backup' | 'undoneAt'>

/** What was applied and taken back, in a file of its own in the data directory; lines are only added. */
export function readGrants(dataDir: string): Grant[] {
  const grants = new Map<number, Grant>()
  for (const line of (readBytes(journalOf(dataDir))?.toString() ?? '').split('\n')) {
    const entry = parseLine(line)
    const undone = typeof entry?.['undo'] === 'number' ? grants.get(entry['undo']) : undefined
    if (undone !== undefined) grants.set(undone.id, { ...undone, undoneAt: String(entry?.['at']) })
    const grant = entry === null ? null : toGrant(entry)
    if (grant !== null) grants.set(grant.id, grant)
  }
  return [...grants.values()]
}

/** Keeps a copy of the file, notes the grant and writes the file. If that fails, the note says it was taken back. */
export function recordGrant(dataDir: string, edit: FileEdit, grant: NewGrant, now: number): Grant {
  checkPlace(edit)
  const id = (readGrants(dataDir).at(-1)?.id ?? 0) + 1
  const backup = edit.before === null ? null : backupPath(dataDir, id, edit.file)
  const at = new Date(now).toISOString()
  if (backup !== null) {
    makeDir(path.dirname(backup))
    replaceFile(backup, edit.before ?? '', 0o600)
  }
  addLine(dataDir, { id, at, ...grant, backup })
  try {
    applyEdit(edit)
  } catch (error) {
    addLine(dataDir, { undo: id, at })
    throw error
  }
  return { id, at, ...grant, backup, undoneAt: null }
}

export function recordUndo(dataDir: string, edit: FileEdit, grant: Grant, now: number): void {
  applyEdit(edit)
  addLine(dataDir, { undo: grant.id, at: new Date(now).toISOString() })
}

/** The text of the file before a grant; null if there was no file. Undefined if the copy has gone. */
export function textBefore({ backup }: Grant): string | null | undefined {
  if (backup === null) return null
  return existsSync(backup) ? readFileSync(backup, 'utf8') : undefined
}

function backupPath(dataDir: string, id: number, file: string): string {
  return path.join(dataDir, 'backups', 'permissions', `${id}-${path.basename(file)}`)
}

function journalOf(dataDir: string): string {
  return path.join(dataDir, JOURNAL)
}

function addLine(dataDir: string, entry: Readonly<Record<string, unknown>>): void {
  makeDir(dataDir)
  const file = journalOf(dataDir)
  attempt(file, () => appendDurably(file, `${JSON.stringify(entry)}\n`))
}

function makeDir(dir: string): void {
  attempt(dir, () => mkdirSync(dir, { recursive: true, mode: 0o700 }))
}

function parseLine(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function toGrant(entry: Readonly<Record<string, unknown>>): Grant | null {
  const { id, at, agent, scope, dir, file, rules, backup } = entry
  if (typeof id !== 'number' || typeof at !== 'string' || typeof agent !== 'string' || typeof file !== 'string')
    return null
  if (Number.isNaN(Date.parse(at))) return null
  return {
    id,
    at,
    agent,
    scope: scope === 'user' ? 'user' : 'project',
    dir: typeof dir === 'string' ? dir : null,
    file,
    rules: Array.isArray(rules) ? rules.filter(isRule) : [],
    backup: typeof backup === 'string' ? backup : null,
    undoneAt: null,
  }
}

function isRule(value: unknown): value is GrantedRule {
  if (typeof value !== 'object' || value === null || !('rule' in value) || !('pattern' in value)) return false
  return typeof value.rule === 'string' && typeof value.pattern === 'string'
}
