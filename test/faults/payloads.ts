import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'

interface Chunk {
  readonly pack: number
  readonly offset: number
  readonly length: number
}

/** What lies in the packs beside a database: its bodies, event by event, and bytes that nothing points at. */
export interface Payloads {
  /** A line for each event that has a body. */
  readonly bodies: readonly string[]
  /** Everything that can be unpacked, pointed at or not. */
  readonly texts: readonly Buffer[]
  /** Bytes that nothing points at, pack by pack. */
  readonly lost: readonly string[]
}

export function readPayloads(db: DatabaseSyncInstance, blobs: string, nameOf: (event: number) => string): Payloads {
  const packs = new Map(
    packNames(blobs).map((name) => [Number.parseInt(name, 10), readFileSync(path.join(blobs, name))]),
  )
  const chunks = db.prepare('SELECT id, pack, offset, length FROM chunk').all() as unknown as (Chunk & { id: number })[]
  const raw = new Map(chunks.map((chunk) => [chunk.id, unpacked(packs, chunk)]))
  const events = db
    .prepare('SELECT id, chunk, body_offset AS at, body_length AS size FROM event WHERE chunk IS NOT NULL')
    .all() as unknown as { id: number; chunk: number; at: number; size: number }[]
  const bodies = events.map(({ id, chunk, at, size }) => {
    const body = raw.get(chunk)?.subarray(at, at + size)
    return `${nameOf(id)} ${body === undefined ? 'has no body' : `${size} ${hash(body)}`}`
  })
  const gaps = [...packs].flatMap(([pack, bytes]) => gapsOf(pack, bytes, chunks))
  const texts = [...raw.values(), ...gaps.map(({ bytes }) => bytes)].filter((bytes) => bytes !== undefined)
  return { bodies: bodies.sort(), texts, lost: gaps.map(({ told }) => told) }
}

function packNames(blobs: string): string[] {
  return existsSync(blobs) ? readdirSync(blobs).filter((name) => /^\d+\.pack$/.test(name)) : []
}

function unpacked(packs: ReadonlyMap<number, Buffer>, { pack, offset, length }: Chunk): Buffer | undefined {
  const packed = packs.get(pack)?.subarray(offset, offset + length)
  return packed === undefined || packed.length < length ? undefined : tryUnpack(packed)
}

/** What a damaged or unknown chunk says is looked through as it is. */
function tryUnpack(packed: Buffer): Buffer | undefined {
  for (const skipped of [0, 4, 8]) {
    try {
      return brotliDecompressSync(packed.subarray(skipped))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
    }
  }
  return undefined
}

function gapsOf(pack: number, bytes: Buffer, chunks: readonly Chunk[]): { told: string; bytes: Buffer }[] {
  const used = chunks.filter((chunk) => chunk.pack === pack).sort((a, b) => a.offset - b.offset)
  const gaps: { told: string; bytes: Buffer }[] = []
  let end = 0
  for (const { offset, length } of [...used, { offset: bytes.length, length: 0 }]) {
    if (offset > end) {
      const gap = bytes.subarray(end, offset)
      gaps.push({ told: `${gap.length} bytes in a pack that nothing points at`, bytes: tryUnpack(gap) ?? gap })
    }
    end = Math.max(end, offset + length)
  }
  return gaps
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}
