import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { readRegular, statRegular } from '../../model/regular-file.ts'
import type { Unit } from '../source.ts'

/** Files of a session's directory that are read; nothing else in it is ever opened. */
export const SESSION_FILES = [
  'updates.jsonl',
  'chat_history.jsonl',
  'events.jsonl',
  'summary.json',
  'prompt_context.json',
  'plan_mode.json',
  'system_prompt.txt',
] as const
export type SessionFile = (typeof SESSION_FILES)[number]

export const PROMPT_LOG = 'prompt_history.jsonl'
export const SUBAGENT_DIR = 'subagents'
export const SUBAGENT_FILE = 'meta.json'
const MAX_SMALL_BYTES = 16 * 1024 * 1024

export function isSessionFile(name: string): name is SessionFile {
  return (SESSION_FILES as readonly string[]).includes(name)
}

/** The directory of a session, which is what identifies it on disk; its name is the session's id. */
export interface SessionPlace {
  readonly session: string
  readonly dir: string
  readonly root: string
}

export function placeOf(unit: Unit): SessionPlace {
  return placeAt(path.dirname(unit.path), unit.root)
}

export function placeAt(dir: string, root: string): SessionPlace {
  return { session: path.basename(dir), dir, root }
}

/** A session that was started with another's history has an empty file until its own first turn. */
export function hasUpdates(place: SessionPlace): boolean {
  return (statRegular(path.join(place.dir, 'updates.jsonl'))?.size ?? 0) > 0
}

export function hasTranscript(place: SessionPlace): boolean {
  return hasUpdates(place) || statRegular(path.join(place.dir, 'chat_history.jsonl')) !== null
}

/**
 * Where the sessions of a group ran: the group directory's name is the path, percent-encoded, or a slug of
 * a path too long for a name, which then stands in `.cwd`. Null where neither gives an absolute path.
 */
export function groupCwd(groupDir: string): string | null {
  const decoded = percentDecoded(path.basename(groupDir))
  if (decoded !== null && isAbsolute(decoded)) return decoded
  const cwd = readSmall(path.join(groupDir, '.cwd'))?.trim()
  return cwd !== undefined && isAbsolute(cwd) ? cwd : null
}

function isAbsolute(text: string): boolean {
  return text.startsWith('/') || /^[A-Za-z]:[\\/]/.test(text)
}

function percentDecoded(name: string): string | null {
  try {
    return decodeURIComponent(name)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

/** The directories of a session known by its id alone, as found under the root now: two while it is being moved. */
export function sessionDirs(root: string, session: string): string[] {
  if (session === '' || session !== path.basename(session)) return []
  const sessions = path.join(root, 'sessions')
  if (!existsSync(sessions)) return []
  return readdirSync(sessions)
    .sort()
    .map((group) => path.join(sessions, group, session))
    .filter((dir) => existsSync(dir))
}

/** True while the client's journal says that the session's directory is on its way to another place. */
export function isMoving({ root, session }: SessionPlace): boolean {
  return existsSync(path.join(root, 'relocations', `${session}.json`))
}

/** A small file's text, or null if it is not there. */
export function readSmall(file: string): string | null {
  return readRegular(file, MAX_SMALL_BYTES)
}

/** Files whose change alone may change what is known of a session as a whole. */
export function sidecarsOf(place: SessionPlace): readonly string[] {
  return [path.join(path.dirname(place.dir), '.cwd')]
}

const COMPANIONS: Readonly<Record<string, readonly SessionFile[]>> = {
  'updates.jsonl': ['events.jsonl', 'chat_history.jsonl', 'summary.json'],
  'chat_history.jsonl': ['updates.jsonl', 'events.jsonl', 'summary.json'],
  'events.jsonl': ['updates.jsonl', 'chat_history.jsonl', 'summary.json'],
}

/** Files of a session without which one of them cannot be understood. */
export function companionsOf({ path: file }: Unit): readonly string[] {
  return (COMPANIONS[path.basename(file)] ?? []).map((name) => path.join(path.dirname(file), name))
}

export function isTranscript(file: string): boolean {
  return ['updates.jsonl', 'chat_history.jsonl'].includes(path.basename(file))
}
