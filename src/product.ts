import { fileURLToPath } from 'node:url'
import { programOf } from './capture/program.ts'
import type { Reader } from './ingest/reader.ts'
import { createRecall, type Recall } from './recall.ts'
import { loadSettings } from './settings/load.ts'
import type { Settings } from './settings/settings.ts'
import { sources } from './sources/index.ts'
import type { Env } from './sources/source.ts'
import { files, openForReading, openForWriting } from './store/open.ts'
import type { OnDamage } from './store/store.ts'

export const now = (): number => Date.now()

/** How to start the command from anywhere, whoever has loaded this. */
export function program(): ReturnType<typeof programOf> {
  const bin = fileURLToPath(new URL('../bin/recall.js', import.meta.url))
  return programOf({ execPath: process.execPath, argv: [process.execPath, bin] })
}

/** What is set by the environment, the config file and, before all, `store`. */
export function settingsFor(env: Env, store: string | undefined): Promise<Settings> {
  const names = sources.map((source) => source.name)
  return loadSettings(env, names, { '--store': store })
}

/** The product made of its real parts. */
export function productFor(settings: Settings, env: Env, onDamage: OnDamage): Recall {
  const parts = { settings, sources, env, now, openForReading, openForWriting, files, onDamage }
  return createRecall({ ...parts, worker: readOnSecondThread })
}

/** Loaded only when there is something to read. */
const readOnSecondThread: Reader = async function* (task) {
  const { readInWorker } = await import('./ingest/reader.ts')
  yield* readInWorker(new URL('./thread.cjs', import.meta.url))(task)
}
