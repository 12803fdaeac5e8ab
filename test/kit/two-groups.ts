import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { createGroups, type Groups } from '../../src/groups/face.ts'
import { addGroup } from '../../src/groups/groups.ts'
import { serveOnce, type Host } from '../../src/groups/host.ts'
import { groupAgent } from '../../src/sources/group-agents.ts'
import { claimFile, SqlitePointers } from '../../src/store/sqlite/pointers.ts'
import { ClaudeLog, uuid, write } from './claude-log.ts'
import { cleanEnv } from './cli.ts'
import { hostOn } from './group-host.ts'
import { tempDir } from './home.ts'

/** In all that the other group has: its transcripts, names, archives, snapshots. */
export const CANARY = 'heron-canary'

export const MINE = uuid('mine')

export const THEIRS = uuid('theirs')

export interface Place {
  readonly env: Record<string, string>
  readonly root: string
  readonly host: Host
  readonly groups: Groups
  /** The number of a session in the history of the other group. */
  readonly theirId: number
}

/** Group `a` is somebody's who wants to know what `b` knows. */
export function place(): Place {
  const env = cleanEnv(tempDir())
  const root = path.join(env['XDG_DATA_HOME'] ?? '', 'recall')
  const host = hostOn(root)
  for (const group of ['a', 'b', 'main']) addGroup(host, host.pointers, group)
  write(transcript(root, 'a', MINE), new ClaudeLog(MINE).user('my own words').say('yes').text())
  write(transcript(root, 'b', THEIRS), new ClaudeLog(THEIRS).user(CANARY).say(CANARY).text())
  write(path.join(root, 'groups/b/conversations', `2026-01-01-theirs.md`), CANARY)
  host.pointers.set('a', MINE)
  host.pointers.set('b', THEIRS)
  const at = '2026-01-01T00:00:00.000Z'
  const { id } = host.pointers.bookmark('b', { sessionId: THEIRS, name: CANARY, createdAt: at, archivedAt: at })
  serveOnce(host)
  const { agent, assistantName, now, redact } = host
  const parts = { agent, claimFile, openPointers: (file: string) => new SqlitePointers(file) }
  const groups = createGroups({ ...parts, root, db: path.join(root, 'groups.db'), assistantName, now, redact })
  return { env, root, host, groups, theirId: id }
}

export const transcript = (root: string, group: string, id: string) =>
  path.join(root, 'data/sessions', group, groupAgent.home, 'projects/-workspace-group', `${id}.jsonl`)

export const placesOf = (root: string, group: string) =>
  [`data/sessions/${group}`, `data/ipc/${group}`, `groups/${group}`].map((dir) => path.join(root, dir))

/** Every file and link of a group, by its name. Links are not followed. */
export function tree(root: string, group: string): Map<string, string> {
  const found = new Map<string, string>()
  const walk = (dir: string): void => {
    for (const name of readdirSync(dir)) {
      const file = path.join(dir, name)
      const stat = lstatSync(file)
      if (stat.isDirectory()) walk(file)
      else
        found.set(
          path.relative(root, file),
          stat.isSymbolicLink() ? `-> ${readlinkSync(file)}` : readFileSync(file, 'latin1'),
        )
    }
  }
  placesOf(root, group).forEach(walk)
  return found
}

export function pointersOf(host: Host, group: string): unknown {
  return { active: host.pointers.get(group), history: host.pointers.history(group) }
}

/** Nothing of the other group is changed, and nothing of it has come into this one. */
export function expectApart({ root, host }: Place, before: { files: unknown; pointers: unknown }): void {
  expect({ files: tree(root, 'b'), pointers: pointersOf(host, 'b') }).toEqual(before)
  const leaked = [...tree(root, 'a')].filter(
    ([name, text]) => !text.startsWith('-> ') && (name + text).includes(CANARY),
  )
  expect(leaked).toEqual([])
  expect(JSON.stringify(pointersOf(host, 'a'))).not.toContain(CANARY)
}

export const stateOf = ({ root, host }: Place) => ({ files: tree(root, 'b'), pointers: pointersOf(host, 'b') })
