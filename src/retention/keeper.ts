import type { Debt, Debts, OwedDebt } from './debts.ts'
import type { Hub } from '../hub/hub.ts'
import type { IndexProgress, IndexReport } from '../ingest/run.ts'
import type { Scan } from '../ingest/scan.ts'
import type { DigestInput, Pattern } from '../model/digest.ts'
import type { SessionRecord } from '../model/session.ts'
import { plural } from '../model/text.ts'
import type { SessionSignal, SignalFilter } from '../store/activity.ts'
import type { Analysis, Said } from '../store/keeping.ts'
import type { Store } from '../store/store.ts'
import type { DataLoss } from './apply.ts'
import type { Budget } from './budget.ts'
import type { Knobs } from './plan.ts'
import type { Endangered } from './rescue.ts'
import type { Failure, SweepReport } from './sweep.ts'

export interface SweepOptions extends IndexProgress {
  readonly dryRun?: boolean
  readonly wait?: boolean
  /** Uids of sessions that are known to have ended: analysed though they do not rest yet. */
  readonly ended?: readonly string[]
}

export interface AnalyzeOptions {
  readonly all?: boolean
  readonly wait?: boolean
  /** Only this one, whether it rests or not; if its digest is missing or old. */
  readonly session?: SessionRecord
}

/** The bounded memory: what is analysed, kept, let go and told to others. */
export interface Keeper {
  sweep(options?: SweepOptions): Promise<SweepReport>
  analyze(options?: AnalyzeOptions): Promise<{ analyzed: number; failed: readonly Failure[] }>
  budget(): Promise<Budget>
  /** The stored digest of a session by uid, short id or prefix, byte for byte; null if there is none. */
  digest(id: string): Promise<string | null>
  /** The most telling first. */
  signals(filter: SignalFilter): Promise<SessionSignal[]>
  /** Signals that recur in several sessions. */
  patterns(filter: { readonly since?: number }): Promise<Pattern[]>
  /** Returns the `seq` of the event it became. */
  decide(session: SessionRecord, text: string): Promise<number>
  /** Leaves a note in the hub. Returns why it could not be posted, null if it was or need not be. */
  note(text: string): Promise<string | null>
  /** Returns the processes that still hold the store as it was: the last bytes go when they are gone. */
  forget(sessions: readonly SessionRecord[]): Promise<readonly number[]>
  /** Ends what an interrupted `forget` has left. */
  payForget(store: Store, owed: OwedDebt): Promise<void>
  unforget(uid: string): Promise<boolean>
  /** Lets the next index read the raw text of an evicted session again. */
  restore(session: SessionRecord): Promise<void>
  /** Tags are put on and taken off, a title is given or taken back: what a person says, without secrets. */
  describe(session: SessionRecord, said: Said): Promise<void>
  /** Transcripts that their agents delete before `until`. */
  rescue(until: number): Promise<Endangered[]>
  /** Confirms that losses were seen; returns how many. */
  acknowledge(): Promise<number>
}

export interface KeeperParts {
  readonly knobs: Knobs
  readonly restMs: number
  readonly now: () => number
  readonly hub: Hub
  readonly reading: () => Store
  /** Runs work on the store as its one writer. */
  readonly writing: <T>(wait: boolean, work: (store: Store) => Promise<T>, frees?: boolean) => Promise<T>
  /** Whether the disk is so full that nothing should be added before something is taken away. */
  readonly isTight: () => boolean
  readonly index: (
    store: Store,
    options: SweepOptions,
    between: (bytesRead: number) => Promise<void>,
  ) => Promise<IndexReport>
  /** Loaded when it is first needed. */
  readonly analyzer: () => Promise<{ readonly analyze: (input: DigestInput) => Analysis; readonly revision: string }>
  readonly scan: () => Scan
  readonly find: (id: string) => Promise<SessionRecord>
  /** Takes secrets out of what a person types. */
  readonly redact: (text: string) => Promise<string>
  /** How many transcripts there are, and how many of them an index would read. */
  readonly pending: (store: Store) => Promise<{ found: number; changed: number }>
  /** Databases that were set aside: what is forgotten must go from them too. */
  readonly backups: () => readonly string[]
  readonly debts: Debts
  /** Other processes that have the store open. */
  readonly holders: () => number[]
  /** Takes sessions out of the queue of hooks and out of journals. */
  readonly forgetBeside: (uids: readonly string[]) => Promise<void>
  readonly rememberBeside: (uid: string) => Promise<void>
  readonly openForWriting: (location: string) => Promise<Store>
}

