import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { indexAndJudge, indexTask } from './indexing.ts'
import { JournalFiles, JOURNALS } from './insight/journals.ts'
import { UserError } from './model/errors.ts'
import type { WordLine } from './model/records.ts'
import { withStore, type Parts } from './parts.ts'
import { unpackBackup } from './portable/backup.ts'
import type { Restored } from './portable/face.ts'
import { backupPath, setAside } from './retention/backups.ts'
import type { Store } from './store/store.ts'

interface Restoring {
  readonly file: string
  readonly force: boolean
  readonly journalDir: string
  readonly reading: () => Store
}

/**
 * Makes the store anew from a backup, row by row: what a file of somebody else's says about how it is to be read is not
 * believed. What was forgotten here since stays forgotten.
 */
export async function restoreStore(parts: Parts, { file, force, journalDir, reading }: Restoring): Promise<Restored> {
  const { storePath } = parts.settings
  const isThere = existsSync(storePath)
  if (isThere && !force)
    throw new UserError(
      'USAGE',
      `there is a store at ${storePath} already`,
      'set it aside with --force, or name another with --store',
    )
  const dir = path.join(path.dirname(storePath), 'restoring')
  try {
    const backup = unpackBackup(file, dir)
    const strange = await parts.files.strangeIn(backup)
    if (strange !== null)
      throw new UserError(
        'USAGE',
        `the database in ${file} is not one of recall (${strange})`,
        'restore another backup',
      )
    const forgotten = isThere ? await tombstonesOf(reading()) : []
    const aside = isThere ? backupPath(storePath, parts.now()) : null
    if (aside !== null) setAside(storePath, aside)
    const restored = await withStore(parts, async (store) => {
      const lost = [...(await store.carryOver(backup, 'before')), ...(await store.carryOver(backup, 'after'))]
      await indexAndJudge({ ...indexTask(parts, store, {}), roots: [] })
      await forgetAgain(store, forgotten, parts.now())
      return { sessions: (await store.sessions({ limit: 1, hidden: true })).total, lost }
    })
    restoreJournals(path.join(dir, 'time-metrics'), journalDir)
    return { ...restored, aside }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function tombstonesOf(store: Store): Promise<WordLine[]> {
  return [...(await store.portable.words())].filter(({ record }) => record === 'tombstone')
}

async function forgetAgain(store: Store, tombstones: readonly WordLine[], now: number): Promise<void> {
  const { forgotten } = await store.portable.merge(tombstones, now)
  const found = await Promise.all(forgotten.map((uid) => store.resolve(uid)))
  await store.keeping.forget(
    found.flatMap((one) => (one.found === 'one' ? [one.id] : [])),
    now,
  )
}

/** Lines that are not there yet. */
function restoreJournals(from: string, to: string): void {
  const [old, journals] = [new JournalFiles(from), new JournalFiles(to)]
  for (const name of JOURNALS) {
    const known = new Set(journals.read(name).records.map(({ text }) => text))
    journals.append(
      name,
      old.read(name).records.flatMap(({ text }) => (known.has(text) ? [] : [text])),
    )
  }
}
