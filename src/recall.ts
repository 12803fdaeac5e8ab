import type { AddedSources } from './added-sources.ts'
import { statSync } from 'node:fs'
import path from 'node:path'
import type { Groups } from './groups/face.ts'
import { keptSecretsKey } from './ingest/known-secrets-key.ts'
import { takeLock } from './ingest/lock.ts'
import { index, recreateStore, type IndexOptions } from './indexing.ts'
import type { IndexReport, Pending } from './ingest/run.ts'
import { scan, type Root } from './ingest/scan.ts'
import type { Audit } from './insight/audit.ts'
import type { Activity } from './insight/activity.ts'
import type { HandoffRequest, HandoffText } from './insight/handoff-text.ts'
import type { Insight } from './insight/insight.ts'
import { AmbiguousError, UserError } from './model/errors.ts'
import { lazily } from './model/lazily.ts'
import { splitPointer } from './model/pointers.ts'
import { domainOf, type SessionFilter, type SessionRecord } from './model/session.ts'
import { isTight, keepFirstSpare, keepSpare, useSpare } from './model/spare-room.ts'
import { dayRange } from './model/time.ts'
import { debtsOf, groupsOf, openOld, redactionOf, rootsOf, withStore, type Parts } from './parts.ts'
import type { Portables } from './portable/face.ts'
import { debtText, type OwedDebt } from './retention/debts.ts'
import type { Keeper } from './retention/keeper.ts'
import type { Evidence } from './search/evidence.ts'
import type { EmbedReport } from './search/embed/embed.ts'
import type { EmbedOptions, Semantic } from './search/embed/semantic.ts'
import type { ByMeaning, SearchRequest, SearchResult } from './search/search.ts'
import type {
  ChangeFeed,
  CheckOptions,
  EventPlace,
  PlacesPart,
  EventRecord,
  EventWindow,
  Finding,
  Store,
  StoreStatus,
} from './store/store.ts'

export type { IndexOptions } from './indexing.ts'

export interface DoctorOptions extends CheckOptions {
  readonly secrets?: boolean
}

export interface Recall extends Keeper {
  /** Brings the store up to date with the agents' files. */
  index(options?: IndexOptions): Promise<IndexReport & { backup: string | null }>
  /** Gives vectors to what has none; NO_MODEL without a model. Other indexes may run meanwhile. */
  embed(options?: EmbedOptions): Promise<EmbedReport>
  list(filter: SessionFilter): Promise<{ sessions: SessionRecord[]; total: number }>
  /** How many subagents with a session of their own each session has started, by its uid. */
  subagents(): Promise<ReadonlyMap<string, number>>
  /** The session that `id` names, or `last`, the newest; a `#45` behind it is passed over. NOT_FOUND or AMBIGUOUS otherwise. */
  find(id: string): Promise<SessionRecord>
  events(session: SessionRecord, window: EventWindow): Promise<EventRecord[]>
  /** Where its events stand, in the order in which they are read, without what they say. */
  places(session: SessionRecord, sidechains: boolean, part?: PlacesPart): Promise<EventPlace[]>
  /** Whole tool outputs and arguments by `seq`; all of a session's with null. */
  bodies(session: SessionRecord, seqs: readonly number[] | null): Promise<Map<number, string>>
  search(request: SearchRequest): Promise<SearchResult>
  /** Which records a sum is made of, and which were left out as repeats. For a session, or a day as `2026-01-31`. */
  audit(target: string): Promise<Audit>
  /** What somebody else needs to go on with a session; NOT_FOUND if nothing is left of it. */
  handoff(session: SessionRecord, request: HandoffRequest): Promise<HandoffText>
  readonly insight: Insight
  readonly activity: Activity
  readonly evidence: Evidence
  readonly groups: Groups
  readonly portable: Portables
  /** What the agents have written that is not read yet; also where there is no store. */
  waiting(): Promise<Pending>
  status(): Promise<StoreStatus>
  /** What has changed after a number, and the number to go on from. */
  changes(since: number, limit: number): Promise<ChangeFeed>
  /** What interrupted commands have left to be done; the next one that writes does it first. */
  debts(): OwedDebt[]
  /** What is wrong; with `secrets`, also what the rules still find in what is stored. */
  doctor(options?: DoctorOptions): Promise<Finding[]>
  /** Mends what is damaged; returns what came of it and what is still wrong. */
  repair(options?: DoctorOptions): Promise<Finding[]>
  /** What is damaged, in a few words; null if nothing is known to be. */
  damage(): Promise<string | null>
  roots(): Root[]
  /** What a person has added to the sources. */
  addedSources(): Promise<AddedSources>
  /** Between two questions: another process may have put another store in the place of this one. */
  lookAgain(): void
  /** Makes a store of an older program one of this. */
  bringUpToDate(): Promise<void>
  close(): Promise<void>
}

