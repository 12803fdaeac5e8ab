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

/** The name of a text among vectors. */
export function textHash(embedded: string): Uint8Array {
  return createHash('sha256').update(embedded).digest().subarray(0, 16)
}