export function createKeeper(parts: KeeperParts): Keeper {
  const { knobs, now, hub, reading, writing } = parts
  const onDigests = (jsons: readonly string[]) =>
    hub.tell('digests', ...jsons.map((json) => JSON.parse(json) as Record<string, unknown>))
  const analysis = async (store: Store) => {
    const { analyze, revision } = await parts.analyzer()
    await store.keeping.renewAnalyses(revision)
    return { analyze, now, onDigests }
  }

  /**
   * Takes sessions out of everything that recall keeps. Every step may be done again, and is while a reader or a full
   * disk keeps the last bytes from going.
   */
  async function payForget(store: Store, { id, debt }: OwedDebt): Promise<void> {
    if (debt.kind !== 'forget') return
    await forgetIn(store, debt.uids, now())
    hub.forget(debt.uids)
    await parts.forgetBeside(debt.uids)
    for (const backup of parts.backups()) {
      const old = await parts.openForWriting(backup)
      try {
        await forgetIn(old, debt.uids, now())
      } finally {
        await old.close()
      }
    }
    if (!(await store.keeping.owesPurge())) parts.debts.paid(id)
  }

  return {
    sweep(options = {}) {
      const { ended = [] } = options
      if (options.dryRun) return preview(parts, ended)
      return writing(
        options.wait ?? false,
        async (store) => {
          const index = (between: (bytesRead: number) => Promise<void>) => parts.index(store, options, between)
          const { sweep } = await import('./sweep.ts')
          const onLoss = (loss: DataLoss) => tellLoss(store, hub, loss.sessions, now())
          const tight = parts.isTight()
          const task = { store, knobs, restMs: parts.restMs, index, ended, onLoss, tight, ...(await analysis(store)) }
          const report = await sweep(task)
          if (report.distilledOver) await tellCap(store, hub, now())
          await hub.deliver()
          return report
        },
        true,
      )
    },
    analyze: ({ all = false, wait = false, session } = {}) =>
      writing(wait, async (store) => {
        const [{ analyzeSessions }, { namedFailures }] = await Promise.all([
          import('./analyze.ts'),
          import('./sweep.ts'),
        ])
        const reasons = new Map<number, string>()
        const onFailure = (failed: number, reason: string) => void reasons.set(failed, reason)
        const task = { ...(await analysis(store)), onFailure }
        const resting = session === undefined ? now() - parts.restMs : Number.MAX_SAFE_INTEGER
        const due = all ? await everySession(store) : await store.keeping.toAnalyze(resting)
        const sessions = session === undefined ? due : due.filter((id) => id === session.rowId)
        const analyzed = await analyzeSessions(store.keeping, sessions, task)
        return { analyzed, failed: await namedFailures(store, reasons) }
      }),
    async budget() {
      const { readBudget } = await import('./budget.ts')
      return readBudget({ store: reading(), knobs, restMs: parts.restMs, now, ended: [] })
    },
    async digest(id) {
      const { keeping } = reading()
      return (await keeping.digest(id)) ?? keeping.digest((await parts.find(id)).uid)
    },
    async signals(filter) {
      const { orderSignals } = await import('../distill/signal-order.ts')
      return orderSignals(await reading().activity.signals(filter))
    },
    async patterns(filter) {
      const { findPatterns } = await import('../distill/patterns.ts')
      const signals = await reading().activity.signals(filter)
      return findPatterns(signals.map((signal) => ({ uid: signal.sessionUid, signal })))
    },
    decide: (session, words) =>
      writing(true, async (store) => {
        const text = await parts.redact(words)
        const ts = new Date(now()).toISOString()
        const tell = (seq: number) => hub.tell('decisions', { session_uid: session.uid, seq, text, ts })
        const seq = await store.keeping.decide(session.rowId, text, now(), tell)
        await hub.deliver()
        return seq
      }),
    async note(text) {
      hub.tell('notes', { kind: 'progress', text: await parts.redact(text), ts: new Date(now()).toISOString() })
      return (await hub.deliver()).failure
    },
    forget: (sessions) =>
      writing(
        true,
        async (store) => {
          const debt: Debt = { kind: 'forget', since: now(), uids: sessions.map((session) => session.uid) }
          await payForget(store, { id: parts.debts.owe(debt), debt })
          return (await store.keeping.owesPurge()) ? parts.holders() : []
        },
        true,
      ),
    payForget,
    unforget: (uid) =>
      writing(true, async (store) => {
        await parts.rememberBeside(uid)
        return store.keeping.unforget(uid)
      }),
    restore: (session) => writing(true, (store) => store.keeping.restore(session.rowId)),
    describe: async (session, said) => {
      const clean = await cleanWords(said, parts.redact)
      return writing(true, (store) => store.keeping.describe(session.rowId, clean, now()))
    },
    async rescue(until) {
      const { findEndangered } = await import('./rescue.ts')
      const { sessions } = await reading().sessions({ limit: 0, hidden: true })
      return findEndangered(parts.scan(), { files: await reading().files(), sessions }, until)
    },
    acknowledge: () => writing(true, (store) => store.keeping.acknowledge(now())),
  }
}

