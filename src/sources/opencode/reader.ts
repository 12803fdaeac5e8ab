import { existsSync } from 'node:fs'
import path from 'node:path'
import { isUnreadable, Unreadable, type InnerTranscript, type TranscriptReader, type Unit } from '../source.ts'
import { Look } from './database.ts'
import { DatabaseSession, sessionsIn } from './database-session.ts'
import { isDatabase, namesIn, treePlace } from './places.ts'
import type { SessionStore } from './rows.ts'
import { SessionReading } from './session-reading.ts'
import { sessionAt, TreeSession } from './tree-session.ts'

export const opencodeReader: TranscriptReader = {
  transcripts: (unit) => (isDatabase(unit) ? listed(unit) : isInDatabase(unit) ? [] : [sessionAt(unit)]),
  read: (unit, from) => new SessionReading(unit, from, () => open(unit)),
}

function listed(unit: Unit): readonly InnerTranscript[] {
  const look = new Look(unit.path)
  try {
    return sessionsIn(look)
  } finally {
    look.close()
  }
}

/** When OpenCode began to keep sessions in a database it took over all that there were, and left the files. */
function isInDatabase(unit: Unit): boolean {
  const { session } = treePlace(unit)
  if (hasNewerTree(unit, session)) return true
  return databasesAt(unit.root).some((file) => holds(file, session))
}

/** False of a database that cannot be read: then the files are all there is. */
function holds(file: string, session: string): boolean {
  try {
    const look = new Look(file)
    try {
      return look.has('session') && look.get('SELECT 1 FROM session WHERE id = ?', session) !== undefined
    } finally {
      look.close()
    }
  } catch (error) {
    if (isUnreadable(error)) return false
    throw error
  }
}

function open(unit: Unit): SessionStore {
  if (!isDatabase(unit)) return new TreeSession(unit)
  if (unit.inside === undefined) throw new Unreadable('a database of many sessions')
  return new DatabaseSession(new Look(unit.path), unit.inside)
}

/** The first tree was copied into the second, and left, too. */
function hasNewerTree({ path: file, root }: Unit, session: string): boolean {
  if (!path.relative(root, file).startsWith('project')) return false
  const sessions = path.join(root, 'storage', 'session')
  return namesIn(sessions).some((project) => existsSync(path.join(sessions, project, `${session}.json`)))
}

/** Databases beside a tree. What they hold of its sessions, they tell. */
function databasesAt(root: string): string[] {
  return namesIn(root)
    .filter((name) => /^opencode(?:-[\w.]+)?\.db$/.test(name))
    .map((name) => path.join(root, name))
}
