import type { HistoryEntry, Pointers } from '../store/pointers.ts'
import { within } from './directory.ts'
import { addGroup } from './groups.ts'
import { CONVERSATIONS, GLOBAL, groupDir, isGroupName, isSessionId, type GroupPlaces } from './places.ts'

const MAX_BYTES = 16 * 1024 * 1024
const MOST_ENTRIES = 10_000
const ARCHIVE = /^[^/\\\p{C}]{1,200}\.md$/u
const MOST_WORDS = 1000

/** What a person would miss of a group if it were gone, but for its store: not what the agent keeps for itself. */
export interface CarriedGroup {
  readonly name: string
  readonly active: string | null
  readonly history: readonly HistoryEntry[]
  readonly instructions: string | null
  /** Archived conversations by the names of their files. */
  readonly conversations: Readonly<Record<string, string>>
}

/** A group as it is, or what is told to all of them, redacted; links are not followed. */
export function carryGroup(places: GroupPlaces, pointers: Pointers, name: string): CarriedGroup {
  const { root, agent, redact } = places
  const read = (parts: readonly string[], file: string) =>
    within(root, parts, (dir) => dir.text(file, MAX_BYTES)) ?? null
  const archives = [...groupDir(name), CONVERSATIONS]
  const files = within(root, archives, (dir) => dir.entries().map((entry) => entry.name)) ?? []
  const conversations = files
    .filter((file) => ARCHIVE.test(file))
    .sort()
    .slice(0, MOST_ENTRIES)
    .map((file) => [file, read(archives, file)] as const)
  const instructions = read(groupDir(name), agent.instructions)
  return {
    name,
    active: pointers.get(name) ?? null,
    history: pointers.history(name),
    instructions: instructions === null ? null : redact(instructions),
    conversations: Object.fromEntries(
      conversations.flatMap(([file, text]) => (text === null ? [] : [[file, redact(text)]])),
    ),
  }
}

/** Puts back what is not there: nothing that is there is changed. False for what is no group. */
export function takeInGroup(places: GroupPlaces, pointers: Pointers, told: unknown): boolean {
  const group = asCarried(told)
  if (group === null) return false
  const { root, agent, redact } = places
  const write = (parts: readonly string[], file: string, text: string) =>
    within(root, parts, (dir) => dir.has(file) || dir.write(file, redact(text)), true)
  const { name, instructions, conversations, active, history } = group
  if (instructions !== null) write(groupDir(name), agent.instructions, instructions)
  if (name === GLOBAL) return true
  for (const [file, text] of Object.entries(conversations)) write([...groupDir(name), CONVERSATIONS], file, text)
  const known = pointers.history(name)
  const isKnown = (entry: HistoryEntry) =>
    known.some((one) => one.session_id === entry.session_id && one.archived_at === entry.archived_at)
  for (const entry of history.toReversed().filter((one) => !isKnown(one)))
    pointers.bookmark(name, {
      sessionId: entry.session_id,
      name: redact(entry.name),
      createdAt: entry.created_at,
      archivedAt: entry.archived_at,
    })
  if (active !== null && pointers.get(name) === undefined) pointers.set(name, active)
  addGroup(places, pointers, name)
  return true
}

/** What somebody else wrote, if it is a group and each part of the kind it must be; what is not is left out. */
function asCarried(told: unknown): CarriedGroup | null {
  const json = (told ?? {}) as Readonly<Record<string, unknown>>
  const name = json['name']
  if (typeof name !== 'string' || (name !== GLOBAL && !isGroupName(name))) return null
  const texts = Object.entries(typeof json['conversations'] === 'object' ? (json['conversations'] ?? {}) : {})
  const isText = (entry: [string, unknown]): entry is [string, string] =>
    ARCHIVE.test(entry[0]) && !entry[0].startsWith('.') && typeof entry[1] === 'string'
  const history = Array.isArray(json['history']) ? (json['history'] as readonly unknown[]) : []
  const { active, instructions } = json
  return {
    name,
    active: typeof active === 'string' && isSessionId(active) ? active : null,
    history: history.slice(0, MOST_ENTRIES).filter(isEntry),
    instructions: typeof instructions === 'string' ? instructions : null,
    conversations: Object.fromEntries(texts.filter(isText).slice(0, MOST_ENTRIES)),
  }
}

function isEntry(value: unknown): value is HistoryEntry {
  const entry = (value ?? {}) as Readonly<Record<string, unknown>>
  const isShort = (name: string) => typeof entry[name] === 'string' && entry[name].length <= MOST_WORDS
  return isShort('name') && isShort('created_at') && isShort('archived_at') && isSessionId(String(entry['session_id']))
}
