import { MOST_PIECES } from '../../model/embeddable.ts'
import { VECTOR_KINDS, type NearOptions, type NearText } from '../vectors.ts'
import type { Database } from './database.ts'
import { documentId } from './document-ids.ts'

/** How many of the nearest by bits are looked at exactly. */
const RESCORED = 2000

/** A copy of length 1; of nothing but zeros if it has no direction. */
export function unitLength(vector: Float32Array): Float32Array {
  let sum = 0
  for (const value of vector) sum += value * value
  const length = Math.sqrt(sum)
  return Number.isFinite(length) && length > 0 ? vector.map((value) => value / length) : new Float32Array(vector.length)
}

/** The signs of a vector, 32 to a word. */
export function bitsOf(vector: Float32Array): Uint8Array {
  const words = new Uint32Array(Math.ceil(vector.length / 32))
  for (let i = 0; i < vector.length; i++) {
    if ((vector[i] ?? 0) > 0) words[i >> 5] = (words[i >> 5] ?? 0) | (1 << (i & 31))
  }
  return new Uint8Array(words.buffer)
}

/** How many bits differ between `a` and what stands at `at` in `all`. */
function distance(a: Uint32Array, all: Uint32Array, at: number): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) {
    let x = (a[i] ?? 0) ^ (all[at + i] ?? 0)
    x -= (x >>> 1) & 0x55555555
    x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
    sum += (((x + (x >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
  }
  return sum
}

function wordsOf(bits: Uint8Array): Uint32Array {
  return bits.byteOffset % 4 === 0
    ? new Uint32Array(bits.buffer, bits.byteOffset, bits.byteLength / 4)
    : new Uint32Array(bits.slice().buffer)
}

/** Vectors in a row, as they are stored. */
export function bytesOf(vectors: readonly Float32Array[]): Uint8Array {
  return Buffer.concat(
    vectors.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
  )
}

export function floatsOf(blob: Uint8Array): Float32Array {
  return new Float32Array(blob.buffer.slice(blob.byteOffset, blob.byteOffset + blob.byteLength))
}

export function vectorsIn(blob: Uint8Array, length: number): Float32Array[] {
  const all = floatsOf(blob)
  return Array.from({ length: all.length / length }, (_, i) => all.subarray(i * length, (i + 1) * length))
}

/** A vector: that of a text, and of which piece of it. */
interface Piece {
  readonly id: number
  readonly part: number
}

/** All vectors by their signs, the nearest of them exactly. */
export function nearestTexts(db: Database, model: string, query: Float32Array, options: NearOptions): NearText[] {
  const kinds = JSON.stringify(options.kinds.map((kind) => VECTOR_KINDS.indexOf(kind)))
  const allowed = allowedIds(db, model, kinds, options.sessions)
  const isWanted = allowed === null ? isOfKinds(db, kinds) : (id: number) => allowed.has(id)
  const { pieces, ids } = nearestByBits(db, model, query, isWanted)
  const mean = sampleMean(db, ids, isWanted, query.length)
  const texts = new Map<number, { readonly hash: Uint8Array; readonly vectors: readonly Float32Array[] }>()
  const one = 'SELECT hash, vector, further FROM embedding WHERE id = ?'
  for (const { id } of pieces) {
    const row = texts.has(id) ? undefined : db.get(one, id)
    if (row === undefined) continue
    const first = floatsOf(row['vector'] as Uint8Array)
    const further = row['further'] instanceof Uint8Array ? vectorsIn(row['further'], first.length) : []
    texts.set(id, { hash: row['hash'] as Uint8Array, vectors: [first, ...further] })
  }
  const found = pieces.flatMap(({ id, part }) => {
    const [text, vector] = [texts.get(id), texts.get(id)?.vectors[part]]
    return text === undefined || vector === undefined ? [] : [{ hash: text.hash, vector: less(vector, mean) }]
  })
  const asked = less(query, mean)
  const exact = found
    .map((one) => ({ ...one, similarity: product(asked, one.vector) }))
    .sort((a, b) => b.similarity - a.similarity)
  const nearest = withoutRepeats(exact).slice(0, options.limit)
  const common = commonTo(nearest.map(({ vector }) => vector))
  const placesOfText = new Map<string, NearText['places']>()
  return nearest.map(({ hashes, similarity }, i) => {
    const places = hashes.flatMap((hash) => {
      const name = Buffer.from(hash).toString('hex')
      const own = placesOfText.get(name) ?? placesOf(db, hash, kinds)
      placesOfText.set(name, own)
      return own
    })
    return { similarity, common: common[i] ?? 0, places }
  })
}

interface Near {
  readonly vector: Float32Array
  readonly similarity: number
}

/** A sentence that stands in several texts is one, with all of their places: in order, equal ones are neighbours. */
function withoutRepeats(
  exact: readonly (Near & { readonly hash: Uint8Array })[],
): (Near & { readonly hashes: Uint8Array[] })[] {
  const apart: (Near & { readonly hashes: Uint8Array[] })[] = []
  for (const { hash, vector, similarity } of exact) {
    const last = apart.at(-1)
    if (last?.similarity === similarity && last.vector.every((value, i) => value === vector[i])) last.hashes.push(hash)
    else apart.push({ vector, similarity, hashes: [hash] })
  }
  return apart
}

/** So many vectors, from all over, tell what all have in common; a few tell next to nothing. */
const SAMPLE = 512
const FEW = 50

function sampleMean(
  db: Database,
  ids: readonly number[],
  isWanted: (id: number) => boolean,
  length: number,
): Float32Array {
  const mean = new Float32Array(length)
  const step = Math.max(1, Math.ceil(ids.length / SAMPLE))
  const chosen = ids.filter((id, i) => i % step === 0 && isWanted(id))
  for (const id of chosen) {
    const row = db.get('SELECT vector FROM embedding WHERE id = ?', id)
    if (row === undefined) continue
    const vector = floatsOf(row['vector'] as Uint8Array)
    for (let i = 0; i < length; i++) mean[i] = (mean[i] ?? 0) + (vector[i] ?? 0) / (chosen.length + FEW)
  }
  return mean
}

function less(vector: Float32Array, mean: Float32Array): Float32Array {
  return unitLength(vector.map((value, i) => value - (mean[i] ?? 0)))
}

/** How near each is to those of the others that are nearest to it: some sentences are near to everything. */
const NEIGHBOURS = 50

function commonTo(vectors: readonly Float32Array[]): number[] {
  const near = vectors.map(() => new Float32Array(vectors.length))
  for (const [i, one] of vectors.entries()) {
    for (let j = 0; j < i; j++) {
      const similarity = product(one, vectors[j] ?? one)
      near[i]![j] = similarity
      near[j]![i] = similarity
    }
  }
  return near.map((row) => {
    const nearest = row.sort().subarray(Math.max(0, row.length - NEIGHBOURS))
    return nearest.reduce((sum, value) => sum + value, 0) / NEIGHBOURS
  })
}

/** Null if everything is allowed. */
function allowedIds(
  db: Database,
  model: string,
  kinds: string,
  sessions: ReadonlySet<number> | null,
): ReadonlySet<number> | null {
  if (sessions === null) return null
  const rows = db.all(
    `SELECT DISTINCT v.id FROM json_each(?1) s
     JOIN embedding_link k ON k.doc >= s.value * ${documentId(1, 0)} AND k.doc < (s.value + 1) * ${documentId(1, 0)}
     JOIN embedding v ON v.hash = k.hash AND v.model = ?2 WHERE k.kind IN (SELECT value FROM json_each(?3))`,
    JSON.stringify([...sessions]),
    model,
    kinds,
  )
  return new Set(rows.map((row) => Number(row['id'])))
}

/** True for texts that are of such a kind somewhere. Asked of a few: looking at all would take longer than comparing them. */
function isOfKinds(db: Database, kinds: string): (id: number) => boolean {
  const known = new Map<number, boolean>()
  const sql = `SELECT 1 FROM embedding v JOIN embedding_link k ON k.hash = v.hash
    WHERE v.id = ? AND k.kind IN (SELECT value FROM json_each(?)) LIMIT 1`
  return (id) => {
    const is = known.get(id) ?? db.get(sql, id, kinds) !== undefined
    known.set(id, is)
    return is
  }
}

function nearestByBits(
  db: Database,
  model: string,
  query: Float32Array,
  isWanted: (id: number) => boolean,
): { pieces: Piece[]; ids: number[] } {
  const all: number[] = []
  const asked = wordsOf(bitsOf(query))
  const byDistance: number[][] = []
  for (const { ids, sizes, words } of pagesOfBits(db, model)) {
    let at = 0
    for (const id of ids) all.push(id)
    for (const [i, id] of ids.entries()) {
      const end = at + (sizes[i] ?? 0) / 4
      for (let part = 0; at < end; part++, at += asked.length) {
        const apart = distance(asked, words, at)
        const group = byDistance[apart]
        if (group) group.push(id * MOST_PIECES + part)
        else byDistance[apart] = [id * MOST_PIECES + part]
      }
    }
  }
  const nearest: Piece[] = []
  for (const group of byDistance) {
    for (const piece of group ?? []) {
      const id = Math.floor(piece / MOST_PIECES)
      if (nearest.length < RESCORED && isWanted(id)) nearest.push({ id, part: piece % MOST_PIECES })
    }
    if (nearest.length === RESCORED) break
  }
  return { pieces: nearest, ids: all }
}

const PAGE = 4096

/** Thousands of rows as two long texts: cheaper than thousands of rows. */
function* pagesOfBits(db: Database, model: string): Generator<{ ids: number[]; sizes: number[]; words: Uint32Array }> {
  const sql = `SELECT group_concat(id) AS ids, group_concat(length(bits)) AS sizes, group_concat(hex(bits), '') AS bits FROM (
    SELECT id, bits FROM embedding_bits WHERE id > ? AND model = ? ORDER BY id LIMIT ${PAGE})`
  let last = 0
  for (;;) {
    const page = db.get(sql, last, model) as { ids: string | null; sizes: string; bits: string }
    if (page.ids === null) return
    const ids = page.ids.split(',').map(Number)
    yield { ids, sizes: page.sizes.split(',').map(Number), words: wordsOf(Buffer.from(page.bits, 'hex')) }
    last = ids.at(-1) ?? last
  }
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

function placesOf(db: Database, hash: Uint8Array, kinds: string): NearText['places'] {
  const rows = db.all(
    `SELECT k.doc, k.kind, l.base + e.pos AS seq FROM embedding_link k
     LEFT JOIN event e ON e.id = k.event LEFT JOIN lane l ON l.id = e.lane
     WHERE k.hash = ? AND k.kind IN (SELECT value FROM json_each(?)) ORDER BY k.doc`,
    hash,
    kinds,
  ) as { doc: number; kind: number; seq: number | null }[]
  return rows.flatMap(({ doc, kind, seq }) => {
    const name = VECTOR_KINDS[kind]
    return name === undefined ? [] : [{ doc, kind: name, ...(seq === null ? {} : { seq }) }]
  })
}
