import { existsSync } from 'node:fs'
import path from 'node:path'
import { Hub } from './hub/hub.ts'
import { backupPath, backupsOf, clearStore, setAside } from './ingest/backups.ts'
import { holdersOf } from './ingest/holders.ts'
import { takeLock } from './ingest/lock.ts'
import type { Reader } from './ingest/reader.ts'
import type { IndexProgress, IndexReport, IndexTask } from './ingest/run.ts'
import { scan, type Root } from './ingest/scan.ts'
import type { RedactionConfig } from './ingest/redact-config.ts'
import type { Audit } from './insight/audit.ts'
import type { Chronicle } from './insight/chronicle.ts'
import type { Insight } from './insight/insight.ts'
import type { DigestInput } from './model/digest.ts'
import { AmbiguousError, UserError } from './model/errors.ts'
import { lazily } from './model/lazily.ts'
import { domainOf, type SessionFilter, type SessionRecord } from './model/session.ts'
import { dayRange } from './model/time.ts'
import { Debts, debtText, type Debt, type OwedDebt } from './retention/debts.ts'
import { createKeeper, type Keeper } from './retention/keeper.ts'
import type { Evidence } from './search/evidence.ts'
import type { EmbedReport } from './search/embed/embed.ts'
import type { EmbedOptions, Semantic } from './search/embed/semantic.ts'
import type { ByMeaning, SearchRequest, SearchResult } from './search/search.ts'
import type { Settings } from './settings/settings.ts'
import type { Env, Source } from './sources/source.ts'
import type {
  EventRecord,
  EventWindow,
  Finding,
  Store,
  StoreStatus,
  UsageFilter,
  UsageKey,
  UsageSum,
} from './store/store.ts'

/** What the product is made of. Everything outside comes in here. */
export interface Parts {
  readonly settings: Settings
  readonly sources: readonly Source[]
  readonly env: Env
  readonly now: () => number
  readonly openForReading: (location: string, now: () => number) => Store
  readonly openForWriting: (location: string, now: () => number) => Promise<Store>
  /** Reads on a second thread, where the program can start one. */
  readonly worker?: Reader
}

export interface IndexOptions extends IndexProgress {
  readonly source?: string
  readonly full?: boolean
  readonly recreate?: boolean
  readonly wait?: boolean
}

export interface Recall extends Keeper {
  /** Brings the store up to date with the agents' files. */
  index(options?: IndexOptions): Promise<IndexReport & { backup: string | null }>
  /** Gives vectors to what has none; NO_MODEL without a model. Other indexes may run meanwhile. */
  embed(options?: EmbedOptions): Promise<EmbedReport>
  list(filter: SessionFilter): Promise<{ sessions: SessionRecord[]; total: number }>
  /** The session that `id` names; NOT_FOUND or AMBIGUOUS otherwise. */
  find(id: string): Promise<SessionRecord>
  events(session: SessionRecord, window: EventWindow): Promise<EventRecord[]>
  /** Whole tool outputs and arguments by `seq`; all of a session's with null. */
  bodies(session: SessionRecord, seqs: readonly number[] | null): Promise<Map<number, string>>
  search(request: SearchRequest): Promise<SearchResult>
  /** Sums of the ledger: what was billed, each response once. */
  usage(by: UsageKey, filter: UsageFilter): Promise<UsageSum[]>
  /** Which records a sum is made of, and which were left out as repeats. For a session, or a day as `2026-01-31`. */
  audit(target: string): Promise<Audit>
  readonly insight: Insight
  readonly chronicle: Chronicle
  readonly evidence: Evidence
  status(): Promise<StoreStatus>
  /** What interrupted commands have left to be done; the next one that writes does it first. */
  debts(): OwedDebt[]
  /** What is wrong; with `secrets`, also what the rules still find in what is stored. */
  doctor(options?: { readonly secrets?: boolean }): Promise<Finding[]>
  roots(): Root[]
  /** Makes a store of an older program one of this. */
  bringUpToDate(): Promise<void>
  close(): Promise<void>
}

