import { statSync } from 'node:fs'
import path from 'node:path'
import type { Hub } from './hub/hub.ts'
import type { Reader } from './ingest/reader.ts'
import type { RedactionConfig } from './ingest/redact-config.ts'
import type { Root } from './ingest/scan.ts'
import { UserError } from './model/errors.ts'
import { Debts } from './retention/debts.ts'
import type { Settings } from './settings/settings.ts'
import type { Env, Source } from './sources/source.ts'
import type { OnDamage, Store, StoreFiles } from './store/store.ts'

/** What the product is made of. Everything outside comes in here. */
export interface Parts {
  readonly settings: Settings
  readonly sources: readonly Source[]
  readonly env: Env
  readonly now: () => number
  readonly openForReading: (location: string, now: () => number, onDamage?: OnDamage) => Store
  readonly openForWriting: (location: string, now: () => number) => Promise<Store>
  readonly files: StoreFiles
  /** Told of damage that an answer may suffer from. */
  readonly onDamage?: OnDamage
  /** Reads on a second thread, where the program can start one. */
  readonly worker?: Reader
}

export async function hubOf(settings: Settings): Promise<Hub> {
  const { Hub } = await import('./hub/hub.ts')
  return new Hub(path.join(path.dirname(settings.storePath), 'hub'), settings.hubUrl)
}

export function redactionOf(settings: Settings): RedactionConfig {
  return { rules: settings.redactionRules, allow: settings.redactionAllow }
}

export function rootsOf(parts: Parts, only?: string): Root[] {
  const chosen = parts.sources.filter((source) => only === undefined || source.name === only)
  return chosen.flatMap((source) =>
    (parts.settings.roots.get(source.name) ?? source.roots(parts.env)).map((dir) => ({ source, dir })),
  )
}

export async function withStore<T>(parts: Parts, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await parts.openForWriting(parts.settings.storePath, parts.now)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

export function debtsOf(settings: Settings): Debts {
  return new Debts(path.join(path.dirname(settings.storePath), 'debts'))
}

/** Where there is no store because a command was interrupted, it says so. */
export function openOld(parts: Parts, debts: Debts): Store {
  const { settings, now } = parts
  try {
    return parts.openForReading(settings.storePath, now, parts.onDamage)
  } catch (error) {
    const halted = error instanceof UserError && error.code === 'NO_STORE'
    if (!halted || !debts.list().some(({ debt }) => debt.kind === 'recreate')) throw error
    const message = `${settings.storePath} was being made anew when that was interrupted`
    throw new UserError('NO_STORE', message, '`recall index` goes on from the old store', error)
  }
}

/** A store that is open for reading while it is needed. */
export interface OpenStore {
  /** Opened when it is first needed, and again when another process has put another file in its place. */
  reading(): Store
  close(): Promise<void>
}

export function openStore(open: () => Store, place: string): OpenStore {
  let store: Store | null = null
  let file: string | null = null
  return {
    reading() {
      const now = fileNumber(place)
      if (now !== file && store !== null) {
        retire(store)
        store = null
      }
      file = now
      return (store ??= open())
    },
    async close() {
      await store?.close()
      store = null
    },
  }
}

/** Changes when there is another file; null where there is none. */
function fileNumber(place: string): string | null {
  const stat = statSync(place, { throwIfNoEntry: false })
  return stat === undefined ? null : `${stat.dev}.${stat.ino}`
}

const LAST_ANSWERS_MS = 10_000

/** Closed when whoever still reads it has done so. */
function retire(store: Store): void {
  setTimeout(() => void store.close(), LAST_ANSWERS_MS).unref()
}
