import { analysisOf, type AnalysisSettings } from '../distill/analysis.ts'
import type { Digest } from '../model/digest.ts'
import { INFERRED_LANE } from '../model/event.ts'
import { firstChars } from '../model/first-chars.ts'
import type { SessionRecord } from '../model/session.ts'
import { FLAG, type EventPlace, type EventRecord, type Store } from '../store/store.ts'
import { costOfSums, ownPrices, type CostSum, type PriceTable } from './cost.ts'
import type { Quoted } from './handoff.ts'

/** Of a prompt so much is told. */
const MAX_PROMPT = 2000

/** What is left of a session's words; of `part`, only what came after an eviction. */
export type TextLeft = 'whole' | 'part' | 'gone'

/** One of two sessions. What it copied from another is counted in the other alone. */
export interface DiffSide {
  readonly session: SessionRecord
  readonly text: TextLeft
  /** Of all of it; null if its words went before there was one. */
  readonly digest: Digest | null
  readonly cost: CostSum
  /** What a person asked, without what both sessions begin with. Of a session whose words are gone, the first. */
  readonly prompts: readonly Quoted[]
  /** Calls and files, without what both sessions begin with. */
  readonly tools: Digest['tool_histogram']
  readonly files: Digest['files']
  /** The first event after what both begin with; null if it ends there, or if they have nothing in common. */
  readonly partsAt: number | null
}

/** The records that two sessions share: one is a fork of the other, or both are of a third. */
export interface CommonStart {
  readonly events: number
  readonly prompts: number
  /** The last that both have, as each numbers it. */
  readonly last: readonly [number, number]
  readonly at: number | null
}

export interface SessionDiff {
  /** Null: they share no record, or the words of one are gone. */
  readonly common: CommonStart | null
  readonly a: DiffSide
  readonly b: DiffSide
}

type DiffSettings = AnalysisSettings & { readonly prices?: PriceTable }
type Pair<T> = readonly [T, T]

/** Two sessions side by side, and where they part. Only reads. */
export async function diffSessions(
  store: Store,
  [a, b]: Pair<SessionRecord>,
  settings: DiffSettings,
): Promise<SessionDiff> {
  const history: Pair<EventPlace[]> = [await historyOf(store, a), await historyOf(store, b)]
  const shared: Pair<EventPlace[]> = [sharedWith(history[0], history[1]), sharedWith(history[1], history[0])]
  return {
    common: commonStart(shared),
    a: await readSide(store, a, { history: history[0], shared: shared[0], settings }),
    b: await readSide(store, b, { history: history[1], shared: shared[1], settings }),
  }
}

/** The conversation, what it inherits included, without what its log has lost since. */
async function historyOf(store: Store, session: SessionRecord): Promise<EventPlace[]> {
  const places = await store.places(session.rowId, false)
  return places.filter(({ lane, flags }) => lane !== INFERRED_LANE && (flags & FLAG.superseded) === 0)
}

/** Those of one history that stand in the other: copies keep their record, who spoke, and when if they tell it. */
function sharedWith(places: readonly EventPlace[], others: readonly EventPlace[]): EventPlace[] {
  const known = new Map(others.map((place) => [place.record, place]))
  return places.filter(({ record, role, at }) => {
    const other = known.get(record)
    return other?.role === role && (at === other.at || at === null || other.at === null)
  })
}

function commonStart([a, b]: Pair<readonly EventPlace[]>): CommonStart | null {
  const [last, other] = [a.at(-1), b.at(-1)]
  if (last === undefined || other === undefined) return null
  const prompts = a.filter(isPrompt).length
  return { events: a.length, prompts, last: [last.seq, other.seq], at: last.at ?? other.at }
}

function isPrompt({ kind, flags }: EventPlace): boolean {
  return kind === 'user_msg' && (flags & (FLAG.human | FLAG.remark | FLAG.sidechain)) === FLAG.human
}

interface SideRequest {
  readonly history: readonly EventPlace[]
  readonly shared: readonly EventPlace[]
  readonly settings: DiffSettings
}

async function readSide(
  store: Store,
  session: SessionRecord,
  { history, shared, settings }: SideRequest,
): Promise<DiffSide> {
  const sums = await store.insight.spent('all', { session: session.rowId })
  const cost = costOfSums(sums, ownPrices(settings.prices ?? new Map())).total
  const last = shared.at(-1)
  const partsAt = last === undefined ? null : (history[history.indexOf(last) + 1]?.seq ?? null)
  if (session.evictedAt !== null) {
    const json = await store.keeping.digest(session.uid)
    const digest = json === null ? null : (JSON.parse(json) as Digest)
    const first = digest?.first_prompt ?? null
    const prompts = first === null ? [] : [{ seq: 0, text: first }]
    return { session, text: 'gone', digest, cost, prompts, ...used(digest), partsAt }
  }
  const input = { ...(await store.keeping.analysisInput(session.rowId)), session }
  const digest = JSON.parse(analysisOf(input, settings).json) as Digest
  const isShared = new Set(shared.map(({ seq }) => seq))
  const own = input.events.filter(({ seq }) => !isShared.has(seq))
  const ownDigest =
    shared.length === 0 ? digest : (JSON.parse(analysisOf({ ...input, events: own }, settings).json) as Digest)
  const asked = history.filter((place) => isPrompt(place) && !isShared.has(place.seq)).map(({ seq }) => seq)
  const prompts = (await store.events(session.rowId, { sidechains: false, seqs: asked })).map(toPrompt)
  const text = session.partEvictedAt === null ? 'whole' : 'part'
  return { session, text, digest, cost, prompts, ...used(ownDigest), partsAt }
}

function used(digest: Digest | null): Pick<DiffSide, 'tools' | 'files'> {
  return { tools: digest?.tool_histogram ?? {}, files: digest?.files ?? [] }
}

function toPrompt({ seq, text }: EventRecord): Quoted {
  return { seq, text: firstChars((text ?? '').trim(), MAX_PROMPT) }
}

/** Null if nothing was billed, or nobody knows the price of any of it. */
export function knownUsd({ usd, responses, unpriced }: CostSum): number | null {
  return responses === unpriced ? null : usd
}

/** Every tool that either used, and how often each did; the most used first. */
export function toolRows({ a, b }: SessionDiff): { readonly tool: string; readonly a: number; readonly b: number }[] {
  const [left, right] = [new Map(Object.entries(a.tools)), new Map(Object.entries(b.tools))]
  const rows = [...new Set([...left.keys(), ...right.keys()])].map((tool) => ({
    tool,
    a: left.get(tool) ?? 0,
    b: right.get(tool) ?? 0,
  }))
  return rows.sort((x, y) => y.a + y.b - x.a - x.b || (x.tool < y.tool ? -1 : 1))
}

export interface FileRow {
  readonly path: string
  readonly a: { readonly edits: number; readonly reads: number } | null
  readonly b: { readonly edits: number; readonly reads: number } | null
}

/** Every file that either touched; first what both did. */
export function fileRows({ a, b }: SessionDiff): FileRow[] {
  const [left, right] = [a, b].map(({ files }) => new Map(files.map((file) => [file.path, file])))
  const paths = [...new Set([...a.files, ...b.files].map(({ path }) => path))]
  const rows = paths.map((path) => ({ path, a: left?.get(path) ?? null, b: right?.get(path) ?? null }))
  const isAlone = (row: FileRow) => Number(row.a === null || row.b === null)
  return rows.sort((x, y) => isAlone(x) - isAlone(y) || (x.path < y.path ? -1 : 1))
}
