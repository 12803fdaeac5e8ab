import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { checksum } from '../../model/checksum.ts'
import { syncDirectory } from '../../model/durable-file.ts'

/** A pack is closed to new chunks at this size; forgetting a session rewrites at most this much of others. */
export const PACK_BYTES = 16 * 1024 * 1024

export interface ChunkPlace {
  readonly pack: number
  readonly offset: number
  readonly length: number
  /** Checksum of its bytes as they lie there; a store of an older program may have none. */
  readonly crc?: number | null
}

function packPath(dir: string, pack: number): string {
  return path.join(dir, `${String(pack).padStart(6, '0')}.pack`)
}

/**
 * Appends compressed chunks to pack files. `sync` before the rows that point at them are committed: a
 * crash then leaves at most bytes that nothing points at, cut off when the pack is next opened.
 */
export class PackWriter {
  readonly #dir: string
  #pack: number
  #bytes: number
  #fd: number | null = null
  #dirty = false
  #isNew = false

  /** `pack` and `bytes`: the last pack the store knows and how much of it is committed. */
  constructor(dir: string, pack: number, bytes: number) {
    this.#dir = dir
    this.#pack = Math.max(1, pack)
    this.#bytes = bytes
  }

  get current(): { pack: number; bytes: number } {
    return { pack: this.#pack, bytes: this.#bytes }
  }

  append(data: Uint8Array): Required<ChunkPlace> {
    if (this.#bytes >= PACK_BYTES) this.startNew()
    const fd = this.#file()
    const place = { pack: this.#pack, offset: this.#bytes, length: data.length, crc: checksum(data) }
    let written = 0
    while (written < data.length) {
      written += writeSync(fd, data, written, data.length - written, this.#bytes + written)
    }
    this.#bytes += data.length
    this.#dirty = true
    return place
  }

  /** Leaves the present pack as it is: what comes next goes into a new one. */
  startNew(): void {
    if (this.#bytes === 0 && this.#fd === null) return
    this.sync()
    this.#closeFile()
    this.#pack++
    this.#bytes = 0
  }

  sync(): void {
    if (this.#fd !== null && this.#dirty) fsyncSync(this.#fd)
    if (this.#isNew) syncDirectory(this.#dir)
    this.#dirty = false
    this.#isNew = false
  }

  /** Forgets what was appended since these figures: its transaction was rolled back. */
  rewind(to: { pack: number; bytes: number }): void {
    this.#closeFile()
    this.#pack = to.pack
    this.#bytes = to.bytes
  }

  close(): void {
    this.#closeFile()
  }

  #file(): number {
    if (this.#fd === null) {
      mkdirSync(this.#dir, { recursive: true, mode: 0o700 })
      const file = packPath(this.#dir, this.#pack)
      this.#isNew = !existsSync(file)
      this.#fd = openSync(file, this.#isNew ? 'w+' : 'r+', 0o600)
      ftruncateSync(this.#fd, this.#bytes)
    }
    return this.#fd
  }

  #closeFile(): void {
    if (this.#fd !== null) closeSync(this.#fd)
    this.#fd = null
  }
}

/** A chunk as it is stored. */
export function packChunk(raw: Uint8Array): Uint8Array {
  return brotliCompressSync(raw, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
}

/** The unpacked bytes of a chunk, or null if they are not there or not what was written. */
export function readChunk(dir: string, place: ChunkPlace): Buffer | null {
  const packed = readPacked(dir, place)
  if (packed === null || !isWell(packed, place)) return null
  try {
    return brotliDecompressSync(packed)
  } catch {
    return null
  }
}

/** Whether the bytes of a chunk are those that were written, as far as can be told. */
export function isWell(packed: Uint8Array, { crc }: ChunkPlace): boolean {
  return crc == null || checksum(packed) === crc
}

/** The bytes of a chunk as they lie there, or null if the pack is missing or shorter than the store says. */
export function readPacked(dir: string, place: ChunkPlace): Buffer | null {
  const file = packPath(dir, place.pack)
  if (!existsSync(file)) return null
  const fd = openSync(file, 'r')
  try {
    const data = Buffer.allocUnsafe(place.length)
    const got = readSync(fd, data, 0, place.length, place.offset)
    return got === place.length ? data : null
  } finally {
    closeSync(fd)
  }
}

/** Overwrites the bytes of a pack that lie between these stretches, which are in order, and behind the last. */
export function blankBetween(dir: string, pack: number, held: readonly { from: number; to: number }[]): void {
  const file = packPath(dir, pack)
  const size = packSize(dir, pack) ?? 0
  if (size === 0) return
  const fd = openSync(file, 'r+')
  try {
    let at = 0
    for (const { from, to } of [...held, { from: size, to: size }]) {
      if (from > at) writeSync(fd, Buffer.alloc(from - at), 0, from - at, at)
      at = Math.max(at, to)
    }
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Removes packs for good. One that is gone already is no failure. */
export function removePacks(dir: string, packs: Iterable<number>): void {
  for (const pack of packs) rmSync(packPath(dir, pack), { force: true })
}

/** Numbers of the packs that lie in the directory. */
export function packsIn(dir: string): number[] {
  if (!existsSync(dir)) return []
  return readdirSync(dir).flatMap((name) => (/^\d+\.pack$/.test(name) ? [Number.parseInt(name, 10)] : []))
}

export function packSize(dir: string, pack: number): number | null {
  return statSync(packPath(dir, pack), { throwIfNoEntry: false })?.size ?? null
}
