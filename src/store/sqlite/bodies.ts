import { readChunk } from '../blobs/packs.ts'
import { pointerOf } from '../../model/pointers.ts'
import type { OnDamage } from '../store.ts'
import type { Database } from './database.ts'
import { chunkPlace } from './compact.ts'
import { uidOf } from './session-ids.ts'
import { inheritancesOf, inheritedNumbers } from './inherited.ts'

/** Bodies by `seq`, those that a session inherits included. */
export function readBodies(
  db: Database,
  blobDir: string,
  session: number,
  seqs: readonly number[] | null,
  onDamage: OnDamage,
): Map<number, string> {
  const bodies = readOwnBodies(db, blobDir, session, seqs, onDamage)
  for (const { session: parent, base } of inheritancesOf(db, session)) {
    const theirs = seqs === null ? null : inheritedNumbers(base, seqs)
    if (theirs?.length === 0) continue
    for (const [seq, body] of readOwnBodies(db, blobDir, parent, theirs, onDamage)) bodies.set(base + seq, body)
  }
  return bodies
}

const BODIES_OF = `SELECT l.base + e.pos AS seq, e.body_offset AS start, e.body_length AS size, c.pack, c.offset, c.length, c.crc, c.id AS chunk
  FROM lane l JOIN event e ON e.lane = l.id JOIN chunk c ON c.id = e.chunk WHERE l.session = ?`
const BODIES = `${BODIES_OF} ORDER BY c.id, e.body_offset`

/** A chunk is unpacked once however many of its bodies are asked for. */
function readOwnBodies(
  db: Database,
  blobDir: string,
  session: number,
  seqs: readonly number[] | null,
  onDamage: OnDamage,
): Map<number, string> {
  const rows =
    seqs === null
      ? db.all(BODIES, session)
      : seqs.flatMap((seq) => db.all(`${BODIES_OF} AND e.pos = ? - l.base`, session, seq))
  const bodies = new Map<number, string>()
  let chunk: Buffer | null = null
  let chunkId = -1
  const lost = new Lost()
  for (const row of rows) {
    const seq = Number(row['seq'])
    if (Number(row['chunk']) !== chunkId) {
      chunkId = Number(row['chunk'])
      chunk = readChunk(blobDir, chunkPlace(row))
    }
    const start = Number(row['start'])
    if (chunk === null) lost.add(Number(row['pack']), seq)
    else bodies.set(seq, chunk.toString('utf8', start, start + Number(row['size'])))
  }
  if (lost.size > 0) onDamage(lost.message(uidOf(db, session)))
  return bodies
}

const MAX_NAMED = 5

/** What cannot be given because its pack is not what was written. */
class Lost {
  readonly #packs = new Set<number>()
  readonly #seqs: number[] = []

  get size(): number {
    return this.#seqs.length
  }

  add(pack: number, seq: number): void {
    this.#packs.add(pack)
    this.#seqs.push(seq)
  }

  message(uid: string): string {
    const named = this.#seqs.slice(0, MAX_NAMED).map(pointerOf)
    const rest = this.#seqs.length - named.length
    const which = `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
    return `payloads of ${uid} ${which} cannot be given: ${[...this.#packs].map((pack) => `pack ${pack}`).join(', ')} is damaged`
  }
}
