/**
 * A seeded source of randomness: the same seed gives the same sequence on every machine.
 *
 * @typedef {ReturnType<typeof createRandom>} Random
 */

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const BASE62_PAIRS = pairs(BASE62)
const BASE64_PAIRS = pairs(BASE64)

/** @param {string} seed */
export function createRandom(seed) {
  let [a, b, c, d] = seedWords(seed)

  /** sfc32: an unsigned 32-bit integer. */
  function next() {
    const sum = (a + b + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return sum >>> 0
  }
  for (let round = 0; round < 12; round++) next()

  const float = () => next() / 4294967296
  const below = (/** @type {number} */ limit) => Math.floor(float() * limit)
  const int = (/** @type {number} */ min, /** @type {number} */ max) => min + below(max - min + 1)
  const chance = (/** @type {number} */ probability) => float() < probability

  /**
   * @template T
   * @param {readonly T[]} items
   * @returns {T}
   */
  const pick = (items) => items[below(items.length)]

  /**
   * @template T
   * @param {readonly (readonly [T, number])[]} choices value and weight
   * @returns {T}
   */
  function weighted(choices) {
    let total = 0
    for (const [, weight] of choices) total += weight
    let left = float() * total
    for (const [value, weight] of choices) {
      left -= weight
      if (left < 0) return value
    }
    return choices[choices.length - 1][0]
  }

  /** Log-normal: half of the values lie below `median`; `spread` says how far the tail reaches. */
  function skewed(/** @type {number} */ median, /** @type {number} */ spread) {
    return median * Math.exp(spread * normal())
  }

  /** The polar method: engines disagree in the last bit of `Math.cos`, but not here. */
  function normal() {
    for (;;) {
      const x = 2 * float() - 1
      const y = 2 * float() - 1
      const square = x * x + y * y
      if (square > 0 && square < 1) return x * Math.sqrt((-2 * Math.log(square)) / square)
    }
  }

  const skewedInt = (/** @type {number} */ median, /** @type {number} */ spread, /** @type {number} */ max) =>
    Math.max(1, Math.min(max, Math.round(skewed(median, spread))))

  function hex(/** @type {number} */ length) {
    let text = ''
    while (text.length < length) {
      const word = next()
      text += HEX_BYTES[word & 255] + HEX_BYTES[(word >>> 8) & 255] + HEX_BYTES[word >>> 24]
    }
    return text.slice(0, length)
  }

  function digits(/** @type {readonly string[]} */ table, /** @type {number} */ length) {
    let text = ''
    while (text.length < length) text += table[below(table.length)]
    return text.slice(0, length)
  }

  function uuid() {
    const text = hex(32)
    const variant = '89ab'[next() & 3]
    return (
      `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}` +
      `-${variant}${text.slice(17, 20)}-${text.slice(20)}`
    )
  }

  return {
    next,
    float,
    below,
    int,
    chance,
    pick,
    weighted,
    skewed,
    skewedInt,
    hex,
    uuid,
    base62: (/** @type {number} */ length) => digits(BASE62_PAIRS, length),
    base64: (/** @type {number} */ length) => digits(BASE64_PAIRS, length),
  }
}

/** @param {string} seed */
function seedWords(seed) {
  return [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0x1].map((offset) => {
    let hash = 0x811c9dc5 ^ offset
    for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193)
    return hash | 0
  })
}

/** @param {string} alphabet */
function pairs(alphabet) {
  return Array.from(alphabet).flatMap((first) => Array.from(alphabet, (second) => first + second))
}
