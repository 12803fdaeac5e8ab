import type { IndexReport } from '../ingest/run.ts'
import type { Store } from '../store/store.ts'
import { analyzeSessions, type AnalysisTask } from './analyze.ts'
import { applyRetention, type DataLoss, type RetentionTask } from './apply.ts'
import { asIfAnalyzed, isDistilledOver, type Eviction, type Knobs } from './plan.ts'

export interface SweepReport {
  /** Transcripts found, and of those the ones that were new or had changed. */
  readonly discovered: number
  readonly ingested: number
  readonly analyzed: number
  readonly evicted: readonly Eviction[]
  readonly dataLoss: DataLoss | null
  readonly failed: readonly Failure[]
  /** What is durable takes more than it should; it is only told. */
  readonly distilledOver: boolean
}

/** A session that could not be analysed, and why. */
export interface Failure {
  readonly uid: string
  readonly reason: string
}

export interface SweepTask extends Omit<AnalysisTask, 'onFailure'>, Pick<RetentionTask, 'onLoss'> {
  readonly store: Store
  readonly knobs: Knobs
  readonly restMs: number
  /** Sessions that are known to have ended: they need not rest before they are analysed. */
  readonly ended: readonly string[]
  /** The disk is full: what may go goes before anything is read. */
  readonly tight: boolean
  /** Reads what is new; calls `between` whenever nothing is being written. */
  readonly index: (between: (bytesRead: number) => Promise<void>) => Promise<IndexReport>
}

/** How often the budget is looked at while much is read: so that raw text never passes the hard cap. */
const LOOK_EVERY_BYTES = 64 * 1024 * 1024

/** Rests since any time: all of it. */
const EVER = Number.MAX_SAFE_INTEGER

/** Discover, ingest, analyse, evict. While reading, the budget is kept too. */
export async function sweep(task: SweepTask): Promise<SweepReport> {
  const { store, knobs, now, onLoss } = task
  const done = { analyzed: 0, evicted: [] as Eviction[], dataLoss: null as DataLoss | null }
  const reasons = new Map<number, string>()
  const onFailure = (session: number, reason: string) => void reasons.set(session, reason)
  const analyze = async (sessions: readonly number[]) => {
    const analyzed = await analyzeSessions(store.memory, sessions, { ...task, onFailure })
    done.analyzed += analyzed
    return analyzed
  }
  const keepBudget = async (mayLose: boolean) => {
    await analyze(await dueSessions(task))
    const analyzeAll = async () => analyze(await store.memory.toAnalyze(EVER))
    const applied = await applyRetention({ memory: store.memory, knobs, now, analyzeAll, mayLose, onLoss })
    done.evicted.push(...applied.evicted)
    done.dataLoss = addLoss(done.dataLoss, applied.dataLoss)
  }
  if (task.tight) {
    await keepBudget(false)
    await store.memory.purge(done.evicted.length > 0)
  }
  const report = await readWithin(task, () => keepBudget(false))
  await keepBudget(true)
  await store.memory.purge(done.evicted.length > 0)
  const distilledOver = isDistilledOver(await store.memory.distilledBytes(), knobs)
  return { ...report, ...done, failed: await namedFailures(store, reasons), distilledOver }
}

export async function namedFailures(store: Store, reasons: ReadonlyMap<number, string>): Promise<Failure[]> {
  const named = [...reasons].map(async ([session, reason]) => ({
    uid: (await store.session(session))?.uid ?? '',
    reason,
  }))
  return Promise.all(named)
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

/** Several sweeps in a row, told as one. */
export function addReports(reports: readonly SweepReport[]): SweepReport {
  const last = reports.at(-1)
  const sum = (pick: (report: SweepReport) => number) => reports.reduce((total, report) => total + pick(report), 0)
  return {
    discovered: last?.discovered ?? 0,
    ingested: sum((report) => report.ingested),
    analyzed: sum((report) => report.analyzed),
    evicted: reports.flatMap((report) => report.evicted),
    dataLoss: reports.map((report) => report.dataLoss).reduce(addLoss, null),
    failed: last?.failed ?? [],
    distilledOver: last?.distilledOver ?? false,
  }
}

export interface Rehearsal {
  readonly store: Store
  readonly knobs: Knobs
  readonly restMs: number
  readonly now: () => number
  readonly ended: readonly string[]
}

/** What a sweep would analyse and evict of what is indexed now. Reads, analyses and drops nothing. */
export async function previewSweep(rehearsal: Rehearsal): Promise<Omit<SweepReport, 'discovered' | 'ingested'>> {
  const { store, knobs, now } = rehearsal
  const due = await dueForAnalysis(rehearsal)
  let analyzed = due
  let left = asIfAnalyzed(await store.memory.holdings(), due, now())
  const memory: RetentionTask['memory'] = {
    holdings: async () => left,
    async evict(evictions) {
      const gone = new Set(evictions.map(({ uid }) => uid))
      left = left.filter(({ uid }) => !gone.has(uid))
    },
  }
  const analyzeAll = async () => {
    analyzed = await uidsOf(store, await store.memory.toAnalyze(EVER))
    left = asIfAnalyzed(left, analyzed, now())
    return analyzed.size
  }
  const onLoss = async () => undefined
  const { evicted, dataLoss } = await applyRetention({ memory, knobs, now, analyzeAll, mayLose: true, onLoss })
  const distilledOver = isDistilledOver(await store.memory.distilledBytes(), knobs)
  return { analyzed: analyzed.size, evicted, dataLoss, failed: [], distilledOver }
}

/** Uids of what a sweep would analyse now. */
export async function dueForAnalysis(rehearsal: Omit<Rehearsal, 'knobs'>): Promise<Set<string>> {
  return uidsOf(rehearsal.store, await dueSessions(rehearsal))
}

/** Sessions whose digest is missing or old, if they rest or have ended. */
async function dueSessions({ store, restMs, now, ended }: Omit<Rehearsal, 'knobs'>): Promise<number[]> {
  const resting = await store.memory.toAnalyze(now() - restMs)
  if (ended.length === 0) return resting
  const found = await Promise.all(ended.map((uid) => store.resolve(uid)))
  const over = new Set(found.flatMap((one) => (one.found === 'one' ? [one.id] : [])))
  const others = (await store.memory.toAnalyze(EVER)).filter((id) => over.has(id) && !resting.includes(id))
  return [...resting, ...others]
}

async function uidsOf(store: Store, ids: readonly number[]): Promise<Set<string>> {
  const due = new Set(ids)
  if (due.size === 0) return new Set()
  const { sessions } = await store.sessions({ limit: 0, hidden: true })
  return new Set(sessions.filter(({ rowId }) => due.has(rowId)).map(({ uid }) => uid))
}
