import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { indexAndJudge, indexTask } from './indexing.ts'
import { UserError } from './model/errors.ts'
import { redactionOf, withStore, type Parts } from './parts.ts'
import { createPortable, type PortableParts, type Portables } from './portable/face.ts'
import type { Recall } from './recall.ts'
import { restoreStore } from './restoring.ts'
import type { Store } from './store/store.ts'

const JOURNAL_DIR = 'time-metrics'

interface Around {
  readonly reading: () => Store
  readonly locked: <T>(wait: boolean, work: () => Promise<T>) => Promise<T>
  readonly face: Pick<Recall, 'activity'>
  readonly keeper: Pick<Recall, 'forget'>
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
        return done
      }),
    )
  const journalDir = settings.journalDir ?? path.join(storeDir, JOURNAL_DIR)
  return createPortable({
    reading,
    openStore: (file) => parts.openForReading(file, now, () => undefined),
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
