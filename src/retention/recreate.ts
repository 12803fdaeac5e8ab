import path from 'node:path'
import { backupPath, clearStore, setAside } from './set-aside.ts'
import type { IndexReport } from '../ingest/run.ts'
import { UserError } from '../model/errors.ts'
import type { Store } from '../store/store.ts'
import type { Debt, Debts } from './debts.ts'

export interface Recreation {
  readonly storePath: string
  readonly debts: Debts
  readonly writing: <T>(work: (store: Store) => Promise<T>) => Promise<T>
  /** Reads all transcripts into a new store. */
  readonly index: (store: Store) => Promise<IndexReport>
  readonly onProblem: (place: string, message: string) => void
}

type RecreateDebt = Debt & { readonly kind: 'recreate' }

/** Makes the store anew from the transcripts and the old store, which is kept aside. */
export async function recreate(task: Recreation, now: number): Promise<IndexReport & { backup: string }> {
  const backup = path.relative(path.dirname(task.storePath), backupPath(task.storePath, now))
  const debt: RecreateDebt = { kind: 'recreate', since: now, backup, aside: false }
  return goOnRecreating(task, task.debts.owe(debt), debt)
}

/** Begun again after an interruption, it ends the same. */
export async function goOnRecreating(
  task: Recreation,
  id: string,
  debt: RecreateDebt,
): Promise<IndexReport & { backup: string }> {
  const { storePath, debts } = task
  const backup = path.resolve(path.dirname(storePath), debt.backup)
  if (!debt.aside) setAside(storePath, backup)
  else clearStore(storePath)
  debts.change(id, { ...debt, aside: true })
  const report = await task.writing(async (store) => {
    await carryOver(task, store, backup, 'before')
    const made = await task.index(store)
    await carryOver(task, store, backup, 'after')
    return made
  })
  debts.paid(id)
  return { ...report, backup }
}

/** What an old store is if nothing can ever be read from it. Of a full disk or a lock, the next command makes up. */
const UNREADABLE: ReadonlySet<string> = new Set(['STORE_BROKEN', 'STORE_NEWER', 'NO_STORE'])

async function carryOver(task: Recreation, store: Store, backup: string, when: 'before' | 'after'): Promise<void> {
  try {
    for (const lost of await store.carryOver(backup, when)) task.onProblem(backup, lost)
  } catch (error) {
    if (!(error instanceof UserError) || !UNREADABLE.has(error.code)) throw error
    task.onProblem(backup, `nothing could be carried over: ${error.message}`)
  }
}
