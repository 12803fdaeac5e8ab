/** The stock of the long sessions: that of the others, and more in `stock/`. */
import { readFileSync } from 'node:fs'
import { readStock } from './stock.mjs'

/**
 * @typedef {{ language: string, nouns: string[], ask: string, say: string, q: string, half: number }} Tongue
 * @typedef {ReturnType<typeof readLongStock>} LongStock
 */

export function readLongStock() {
  return {
    ...readStock(),
    followUps: lines('follow-ups'),
    narration: lines('narration'),
    brief: lines('briefs').join('\n'),
    houseRules: lines('house-rules').join('\n'),
    tongues: tongues(),
    nothing: lines('unanswerable-work'),
  }
}

/** @param {string} name */
function lines(name) {
  const text = readFileSync(new URL(`./stock/${name}.txt`, import.meta.url), 'utf8')
  return text.split('\n').filter((line) => line !== '')
}

/** @returns {Tongue[]} */
function tongues() {
  /** @type {Tongue[]} */
  const found = []
  let language = ''
  let nouns = /** @type {string[]} */ ([])
  for (const line of lines('tongues')) {
    const value = line.slice(line.indexOf(': ') + 2)
    const last = found[found.length - 1]
    if (line.startsWith('# ')) language = line.slice(2)
    else if (line.startsWith('noun: ')) nouns = value.split('|')
    else if (line.startsWith('ask: '))
      found.push({ language, nouns, ask: value, say: '', q: '', half: found.length % 2 })
    else if (line.startsWith('say: ')) last.say = value
    else last.q = value
  }
  return found
}