const LOOK_AGAIN_MS = 5000
const JOURNAL_DIR = 'time-metrics'

/** The whole product, without a face. Opens the store when it is first needed. */
export function createRecall(parts: Parts): Recall {
  const { settings, now } = parts
  let open: Store | null = null
  const debts = debtsOf(settings)
  const reading = () => (open ??= openOld(parts, debts))
  const inDomain = (session: SessionRecord) => ({ ...session, domain: domainOf(session, settings.domains) })
  const lockFile = path.join(path.dirname(settings.storePath), 'recall.lock')

  async function locked<T>(wait: boolean, work: () => Promise<T>): Promise<T> {
    const lock = await takeLock(lockFile, wait)
    try {
      await payDebts()
      return await work()
    } finally {
      lock.release()
    }
  }

  /** Brings to its end what an interrupted command has begun, the oldest first. */
  async function payDebts(): Promise<void> {
    debts.dropDrafts()
    for (const owed of debts.list()) {
      if (owed.debt.kind === 'recreate') await recreate(parts, owed.id, owed.debt, {})
      else await withStore(parts, (store) => keeper.payForget(store, owed))
    }
  }

  async function find(id: string): Promise<SessionRecord> {
    const resolution = await reading().resolve(id)
    if (resolution.found === 'many') throw ambiguous(id, resolution.candidates)
    const session = resolution.found === 'one' ? await reading().session(resolution.id) : null
    if (session !== null) return inDomain(session)
    throw new UserError(
      'NOT_FOUND',
      `no session ${id}`,
      '`recall list` shows what there is; a prefix needs 6 characters',
    )
  }

  async function redact(text: string): Promise<string> {
    const { createRedactor } = await import('./ingest/redact.ts')
    return createRedactor(redactionOf(settings)).text(text)
  }

  let semantic: Semantic | null = null
  async function meanings(): Promise<Semantic> {
    const { createSemantic } = await import('./search/embed/semantic.ts')
    return (semantic ??= createSemantic({ settings, reading, now, redact }))
  }

  /** Nothing if search is to be by words alone, or if nobody insists and there is no model. */
  async function meaningOf({
    text,
    mode: asked = 'auto',
    inResults,
    now,
    onNote,
  }: SearchRequest): Promise<ByMeaning | undefined> {
    const mode = asked === 'auto' ? settings.searchMode : asked
    if (mode === 'keyword' || inResults) return undefined
    const { readFilters } = await import('./search/filters.ts')
    const meaning = await (await meanings()).meaning(readFilters(text, now).rest, asked !== 'auto', onNote)
    return meaning === null ? undefined : { ...meaning, mode, alpha: settings.searchAlpha }
  }

  async function pending(store: Store, source?: string): Promise<{ found: number; changed: number }> {
    const { countPending } = await import('./ingest/run.ts')
    return countPending(indexTask(parts, store, source === undefined ? {} : { source }))
  }

  const looked = new Map<string | undefined, { readonly at: number; readonly changed: number }>()

  /** How many transcripts wait to be read; questions in quick succession look at the disk once. */
  async function unread(source: string | undefined): Promise<number> {
    const before = looked.get(source)
    if (before !== undefined && now() - before.at < LOOK_AGAIN_MS) return before.changed
    const { changed } = await pending(reading(), source)
    looked.set(source, { at: now(), changed })
    return changed
  }

  /** Nothing was found, perhaps because it was not read yet. */
  async function explained({ explain }: SearchResult, { filter }: SearchRequest): Promise<SearchResult['explain']> {
    if (explain?.reason === 'filtered') return explain
    const changed = await unread(filter.source)
    return changed === 0 ? explain : { reason: 'not_indexed', count: changed }
  }

  const keeper = createKeeper({
    knobs: settings,
    restMs: settings.restMinutes * 60_000,
    now,
    hub: hubOf(settings),
    reading,
    writing: (wait, work) => locked(wait, () => withStore(parts, work)),
    async index(store, options, between) {
      return indexAndJudge({ ...indexTask(parts, store, options), between })
    },
    async analyzer() {
      const { analysisOf, analysisRevision } = await import('./distill/analysis.ts')
      const analyze = (input: DigestInput) => analysisOf({ ...input, session: inDomain(input.session) }, settings)
      return { analyze, revision: analysisRevision(settings) }
    },
    scan: () => scan(rootsOf(parts)),
    find,
    redact,
    pending,
    backups: () => backupsOf(settings.storePath),
    debts,
    holders: () => holdersOf(settings.storePath),
    async forgetBeside(uids) {
      const { forgetQueued, queueDir } = await import('./capture/queue.ts')
      forgetQueued(queueDir(settings.dataDir), new Set(uids))
      const { forgetJournaled } = await import('./insight/journals.ts')
      forgetJournaled(settings.journalDir ?? path.join(path.dirname(settings.storePath), JOURNAL_DIR), uids)
    },
    openForWriting: (location) => parts.openForWriting(location, now),
  })

  return {
    ...keeper,
    async index(options = {}) {
      looked.clear()
      return locked(options.wait ?? false, () => index(parts, options))
    },
    embed: async (options = {}) => (await meanings()).embed(options),
    async list(filter) {
      const { sessions, total } = await reading().sessions(filter)
      return { sessions: sessions.map(inDomain), total }
    },
    find,
    events: (session, window) => reading().events(session.rowId, window),
    bodies: (session, seqs) => reading().bodies(session.rowId, seqs),
    async search(request) {
      const { search } = await import('./search/search.ts')
      const found = await search(reading(), request, await meaningOf(request))
      if (found.hits.length === 0) return { ...found, explain: await explained(found, request) }
      return { ...found, hits: found.hits.map((hit) => ({ ...hit, session: inDomain(hit.session) })) }
    },
    usage: (by, filter) => reading().usage(by, filter),
    async audit(target) {
      const { auditUsage } = await import('./insight/audit.ts')
      const filter = dayRange(target) ?? { session: (await find(target)).rowId }
      return auditUsage(reading(), scan(rootsOf(parts)).units, filter)
    },
    insight: lazily(async () => {
      const { createInsight } = await import('./insight/insight.ts')
      return createInsight({ reading, settings, now })
    }),
    chronicle: lazily(async () => {
      const { createChronicle } = await import('./insight/chronicle.ts')
      return createChronicle({ reading, settings, now })
    }),
    evidence: lazily(async () => {
      const { createEvidence } = await import('./search/evidence.ts')
      return createEvidence(reading, now)
    }),
    status: () => reading().status(),
    debts: () => debts.list(),
    async doctor({ secrets = false } = {}) {
      const { examine } = await import('./ingest/doctor.ts')
      const owed = debts.list().map(({ debt }) => debtText(debt))
      const findings = await examine({
        storePath: settings.storePath,
        lockFile,
        roots: rootsOf(parts),
        owed,
        caps: { distilledCapBytes: settings.distilledCapBytes },
        open: reading,
      })
      if (!secrets) return findings
      const { scanSecrets } = await import('./ingest/secrets-scan.ts')
      return [...findings, ...scanSecrets(await reading().texts(), redactionOf(settings))]
    },
    roots: () => rootsOf(parts),
    bringUpToDate: () => locked(true, () => withStore(parts, async () => undefined)),
    async close() {
      await semantic?.close()
      await open?.close()
      open = null
    },
  }
}

