import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { writeDurably } from '../model/durable-file.ts'
import { onDisk } from '../model/errors.ts'
import { RECORD_VERSION, type TombstoneLine } from '../model/records.ts'
import type { Store } from '../store/store.ts'

const NAME = 'forgotten.jsonl'

/** Which sessions were forgotten, beside the store and as it says it: so they stay so, too, when it is lost and made again from a backup. */
export function forgottenBeside(storePath: string): TombstoneLine[] {
  const file = path.join(path.dirname(storePath), NAME)
  if (!existsSync(file)) return []
  return onDisk(() => readFileSync(file, 'utf8'))
    .split('\n')
    .flatMap((line) => tombstone(line) ?? [])
}

/** Adds these, and takes out what is remembered again. */
export function noteForgotten(
  storePath: string,
  more: readonly TombstoneLine[],
  remembered: string | null = null,
): void {
  const before = forgottenBeside(storePath)
  const all = new Map([...before, ...more].map((one) => [one.session_uid, one]))
  if (remembered !== null) all.delete(remembered)
  if (all.size === before.length && remembered === null) return
  const text = [...all.values()].map((one) => `${JSON.stringify(one)}\n`).join('')
  onDisk(() => writeDurably(path.join(path.dirname(storePath), NAME), Buffer.from(text)))
}

export async function tombstonesOf(store: Store): Promise<TombstoneLine[]> {
  return [...(await store.portable.words())].filter((word) => word.record === 'tombstone')
}

export function tombstonesFor(uids: readonly string[], at: number): TombstoneLine[] {
  return uids.map((uid) => ({ v: RECORD_VERSION, record: 'tombstone', session_uid: uid, at }))
}

/** Null for a line that a crash has torn, or somebody has changed. */
function tombstone(line: string): TombstoneLine | null {
  try {
    const json = JSON.parse(line) as Partial<TombstoneLine> | null
    return typeof json?.session_uid === 'string' && typeof json.at === 'number'
      ? { v: RECORD_VERSION, record: 'tombstone', session_uid: json.session_uid, at: json.at }
      : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