const LOOK_AGAIN_MS = 5000
const LEAVE_OPEN_MS = 10_000

/** The whole product, without a face. Opens the store when it is first needed. */
export function createRecall(parts: Parts): Recall {
  const { settings, now } = parts
  let open: Store | null = null
  let openFile = ''
  const debts = debtsOf(settings)
  const reading = () => {
    if (open === null) {
      openFile = fileAt(settings.storePath)
      open = openOld(parts, debts)
    }
    return open
  }
  const inDomain = (session: SessionRecord) => ({ ...session, domain: domainOf(session, settings.domains) })
  const lockFile = path.join(path.dirname(settings.storePath), 'recall.lock')

  const dir = path.dirname(settings.storePath)

  /** With `frees`, the work takes things away: for that there is some room even on a full disk. */
  async function locked<T>(wait: boolean, work: () => Promise<T>, frees = false): Promise<T> {
    if (frees && isTight(dir)) useSpare(dir)
    const lock = await takeLock(lockFile, wait)
    try {
      keepFirstSpare(settings.storePath)
      await payDebts()
      return await work()
    } finally {
      keepSpare(settings.storePath)
      lock.release()
    }
  }

  /** Brings to its end what an interrupted command has begun, the oldest first. */
  async function payDebts(): Promise<void> {
    debts.dropDrafts()
    for (const owed of debts.list()) {
      if (owed.debt.kind === 'forget') await withStore(parts, (store) => keeper.payForget(store, owed))
      else await (await import('./restoring.ts')).endInterrupted(parts, owed)
    }
  }

  async function find(name: string): Promise<SessionRecord> {
    const { session: id } = splitPointer(name)
    if (id === 'last') return newest()
    const resolution = await reading().resolve(id)
    if (resolution.found === 'many') throw ambiguous(id, resolution.candidates)
    const session = resolution.found === 'one' ? await reading().session(resolution.id) : null
    if (session !== null) return inDomain(session)
    const hint = id.includes('#')
      ? 'behind the # of a session stands what `recall show` prints: 45, or k3f9x2a.12'
      : '`recall list` shows what there is; a prefix needs 6 characters'
    throw new UserError('NOT_FOUND', `no session ${id}`, hint)
  }

  /** The first that `list` would tell. */
  async function newest(): Promise<SessionRecord> {
    const first = async (filter: Omit<SessionFilter, 'limit'>) =>
      (await reading().sessions({ ...filter, limit: 1 })).sessions[0]
    const session = (await first({ empty: false, automated: false })) ?? (await first({ hidden: true }))
    if (session !== undefined) return inDomain(session)
    throw new UserError('NOT_FOUND', 'there is no session yet', '`recall index` reads what there is')
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

  async function pending(store: Pick<Store, 'files' | 'checkpoint'>, source?: string): Promise<Pending> {
    const { countPending } = await import('./ingest/run.ts')
    return countPending({ store, roots: rootsOf(parts, source), redaction: redactionOf(settings), full: false })
  }

  async function waiting(): Promise<Pending> {
    try {
      return await pending(reading())
    } catch (error) {
      if (!(error instanceof UserError) || error.code !== 'NO_STORE') throw error
      return pending({ files: async () => new Map(), checkpoint: () => Promise.reject(error) })
    }
  }

  /** As somebody would see it who opens the store now. */
  async function reopened<T>(work: () => Promise<T>): Promise<T> {
    await open?.close()
    open = null
    return work()
  }

  const addedSources = async () => (await import('./added-sources.ts')).addedSources(parts)

  async function doctor({ secrets = false, ...options }: DoctorOptions = {}): Promise<Finding[]> {
    const { examine } = await import('./ingest/doctor.ts')
    const findings = await examine({
      storePath: settings.storePath,
      lockFile,
      roots: rootsOf(parts),
      owed: debts.list().map(({ debt }) => debtText(debt)),
      caps: { distilledCapBytes: settings.distilledCapBytes },
      open: reading,
      checkFiles: () => parts.files.check(settings.storePath),
      options,
    })
    findings.push(...(await (await addedSources()).findings()))
    if (!secrets) return findings
    const { knownByPlace, scanSecrets } = await import('./ingest/secrets-scan.ts')
    const known = knownByPlace(keptSecretsKey(settings.storePath), await reading().knownSecrets())
    return [...findings, ...scanSecrets(await reading().texts(), redactionOf(settings), known)]
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

  const keeper = lazily<Keeper>(async () => {
    const { keeperOf } = await import('./keepers.ts')
    return keeperOf(parts, { reading, locked, inDomain, find, redact, pending, debts })
  })

  const face: Omit<Recall, keyof Keeper> = {
    async index(options = {}) {
      looked.clear()
      return locked(options.wait ?? false, () => index(parts, options))
    },
    embed: async (options = {}) => (await meanings()).embed(options),
    async list(filter) {
      const { sessions, total } = await reading().sessions(filter)
      return { sessions: sessions.map(inDomain), total }
    },
    subagents: () => reading().subagents(),
    find,
    events: (session, window) => reading().events(session.rowId, window),
    places: (session, sidechains, part) => reading().places(session.rowId, sidechains, part),
    bodies: (session, seqs) => reading().bodies(session.rowId, seqs),
    async search(request) {
      const { search } = await import('./search/search.ts')
      const found = await search(reading(), request, await meaningOf(request))
      if (found.hits.length === 0 && !request.isLive) return { ...found, explain: await explained(found, request) }
      return { ...found, hits: found.hits.map((hit) => ({ ...hit, session: inDomain(hit.session) })) }
    },
    async audit(target) {
      const { auditUsage } = await import('./insight/audit.ts')
      const filter = dayRange(target) ?? { session: (await find(target)).rowId }
      const { eachTranscript } = await import('./ingest/inner-jobs.ts')
      return auditUsage(reading(), await eachTranscript(scan(rootsOf(parts)).units), filter)
    },
    async handoff(session, request) {
      const { handoff } = await import('./insight/handoff-text.ts')
      return handoff(reading(), session, settings, request)
    },
    insight: lazily(async () => {
      const { createInsight } = await import('./insight/insight.ts')
      return createInsight({ reading, settings, now })
    }),
    activity: lazily(async () => {
      const { createActivity } = await import('./insight/activity.ts')
      return createActivity({ reading, settings, now })
    }),
    evidence: lazily(async () => {
      const { createEvidence } = await import('./search/evidence.ts')
      return createEvidence(reading, now)
    }),
    groups: lazily(() => groupsOf(parts)),
    portable: lazily(async () => {
      const { portablesOf } = await import('./portables.ts')
      return portablesOf(parts, { reading, locked, face, keeper })
    }),
    waiting,
    status: () => reading().status(),
    changes: (since, limit) => reading().changesSince(since, limit),
    debts: () => debts.list(),
    doctor,
    repair: (options = {}) =>
      locked(true, async () => {
        const { repair } = await import('./ingest/repair.ts')
        return repair({
          check: () => reopened(() => doctor({ ...options, deep: true })),
          heal: () => parts.files.heal(settings.storePath),
          recreate: (onLost) => recreateStore(parts, { onProblem: (_, what) => onLost(what) }),
          open: reading,
        })
      }),
    damage: () => parts.files.damageOf(settings.storePath),
    roots: () => rootsOf(parts),
    addedSources,
    lookAgain() {
      const old = open
      if (old === null || fileAt(settings.storePath) === openFile) return
      open = null
      // Who has begun a question on it may end it.
      setTimeout(() => void old.close(), LEAVE_OPEN_MS).unref()
    },
    bringUpToDate: () => locked(true, () => withStore(parts, async () => undefined)),
    async close() {
      await semantic?.close()
      await open?.close()
      open = null
    },
  }
  // Whatever this face does not answer itself, the keeper does, loaded when it is first asked.
  return Object.assign(Object.create(keeper) as Keeper, face)
}

/** Which file lies there: not its name, but the file itself. */
function fileAt(place: string): string {
  const stats = statSync(place, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? '' : `${stats.dev}:${stats.ino}`
}

function ambiguous(id: string, candidates: readonly SessionRecord[]): UserError {
  const named = candidates.map(({ uid, shortId, title }) => ({ session_uid: uid, id: shortId, title }))
  return new AmbiguousError(id, named)
}
