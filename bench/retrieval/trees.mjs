/** The working trees of the projects: what every file holds, and which session wrote each of its lines. */
import { fill } from './slots.mjs'

/**
 * @typedef {import("../homes/random.mjs").Random} Random
 * @typedef {import("./slots.mjs").Slots} Slots
 * @typedef {{ text: string, by: string | null }} Line
 * @typedef {ReturnType<typeof createTrees>} Trees
 */

const FILLER = [
  '// what a {ent} is worth is decided in {mod}',
  'const {ent}Limit = {n}',
  'function check{Ent}(input) {',
  '  if (!input) return null',
  '  return input.{ent} ?? default{Ent}',
  '}',
  'export { check{Ent} }',
  'log.debug("{mod}", { {ent}: id })',
  'register("{svc}.{mod}", handle{Ent})',
  'const wait = {m}',
  '',
  'assert({ent}.version > {k})',
  'metrics.count("{svc}.{ents}", {k})',
]

export function createTrees() {
  /** @type {Map<string, Map<string, Line[]>>} */
  const projects = new Map()

  /** @param {string} project @param {string} path @param {Random} random @param {Slots} slots */
  function linesOf(project, path, random, slots) {
    const files = projects.get(project) ?? new Map()
    projects.set(project, files)
    const lines = files.get(path) ?? initial(random, slots)
    files.set(path, lines)
    return lines
  }

  return {
    projects,
    linesOf,
    /**
     * Replaces `before` by `after` in the name of a session; a line that stays keeps its author. A file that does not hold `before` gets it first, as if a
     * colleague had written it.
     *
     * @param {Line[]} lines
     * @param {{ before: string, after: string, by: string, random: Random }} change
     */
    edit(lines, { before, after, by, random }) {
      const removed = before.split('\n')
      let at = lines.findIndex((_, index) => removed.every((text, i) => lines[index + i]?.text === text))
      if (at === -1) {
        at = random.int(3, lines.length)
        lines.splice(at, 0, ...removed.map((text) => ({ text, by: null })))
      }
      const added = after
        .split('\n')
        .map((text) => lines.slice(at, at + removed.length).find((line) => line.text === text) ?? { text, by })
      const original = lines.map((line) => line.text).join('\n')
      lines.splice(at, removed.length, ...added)
      return { at, removed, added: added.map((line) => line.text), original }
    },
  }
}

/** @param {Random} random @param {Slots} slots @returns {Line[]} */
function initial(random, slots) {
  const length = random.int(18, 70)
  return Array.from({ length }, () => {
    const numbers = { n: String(random.int(10, 9999)), m: String(random.int(10, 999)), k: String(random.int(0, 9)) }
    return { text: fill(random.pick(FILLER), { ...slots, ...numbers }), by: null }
  })
}
