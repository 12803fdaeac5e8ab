/** Long sessions in which two people talk about their week: facts spread over the session, few tools. */
import { LATER_REPLIES } from './frames.mjs'
import { fill } from './slots.mjs'
import { ran } from './steps.mjs'

/**
 * @typedef {import("../homes/random.mjs").Random} Random
 * @typedef {import("./stock.mjs").Stock} Stock
 * @typedef {import("./plan.mjs").Session} Session
 * @typedef {{ who: string, text: string, fact?: Session["facts"][number] }} Turn
 */

/**
 * @param {Stock} stock
 * @param {Session} session
 */
export function tellTalk(stock, session) {
  const { random, pair, named } = session
  const [one, other] = pair
  /** @type {Turn[][]} */
  const stretches = session.facts.map((fact) => {
    return fact.of.lines.map(([speaker, text]) => ({
      who: speaker === 'A' ? fact.A : fact.B,
      text: fill(text, fact.slots),
      fact,
    }))
  })
  for (const memory of session.memories)
    stretches.push([
      { who: memory.A, text: fill(random.pick(memory.of.later), memory.slots) },
      { who: memory.B, text: random.pick(LATER_REPLIES) },
    ])
  for (let count = random.int(6, 16); count > 0; count--) {
    const [asks, answers] = random.pick(stock.smallTalk)
    const [first, second] = random.chance(0.6) ? [one, other] : [other, one]
    stretches.push([
      { who: first, text: asks },
      { who: second, text: answers },
    ])
  }
  const turns = [
    { who: one, text: `Hi ${other}!` },
    { who: other, text: `Hello ${one}, good to see you.` },
    ...shuffled(random, stretches).flat(),
  ]
  writeTurns(session, turns, named)
}

/** @param {Session} session @param {Turn[]} turns @param {boolean} named */
function writeTurns(session, turns, named) {
  const { random, exchanges, pair } = session
  let speaking = ''
  for (const { who, text, fact } of turns) {
    const mine = who === pair[0]
    const said = named && speaking !== who ? `${who}: ${text}` : address(random, text, mine ? pair[1] : pair[0])
    let last = exchanges[exchanges.length - 1]
    if (mine && speaking === who) last.prompt += `\n${said}`
    else if (mine) exchanges.push((last = { prompt: said, steps: [] }))
    else last.steps.push({ say: said })
    speaking = who
    if (fact && fact.exchange === 0) fact.exchange = exchanges.length
  }
  const silent = exchanges.filter((exchange) => exchange.steps.length === 0)
  for (const exchange of silent) exchange.steps.push({ say: 'Mm.' })
  if (random.chance(0.15))
    exchanges[exchanges.length - 1].steps.unshift(ran('date', 'Thu Apr 16 19:02:11 UTC 2026', 'Time'))
}

/** Friends use each other's name now and then. @param {Random} random @param {string} text @param {string} name */
const address = (random, text, name) => (random.chance(0.06) && text.length > 20 ? `${name}, ${text}` : text)

/**
 * @template T
 * @param {Random} random
 * @param {readonly T[]} items
 */
export function shuffled(random, items) {
  const copy = [...items]
  for (let i = copy.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    ;[copy[i], copy[j]] = [copy[j], copy[i]]
  }
  return copy
}
