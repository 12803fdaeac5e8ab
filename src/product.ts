import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { programOf } from './capture/program.ts'
import type { GroupParts } from './groups/face.ts'
import type { Reader } from './ingest/reader.ts'
import { UserError } from './model/errors.ts'
import { createRecall, type Recall } from './recall.ts'
import { loadSettings } from './settings/load.ts'
import type { Settings } from './settings/settings.ts'
import { sources } from './sources/index.ts'
import type { Env, Source } from './sources/source.ts'
import { unloaded } from './sources/unloaded.ts'
import { files, openForReading, openForWriting, pointerStore } from './store/open.ts'
import type { OnDamage } from './store/store.ts'

export const now = (): number => Date.now()

/** How to start the command from anywhere, whoever has loaded this. */
export function program(): ReturnType<typeof programOf> {
  const bin = fileURLToPath(new URL('../bin/recall.js', import.meta.url))
  return programOf({ execPath: process.execPath, argv: [process.execPath, bin] })
}

/** What is set by the environment, the config file and, before all, `store`; or for the memory of a group. */
export async function settingsFor(env: Env, store: string | undefined, group?: string): Promise<Settings> {
  const names = sources.map((source) => source.name)
  const settings = await loadSettings(env, names, { '--store': store })
  if (group === undefined) return settings
  if (store !== undefined)
    throw new UserError('USAGE', 'a group has a store of its own', 'leave out --store or --group')
  const { groupAgent } = await import('./sources/group-agents.ts')
  const { settingsOfGroup } = await import('./groups/settings.ts')
  return settingsOfGroup(settings, group, names, groupAgent)
}

/** Every agent, and what stands for the plugins that the settings name. */
export function sourcesFor({ plugins }: Settings): readonly Source[] {
  return plugins.size === 0 ? sources : [...sources, ...[...plugins.keys()].map(unloaded)]
}

/** The product made of its real parts. `own`: nothing else runs in the process. */
export function productFor(settings: Settings, env: Env, onDamage: OnDamage, process?: 'own'): Recall {
  const all = sourcesFor(settings)
  const parts = { settings, sources: all, env, now, openForReading, openForWriting, files, onDamage, pluginThread }
  const worker = process === 'own' ? readInOwnProcess : readOnOtherThreads
  return createRecall({ ...parts, worker, groups: groupParts })
}

async function groupParts(): Promise<GroupParts> {
  const { groupAgent } = await import('./sources/group-agents.ts')
  return { agent: groupAgent, ...(await pointerStore()) }
}

const pluginThread = new URL('./plugin-thread.cjs', import.meta.url)

/** Loaded only when there is something to read. */
const readOnOtherThreads: Reader = async function* (task) {
  const { readInThreads } = await import('./ingest/reader.ts')
  yield* readInThreads(new URL('./thread.cjs', import.meta.url), availableParallelism())(task)
}

const readInOwnProcess: Reader = async function* (task) {
  const { readyToRead } = await import('./ingest/own-process.ts')
  readyToRead(task.jobs.length)
  yield* readOnOtherThreads(task)
}
