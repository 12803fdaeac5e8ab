import type { Tokens } from '../model/usage.ts'
import { sessionUid } from '../model/ids.ts'
import {
  ORIGINALITY,
  isReadAgain,
  placeOf,
  type Item,
  type LeftOut,
  type Source,
  type TranscriptReader,
  type Unit,
} from '../sources/source.ts'
import type { LedgerEntry, Store, UsageFilter } from '../store/store.ts'

export type LeftOutReason = LeftOut | 'repeat' | 'embedded' | 'resumed_copy'

/** A record that told of a response which is counted elsewhere, or not at all. */
export interface LeftOutEntry extends Tokens {
  readonly key: string
  readonly sessionUid: string
  readonly thread: string | null
  readonly model: string | null
  readonly at: number | null
  readonly file: string
  readonly line: number
  readonly reason: LeftOutReason
}

export interface Audit {
  readonly counted: readonly LedgerEntry[]
  readonly leftOut: readonly LeftOutEntry[]
  /** Transcripts that are no longer there: what they repeated cannot be told. */
  readonly gone: readonly string[]
}

interface UsageRecord extends Omit<LeftOutEntry, 'reason'> {
  readonly leftOut: LeftOut | null
  readonly originality: number
}

type FoundUnit = Unit & { readonly source: Source }

/** What a sum is made of: the counted rows of the ledger, and what the same transcripts told besides. */
export async function auditUsage(store: Store, found: readonly FoundUnit[], filter: UsageFilter): Promise<Audit> {
  const counted = await store.ledger(filter)
  const paths = new Set<string>()
  for (const id of await sessionsOf(store, counted, filter)) {
    for (const file of await store.filesOf(id)) paths.add(file.path)
  }
  const units = found.filter((unit) => paths.has(placeOf(unit)))
  const here = new Set(units.map(placeOf))
  const ledger = await store.ledger({})
  const within = (at: number | null) =>
    filter.since === undefined || (at !== null && at >= filter.since && at < (filter.before ?? Infinity))
  const leftOut = await findLeftOut(units, ledger)
  return {
    counted,
    leftOut: leftOut.filter((entry) => within(entry.at)),
    gone: [...paths].filter((path) => !here.has(path)).sort(),
  }
}

async function sessionsOf(store: Store, counted: readonly LedgerEntry[], filter: UsageFilter): Promise<number[]> {
  if (filter.session !== undefined) return [filter.session]
  const ids = new Set<number>()
  for (const uid of new Set(counted.map((entry) => entry.sessionUid))) {
    const found = await store.resolve(uid)
    if (found.found === 'one') ids.add(found.id)
  }
  return [...ids]
}

/**
 * Every record of the transcripts that told of tokens and is not counted, with why. Reads the transcripts again:
 * nothing of this is kept.
 */
async function findLeftOut(units: readonly FoundUnit[], counted: readonly LedgerEntry[]): Promise<LeftOutEntry[]> {
  const owners = new Map(counted.map((entry) => [entry.key, entry.sessionUid]))
  const places = new Set(counted.map((entry) => `${entry.key}\n${entry.file}\n${entry.line}`))
  const left: LeftOutEntry[] = []
  for (const unit of units) {
    for (const record of usageRecordsIn(unit, await unit.source.reader())) {
      const place = `${record.key}\n${record.file}\n${record.line}`
      if (record.leftOut === null && places.delete(place)) continue
      const { leftOut, originality, ...entry } = record
      left.push({ ...entry, reason: leftOut ?? reasonFor(record, originality, owners) })
    }
  }
  return left
}

function reasonFor(record: UsageRecord, originality: number, owners: ReadonlyMap<string, string>): LeftOutReason {
  const owner = owners.get(record.key)
  if (originality === ORIGINALITY.embedded) return 'embedded'
  if (owner !== undefined && owner !== record.sessionUid) return 'resumed_copy'
  return originality === ORIGINALITY.copy ? 'fork_copy' : 'repeat'
}

function* usageRecordsIn({ source, ...unit }: FoundUnit, reader: TranscriptReader): Generator<UsageRecord> {
  const lanes = new Map<string, { flavor: string; originality: number }>()
  for (const item of itemsOf(reader, unit)) {
    if (item.item === 'lane') {
      lanes.set(`${item.session}\n${item.lane}`, {
        flavor: item.flavor ?? source.name,
        originality: item.originality,
      })
    }
    if (item.item !== 'usage') continue
    const lane = lanes.get(`${item.session}\n${item.lane}`)
    const flavor = lane?.flavor ?? source.name
    const { input, output, cacheRead, cacheWrite5m, cacheWrite1h, reasoning, model, at, line } = item
    yield {
      key: `${flavor}:${item.key}`,
      sessionUid: sessionUid(flavor, item.session),
      thread: /^(?:agent|embedded)-(.+)$/.exec(item.lane)?.[1] ?? null,
      model,
      at,
      input,
      output,
      cacheRead,
      cacheWrite5m,
      cacheWrite1h,
      reasoning,
      file: placeOf(unit),
      line,
      leftOut: item.leftOut ?? null,
      originality: lane?.originality ?? ORIGINALITY.main,
    }
  }
}

function itemsOf(reader: TranscriptReader, unit: Unit, hint?: unknown): readonly Item[] {
  const items: Item[] = []
  try {
    for (const record of reader.read(unit, null, hint))
      items.push(...record.filter(({ item }) => item === 'usage' || item === 'lane'))
    return items
  } catch (error) {
    if (isReadAgain(error)) return itemsOf(reader, unit, error.hint)
    throw error
  }
}
