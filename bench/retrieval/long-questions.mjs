/** What is asked of the long sessions: the right ones follow from what was told. */
import { shuffled } from './talk.mjs'

/**
 * @typedef {import("../homes/random.mjs").Random} Random
 * @typedef {import("./long.mjs").LongSession} LongSession
 * @typedef {import("./questions.mjs").Kind} Kind
 * @typedef {{ text: string, answers: LongSession[] }} Draft
 */

const EACH = 120
const SHORTEST_NEAR = 6
const LONGEST_NEAR = 60

/** @param {Random} random @param {import("./long.mjs").World} world @param {readonly LongSession[]} sessions @param {readonly number[]} halves */
export function longQuestions(random, world, sessions, halves) {
  /** @type {Record<string, Draft[]>} */
  const drafts = {
    verbatim: verbatim(random, sessions, halves, false),
    near: verbatim(random, sessions, halves, true).map(({ text }) => {
      const kept = misremembered(random, text)
      return { text: withTypos(random, kept).join(' '), answers: sayingAll(sessions, kept) }
    }),
    question: [
      ...shuffled(random, grouped(sessions, halves, 'asked')).slice(0, EACH / 2),
      ...verbatim(random, sessions, halves, true)
        .slice(0, EACH / 2)
        .map(({ text }) => {
          const kept = remembered(random, text)
          const framed = random.pick(FRAMES).replace('{x}', () => kept.join(' ').replace(/[?.,:"]+$/g, ''))
          return { text: framed, answers: sayingAll(sessions, kept) }
        }),
    ],
    error: errors(random, sessions),
    command: commands(random, sessions),
    file: files(random, sessions),
    foreign: grouped(sessions, halves, 'foreign'),
    none: [...world.stock.unanswerable, ...world.stock.nothing]
      .filter((_, i) => halves.includes(i % 2))
      .map((text) => ({ text, answers: [] })),
  }
  return Object.entries(drafts).flatMap(([kind, all]) =>
    shuffled(random, all)
      .slice(0, EACH)
      .map(({ text, answers }, i) => ({
        id: `${kind}-${i + 1}`,
        kind: /** @type {Kind} */ (kind),
        text,
        answers: [...new Set(answers.map(({ id }) => `claude:${id}`))],
        about: 'code',
      })),
  )
}

/**
 * Prompts of these halves that were typed once in all sessions, pasted back.
 *
 * @param {Random} random
 * @param {readonly LongSession[]} sessions
 * @param {readonly number[]} halves
 * @param {boolean} plain only what a person wrote word for word and might remember
 */
function verbatim(random, sessions, halves, plain) {
  const times = new Map()
  const key = (/** @type {string} */ text) => text.toLowerCase().replace(/\W+/g, ' ')
  for (const { typed } of sessions) for (const { text } of typed) times.set(key(text), (times.get(key(text)) ?? 0) + 1)
  const all = sessions.flatMap((session) =>
    session.typed
      .filter((one) => halves.includes(one.half) && times.get(key(one.text)) === 1 && (!plain || isMemorable(one)))
      .map(({ text }) => ({ text, answers: [session] })),
  )
  return shuffled(random, all)
}

/** @param {import("./long.mjs").Typed} typed */
function isMemorable({ text, plain }) {
  const count = text.split(/\s+/).length
  return plain && count >= SHORTEST_NEAR && count <= LONGEST_NEAR
}

const FRAMES = [
  'what did we do about {x}?',
  'how did it go with {x}?',
  'where did we talk about {x}?',
  'what was the answer to {x}?',
  'was there something about {x}?',
]
const SMALL = new Set(
  `a about after again all an and any are as at be before but by can could do does done for from get go has have hmm how i if in
   into is it its like me more my no not now of on one only or our please should so than that the their them then there they
   this to us was we what when where which who why will with would you your`.split(/\s+/),
)

/** What of a prompt is in a plain question: words in a row that say something, without the rest. @param {Random} random @param {string} text */
function remembered(random, text) {
  const words = text.split(/\s+/).filter((word) => !SMALL.has(word.toLowerCase().replace(/\W+/g, '')))
  const count = random.int(4, 7)
  const from = random.below(Math.max(1, words.length - count + 1))
  return words.slice(from, from + count)
}

/**
 * Sessions in which one prompt holds all of these words: what is left of a prompt may fit several.
 *
 * @param {readonly LongSession[]} sessions
 * @param {readonly string[]} words
 */
function sayingAll(sessions, words) {
  const bare = (/** @type {string} */ word) => word.toLowerCase().replace(/^\W+|\W+$/g, '')
  return sessions.filter(({ typed }) =>
    typed.some(({ text }) => {
      const said = new Set(text.split(/\s+/).map(bare))
      return words.every((word) => said.has(bare(word)))
    }),
  )
}

/** Words dropped, some of the rest in another order. @param {Random} random @param {string} text */
function misremembered(random, text) {
  let words = text.split(/\s+/)
  const drop = Math.round(words.length * (0.12 + 0.2 * random.float()))
  for (let n = 0; n < drop; n++) words.splice(random.below(words.length), 1)
  if (random.chance(0.5)) {
    const at = random.int(1, words.length - 1)
    words = [...words.slice(at), ...words.slice(0, at)]
  }
  return words
}

/** A typo or two. @param {Random} random @param {readonly string[]} typed */
function withTypos(random, typed) {
  const words = [...typed]
  const long = words.map((word, i) => ({ word, i })).filter(({ word }) => /^[a-z]{5,}$/.test(word))
  for (const { word, i } of shuffled(random, long).slice(0, random.int(0, 2))) words[i] = mistyped(random, word)
  return words
}

/** @param {Random} random @param {string} word */
function mistyped(random, word) {
  const at = random.int(1, word.length - 2)
  const [a, b] = [word.charAt(at), word.charAt(at + 1)]
  return random.pick([`${b}${a}`, b, `${a}${a}${b}`]).replace(/^/, word.slice(0, at)) + word.slice(at + 2)
}

/** The same question about several sessions: each of them is right. @param {readonly LongSession[]} sessions @param {readonly number[]} halves @param {"asked" | "foreign"} what */
function grouped(sessions, halves, what) {
  /** @type {Map<string, LongSession[]>} */
  const right = new Map()
  for (const session of sessions)
    for (const one of session[what])
      if (halves.includes(one.half)) right.set(one.text, [...(right.get(one.text) ?? []), session])
  return [...right].map(([text, answers]) => ({ text, answers }))
}

/** The first lines of an error, as a terminal shows it on another day: other line numbers and another home. @param {Random} random @param {readonly LongSession[]} sessions */
function errors(random, sessions) {
  const met = sessions.flatMap((session) => [...new Set(session.errors)].map((error) => ({ session, error })))
  return shuffled(random, met)
    .slice(0, EACH * 2)
    .map(({ session, error }) => {
      const lines = error.split('\n').slice(0, random.int(1, 5))
      const own = lines.map((line, i) => (i === 0 ? line : line.replace(/:\d+:\d+/, `:${random.int(1, 400)}:7`)))
      const right = sessions.filter((other) => other.errors.some((text) => lines.every((line) => text.includes(line))))
      return { text: own.join('\n').trim(), answers: right.length > 0 ? right : [session] }
    })
    .filter(({ text }) => text.length > 20)
}

/** A command as it is remembered: some words of it in a row, or all. @param {Random} random @param {readonly LongSession[]} sessions */
function commands(random, sessions) {
  const all = [...new Set(sessions.flatMap((session) => session.commands))].filter((one) => !one.includes('\n'))
  const wordsOf = new Map(sessions.map((session) => [session, session.commands.map((one) => one.split(/\s+/))]))
  return shuffled(random, all)
    .map((command) => {
      const words = command.split(/\s+/)
      const from = words.length > 6 && random.chance(0.4) ? random.int(0, words.length - 6) : 0
      const some = words.slice(from, words.length > 5 ? from + random.int(4, 6) : undefined)
      const answers = sessions.filter((session) =>
        wordsOf.get(session)?.some((ran) => some.every((word) => ran.includes(word))),
      )
      return { text: random.chance(0.25) ? `that ${some.join(' ')} command` : some.join(' '), answers }
    })
    .filter(({ answers, text }) => answers.length <= 4 && text.split(/\s+/).length >= 3)
}

/** A path as it is remembered. @param {Random} random @param {readonly LongSession[]} sessions */
function files(random, sessions) {
  const all = sessions.flatMap(({ files: touched, project }) => [...touched].map((path) => ({ path, project })))
  const unique = [...new Map(all.map((one) => [`${one.project} ${one.path}`, one])).values()]
  return shuffled(random, unique)
    .map(({ path, project }) => {
      const name = path.slice(path.lastIndexOf('/') + 1)
      const tail = path.split('/').slice(-2).join('/')
      const [text, part, within] = random.pick([
        [name, name, null],
        [tail, tail, null],
        [path, path, null],
        [`${project} ${path}`, path, project],
        [`changes to ${name} in ${project}`, name, project],
        [`who touched ${tail} of ${project}?`, tail, project],
      ])
      const answers = sessions.filter(
        (session) =>
          (within === null || session.project === within) &&
          [...session.files].some((touched) => `/${touched}`.endsWith(`/${part}`)),
      )
      return { text: text ?? '', answers }
    })
    .filter(({ answers }) => answers.length <= 6)
}
