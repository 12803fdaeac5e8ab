/** The judged questions: what is asked follows from what was told, so the right sessions are known by construction. */
import { createRandom } from '../homes/random.mjs'
import { SEED } from './plan.mjs'
import { fill } from './slots.mjs'
import { shuffled } from './talk.mjs'

/**
 * @typedef {import("./plan.mjs").Session} Session
 * @typedef {import("./stock.mjs").Stock} Stock
 * @typedef {"question" | "keyword" | "exact" | "command" | "file" | "paraphrase" | "none" | "verbatim" | "near" | "error"
 *   | "foreign"} Kind
 * @typedef {{ id: string, kind: Kind, text: string, answers: string[], exchange?: number, about: "code" | "talk" }} Question
 * @typedef {{ session: Session, exchange: number, slots: import("./slots.mjs").Slots }} Place
 */

const COMMANDS = 56
const FILES = 56
const ERRORS = 40

/**
 * @param {Stock} stock
 * @param {readonly Session[]} sessions
 * @returns {Question[]}
 */
export function judgedQuestions(stock, sessions) {
  const random = createRandom(`${SEED}/questions`)
  const asked = [
    ...aboutCases(random, stock, sessions),
    ...aboutAsides(random, stock, sessions),
    ...aboutTalks(random, stock, sessions),
    ...aboutErrors(random, sessions),
    ...aboutCommands(random, sessions),
    ...aboutFiles(random, sessions),
    ...stock.unanswerable.map((text) => question('none', text, [], aboutPeople(stock, text) ? 'talk' : 'code')),
  ]
  const texts = new Set()
  const once = asked.filter(({ text }) => !texts.has(text) && texts.add(text))
  return once.map((one, index) => ({ ...one, id: `${one.kind[0]}${String(index + 1).padStart(3, '0')}` }))
}

/**
 * A template asks the same of every place where it gives the same text: each of them is right.
 *
 * @param {import("../homes/random.mjs").Random} random
 * @param {Kind} kind
 * @param {string} template
 * @param {readonly Place[]} places
 * @param {"code" | "talk"} about
 */
function askOne(random, kind, template, places, about) {
  const textAt = (/** @type {Place} */ place) => fill(fill(template, place.slots), place.slots)
  const chosen = random.pick(places)
  const text = textAt(chosen)
  const right = places.filter((place) => textAt(place) === text)
  const asked = question(
    kind,
    text,
    right.map((place) => place.session),
    about,
  )
  return right.length === 1 ? { ...asked, exchange: chosen.exchange } : asked
}

/**
 * @param {Kind} kind
 * @param {string} text
 * @param {readonly Session[]} sessions
 * @param {Question["about"]} about
 * @returns {Question}
 */
function question(kind, text, sessions, about) {
  return { id: '', kind, text, answers: [...new Set(sessions.map((session) => `claude:${session.id}`))], about }
}

/** @param {import("../homes/random.mjs").Random} random @param {Stock} stock @param {readonly Session[]} sessions */
function aboutCases(random, stock, sessions) {
  return stock.cases.flatMap((one) => {
    const places = sessions.flatMap((session) =>
      session.occurrences.filter((o) => o.of === one).map(({ slots, exchange }) => ({ session, slots, exchange })),
    )
    if (places.length === 0) return []
    const id = random.chance(0.35) ? inWords(one.id) : one.id
    const ids = random.chance(0.7) ? [random.pick(['{x}', '{x}', 'where did we use {x}?', 'what was {x} about'])] : []
    return [
      ...one.q.map((text) => askOne(random, 'question', text, places, 'code')),
      ...one.k.map((text) => askOne(random, 'keyword', someWords(random, text), places, 'code')),
      ...one.p.map((text) => askOne(random, 'paraphrase', text, places, 'code')),
      ...ids.map((frame) => askOne(random, 'exact', frame.replace('{x}', id), places, 'code')),
    ]
  })
}

/** @param {import("../homes/random.mjs").Random} random @param {Stock} stock @param {readonly Session[]} sessions */
function aboutAsides(random, stock, sessions) {
  return stock.asides.flatMap((one) => {
    const places = sessions.flatMap((session) =>
      session.asides.filter((a) => a.of === one).map(({ slots, exchange }) => ({ session, slots, exchange })),
    )
    return places.length === 0
      ? []
      : one.q.flatMap((text) => [1, 2].map(() => askOne(random, 'question', text, places, 'code')))
  })
}

