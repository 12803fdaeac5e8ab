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
    const bytes = own.reduce((sum, { body }) => sum + (body?.[2] ?? 0), 0)
    if (bytes >= chunk.rawBytes) return chunk
    const raw = brotliDecompressSync(chunk.data)
    const parts = own.map(({ body }) => raw.subarray(body?.[1] ?? 0, (body?.[1] ?? 0) + (body?.[2] ?? 0)))
    let at = 0
    for (const [n, event] of own.entries()) {
      const length = parts[n]?.length ?? 0
      places.set(event, [i, at, length])
      at += length
    }
    return { ...chunk, data: packChunk(Buffer.concat(parts)), rawBytes: at }
  })
  const placed = (event: EventRow) => ({ ...event, body: places.get(event) ?? event.body })
  return { chunks, words: new Map([...words].map(([lane, events]) => [lane, events.map(placed)])) }
}
