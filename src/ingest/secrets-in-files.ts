import { isOutOfDescriptors, isSystemError, statRegular } from '../model/regular-file.ts'
import { sessionUid } from '../model/ids.ts'
import { isReadAgain, type Item, type Source, type TranscriptReader, type Unit } from '../sources/source.ts'
import { linesOf } from './file-lines.ts'
import type { RedactionConfig } from './redact-config.ts'
import { createRedactor, CUT_OFF } from './redact.ts'
import { scan, type Root } from './scan.ts'

/** Where a secret lies, never what it is. */
export interface SecretPlace {
  readonly file: string
  readonly line: number
  readonly rule: string
  readonly source: string
  /** Null where the line belongs to no session that its source knows of. */
  readonly sessionUid: string | null
  readonly at: number | null
}

export interface SecretSearch {
  readonly roots: readonly Root[]
  readonly redaction: RedactionConfig
  /** A part of the directory that a session ran in. */
  readonly project?: string
  readonly since?: number
  readonly onBytes?: (done: number, total: number, file: string) => void
  readonly onProblem?: (file: string, message: string) => void
}

interface Owned {
  readonly source: Source
  readonly unit: Unit
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
}

/** A line with secrets in it, before it is known whose it is. */
interface Line {
  readonly number: number
  readonly rules: readonly string[]
}

export interface FileRead {
  readonly file: string
  readonly places: readonly SecretPlace[]
}

/**
 * What the rules find in the agents' own files, newest file first: one place a rule and line. Opens only what sources
 * own and what they say lies beside it, for reading only, and holds a line at a time; changes nothing.
 */
export async function* secretsInFiles(search: SecretSearch): AsyncGenerator<FileRead> {
  const { units, unreadable } = scan(search.roots)
  for (const place of unreadable) search.onProblem?.(place.path, place.message)
  const { since = -Infinity } = search
  const onUnreadable = (path: string): void => search.onProblem?.(path, 'cannot be read')
  const files = units.flatMap((unit) => filesOf(unit, onUnreadable)).filter((file) => file.mtimeMs >= since)
  files.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1))
  const total = files.reduce((sum, file) => sum + file.size, 0)
  const find = createFinder(search.redaction)
  let done = 0
  for (const file of files) {
    try {
      const lines = find(file.path, (read) => search.onBytes?.(done + read, total, file.path))
      yield { file: file.path, places: lines.length === 0 ? [] : await placesOf(file, lines, search) }
    } catch (error) {
      if (!isSystemError(error) || isOutOfDescriptors(error)) throw error
      search.onProblem?.(file.path, error.message)
    }
    done += file.size
  }
}

function filesOf(
  { source, path, root }: Unit & { readonly source: Source },
  onUnreadable: (path: string) => void,
): Owned[] {
  const unit = { path, root }
  const paths = new Set([path, ...(source.sidecars?.(unit) ?? [])])
  return [...paths].flatMap((file) => {
    const stat = statRegular(file)
    if (stat === null && file === path) onUnreadable(file)
    return stat === null ? [] : [{ source, unit, path: file, size: stat.size, mtimeMs: stat.mtimeMs }]
  })
}

/** Reads a file line by line, as JSON where it is: what is escaped there must not hide a secret. */
function createFinder(redaction: RedactionConfig): (path: string, onRead: (bytes: number) => void) => Line[] {
  const redactor = createRedactor(redaction)
  return (path, onRead) => {
    const lines: Line[] = []
    for (const { text, number, read } of linesOf(path)) {
      redactor.json(parsed(text))
      const rules = new Set(redactor.taken())
      rules.delete(CUT_OFF)
      if (rules.size > 0) lines.push({ number, rules: [...rules] })
      onRead(read)
    }
    return lines
  }
}

function parsed(line: string): unknown {
  if (!/^\s*[[{]/.test(line)) return line
  try {
    return JSON.parse(line) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return line
    throw error
  }
}

/** Of an unknown project, only the path may tell: agents name directories after it. */
function isAsked({ at, file }: SecretPlace, project: string | undefined, search: SecretSearch): boolean {
  if (search.since !== undefined && at !== null && at < search.since) return false
  if (search.project === undefined) return true
  return project?.includes(search.project) ?? file.includes(search.project.replaceAll(/[/\\.]/g, '-'))
}

/** Whose lines these are and when they were written, as the source's own reader says. */
async function placesOf(
  { source, unit, path }: Owned,
  lines: readonly Line[],
  search: SecretSearch,
): Promise<SecretPlace[]> {
  const owner = createOwner(source)
  const isTranscript = path === unit.path
  const owners = new Map<number, Owner>()
  const waiting = isTranscript ? lines.map((line) => line.number).toReversed() : []
  for (const item of itemsOf(await source.reader(), unit)) {
    const line = 'line' in item ? item.line : 0
    for (let first = waiting.at(-1); first !== undefined && first < line; first = waiting.at(-1)) {
      owners.set(first, owner.now())
      waiting.pop()
    }
    owner.take(item)
  }
  const last = owner.now()
  return lines.flatMap(({ number: line, rules }) => {
    const { session, at } = isTranscript ? (owners.get(line) ?? last) : { ...last, at: null }
    const project = session === null ? undefined : owner.projects.get(session)
    return rules
      .map((rule) => ({ file: path, line, rule, source: source.name, sessionUid: session, at }))
      .filter((place) => isAsked(place, project, search))
  })
}

interface Owner {
  readonly session: string | null
  readonly at: number | null
}

/** Follows what a reading tells: the session and the time of what was read last. */
function createOwner(source: Source) {
  const flavors = new Map<string, string>()
  const projects = new Map<string, string>()
  let session: string | null = null
  let at: number | null = null
  const uidOf = (native: string): string => sessionUid(flavors.get(native) ?? source.name, native)
  return {
    projects,
    now: (): Owner => ({ session, at }),
    take(item: Item): void {
      if (item.item === 'lane') flavors.set(item.session, item.flavor ?? source.name)
      if (item.item === 'problem' || item.item === 'title') return
      session = uidOf(item.session)
      if (item.item === 'event') at = item.at ?? at
      if (item.item === 'facts' && item.facts.cwd) projects.set(session, item.facts.cwd)
    },
  }
}

function* itemsOf(reader: TranscriptReader, unit: Unit): Generator<Item> {
  let hint: unknown
  for (let again = true; again;) {
    again = false
    try {
      for (const items of reader.read(unit, null, hint)) yield* items
    } catch (error) {
      if (!isReadAgain(error)) throw error
      hint = error.hint
      again = true
    }
  }
}