/** @param {import("../homes/random.mjs").Random} random @param {Stock} stock @param {readonly Session[]} sessions */
function aboutTalks(random, stock, sessions) {
  return stock.threads.flatMap((one) => {
    const places = sessions.flatMap((session) =>
      session.facts.filter((f) => f.of === one).map(({ slots, exchange }) => ({ session, slots, exchange })),
    )
    return [
      ...[...one.q, ...one.q].map((text) => askOne(random, 'question', text, places, 'talk')),
      ...one.p.map((text) => askOne(random, 'paraphrase', text, places, 'talk')),
      ...(random.chance(0.6) ? [askOne(random, 'keyword', keywords(one), places, 'talk')] : []),
    ]
  })
}

/** An identifier as one says it: `parseUserConfig` is `parse user config`. Slots stay. */
const inWords = (/** @type {string} */ id) =>
  id
    .replace(/(?<=[a-z}])(?=[A-Z{])|[_.-]+/g, ' ')
    .replace(/(?<!\{)\b[A-Z](?=[a-z]+\b(?!\}))/g, (first) => first.toLowerCase())

/** People type two to four words. */
const someWords = (/** @type {import("../homes/random.mjs").Random} */ random, /** @type {string} */ text) =>
  text.split(' ').slice(0, random.int(2, 4)).join(' ')

/** The owner and what is special about the thread: `Mara fridge Hallberg 720`. */
function keywords(/** @type {import("./stock.mjs").Thread} */ thread) {
  return `{A} ${Object.keys(thread.vals[0])
    .slice(0, 1)
    .map((slot) => `{${slot}}`)
    .join(' ')}`
}

/** An error as it was met, number for number; others met the same one with other numbers. */
function aboutErrors(
  /** @type {import("../homes/random.mjs").Random} */ random,
  /** @type {readonly Session[]} */ sessions,
) {
  const met = sessions.flatMap((session) => session.occurrences.map((occurrence) => ({ session, occurrence })))
  return shuffled(random, met)
    .slice(0, ERRORS)
    .map(({ session, occurrence }) => {
      const text = fill(occurrence.of.topic.error, occurrence.slots)
      return { ...question('exact', text, [session], 'code'), exchange: occurrence.exchange }
    })
}

/** A command as it is remembered: some of its words, or all. */
function aboutCommands(
  /** @type {import("../homes/random.mjs").Random} */ random,
  /** @type {readonly Session[]} */ sessions,
) {
  const used = sessions.flatMap((session) =>
    session.occurrences.map(({ of, slots }) => fill(random.pick([of.topic.good, of.topic.good, of.topic.bad]), slots)),
  )
  return shuffled(random, [...new Set(used)])
    .slice(0, COMMANDS)
    .map((command) => {
      const words = command.split(/\s+/)
      const from = words.length > 5 && random.chance(0.5) ? random.int(0, words.length - 5) : 0
      const some = words.slice(from, words.length > 4 ? from + random.int(4, 6) : undefined)
      const text = random.chance(0.25) ? `that ${some.join(' ')} command` : some.join(' ')
      const right = sessions.filter((session) =>
        session.commands.some(({ command: ran }) => some.every((word) => ran.split(/\s+/).includes(word))),
      )
      return question('command', text, right, 'code')
    })
}

/** A path as it is remembered: the name, the end of the path, or with the project before it. */
function aboutFiles(
  /** @type {import("../homes/random.mjs").Random} */ random,
  /** @type {readonly Session[]} */ sessions,
) {
  const touched = sessions.flatMap((session) =>
    session.occurrences.map(({ of, slots }) => ({ path: fill(of.topic.file, slots), svc: slots.svc })),
  )
  const seen = new Set()
  return shuffled(random, touched)
    .map(({ path, svc }) => {
      const name = path.slice(path.lastIndexOf('/') + 1)
      const tail = path.split('/').slice(-2).join('/')
      const [text, part, project] = random.pick([
        [name, name, null],
        [tail, tail, null],
        [path, path, null],
        [`${svc} ${path}`, path, svc],
        [`changes to ${name} in ${svc}`, name, svc],
        [`who touched ${tail} of ${svc}`, tail, svc],
      ])
      const right = sessions.filter(
        (session) =>
          (project === null || session.project === project) &&
          session.touches.some((touch) => `/${touch.path}`.endsWith(`/${part}`)),
      )
      return question('file', text ?? '', right, 'code')
    })
    .filter(({ text }) => !seen.has(text) && seen.add(text))
    .slice(0, FILES)
}

/** @param {Stock} stock @param {string} text */
const aboutPeople = (stock, text) => stock.pairs.flat().some((name) => text.includes(name))
