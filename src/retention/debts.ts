import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DRAFT, syncDirectory, writeDurably } from '../model/durable-file.ts'

/** What a command has begun and must be brought to its end, by whichever command comes next. */
export type Debt =
  | { readonly kind: 'forget'; readonly since: number; readonly uids: readonly string[] }
  | {
      readonly kind: 'recreate'
      readonly since: number
      /** Where the old database is set aside, from the store's directory, and whether all of the old store is there by now. */
      readonly backup: string
      readonly aside: boolean
    }
  | {
      readonly kind: 'restore'
      readonly since: number
      /** Where the old database is set aside, from the store's directory; null: there was none. */
      readonly backup: string | null
      /** True once the new store is whole, and only the journals may be missing. */
      readonly made: boolean
      readonly journalDir: string
    }

export interface OwedDebt {
  readonly id: string
  readonly debt: Debt
}

const ENDING = '.json'

/**
 * What is owed, written down outside the store before the first byte of it changes and taken off when the last one has.
 * A file each, so that a crash can leave one, but never half of one.
 */
export class Debts {
  readonly #dir: string

  constructor(dir: string) {
    this.#dir = dir
  }

  /** The oldest first. */
  list(): OwedDebt[] {
    return names(this.#dir, ENDING)
      .sort()
      .map((name) => ({
        id: name.slice(0, -ENDING.length),
        debt: JSON.parse(readFileSync(path.join(this.#dir, name), 'utf8')) as Debt,
      }))
  }

  owe(debt: Debt): string {
    const id = `${String(debt.since).padStart(15, '0')}-${debt.kind}`
    this.change(id, debt)
    return id
  }

  change(id: string, debt: Debt): void {
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 })
    writeDurably(path.join(this.#dir, `${id}${ENDING}`), Buffer.from(JSON.stringify(debt)))
  }

  /** Takes away what was not written to its end. For the one that holds the lock. */
  dropDrafts(): void {
    for (const name of names(this.#dir, DRAFT)) rmSync(path.join(this.#dir, name), { force: true })
  }

  paid(id: string): void {
    rmSync(path.join(this.#dir, `${id}${ENDING}`), { force: true })
    syncDirectory(this.#dir)
  }
}

function names(dir: string, ending: string): string[] {
  try {
    return readdirSync(dir).filter((name) => name.endsWith(ending))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** What is owed, in a few words. */
export function debtText(debt: Debt): string {
  if (debt.kind === 'recreate') return 'a --recreate was interrupted; the old store is set aside'
  if (debt.kind === 'restore') return 'a restore was interrupted'
  return debt.uids.length === 1
    ? '1 session is not wholly forgotten yet'
    : `${debt.uids.length} sessions are not wholly forgotten yet`
}
