import path from 'node:path'
import type { InnerTranscript, Source, Unit } from '../sources/source.ts'
import { faultOf } from './item-shape.ts'
import type { Checkpoint, Item, Reading, TranscriptReader } from '../sources/source.ts'
import { scan } from '../ingest/scan.ts'

/** An ES module that a person has named, and what its source is called here. */
export interface PluginFile {
  readonly name: string
  readonly file: string
}

/** What a plugin says of itself and of what lies on this machine: plain data, so that nobody else runs its code. */
export interface Described {
  readonly name: string
  readonly label: string
  readonly revision: number
  readonly holdsMany: boolean
  readonly roots: readonly string[]
  /** Directories that it wants walked, as whole paths. */
  readonly dirs: readonly string[]
  readonly units: readonly DescribedUnit[]
  /** Where its agent continues a session: words, with `{}` for the id. */
  readonly resume: readonly string[] | null
}

interface DescribedUnit extends Unit {
  readonly sidecars: readonly string[]
  readonly companions: readonly string[]
  readonly inner: readonly InnerTranscript[] | null
}

const ID = '{}'
const MAX_UNITS = 200_000

export class PluginFault extends Error {}

/** The source that a module gives, if it looks like one. */
export function sourceIn(module: unknown): Source {
  const given = (module as { default?: unknown } | null)?.default as Partial<Source> | null | undefined
  if (typeof given !== 'object' || given === null) throw new PluginFault('its default export is no source')
  for (const method of ['roots', 'owns', 'skips', 'reader', 'resume'] as const)
    if (typeof given[method] !== 'function') throw new PluginFault(`its source has no ${method}()`)
  if (!Number.isSafeInteger(given.revision) || Number(given.revision) < 1)
    throw new PluginFault('its source has no revision: a whole number from 1 on')
  if (typeof given.label !== 'string' || given.label === '') throw new PluginFault('its source has no label')
  return given as Source
}

/** Run in the plugin's own thread. */
export async function describe(
  source: Source,
  name: string,
  given: { readonly env: Readonly<Record<string, string | undefined>>; readonly roots: readonly string[] | null },
): Promise<Described> {
  const roots = (given.roots ?? source.roots(given.env)).map((root) => path.resolve(root))
  const dirs = new Set<string>(roots)
  const walked: Source = {
    ...source,
    owns: (file) => source.owns(file) === true,
    skips: (dir) => source.skips(dir) === true,
  }
  const found = scan(roots.map((dir) => ({ source: walked, dir })))
  if (found.units.length > MAX_UNITS) throw new PluginFault(`it owns ${found.units.length} files`)
  const reader = source.holdsMany === true ? await source.reader() : null
  const units = found.units.map(({ path: file, root }) => {
    for (let dir = path.dirname(file); dir.length > root.length; dir = path.dirname(dir)) dirs.add(dir)
    const unit = { path: file, root }
    return {
      ...unit,
      sidecars: texts(source.sidecars?.(unit)),
      companions: texts(source.companions?.(unit)),
      inner: reader === null ? null : (reader.transcripts?.(unit) ?? []),
    }
  })
  const command = source.resume(ID)
  return {
    name,
    label: source.label.slice(0, 60),
    revision: source.revision,
    holdsMany: source.holdsMany === true,
    roots,
    dirs: [...dirs],
    units,
    resume: command === null ? null : texts(command),
  }
}

function texts(value: readonly unknown[] | undefined): string[] {
  return [...(value ?? [])].map(String)
}

/** A source for everybody else, made of what the plugin said of itself. Its transcripts are read in its own thread. */
export function sourceOf({ name, label, revision, holdsMany, roots, dirs, units, resume }: Described): Source {
  const byPath = new Map(units.map((unit) => [unit.path, unit]))
  const walked = new Set(dirs)
  const whole = (relative: string) => roots.map((root) => path.join(root, relative))
  const reader: TranscriptReader = {
    transcripts: (unit) => byPath.get(unit.path)?.inner ?? [],
    read() {
      throw new Error(`${name} is read in a thread of its own`)
    },
  }
  return {
    name,
    longName: name,
    label,
    revision,
    ...(holdsMany ? { holdsMany } : {}),
    roots: () => [...roots],
    owns: (file) => whole(file).some((place) => byPath.has(place)),
    skips: (dir) => !whole(dir).some((place) => walked.has(place)),
    sidecars: (unit) => byPath.get(unit.path)?.sidecars ?? [],
    companions: (unit) => byPath.get(unit.path)?.companions ?? [],
    reader: async () => reader,
    resume: (id) => resume?.map((word) => word.replaceAll(ID, id)) ?? null,
  }
}

/** A plugin's reader whose items are what they should be, and nobody else's. */
export function guarded(reader: TranscriptReader, name: string, onStep: () => void): TranscriptReader {
  const guardedReader: TranscriptReader = {
    read: (unit, from, hint) => new GuardedReading(reader.read(unit, from, hint), name, onStep),
  }
  if (reader.readSidecars === undefined) return guardedReader
  return { ...guardedReader, readSidecars: (unit) => checked(reader.readSidecars?.(unit) ?? [], name) }
}

class GuardedReading implements Reading {
  readonly #reading: Reading
  readonly #name: string
  readonly #onStep: () => void

  constructor(reading: Reading, name: string, onStep: () => void) {
    this.#reading = reading
    this.#name = name
    this.#onStep = onStep
  }

  get bytesRead(): number {
    return amount(this.#reading.bytesRead)
  }

  get provisional(): boolean {
    return this.#reading.provisional === true
  }

  checkpoint(): Checkpoint {
    const { offset, line, state } = this.#reading.checkpoint()
    return { offset: amount(offset), line: amount(line), state: state ?? null }
  }

  *[Symbol.iterator](): Generator<readonly Item[]> {
    for (const items of this.#reading) {
      this.#onStep()
      yield checked(items, this.#name)
    }
  }
}

function amount(value: unknown): number {
  if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return Math.floor(value)
  throw new PluginFault(`it is at ${String(value)}`)
}

/** Names of records are the plugin's own: no record of another agent can be claimed. */
function checked(items: readonly unknown[], plugin: string): Item[] {
  if (!Array.isArray(items)) throw new PluginFault('a step of its reading is no list')
  return items.map((item: unknown) => {
    const fault = faultOf(item)
    if (fault !== null) throw new PluginFault(`what it reads makes no sense: ${fault}`)
    const own = item as Item
    if (own.item === 'event') {
      const parent = typeof own.parent === 'string' ? `${plugin}:${own.parent}` : own.parent
      return { ...own, native: `${plugin}:${own.native}`, parent }
    }
    return own.item === 'title' ? { ...own, leaf: `${plugin}:${own.leaf}` } : own
  })
}
