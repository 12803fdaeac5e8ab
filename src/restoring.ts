import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { takeBeside } from './carrying.ts'
import { indexAndJudge, indexTask, recreation } from './indexing.ts'
import { JournalFiles, JOURNALS } from './insight/journals.ts'
import { UserError } from './model/errors.ts'
import { isoTime } from './model/time.ts'
import type { TombstoneLine } from './model/records.ts'
import { debtsOf, withStore, type Parts } from './parts.ts'
import { unpackBackup } from './portable/backup.ts'
import type { Restored } from './portable/face.ts'
import type { Debt, OwedDebt } from './retention/debts.ts'
import { forgottenBeside, noteForgotten, tombstonesOf } from './retention/forgotten.ts'
import { backupPath, clearStore, putBack, setAside } from './retention/set-aside.ts'
import type { Store } from './store/store.ts'

type RestoreDebt = Debt & { readonly kind: 'restore' }

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
  const dir = unpackedIn(storePath)
  const debts = debtsOf(parts.settings)
  try {
    const { database: backup, made } = unpackBackup(file, dir)
    const strange = await parts.files.strangeIn(backup)
    if (strange !== null)
      throw new UserError(
        'USAGE',
        `the database in ${file} is not one of recall (${strange})`,
        'restore another backup',
      )
    noteForgotten(storePath, isThere ? await tombstonesOf(reading()) : [])
    const aside = isThere ? backupPath(storePath, parts.now()) : null
    const debt: RestoreDebt = {
      kind: 'restore',
      since: parts.now(),
      backup: aside === null ? null : path.relative(path.dirname(storePath), aside),
      made: false,
      journalDir,
    }
    const id = debts.owe(debt)
    try {
      if (aside !== null) setAside(storePath, aside)
      const restored = await withStore(parts, async (store) => {
        const lost = [...(await store.carryOver(backup, 'before')), ...(await store.carryOver(backup, 'after'))]
        await indexAndJudge({ ...indexTask(parts, store, {}), roots: [] })
        const forgotten = await forgetAgain(store, forgottenBeside(storePath), parts.now())
        noteForgotten(storePath, await tombstonesOf(store))
        return { sessions: (await store.sessions({ limit: 1, hidden: true })).total, lost, forgotten }
      })
      debts.change(id, { ...debt, made: true })
      await endRestoring(parts, id, { ...debt, made: true })
      return { ...restored, aside, made_at: isoTime(made) }
    } catch (error) {
      const owed = debts.list().find((one) => one.id === id)?.debt
      if (owed?.kind === 'restore') await endRestoring(parts, id, owed)
      throw error
    }
  } finally {
    if (debts.list().every(({ debt }) => debt.kind !== 'restore')) rmSync(dir, { recursive: true, force: true })
  }
}

/** Brings to its end what was begun with the store as a whole, or takes it back. */
export async function endInterrupted(parts: Parts, { id, debt }: OwedDebt): Promise<void> {
  if (debt.kind === 'restore') return endRestoring(parts, id, debt)
  if (debt.kind !== 'recreate') return
  const { goOnRecreating } = await import('./retention/recreate.ts')
  await goOnRecreating(recreation(parts, {}), id, debt)
}

/** Takes an interrupted restore back, or ends it if only what lies beside the store is missing. Begun again, it ends the same. */
async function endRestoring(parts: Parts, id: string, { backup, made, journalDir }: RestoreDebt): Promise<void> {
  const { settings } = parts
  const { storePath } = settings
  const dir = unpackedIn(storePath)
  if (made) {
    restoreJournals(path.join(dir, 'time-metrics'), journalDir)
    await takeBeside(parts, dir, { restore: restoreNew, end: endInterrupted })
  } else if (backup === null) clearStore(storePath)
  else putBack(storePath, path.resolve(path.dirname(storePath), backup))
  rmSync(dir, { recursive: true, force: true })
  debtsOf(settings).paid(id)
}

function unpackedIn(storePath: string): string {
  return path.join(path.dirname(storePath), 'restoring')
}

/** How many of them were there. */
async function forgetAgain(store: Store, tombstones: readonly TombstoneLine[], now: number): Promise<number> {
  const { forgotten } = await store.portable.merge(tombstones, now)
  const found = await Promise.all(forgotten.map((uid) => store.resolve(uid)))
  await store.keeping.forget(
    found.flatMap((one) => (one.found === 'one' ? [one.id] : [])),
    now,
  )
  return forgotten.length
}

/** The store of a group, where there is none. */
async function restoreNew(parts: Parts, file: string): Promise<void> {
  const reading = () => parts.openForReading(parts.settings.storePath, parts.now)
  const journalDir = path.join(path.dirname(parts.settings.storePath), 'time-metrics')
  await restoreStore(parts, { file, force: false, journalDir, reading })
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
