import { groupNames } from './group-names.ts'
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'
import type { Pointers } from '../store/pointers.ts'
import { within, type Directory } from './directory.ts'
import {
  CONVERSATIONS,
  GLOBAL,
  groupDir,
  groupName,
  INPUT,
  ipc,
  MAIN,
  sessionsOf,
  TASKS,
  type GroupPlaces,
} from './places.ts'
import { writeSnapshots } from './snapshots.ts'

const SENTENCE =
  'The `conversations/` folder contains searchable history of past conversations. Use this to recall context from previous sessions.'
/** Where a host program keeps the skills that all its groups have. */
const SKILLS = ['container', 'skills']
const MAX_INSTRUCTIONS = 4 * 1024 * 1024

/** The group of this name; NOT_FOUND if there is none, in just this spelling. */
export function existingGroup(places: Pick<GroupPlaces, 'root'>, name: string): string {
  if (groupNames(places).includes(groupName(name))) return name
  throw new UserError('NOT_FOUND', `no group ${name}`, '`recall group list` shows what there is')
}

/** Makes what a group needs; what is there already stays as it is, but for skills, which follow those of the host. */
export function addGroup(places: GroupPlaces, pointers: Pointers, name: string, skills?: string): void {
  const { root, agent } = places
  const group = groupName(name)
  const twin = groupNames(places).find((other) => other !== group && other.toLowerCase() === group.toLowerCase())
  if (twin !== undefined)
    throw new UserError('USAGE', `there is a group ${twin}`, 'names must differ in more than case')
  within(
    root,
    sessionsOf(group, agent),
    (home) => {
      for (const directory of agent.directories) home.make(directory).close()
      const projects = home.make(agent.transcripts)
      projects.make(agent.usual).close()
      projects.close()
      for (const [file, text] of Object.entries(agent.firstFiles)) if (!home.has(file)) home.write(file, text)
      copySkills(skills ?? path.join(root, ...SKILLS), home, agent.skills)
    },
    true,
  )
  within(
    root,
    groupDir(group),
    (dir) => {
      dir.make(CONVERSATIONS).close()
      if (!dir.has(agent.instructions)) dir.write(agent.instructions, `# ${group}\n\n${SENTENCE}\n`)
    },
    true,
  )
  for (const part of [TASKS, INPUT]) within(root, [...ipc(group), part], () => null, true)
  writeSnapshots(places, pointers, group)
}

function copySkills(from: string, home: Directory, into: string): void {
  if (!existsSync(from)) return
  const target = home.make(into)
  try {
    within(from, [], (source) => copyInto(source, target))
  } finally {
    target.close()
  }
}

const MAX_SKILL_BYTES = 16 * 1024 * 1024

function copyInto(from: Directory, to: Directory): void {
  for (const entry of from.entries()) {
    if (entry.isDirectory()) {
      const [source, target] = [from.child(entry.name), to.make(entry.name)]
      if (source !== null) copyInto(source, target)
      source?.close()
      target.close()
    } else {
      const text = from.text(entry.name, MAX_SKILL_BYTES)
      if (text !== null && to.text(entry.name, MAX_SKILL_BYTES) !== text) to.write(entry.name, text)
    }
  }
}

/** Whether instructions are those of a group. */
export function isGroupInstructions(text: string): boolean {
  return text.includes(SENTENCE)
}

/** What is told to every group beside its own instructions; null for the main one, which can read all there is. */
export function globalContext({ root, agent }: GroupPlaces, group: string): string | null {
  if (group === MAIN) return null
  return within(root, groupDir(GLOBAL), (dir) => dir.text(agent.instructions, MAX_INSTRUCTIONS))
}

/** Directories of a group that are there, from the root. */
export function placesOfGroup({ root }: Pick<GroupPlaces, 'root'>, group: string): string[] {
  const all = [path.join('data', 'sessions', group), path.join('data', 'ipc', group), path.join('groups', group)]
  return all.filter((place) => existsSync(path.join(root, place)))
}

/** Puts all of a group aside, whole, and forgets its pointers, which are kept beside it. Returns where. */
export function removeGroup(places: GroupPlaces, pointers: Pointers, group: string): string {
  const stamp = new Date(places.now()).toISOString().replace(/[-:]|\.\d+/g, '')
  const aside = path.join(places.root, 'removed', `${group}-${stamp}`)
  const kept = { session_id: pointers.get(group) ?? null, session_history: pointers.history(group) }
  within(
    places.root,
    ['removed', `${group}-${stamp}`],
    (dir) => dir.write('pointers.json', `${JSON.stringify(kept, null, 2)}\n`),
    true,
  )
  for (const place of placesOfGroup(places, group)) {
    mkdirSync(path.join(aside, path.dirname(place)), { recursive: true, mode: 0o700 })
    renameSync(path.join(places.root, place), path.join(aside, place))
  }
  pointers.remove(group)
  return aside
}

/** How many archives a group has. */
export function archivesOf({ root }: GroupPlaces, group: string): number {
  return (
    within(
      root,
      [...groupDir(group), CONVERSATIONS],
      (dir) => dir.entries().filter(({ name }) => name.endsWith('.md')).length,
    ) ?? 0
  )
}

/** What recall keeps in a group's directory: none of it may be a link, or the memory of another could be read through it. */
export function refuseLinkedStore(root: string, group: string): void {
  within(root, groupDir(group), (dir) => {
    const linked = dir.entries().filter((entry) => entry.isSymbolicLink() && !entry.name.endsWith('.md'))
    if (linked.length === 0) return
    const place = path.join(dir.place, linked[0]?.name ?? '')
    throw new UserError(
      'BAD_CONFIG',
      `${place} is a link`,
      'a group keeps its memory in its own directory: take the link away',
    )
  })
  const blobs = path.join(root, ...groupDir(group), 'blobs')
  const hasLink =
    existsSync(blobs) &&
    readdirSync(blobs, { withFileTypes: true, recursive: true }).some((entry) => entry.isSymbolicLink())
  if (hasLink) throw new UserError('BAD_CONFIG', `${blobs} has links in it`, 'take them away')
}
