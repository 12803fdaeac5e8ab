import { createHash } from 'node:crypto'

/** What is longer says no more to a model of sentences, and costs more. */
const LONGEST = 1000
const SHORTEST = 12

/** A text as a model is to read it; null if there is too little to have a meaning. */
export function embeddable(text: string): string | null {
  const plain = text
    .slice(0, 4 * LONGEST)
    .replace(/\s+/g, ' ')
    .trim()
  if (plain.length < SHORTEST || !/\p{L}/u.test(plain)) return null
  return plain.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, '')
}

/** A vector of much means nothing; one of next to nothing means anything. */
const SHORTEST_PIECE = 24
const LONGEST_PIECE = 400
export const MOST_PIECES = 16

/** What of such a text gets a vector of its own: sentences, short ones with the next. Never none, and no more than MOST_PIECES. */
export function piecesOf(embedded: string): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const sentence of embedded.split(/(?<=[.!?…;:。！？])\s*(?=\S)/u)) {
    piece = piece === '' ? sentence : `${piece} ${sentence}`
    if (piece.length < SHORTEST_PIECE) continue
    pieces.push(piece)
    piece = ''
  }
  const last = pieces.length - 1
  if (piece.length >= SHORTEST || last < 0) pieces.push(piece)
  else if (piece !== '') pieces[last] += ` ${piece}`
  return pieces.slice(0, MOST_PIECES).map((one) => one.slice(0, LONGEST_PIECE).replace(/[\uD800-\uDBFF]$/, ''))
}

/** The name of a text among vectors. */
export function textHash(embedded: string): Uint8Array {
  return createHash('sha256').update(embedded).digest().subarray(0, 16)
}
