import * as toml from 'smol-toml'
import { configText, parseConfig } from './settings/load.ts'
import { configPathOf, resolveSettings, type Env } from './settings/settings.ts'
import { sources } from './sources/index.ts'
import type { HistoryEntry, Pointers } from './store/pointers.ts'
import { SqlitePointers } from './store/sqlite/pointers.ts'

export type { HistoryEntry } from './store/pointers.ts'

export interface SessionManagerOptions {
  /** The database; else as the config file says. */
  readonly db?: string
  /** Variables to use instead of the process's own. */
  readonly env?: Env
}

/**
 * Which session is active in each group, and which were before: the tables `sessions` and `session_history`, in memory
 * as long as nobody else writes to them.
 */
export class SessionManager {
  readonly #pointers: Pointers

  constructor(options: SessionManagerOptions = {}) {
    this.#pointers = new SqlitePointers(options.db ?? databaseOf(options.env ?? process.env))
  }

  /** The id of the active session; undefined if there is none, and a new one is to be started. */
  get(groupFolder: string): string | undefined {
    return this.#pointers.get(groupFolder)
  }

  set(groupFolder: string, sessionId: string): void {
    this.#pointers.set(groupFolder, sessionId)
  }

  delete(groupFolder: string): void {
    this.#pointers.delete(groupFolder)
  }

  /** Copies the active session into the history; undefined if there is none. */
  archive(groupFolder: string, name: string): HistoryEntry | undefined {
    const sessionId = this.#pointers.get(groupFolder)
    if (sessionId === undefined) return undefined
    const now = new Date().toISOString()
    return this.#pointers.bookmark(groupFolder, { sessionId, name, createdAt: now, archivedAt: now })
  }

  /** Moves an entry of the group's own history back to be its active session; undefined if it has no such entry. */
  restore(groupFolder: string, historyId: number): string | undefined {
    return this.#pointers.restore(groupFolder, historyId)
  }

  /** The newest first. */
  getHistory(groupFolder: string): HistoryEntry[] {
    return this.#pointers.history(groupFolder)
  }
}

function databaseOf(env: Env): string {
  const configPath = configPathOf(env)
  const text = configText(configPath)
  const config = text === null ? null : parseConfig(toml, text, configPath)
  const sourceNames = sources.map(({ name }) => name)
  return resolveSettings({ env, config, configPath, sourceNames, flags: {} }).groupsDb
}
