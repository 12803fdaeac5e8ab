/** What tools print: test runs, builds, listings, matches, diffs, stack traces. */

/**
 * @typedef {import("./random.mjs").Random} Random
 * @typedef {import("./words.mjs").Vocabulary} Vocabulary
 * @typedef {import("./project.mjs").Project} Project
 * @typedef {ReturnType<typeof createOutput>} Output
 */

/**
 * @param {Vocabulary} vocabulary
 * @param {{ length: number }} [times] how many times as long as usual
 */
export function createOutput(vocabulary, { length: times } = { length: 1 }) {
  const { word } = vocabulary

  /** @type {((random: Random, project: Project) => string)[]} */
  const shapes = [
    (r, p) => ` ${r.chance(0.93) ? '✓' : '✗'} ${r.pick(p.files).path} (${r.int(1, 60)} tests) ${r.int(2, 900)}ms`,
    (r, p) => `${r.pick(p.files).path}:${r.int(1, 400)}: ${r.pick(r.pick(p.files).lines) ?? ''}`,
    (r, p) =>
      `-rw-r--r-- 1 dev dev ${String(r.int(100, 90000)).padStart(6)} May ${r.int(10, 28)} ${r.int(10, 23)}:${r.int(10, 59)} ${r.pick(p.files).path}`,
    (r) => `${r.hex(7)} ${word(r)}: ${word(r)} ${word(r)} ${word(r)} ${word(r)}`,
    (r, p) => ` M ${r.pick(p.files).path}`,
    (r, p) => `    at ${r.pick(p.identifiers)} (${p.cwd}/${r.pick(p.files).path}:${r.int(1, 400)}:${r.int(1, 80)})`,
    (r) =>
      `[${r.int(10, 23)}:${r.int(10, 59)}:${r.int(10, 59)}.${r.int(100, 999)}] ${r.pick(['info', 'info', 'warn', 'debug'])} ${word(r)} ${word(r)} ${word(r)} id=${r.hex(12)} took=${r.int(1, 4000)}ms`,
    (r, p) => ` ${r.pick(p.files).path} | ${r.int(1, 90)} ${'+'.repeat(r.int(1, 20))}${'-'.repeat(r.int(0, 12))}`,
    (r) => `added ${r.int(1, 400)} packages, and audited ${r.int(400, 1200)} packages in ${r.int(1, 30)}s`,
    (r, p) => `{"${word(r)}":${r.int(0, 99999)},"${word(r)}":"${word(r)}","path":"${r.pick(p.files).path}","ok":true}`,
  ]

  return {
    /**
     * Mostly lines of one shape, as from one program, up to about `bytes`.
     *
     * @param {Random} random
     * @param {Project} project
     * @param {number} bytes
     */
    listing(random, project, bytes) {
      const main = random.pick(shapes)
      let text = main(random, project)
      while (text.length < Math.min(bytes * times, 30_000)) {
        text += `\n${(random.chance(0.9) ? main : random.pick(shapes))(random, project)}`
      }
      return text
    },

    /** @param {Random} random @param {Project} project */
    failure(random, project) {
      const name = random.pick(project.identifiers)
      const head = random.pick([
        () => `TypeError: Cannot read properties of undefined (reading '${name}')`,
        () => `AssertionError: expected ${random.int(1, 99)} to equal ${random.int(1, 99)}`,
        () => `error TS2339: Property '${name}' does not exist on type '${word(random)}'.`,
        () => `ModuleNotFoundError: No module named '${word(random)}'`,
        () => `${random.pick(project.files).path}: No such file or directory`,
        () => `error[E0${random.int(100, 599)}]: cannot find value \`${name}\` in this scope`,
      ])()
      const frames = Array.from({ length: random.int(1, 9) }, () => shapes[5](random, project))
      return `${head}\n${frames.join('\n')}`
    },
  }
}
