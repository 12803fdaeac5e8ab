/**
 * A vocabulary of some forty thousand terms in Zipf order: common English first, then the words of
 * programming, then made-up stems with their inflections and identifiers built from all of them.
 */
import { createRandom } from './random.mjs'

/** @typedef {import("./random.mjs").Random} Random */

const ENGLISH = `the to and a of in is that it for this we with on be not as so if i you are from can
 now will should have but by at an which when there then all use has only into was one also need same
 let see more two does first no what after each before just here because they how like or make sure
 still where other any both out up than new without instead add fix check look change find back run
 works right next want already get keep way these being second done while those set its over time last
 through another between might every better though must never again since whole rather actually once
 until might some them did were good too likely exactly probably simple seems wrong missing`

const PROGRAMMING = `file test code error function type line value string path name data list key call
 return build import module config command output object array field index query cache token session
 user request response server client database table row column schema migration commit branch merge
 diff patch log stack trace debug timeout retry queue worker thread async await promise callback event
 handler listener stream buffer parser lexer syntax node tree graph edge hash map filter reduce sort
 search match pattern regex replace insert update delete create read write open close lock unlock
 release version package dependency bundle compile lint format script deploy pipeline job runner
 container image volume network port socket proxy header cookie password secret auth login role
 permission policy scope context state store reducer action hook component render layout style theme
 button form input page route router link view model service controller middleware adapter factory
 interface class method property default option flag argument parameter result status code exit signal
 process memory leak heap pointer reference copy clone slice offset length size limit batch chunk page
 cursor transaction rollback snapshot backup restore archive compress encode decode serialize validate
 sanitize escape quote unicode locale timezone timestamp duration interval schedule cron metric counter
 gauge histogram trace span sample benchmark profile latency throughput memory fixture mock stub assert
 expect coverage snapshot regression flaky race deadlock overflow underflow null undefined boolean
 integer float decimal enum union generic template macro symbol scope closure iterator generator`

const ONSETS = `b br c cr d dr f fl g gr h j k kl l m n p pl pr qu r s sc sk sl sp st str t tr v w z`
const VOWELS = `a a a e e e i i i o o o u u ai ea ee ou`
const CODAS = `b ck d ft g l ld lt m mp n nd ng nt p r rd rk rn s sh st t th v x`
const INFLECTIONS = [['s'], ['s', 'ed'], ['s', 'ed', 'ing'], ['er', 'ers'], ['ing'], ['ion', 'ions'], ['able'], ['ly']]
const JOINTS = [
  (/** @type {string[]} */ parts) => parts[0] + parts.slice(1).map(capitalize).join(''),
  (/** @type {string[]} */ parts) => parts.map(capitalize).join(''),
  (/** @type {string[]} */ parts) => parts.join('_'),
  (/** @type {string[]} */ parts) => parts.join('-'),
  (/** @type {string[]} */ parts) => parts.join('_').toUpperCase(),
]

const STEMS = 7000
const IDENTIFIERS = 20000
const TABLE_BITS = 21

const list = (/** @type {string} */ text) => text.split(/\s+/).filter(Boolean)
const english = [...new Set(list(ENGLISH))]
const programming = [...new Set(list(PROGRAMMING))]

/** @typedef {ReturnType<typeof createVocabulary>} Vocabulary */

/** @param {string} seed */
export function createVocabulary(seed) {
  const random = createRandom(`${seed}/words`)
  const known = new Set([...english, ...programming])
  const invented = inventWords(random, known)
  const identifiers = inventIdentifiers(random, invented)
  const terms = [...known, ...interleave(invented, identifiers)]
  const table = zipfTable(terms.length)

  return {
    terms,
    identifiers,
    programming,
    /** One term, common ones far more often than rare ones. */
    word: (/** @type {Random} */ from) => terms[table[from.next() >>> (32 - TABLE_BITS)]],
    /** Terms of the given Zipf ranks that read as plain words, for queries. */
    plainWordNear(/** @type {number} */ rank) {
      const found = terms.slice(rank).find((term) => /^[a-z]{4,}$/.test(term))
      if (found === undefined) throw new RangeError(`no plain word at or after rank ${rank}`)
      return found
    },
  }
}

/** @param {string} word */
export const capitalize = (word) => word.charAt(0).toUpperCase() + word.slice(1)

/**
 * @param {Random} random
 * @param {Set<string>} known
 */
function inventWords(random, known) {
  const [onsets, vowels, codas] = [list(ONSETS), list(VOWELS), list(CODAS)]
  const words = new Set()
  for (let made = 0; made < STEMS; made++) {
    let stem = ''
    const syllables = random.weighted([
      [1, 1],
      [2, 6],
      [3, 3],
    ])
    for (let i = 0; i < syllables; i++) {
      stem += random.pick(onsets) + random.pick(vowels)
    }
    if (random.chance(0.7)) stem += random.pick(codas)
    words.add(stem)
    for (const ending of random.pick(INFLECTIONS)) words.add(stem + ending)
  }
  return [...words].filter((word) => !known.has(word))
}

/**
 * @param {Random} random
 * @param {string[]} invented
 */
function inventIdentifiers(random, invented) {
  const names = new Set()
  while (names.size < IDENTIFIERS) {
    const parts = Array.from(
      {
        length: random.weighted([
          [2, 7],
          [3, 2],
          [4, 0.5],
        ]),
      },
      () => (random.chance(0.8) ? random.pick(programming) : random.pick(invented)),
    )
    names.add(random.pick(JOINTS)(parts))
  }
  return [...names]
}

/**
 * Two words, one identifier, and so on to the end of both.
 *
 * @param {string[]} words
 * @param {string[]} identifiers
 */
function* interleave(words, identifiers) {
  const left = words.values()
  const right = identifiers.values()
  for (const word of left) {
    yield word
    const second = left.next()
    if (!second.done) yield second.value
    const identifier = right.next()
    if (!identifier.done) yield identifier.value
  }
  yield* right
}

/** Maps a uniform number of TABLE_BITS bits to a rank with probability ~ 1 / (rank + 3) ^ 1.2. */
function zipfTable(/** @type {number} */ ranks) {
  const size = 2 ** TABLE_BITS
  const weight = (/** @type {number} */ rank) => Math.exp(-1.2 * Math.log(rank + 3))
  let total = 0
  for (let rank = 0; rank < ranks; rank++) total += weight(rank)
  const table = new Uint32Array(size)
  let rank = 0
  let reached = weight(0) / total
  for (let slot = 0; slot < size; slot++) {
    while ((slot + 0.5) / size > reached && rank < ranks - 1) reached += weight(++rank) / total
    table[slot] = rank
  }
  return table
}
