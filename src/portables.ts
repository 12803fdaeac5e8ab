import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { indexAndJudge, indexTask } from './indexing.ts'
import { UserError } from './model/errors.ts'
import { redactionOf, withStore, type Parts } from './parts.ts'
import { createPortable, type PortableParts, type Portables } from './portable/face.ts'
import type { Recall } from './recall.ts'
import { restoreStore } from './restoring.ts'
import { noteForgotten, tombstonesOf } from './retention/forgotten.ts'
import type { Store } from './store/store.ts'

const JOURNAL_DIR = 'time-metrics'

interface Around {
  readonly reading: () => Store
  readonly locked: <T>(wait: boolean, work: () => Promise<T>) => Promise<T>
  readonly face: Pick<Recall, 'activity'>
  readonly keeper: Pick<Recall, 'forget'>
}

/** A backup of the store of other parts than the program's own: a group's. */
async function backUpOther({ settings, openForReading, now }: Parts, file: string): Promise<void> {
  const { backUp } = await import('./portable/backup.ts')
  const { storePath } = settings
  const openStore = (place: string) => openForReading(place, now, () => undefined)
  const store = openStore(storePath)
  try {
    const journalDir = path.join(path.dirname(storePath), JOURNAL_DIR)
    await backUp({ store, storePath, journalDir, file, force: true, openStore, layBeside: async () => [], now })
  } finally {
    await store.close()
  }
}

/** The portable memory of this product. */
export function portablesOf(parts: Parts, { reading, locked, face, keeper }: Around): Portables {
  const { settings, now } = parts
  const storeDir = path.dirname(settings.storePath)
  const writing: PortableParts['writing'] = (work) =>
    locked(true, () =>
      withStore(parts, async (store) => {
        const { createRedactor } = await import('./ingest/redact.ts')
        const done = await work({ store, redactor: createRedactor(redactionOf(settings)) })
        // What follows from what is kept, as after any reading.
        await indexAndJudge({ ...indexTask(parts, store, {}), roots: [] })
        noteForgotten(settings.storePath, await tombstonesOf(store))
        return done
      }),
    )
  const journalDir = settings.journalDir ?? path.join(storeDir, JOURNAL_DIR)
  const openStore = (file: string) => parts.openForReading(file, now, () => undefined)
  return createPortable({
    reading,
    openStore,
    layBeside: async (dir) => (await import('./carrying.ts')).layBeside(parts, dir, backUpOther),
    restore: ({ file, force }) => locked(true, () => restoreStore(parts, { file, force, journalDir, reading })),
    writing,
    async readTraces(dir) {
      const source = parts.sources.find((one) => one.readsTraces === true)
      const { existsSync } = await import('node:fs')
      const root = path.join(dir, 'traces')
      if (source === undefined || !existsSync(root))
        throw new UserError('NOT_FOUND', `there are no traces in ${dir}`, 'name a directory with `traces/` in it')
      const report = await locked(true, () =>
        withStore(parts, (store) => indexAndJudge({ ...indexTask(parts, store, {}), roots: [{ source, dir: root }] })),
      )
      return report.sessions.new + report.sessions.updated
    },
    async forget(uids) {
      const found = await Promise.all(uids.map((uid) => reading().resolve(uid)))
      const sessions = await Promise.all(found.map((one) => (one.found === 'one' ? reading().session(one.id) : null)))
      const there = sessions.filter((session) => session !== null)
      if (there.length > 0) await keeper.forget(there)
    },
    async importJournals(dir) {
      const { existsSync } = await import('node:fs')
      const journal = await face.activity.journal()
      if (existsSync(dir) && path.resolve(journal.dir) !== path.resolve(dir)) journal.importFrom(dir)
    },
    storePath: settings.storePath,
    dataDir: storeDir,
    // Beside the program, also where it runs from its source.
    sqlProcess: fileURLToPath(new URL('../dist/sql-process.cjs', import.meta.url)),
    journalDir,
    now,
  })
}
