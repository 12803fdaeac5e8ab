import type { IndexReport } from '../ingest/run.ts'
import type { Store } from '../store/store.ts'
import { analyzeSessions, type Analyze } from './analyze.ts'
import { applyRetention, type DataLoss, type RetentionTask } from './apply.ts'
import { asIfAnalyzed, type Eviction, type Knobs } from './plan.ts'

export interface SweepReport {
  /** Transcripts found, and of those the ones that were new or had changed. */
  readonly discovered: number
  readonly ingested: number
  readonly analyzed: number
  readonly evicted: readonly Eviction[]
  readonly dataLoss: DataLoss | null
}

export interface SweepTask {
  readonly store: Store
  readonly knobs: Knobs
  readonly analyze: Analyze
  readonly restMs: number
  readonly now: () => number
  /** Reads what is new; calls `between` whenever nothing is being written. */
  readonly index: (between: (bytesRead: number) => Promise<void>) => Promise<IndexReport>
  readonly onDigest: (json: string) => void
}

/** How often the budget is looked at while much is read: so that raw text never passes the hard cap. */
const LOOK_EVERY_BYTES = 64 * 1024 * 1024

/** Discover, ingest, analyse, evict. While reading, the budget is kept too. */
export async function sweep(task: SweepTask): Promise<SweepReport> {
  const { store, knobs, now } = task
  const done = { analyzed: 0, evicted: [] as Eviction[], dataLoss: null as DataLoss | null }
  const analyze = async (restingSince: number) => {
    const sessions = await store.memory.toAnalyze(restingSince)
    done.analyzed += await analyzeSessions(store.memory, sessions, task)
    return sessions.length
  }
  const keepBudget = async (mayLose: boolean) => {
    await analyze(now() - task.restMs)
    const applied = await applyRetention({
      memory: store.memory,
      knobs,
      now,
      analyzeAll: () => analyze(Number.MAX_SAFE_INTEGER),
      mayLose,
    })
    done.evicted.push(...applied.evicted)
    done.dataLoss = addLoss(done.dataLoss, applied.dataLoss)
  }
  const report = await readWithin(task, () => keepBudget(false))
  await keepBudget(true)
  await store.memory.purge(done.evicted.length > 0)
  return { ...report, ...done }
}

/**
 * Reads what is new and looks at the budget every so often. A session that was evicted before all its transcripts were
 * read is read once more, whole.
 */
async function readWithin(
  { store, knobs, index }: SweepTask,
  look: () => Promise<void>,
): Promise<Pick<SweepReport, 'discovered' | 'ingested'>> {
  const lookEvery = Math.min(LOOK_EVERY_BYTES, Math.max(1, (knobs.rawHardCapBytes - knobs.rawSoftCapBytes) / 2))
  const read = async () => {
    let looked = 0
    const { files } = await index(async (bytesRead) => {
      if (bytesRead - looked < lookEvery) return
      looked = bytesRead
      await look()
    })
    return files
  }
  const first = await read()
  if (first.parsed === 0 || !(await awaitsReading(store))) return { discovered: first.found, ingested: first.parsed }
  const second = await read()
  return { discovered: second.found, ingested: first.parsed + second.parsed }
}

async function awaitsReading(store: Store): Promise<boolean> {
  const files = await store.files()
  return [...files.values()].some((file) => file.status === 'evicted' && file.stamp === '')
}

function addLoss(a: DataLoss | null, b: DataLoss | null): DataLoss | null {
  if (a === null || b === null) return a ?? b
  return { sessions: [...a.sessions, ...b.sessions], bytes: a.bytes + b.bytes }
}

export interface Rehearsal {
  readonly store: Store
  readonly knobs: Knobs
  readonly restMs: number
  readonly now: () => number
}

/** What a sweep would analyse and evict of what is indexed now. Reads, analyses and drops nothing. */
export async function previewSweep({
  store,
  knobs,
  restMs,
  now,
}: Rehearsal): Promise<Omit<SweepReport, 'discovered' | 'ingested'>> {
  const resting = await dueForAnalysis(store, now() - restMs)
  let analyzed = resting
  let left = asIfAnalyzed(await store.memory.holdings(), resting, now())
  const memory: RetentionTask['memory'] = {
    holdings: async () => left,
    async evict(evictions) {
      const gone = new Set(evictions.map(({ uid }) => uid))
      left = left.filter(({ uid }) => !gone.has(uid))
    },
  }
  const analyzeAll = async () => {
    analyzed = await dueForAnalysis(store, Number.MAX_SAFE_INTEGER)
    left = asIfAnalyzed(left, analyzed, now())
    return analyzed.size
  }
  const { evicted, dataLoss } = await applyRetention({ memory, knobs, now, analyzeAll, mayLose: true })
  return { analyzed: analyzed.size, evicted, dataLoss }
}

/** Uids of what an analysis would take up: sessions that rest since then and whose digest is missing or old. */
export async function dueForAnalysis(store: Store, restingSince: number): Promise<Set<string>> {
  const due = new Set(await store.memory.toAnalyze(restingSince))
  if (due.size === 0) return new Set()
  const { sessions } = await store.sessions({ limit: 0, hidden: true })
  return new Set(sessions.filter(({ rowId }) => due.has(rowId)).map(({ uid }) => uid))
}
