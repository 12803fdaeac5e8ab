import { VECTOR_KINDS, type NearOptions, type NearText } from '../vectors.ts'
import type { Database } from './database.ts'
import { documentId } from './document-ids.ts'

/** How many of the nearest by bits are looked at exactly. */
const RESCORED = 800

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

/** All vectors by their signs, the nearest of them exactly. */
export function nearestTexts(db: Database, model: string, query: Float32Array, options: NearOptions): NearText[] {
  const kinds = JSON.stringify(options.kinds.map((kind) => VECTOR_KINDS.indexOf(kind)))
  const candidates = nearestByBits(db, model, query, allowedIds(db, model, kinds, options.sessions))
  const one = 'SELECT hash, vector FROM embedding WHERE id = ?'
  const exact = candidates.flatMap((id) => {
    const row = db.get(one, id) as { hash: Uint8Array; vector: Uint8Array } | undefined
    return row === undefined ? [] : [{ hash: row.hash, similarity: cosine(query, row.vector) }]
  })
  exact.sort((a, b) => b.similarity - a.similarity)
  const near: NearText[] = []
  for (const { hash, similarity } of exact) {
    if (near.length === options.limit) break
    const places = placesOf(db, hash, kinds)
    if (places.length > 0) near.push({ similarity, places })
  }
  return near
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

function nearestByBits(
  db: Database,
  model: string,
  query: Float32Array,
  allowed: ReadonlySet<number> | null,
): number[] {
  const asked = wordsOf(bitsOf(query))
  const byDistance: number[][] = []
  for (const { ids, words } of pagesOfBits(db, model)) {
    const width = words.length / ids.length
    for (const [i, id] of ids.entries()) {
      if (allowed !== null && !allowed.has(id)) continue
      const apart = distance(asked, words, i * width)
      const group = byDistance[apart]
      if (group) group.push(id)
      else byDistance[apart] = [id]
    }
  }
  const nearest: number[] = []
  for (const group of byDistance) {
    if (nearest.length >= RESCORED) break
    for (const id of group ?? []) nearest.push(id)
  }
  return nearest.slice(0, RESCORED)
}

const PAGE = 4096

/** Thousands of rows as two long texts: cheaper than thousands of rows. */
function* pagesOfBits(db: Database, model: string): Generator<{ ids: number[]; words: Uint32Array }> {
  const sql = `SELECT group_concat(id) AS ids, group_concat(hex(bits), '') AS bits FROM (
    SELECT id, bits FROM embedding_bits WHERE id > ? AND model = ? ORDER BY id LIMIT ${PAGE})`
  let last = 0
  for (;;) {
    const page = db.get(sql, last, model) as { ids: string | null; bits: string }
    if (page.ids === null) return
    const ids = page.ids.split(',').map(Number)
    yield { ids, words: wordsOf(Buffer.from(page.bits, 'hex')) }
    last = ids.at(-1) ?? last
  }
}

function cosine(query: Float32Array, blob: Uint8Array): number {
  const other = new Float32Array(blob.slice().buffer)
  let sum = 0
  for (let i = 0; i < query.length; i++) sum += (query[i] ?? 0) * (other[i] ?? 0)
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
