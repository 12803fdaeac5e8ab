/** Values for the `{slots}` of the stock. What is in braces and no slot stays as it is: much of the stock is code. */

/**
 * @typedef {import("../homes/random.mjs").Random} Random
 * @typedef {import("./stock.mjs").Project} Project
 * @typedef {Readonly<Record<string, string>>} Slots
 */

/** @param {string} template @param {Slots} slots */
export const fill = (template, slots) => template.replace(/\{(\w+)\}/g, (whole, name) => slots[name] ?? whole)

/**
 * @param {Random} random
 * @param {Project} project
 * @returns {Slots}
 */
export function projectSlots(random, project) {
  const ent = random.pick(project.ents)
  return {
    svc: project.svc,
    ent,
    Ent: capital(ent),
    ents: plural(ent),
    mod: random.pick(project.mods),
    who: random.pick(project.people),
    ...numberSlots(random),
  }
}

/**
 * The part of the slots that differs from case to case and means nothing.
 *
 * @param {Random} random
 */
export function numberSlots(random) {
  return {
    n: String(random.int(1000, 9899)),
    m: String(random.int(11, 98)),
    k: String(random.int(2, 9)),
    port: String(random.int(3000, 8999)),
    hex: `${random.hex(3)}${random.int(100, 999)}${random.hex(2)}`,
    hex2: `${random.pick(['8', '9', 'e', 'f'])}${random.hex(1)}`,
    day: `2026-0${random.int(1, 5)}-${random.int(10, 28)}`,
  }
}

/** @param {string} noun */
export function plural(noun) {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`
  return /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`
}

/** @param {string} word */
const capital = (word) => word[0].toUpperCase() + word.slice(1)
