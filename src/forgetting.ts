import path from 'node:path'
import { forgetQueued, queueDir } from './capture/queue.ts'
import { forgetJournaled } from './insight/journals.ts'
import { noteForgotten, tombstonesFor } from './retention/forgotten.ts'
import type { Settings } from './settings/settings.ts'

/** Takes sessions out of what lies beside the store, and notes there that they were forgotten. */
export function forgetBeside(settings: Settings, uids: readonly string[], at: number): void {
  const { storePath, dataDir, journalDir } = settings
  noteForgotten(storePath, tombstonesFor(uids, at))
  forgetQueued(queueDir(dataDir), new Set(uids))
  forgetJournaled(journalDir ?? path.join(path.dirname(storePath), 'time-metrics'), uids)
}

/** The session may be read again, and restored. */
export function rememberBeside({ storePath }: Settings, uid: string): void {
  noteForgotten(storePath, [], uid)
}