async function cleanWords(said: Said, redact: (text: string) => Promise<string>): Promise<Said> {
  if ('tag' in said) return { ...said, tag: await redact(said.tag) }
  return { title: said.title === null ? null : await redact(said.title) }
}

/** What a sweep would find, read, analyse and evict now. What it reads may change what it evicts. */
async function preview(parts: KeeperParts, ended: readonly string[]): Promise<SweepReport> {
  const { reading, knobs, now, restMs, pending } = parts
  const { previewSweep } = await import('./sweep.ts')
  const store = reading()
  const { found, changed } = await pending(store)
  return { discovered: found, ingested: changed, ...(await previewSweep({ store, knobs, restMs, now, ended })) }
}

async function forgetIn(store: Store, uids: readonly string[], now: number): Promise<void> {
  const found = await Promise.all(uids.map((uid) => store.resolve(uid)))
  const sessions = found.flatMap((one) => (one.found === 'one' ? [one.id] : []))
  if (sessions.length > 0) await store.keeping.forget(sessions, now)
  else await store.keeping.purge(true)
}

async function everySession(store: Store): Promise<number[]> {
  const { sessions } = await store.sessions({ limit: 0, hidden: true })
  return sessions.filter((session) => session.evictedAt === null && session.eventCount > 0).map(({ rowId }) => rowId)
}

const OVER_CAP = 'session_memory.distilled_cap'

/** Digests are the product: above their cap they are told of, until somebody says they have seen it, and never dropped. */
async function tellCap(store: Store, hub: Hub, at: number): Promise<void> {
  const known = await store.keeping.notices()
  if (known.some(({ kind }) => kind === OVER_CAP)) return
  const message = 'digests, signals and ledger take more than distilled_cap_bytes: none is dropped'
  hub.tell('notes', { kind: OVER_CAP, text: message, ts: new Date(at).toISOString() })
  await store.keeping.addNotice(OVER_CAP, message, at)
}

async function tellLoss(store: Store, hub: Hub, sessions: readonly string[], at: number): Promise<void> {
  const message = `${plural(sessions.length, 'session')} dropped before analysis: the store was above its hard cap`
  hub.tell('notes', { kind: 'session_memory.data_loss', text: message, sessions, ts: new Date(at).toISOString() })
  await store.keeping.addNotice('session_memory.data_loss', message, at)
}
