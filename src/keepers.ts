import path from 'node:path'
import { forgetQueued, queueDir } from './capture/queue.ts'
import { analysisOf, analysisRevision } from './distill/analysis.ts'
import { indexAndJudge, indexTask, pluginsFor } from './indexing.ts'
import { holdersOf } from './ingest/holders.ts'
import { scan } from './ingest/scan.ts'
import { forgetJournaled } from './insight/journals.ts'
import type { DigestInput } from './model/digest.ts'
import type { SessionRecord } from './model/session.ts'
import { isTight } from './model/spare-room.ts'
import { hubOf, rootsOf, withStore, type Parts } from './parts.ts'
import { backupsOf } from './retention/backups.ts'
import { noteForgotten, tombstonesFor } from './retention/forgotten.ts'
import { createKeeper, type Keeper, type KeeperParts } from './retention/keeper.ts'

interface Around extends Pick<KeeperParts, 'reading' | 'find' | 'redact' | 'pending' | 'debts'> {
  readonly locked: <T>(wait: boolean, work: () => Promise<T>, frees?: boolean) => Promise<T>
  readonly inDomain: (session: SessionRecord) => SessionRecord
}

/** What keeps this product's memory within its bounds, and takes out of it what is to be forgotten. */
export async function keeperOf(parts: Parts, { locked, inDomain, ...around }: Around): Promise<Keeper> {
  const { settings, now } = parts
  const { storePath, dataDir, journalDir } = settings
  const dir = path.dirname(storePath)
  return createKeeper({
    ...around,
    knobs: settings,
    restMs: settings.restMinutes * 60_000,
    now,
    hub: await hubOf(settings),
    writing: (wait, work, frees) => locked(wait, () => withStore(parts, work), frees),
    isTight: () => isTight(dir),
    async index(store, options, between) {
      const plugins = await pluginsFor(parts, {})
      return indexAndJudge({ ...indexTask(parts, store, options), ...plugins, between, asFound: true })
    },
    async analyzer() {
      const analyze = (input: DigestInput) => analysisOf({ ...input, session: inDomain(input.session) }, settings)
      return { analyze, revision: analysisRevision(settings) }
    },
    scan: () => scan(rootsOf(parts)),
    backups: () => backupsOf(storePath),
    holders: () => holdersOf(storePath),
    async forgetBeside(uids) {
      noteForgotten(storePath, tombstonesFor(uids, now()))
      forgetQueued(queueDir(dataDir), new Set(uids))
      forgetJournaled(journalDir ?? path.join(dir, 'time-metrics'), uids)
    },
    rememberBeside: async (uid) => noteForgotten(storePath, [], uid),
    openForWriting: (location) => parts.openForWriting(location, now),
  })
}
