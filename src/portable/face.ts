import path from 'node:path'
import type { SessionFilter } from '../model/session.ts'
import type { Store } from '../store/store.ts'
import type { BackupReport } from './backup.ts'
import type { SyncReport } from './sync.ts'
import type { DocumentsReport, DocumentsTask } from './documents.ts'
import type { DuckDbReport, DuckDbTask } from './duckdb.ts'
import type { SqlAnswer, SqlTask } from './sql.ts'
import type { TakeIn } from './take-in.ts'
import type { TakenIn } from './import-traces.ts'
import type { TracesReport } from './traces.ts'

type OnCount = (done: number, total: number, what: string) => void

export interface ExportTracesOptions {
  readonly dir: string
  readonly filter: SessionFilter | null
  readonly force: boolean
  readonly onCount?: OnCount
}

export interface ImportOptions {
  readonly dir: string
  readonly onCount?: OnCount
}

/** The memory as it is taken along and taken in. */
export interface Portables {
  exportTraces(options: ExportTracesOptions): Promise<TracesReport>
  /** Sessions to be read by people. */
  exportDocuments(options: Omit<DocumentsTask, 'store'>): Promise<DocumentsReport>
  exportDuckDb(options: Omit<DuckDbTask, 'store'>): Promise<DuckDbReport>
  sql(question: Pick<SqlTask, 'sql' | 'limit' | 'seconds'>): Promise<SqlAnswer>
  /** Also of a directory of traces that recall did not write. */
  importTraces(options: ImportOptions): Promise<TakenIn & { readonly traces: number }>
  backUp(options: { readonly file: string; readonly force: boolean }): Promise<BackupReport>
  restore(options: { readonly file: string; readonly force: boolean }): Promise<Restored>
  /** Merges with the other machines that share a directory. */
  sync(options: ImportOptions & { readonly host: string }): Promise<SyncReport>
}

export interface Restored {
  readonly sessions: number
  /** Where the store that was there is now. */
  readonly aside: string | null
  readonly lost: readonly string[]
  /** When the backup was made; null if it does not say. */
  readonly made_at: string | null
  /** How many sessions of it were forgotten here, and so were not restored. */
  readonly forgotten: number
}

export interface PortableParts {
  readonly openStore: (file: string) => Store
  readonly restore: Portables['restore']
  readonly reading: () => Store
  /** Runs work on the store as its one writer, and has kept what reports need when it is done. */
  readonly writing: <T>(work: (task: TakeIn) => Promise<T>) => Promise<T>
  /** Reads a directory of traces that somebody else wrote. Returns how many sessions it told. */
  readonly readTraces: (dir: string) => Promise<number>
  readonly layBeside: (dir: string) => Promise<string[]>
  /** Forgets the sessions with these uids. */
  readonly forget: (uids: readonly string[]) => Promise<void>
  readonly importJournals: (dir: string) => Promise<void>
  readonly storePath: string
  readonly dataDir: string
  /** The program that answers in SQL. */
  readonly sqlProcess: string
  readonly journalDir: string
  readonly now: () => number
}

export function createPortable(parts: PortableParts): Portables {
  const { reading, writing, now } = parts
  return {
    async exportTraces(options) {
      const { exportTraces } = await import('./traces.ts')
      const stateDir = path.join(parts.dataDir, 'exports')
      return exportTraces({ ...options, store: reading(), journalDir: parts.journalDir, stateDir })
    },
    async exportDocuments(options) {
      const { exportDocuments } = await import('./documents.ts')
      return exportDocuments({ ...options, store: reading() })
    },
    async exportDuckDb(options) {
      const { exportDuckDb } = await import('./duckdb.ts')
      return exportDuckDb({ ...options, store: reading() })
    },
    async sql(question) {
      reading()
      const { askSql } = await import('./sql.ts')
      return askSql({ ...question, store: parts.storePath, script: parts.sqlProcess })
    },
    async importTraces({ dir, onCount }) {
      const { importTraces, isTraceExport, nothingYet } = await import('./import-traces.ts')
      const isOurs = isTraceExport(dir)
      const traces = isOurs ? 0 : await parts.readTraces(dir)
      const taken = isOurs
        ? await writing((task) => importTraces({ ...task, ...(onCount ? { onCount } : {}), now: now() }, dir))
        : nothingYet()
      await parts.importJournals(path.join(dir, 'time-metrics'))
      return { ...taken, traces }
    },
    async backUp(options) {
      const { backUp } = await import('./backup.ts')
      return backUp({ ...parts, ...options, store: reading() })
    },
    restore: parts.restore,
    async sync({ dir, host, onCount }) {
      const { otherHosts, hostDirectory, nothingSynced } = await import('./sync.ts')
      const { importTraces } = await import('./import-traces.ts')
      const own = hostDirectory(dir, host, parts.dataDir)
      const report = nothingSynced(own)
      const others = otherHosts(dir, own)
      const watching = onCount ? { onCount } : {}
      for (const other of others) {
        const taken = await writing((task) => importTraces({ ...task, ...watching, now: now() }, other))
        report.add(other, taken)
        await parts.forget(taken.forget)
      }
      // A machine may speak of a session that came with another.
      if (others.length > 1) {
        const { importWords } = await import('./import-traces.ts')
        await writing(async (task) => {
          for (const other of others) report.words(await importWords({ ...task, now: now() }, other))
        })
      }
      const { exportTraces } = await import('./traces.ts')
      const stateDir = path.join(parts.dataDir, 'exports')
      const task = { dir: own, filter: null, force: true, own: true, journalDir: parts.journalDir, stateDir }
      // Where nothing was ever read there is nothing to write.
      const written = await exportTraces({ ...task, ...watching, store: reading() })
      return report.done(written)
    },
  }
}