function hubOf(settings: Settings): Hub {
  return new Hub(path.join(path.dirname(settings.storePath), 'hub'), settings.hubUrl)
}

function redactionOf(settings: Settings): RedactionConfig {
  return { rules: settings.redactionRules, allow: settings.redactionAllow }
}

function rootsOf(parts: Parts, only?: string): Root[] {
  const chosen = parts.sources.filter((source) => only === undefined || source.name === only)
  return chosen.flatMap((source) =>
    (parts.settings.roots.get(source.name) ?? source.roots(parts.env)).map((dir) => ({ source, dir })),
  )
}

async function withStore<T>(parts: Parts, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await parts.openForWriting(parts.settings.storePath, parts.now)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

function indexTask(parts: Parts, store: Store, options: IndexOptions): IndexTask {
  const { full = false, source, recreate: _, wait: __, ...progress } = options
  const worker = parts.worker === undefined ? {} : { worker: parts.worker }
  const { sources, now, settings } = parts
  const redaction = redactionOf(settings)
  const onNewRules: IndexTask['onNewRules'] = (redactor) => hubOf(settings).change(redactor.json)
  const task = { store, roots: rootsOf(parts, source), sources, full, redaction, fields: settings.ftsFields }
  return { ...task, onNewRules, now, ...worker, ...progress }
}

async function index(parts: Parts, options: IndexOptions) {
  const { settings, now } = parts
  if (!options.recreate || !existsSync(settings.storePath)) {
    const report = await withStore(parts, (store) => indexAndJudge(indexTask(parts, store, options)))
    return { ...report, backup: null }
  }
  const since = now()
  const debt = { kind: 'recreate', since, backup: backupPath(settings.storePath, since), aside: false } as const
  return recreate(parts, debtsOf(settings).owe(debt), debt, options)
}

/** Makes the store anew from the transcripts and the old store. Begun again after an interruption, it ends the same. */
async function recreate(parts: Parts, id: string, debt: Debt & { kind: 'recreate' }, options: IndexOptions) {
  const { settings } = parts
  const debts = debtsOf(settings)
  const { backup } = debt
  if (!debt.aside) setAside(settings.storePath, backup)
  else clearStore(settings.storePath)
  debts.change(id, { ...debt, aside: true })
  const report = await withStore(parts, async (store) => {
    await carryOver(store, backup, 'before', options)
    const made = await indexAndJudge(indexTask(parts, store, options))
    await carryOver(store, backup, 'after', options)
    return made
  })
  debts.paid(id)
  return { ...report, backup }
}

function debtsOf(settings: Settings): Debts {
  return new Debts(path.join(path.dirname(settings.storePath), 'debts'))
}

/** Where there is no store because a command was interrupted, it says so. */
function openOld(parts: Parts, debts: Debts): Store {
  const { settings, now } = parts
  try {
    return parts.openForReading(settings.storePath, now)
  } catch (error) {
    const halted = error instanceof UserError && error.code === 'NO_STORE'
    if (!halted || !debts.list().some(({ debt }) => debt.kind === 'recreate')) throw error
    const message = `${settings.storePath} was being made anew when that was interrupted`
    throw new UserError('NO_STORE', message, '`recall index` goes on from the old store', error)
  }
}

/** Reads what is new, and has kept what reports would have to read all events for. */
async function indexAndJudge(task: IndexTask): Promise<IndexReport> {
  const { runIndex } = await import('./ingest/run.ts')
  const report = await runIndex(task)
  const { keepForms } = await import('./insight/permissions/keep-forms.ts')
  await keepForms(task.store)
  const { keepCourses } = await import('./insight/keep-courses.ts')
  await keepCourses(task.store)
  return report
}

/** What an old store is if nothing can ever be read from it. Of a full disk or a lock, the next command makes up. */
const UNREADABLE: ReadonlySet<string> = new Set(['STORE_BROKEN', 'STORE_NEWER', 'NO_STORE'])

async function carryOver(store: Store, backup: string, when: 'before' | 'after', options: IndexOptions): Promise<void> {
  try {
    await store.carryOver(backup, when)
  } catch (error) {
    if (!(error instanceof UserError) || !UNREADABLE.has(error.code)) throw error
    options.onProblem?.(backup, `nothing could be carried over: ${error.message}`)
  }
}

function ambiguous(id: string, candidates: readonly SessionRecord[]): UserError {
  const told = candidates.map(({ uid, shortId, title }) => ({ session_uid: uid, id: shortId, title }))
  return new AmbiguousError(id, told)
}
