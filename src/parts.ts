import path from 'node:path'
import type { GroupParts, Groups } from './groups/face.ts'
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
  /** The file in which the code of plugins runs, where the program can start a thread of it. */
  readonly pluginThread?: URL
  /** What groups are made of, loaded when somebody asks for one. */
  readonly groups?: () => Promise<GroupParts>
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
    (parts.settings.roots.get(source.name) ?? source.roots(parts.env)).map((dir) =>
      parts.settings.group === undefined ? { source, dir } : { source, dir, isClosed: true },
    ),
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
    if (!halted || !debts.list().some(({ debt }) => debt.kind !== 'forget')) throw error
    const message = `${settings.storePath} was being made anew when that was interrupted`
    throw new UserError('NO_STORE', message, '`recall index` goes on from the old store', error)
  }
}

export async function groupsOf({ settings, now, groups }: Parts): Promise<Groups> {
  if (groups === undefined) throw new Error('this product was made without groups')
  const { createGroups } = await import('./groups/face.ts')
  const { createRedactor } = await import('./ingest/redact.ts')
  const { groupsRoot: root, groupsDb: db, assistantName } = settings
  const redactor = createRedactor(redactionOf(settings))
  return createGroups({ ...(await groups()), root, db, assistantName, now, redact: (text) => redactor.text(text) })
}
