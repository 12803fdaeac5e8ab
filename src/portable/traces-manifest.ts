import path from 'node:path'
import { readRegular } from '../model/regular-file.ts'
import { writeWhole } from './out-writer.ts'

const FORMAT = 'recall-traces'
const VERSION = 1
const MOST_BYTES = 128 * 1024 * 1024
const HASH = /^[0-9a-f]{64}$/
/** A name that leads to nowhere but the directory it stands in. */
const PLAIN_NAME = /^[A-Za-z0-9][\w.-]{0,200}$/

/** What was written of a session: the name of its files, how many events, and the hashes of both. */
export interface ManifestEntry {
  readonly file: string
  readonly events: number
  readonly traces: string
  readonly records: string
}

export interface Manifest {
  readonly text: string
  readonly entries: ReadonlyMap<string, ManifestEntry>
}

/** One line a session, in order: the same sessions give the same bytes. */
export function writeManifest(dir: string, entries: ReadonlyMap<string, ManifestEntry>): string {
  const lines = [...entries]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([uid, entry]) => `${JSON.stringify(uid)}:${JSON.stringify(entry)}`)
  const text = `{"format":"${FORMAT}","version":${VERSION},"sessions":{\n${lines.join(',\n')}\n}}\n`
  writeWhole(path.join(dir, 'manifest.json'), (out) => {
    out.write(text)
    return {}
  })
  return text
}

/** Null where there is none, or none that this program understands. */
export function readManifest(dir: string): Manifest | null {
  const text = readRegular(path.join(dir, 'manifest.json'), MOST_BYTES)
  if (text === null) return null
  try {
    const json = JSON.parse(text) as {
      readonly format?: unknown
      readonly version?: unknown
      readonly sessions?: unknown
    }
    if (
      json.format !== FORMAT ||
      json.version !== VERSION ||
      typeof json.sessions !== 'object' ||
      json.sessions === null
    )
      return null
    const entries = Object.entries(json.sessions as Readonly<Record<string, ManifestEntry>>)
    return { text, entries: new Map(entries.filter(([, entry]) => isEntry(entry))) }
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function isEntry(entry: unknown): boolean {
  const { file, events, traces, records } = (entry ?? {}) as Readonly<Record<string, unknown>>
  const isName = typeof file === 'string' && PLAIN_NAME.test(file) && !file.includes('..')
  return (
    isName &&
    Number.isSafeInteger(events) &&
    [traces, records].every((one) => typeof one === 'string' && HASH.test(one))
  )
}
