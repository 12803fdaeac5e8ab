/** Made-up code bases: a directory, branches, identifiers, and source files that edits change. */
import { createRandom } from './random.mjs'
import { capitalize } from './words.mjs'

/**
 * @typedef {import("./random.mjs").Random} Random
 * @typedef {import("./words.mjs").Vocabulary} Vocabulary
 * @typedef {{ path: string, directory: string, language: string, lines: string[] }} SourceFile
 * @typedef {{ name: string, cwd: string, branches: string[], identifiers: string[],
 *   length: number, files: SourceFile[], line: (random: Random, language: string) => string }} Project
 */

const LANGUAGES = /** @type {const} */ ([
  ['ts', 6],
  ['py', 3],
  ['go', 2],
  ['rs', 1],
])
const ROOTS = ['src', 'lib', 'test', 'packages/core/src', 'cmd', 'internal', 'app', 'scripts']

/**
 * @param {Vocabulary} vocabulary
 * @param {{ seed: string, index: number, length?: number }} place `length`: how many times as long as usual its files are
 * @returns {Project}
 */
export function createProject(vocabulary, { seed, index, length = 1 }) {
  const random = createRandom(`${seed}/project/${index}`)
  const word = () => random.pick(vocabulary.programming)
  const name = `${vocabulary.plainWordNear(400 + index * 37)}-${word()}`
  const identifiers = Array.from({ length: 300 }, () => random.pick(vocabulary.identifiers))
  const line = createLineWriter(vocabulary, identifiers)
  const files = Array.from({ length: random.int(25, 70) }, () => {
    const language = random.weighted(LANGUAGES)
    const directory = `${random.pick(ROOTS)}/${word()}`
    const path = `${directory}/${word()}-${word()}.${language}`
    const lines = Array.from({ length: random.skewedInt(32 * length, 0.7, 300 * length) }, () => line(random, language))
    return { path, directory, language, lines }
  })
  return {
    name,
    cwd: `/home/dev/${random.pick(['code', 'work', 'src'])}/${name}`,
    branches: ['main', 'main', `feat/${word()}-${word()}`, `fix/${word()}-${random.int(10, 900)}`],
    identifiers,
    length,
    files,
    line,
  }
}

/**
 * @param {Vocabulary} vocabulary
 * @param {string[]} identifiers
 */
function createLineWriter(vocabulary, identifiers) {
  const { word } = vocabulary
  const name = (/** @type {Random} */ random) => random.pick(identifiers).replace(/-/g, '_')

  /** @type {Record<string, ((random: Random) => string)[]>} */
  const shapes = {
    ts: [
      (r) => `export function ${name(r)}(${word(r)}: ${capitalize(word(r))}): ${capitalize(word(r))} {`,
      (r) => `  const ${name(r)} = await ${name(r)}(${word(r)}, { ${word(r)}: ${r.int(0, 999)} });`,
      (r) => `  if (${name(r)}.${word(r)} === undefined) return ${name(r)};`,
      (r) => `import { ${name(r)} } from "./${word(r)}/${word(r)}.js";`,
      (r) => `  it("${word(r)} ${word(r)} ${word(r)} ${word(r)}", () => {`,
    ],
    py: [
      (r) => `def ${name(r)}(self, ${word(r)}: ${word(r)} = None) -> ${capitalize(word(r))}:`,
      (r) => `    ${name(r)} = [${word(r)}.${name(r)} for ${word(r)} in self.${word(r)}]`,
      (r) => `from ${word(r)}.${word(r)} import ${name(r)}`,
      (r) => `    raise ${capitalize(word(r))}Error(f"${word(r)} ${word(r)}: {${word(r)}!r}")`,
    ],
    go: [
      (r) => `func (s *${capitalize(word(r))}) ${capitalize(name(r))}(ctx context.Context) error {`,
      (r) => `\t${word(r)}, err := s.${name(r)}(ctx, ${r.int(1, 64)})`,
      () => `\tif err != nil {`,
      (r) => `\t\treturn fmt.Errorf("${word(r)} ${word(r)}: %w", err)`,
    ],
    rs: [
      (r) => `pub fn ${name(r)}(&self, ${word(r)}: &str) -> Result<${capitalize(word(r))}, Error> {`,
      (r) => `    let ${name(r)} = self.${word(r)}.iter().map(|x| x.${word(r)}).collect::<Vec<_>>();`,
      (r) => `    match ${name(r)} { Some(value) => value, None => return Ok(${r.int(0, 99)}) }`,
    ],
  }
  /** @type {((random: Random) => string)[]} */
  const common = [(r) => `  // ${word(r)} ${word(r)} ${word(r)} ${word(r)} ${word(r)}`, () => '}', () => '']

  return (/** @type {Random} */ random, /** @type {string} */ language) =>
    random.pick(random.chance(0.75) ? shapes[language] : common)(random)
}
