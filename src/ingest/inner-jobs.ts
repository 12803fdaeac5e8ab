import path from 'node:path'
import { isOutOfDescriptors, isSystemError } from '../model/regular-file.ts'
import { isUnreadable, placeOf, type InnerTranscript, type Source, type Unit } from '../sources/source.ts'
import type { FileRecord } from '../store/store.ts'
import type { Job } from './job.ts'
import { stampInner, type FileStamp } from './stamp.ts'

type FoundUnit = Unit & { readonly source: Source; readonly isClosed?: boolean }

/** Where a transcript in a larger file lies, as if that were a directory. */
export interface Inner {
  readonly path: string
  readonly inside: string
  readonly stamp: FileStamp
}

/** What lies in a file and was read, and is not said to be gone. */
export function knownIn(file: string, known: ReadonlyMap<string, FileRecord>): FileRecord[] {
  const start = file + path.sep
  return [...known.values()].filter((record) => record.path.startsWith(start))
}

/** True if all in the file was read since it changed last. */
export function isAllRead(stamp: FileStamp, record: FileRecord | undefined, inner: readonly FileRecord[]): boolean {
  return record?.stamp === stamp.stamp && inner.every((one) => one.stamp !== '')
}

/** The transcripts in a file; in words, why they cannot be told. */
export async function innerOf(unit: FoundUnit, revision: string): Promise<readonly Inner[] | string> {
  const { source, path: file, root } = unit
  try {
    const reader = await source.reader()
    const listed = reader.transcripts?.({ path: file, root }) ?? []
    const wrong = listed.find(isMisnamed)
    if (wrong !== undefined) return `its reader names a transcript ${JSON.stringify(wrong.name)}`
    return listed.map((one) => ({
      path: placeOf({ path: file, root, inside: one.name }),
      inside: one.name,
      stamp: stampInner(one, revision),
    }))
  } catch (error) {
    const isTheirs = isUnreadable(error) || (isSystemError(error) && !isOutOfDescriptors(error))
    if (isTheirs) return error.message
    throw error
  }
}

const NAME = /^[\w@-][\w.@-]{0,199}$/
const VERSION = /^[\w-]{0,200}$/

function isMisnamed({ name, version }: InnerTranscript): boolean {
  return !NAME.test(name) || !VERSION.test(version)
}

/** Notes that all in the file was read, once it was: comes behind what is in it. */
export function allRead({ source, path: file, root }: FoundUnit, stamp: FileStamp): Job {
  return { source: source.name, path: file, root, stamp, what: 'all', from: null }
}

/** Files that hold many transcripts, as those; others as they are. What cannot be told is left out. */
export async function eachTranscript<U extends FoundUnit>(units: readonly U[]): Promise<readonly U[]> {
  const found = await Promise.all(
    units.map(async (unit) => {
      if (!unit.source.holdsMany) return [unit]
      const inner = await innerOf(unit, '')
      return typeof inner === 'string' ? [] : inner.map(({ inside }) => ({ ...unit, inside }))
    }),
  )
  return found.flat()
}
