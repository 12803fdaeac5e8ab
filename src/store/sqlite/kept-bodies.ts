import { brotliDecompressSync } from 'node:zlib'
import { packChunk } from '../blobs/packs.ts'
import type { EventRow, LaneBatch, UnitBatch } from '../store.ts'

export interface KeptBodies {
  readonly chunks: UnitBatch['chunks']
  readonly words: ReadonlyMap<LaneBatch, readonly EventRow[]>
}

/**
 * The chunks of a batch of which only some events are kept, without the bodies of the others: what was evicted is not
 * to come back in the company of what is new.
 */
export function keptBodies(batch: UnitBatch, words: ReadonlyMap<LaneBatch, readonly EventRow[]>): KeptBodies {
  const kept = [...words.values()].flat().filter(({ body }) => body !== null)
  const places = new Map<EventRow, NonNullable<EventRow['body']>>()
  const chunks = batch.chunks.map((chunk, i) => {
    const own = kept.filter(({ body }) => body?.[0] === i)
    // One body may be several events'.
    const lengths = new Map(own.map(({ body }) => [body?.[1] ?? 0, body?.[2] ?? 0]))
    const bytes = [...lengths.values()].reduce((sum, length) => sum + length, 0)
    if (bytes >= chunk.rawBytes) return chunk
    const raw = brotliDecompressSync(chunk.data)
    const parts: Buffer[] = []
    const moved = new Map<number, number>()
    let at = 0
    for (const [offset, length] of lengths) {
      parts.push(raw.subarray(offset, offset + length))
      moved.set(offset, at)
      at += length
    }
    for (const event of own) {
      const [, offset = 0, length = 0] = event.body ?? []
      places.set(event, [i, moved.get(offset) ?? 0, length])
    }
    return { ...chunk, data: packChunk(Buffer.concat(parts)), rawBytes: at }
  })
  const placed = (event: EventRow) => ({ ...event, body: places.get(event) ?? event.body })
  return { chunks, words: new Map([...words].map(([lane, events]) => [lane, events.map(placed)])) }
}
