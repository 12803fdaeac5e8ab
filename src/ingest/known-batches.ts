import { brotliDecompressSync } from 'node:zlib'
import { sessionUid } from '../model/ids.ts'
import type { EventRow, FileCheckpoint, LaneBatch, UnitBatch } from '../store/store.ts'
import { BodyPacker } from './bodies.ts'
import type { KnownSecrets } from './known-secrets.ts'

/** What is known of the secrets of a session; null if nothing is. */
export type KnownOf = (uid: string) => KnownSecrets | null

/** By the native id of a session. */
type KnownBySession = ReadonlyMap<string, KnownSecrets | null>

/** The same batch without what is known to be secret in its sessions; the very same if nothing is known of them. */
export function withoutKnown<Batch extends UnitBatch>(batch: Batch, knownOf: KnownOf): Batch {
  const known = new Map(batch.lanes.map((lane) => [lane.session, knownOf(sessionUid(lane.flavor, lane.session))]))
  if (![...known.values()].some((one) => one !== null)) return batch
  const bodies = repacked(batch, known)
  const packed = bodies === null ? batch : { ...batch, chunks: bodies.packer.take() }
  return wordsWithoutKnown(packed, known, bodies?.places)
}

/** As `withoutKnown`, but for what is packed. `places`: where bodies lie now that have been packed anew. */
export function wordsWithoutKnown<Batch extends UnitBatch>(
  batch: Batch,
  known: KnownBySession,
  places?: Places,
): Batch {
  const all = [...new Set(known.values())].filter((one) => one !== null)
  if (all.length === 0) return batch
  const text = (value: string): string => all.reduce((kept, one) => one.text(kept), value)
  return {
    ...batch,
    lanes: batch.lanes.map((lane) => withoutKnownIn(lane, known.get(lane.session) ?? null, places)),
    titles: batch.titles.map(({ leaf, title }) => ({ leaf, title: text(title) })),
    problems: batch.problems.map((one) => ({ ...one, type: text(one.type), message: text(one.message) })),
    checkpoint: batch.checkpoint === null ? null : withoutKnownState(batch.checkpoint, all),
  }
}

function withoutKnownState(checkpoint: FileCheckpoint, all: readonly KnownSecrets[]): FileCheckpoint {
  if (!all.some((one) => one.mayHold(checkpoint.state))) return checkpoint
  const state = all.reduce((kept, one) => one.json(kept), JSON.parse(checkpoint.state) as unknown)
  return { ...checkpoint, state: JSON.stringify(state) }
}

function withoutKnownIn(lane: LaneBatch, known: KnownSecrets | null, places?: Places): LaneBatch {
  if (known === null && places === undefined) return lane
  const events = lane.events.map((event) => {
    const body = places?.get(event) ?? event.body
    return known === null ? { ...event, body } : { ...withoutKnownWords(event, known), body }
  })
  if (known === null) return { ...lane, events }
  const facts = known.json(lane.facts) as LaneBatch['facts']
  return { ...lane, events, facts, side: known.json(lane.side) as LaneBatch['side'] }
}

function withoutKnownWords(event: EventRow, { text, json, mayHold }: KnownSecrets): EventRow {
  const of = (value: string | null): string | null => (value === null ? null : text(value))
  return {
    ...event,
    tool: of(event.tool),
    summary: of(event.summary),
    text: of(event.text),
    input: event.input !== null && mayHold(event.input) ? JSON.stringify(json(JSON.parse(event.input))) : event.input,
    eventClass: text(event.eventClass),
    base: of(event.base),
    sub: of(event.sub),
    runs: of(event.runs),
    thread: of(event.thread),
    files: event.files.map(({ path, edit }) => ({ path: text(path), edit })),
    made: event.made.map(({ kind, value }) => ({ kind, value: text(value) })),
    marks: of(event.marks),
  }
}

type Places = ReadonlyMap<EventRow, EventRow['body']>

interface Repacked {
  readonly packer: BodyPacker
  readonly places: Places
}

/** The bodies of a batch packed anew, if a known value stands in one of them. */
function repacked(batch: UnitBatch, known: KnownBySession): Repacked | null {
  const raw: Buffer[] = []
  const bodyOf = ([chunk, offset, length]: NonNullable<EventRow['body']>): string => {
    const bytes = (raw[chunk] ??= unpacked(batch.chunks[chunk]?.data ?? new Uint8Array()))
    return bytes.toString('utf8', offset, offset + length)
  }
  const kept = new Map<EventRow, string>()
  for (const { session, events } of batch.lanes) {
    const secrets = known.get(session) ?? null
    for (const event of secrets === null ? [] : events) {
      const body = event.body === null ? '' : bodyOf(event.body)
      const clean = secrets?.text(body) ?? body
      if (clean !== body) kept.set(event, clean)
    }
  }
  if (kept.size === 0) return null
  const packer = new BodyPacker()
  const places = new Map<EventRow, EventRow['body']>()
  for (const { session, events } of batch.lanes) {
    for (const event of events) {
      if (event.body !== null) places.set(event, packer.add(session, kept.get(event) ?? bodyOf(event.body)))
    }
  }
  return { packer, places }
}

function unpacked(data: Uint8Array): Buffer {
  return data.length === 0 ? Buffer.alloc(0) : brotliDecompressSync(data)
}
