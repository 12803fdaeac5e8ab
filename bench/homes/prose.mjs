/** What people and agents write: prompts, answers, thinking, titles, shell commands. */
import { capitalize } from './words.mjs'

/**
 * @typedef {import("./random.mjs").Random} Random
 * @typedef {import("./words.mjs").Vocabulary} Vocabulary
 * @typedef {import("./project.mjs").Project} Project
 * @typedef {ReturnType<typeof createProse>} Prose
 */

const OPENINGS = `Let me check|The issue is in|Looking at|I'll start with|Now|First,|Next I want to see
|That explains|The tests show that|It turns out|We should|I think|This means|Good:|Both|To be safe,
|The fix is to|Instead of|After this change|Since`.split(/\n?\|/)

const REQUESTS = `please fix|can you look into|add a test for|refactor|why does|I get an error in
|rename|clean up|make sure that|write|update|review|the build fails at|implement|explain|investigate`.split(/\n?\|/)

const THOUGHTS = `The user wants|I need to|Let me think about|Wait,|Maybe|So|Hmm,|Another option:
|I should first|If I change|The simplest way is|But then|Actually,|Let me verify`.split(/\n?\|/)

const SYMBOLS = ['→', '—', '✓', '✗', '≥', '…', 'é', 'ü', '🚀', '✅', '修正', 'テスト']

/**
 * @param {Vocabulary} vocabulary
 * @param {{ length: number }} [times] how many times as long as usual
 */
export function createProse(vocabulary, { length: times } = { length: 1 }) {
  const { word } = vocabulary

  /**
   * @param {Random} random
   * @param {Project} project
   */
  function mention(random, project) {
    const kind = random.below(10)
    if (kind < 5) return `\`${random.pick(project.identifiers)}\``
    if (kind < 8) return `\`${random.pick(project.files).path}\``
    if (kind < 9) return `${random.pick(project.files).path}:${random.int(1, 400)}`
    return `#${random.int(10, 4000)}`
  }

  /**
   * @param {Random} random
   * @param {Project} project
   * @param {readonly string[]} openings
   */
  function sentence(random, project, openings) {
    const length = random.skewedInt(11, 0.5, 34)
    let text = random.chance(0.35) ? random.pick(openings) : capitalize(word(random))
    for (let i = 1; i < length; i++) {
      text += random.chance(0.07) ? ` ${mention(random, project)}` : ` ${word(random)}`
      if (i < length - 1 && random.chance(0.06)) text += ','
    }
    return (
      text +
      random.weighted([
        ['.', 16],
        ['?', 1],
        [':', 1],
        ['!', 1],
      ])
    )
  }

  /**
   * @param {Random} random
   * @param {Project} project
   * @param {number} bytes
   * @param {readonly string[]} openings
   */
  function paragraph(random, project, bytes, openings) {
    let text = sentence(random, project, openings)
    while (text.length < bytes) text += ` ${sentence(random, project, openings)}`
    return text
  }

  /**
   * @param {Random} random
   * @param {Project} project
   */
  function bullets(random, project) {
    const mark = random.pick(['- ', '- ', '1. ', '- [x] '])
    const lines = Array.from({ length: random.int(2, 7) }, () => {
      const strong = random.chance(0.4) ? `**${capitalize(word(random))} ${word(random)}**: ` : ''
      return mark + strong + sentence(random, project, OPENINGS)
    })
    return lines.join('\n')
  }

  /**
   * @param {Random} random
   * @param {Project} project
   */
  function snippet(random, project) {
    const { lines, language } = random.pick(project.files)
    const start = random.below(Math.max(1, lines.length - 12))
    return `\`\`\`${language}\n${lines.slice(start, start + random.int(3, 12)).join('\n')}\n\`\`\``
  }

  return {
    sentence: (/** @type {Random} */ random, /** @type {Project} */ project) => sentence(random, project, OPENINGS),

    /** @param {Random} random @param {Project} project */
    prompt(random, project) {
      const length = random.skewedInt(240 * times, 1.1, 6000)
      const start = `${random.pick(REQUESTS)} ${mention(random, project)}: `
      const body = start + paragraph(random, project, length, REQUESTS)
      if (random.chance(0.12)) return `${body}\n\n${snippet(random, project)}`
      return random.chance(0.1) ? `${body} ${random.pick(SYMBOLS)}` : body
    },

    /** @param {Random} random @param {Project} project @param {number} median */
    answer(random, project, median) {
      const bytes = random.skewedInt(median * times, 0.8, 9000)
      const parts = []
      for (let size = 0; size < bytes; size += parts[parts.length - 1].length) {
        const kind = random.below(10)
        if (bytes > 600 && kind === 0) parts.push(`## ${capitalize(word(random))} ${word(random)}`)
        else if (bytes > 300 && kind < 3) parts.push(bullets(random, project))
        else if (bytes > 900 && kind === 3) parts.push(snippet(random, project))
        else parts.push(paragraph(random, project, Math.min(bytes, random.int(60, 420)), OPENINGS))
      }
      if (random.chance(0.15)) parts[0] = `${random.pick(SYMBOLS)} ${parts[0]}`
      return parts.join('\n\n')
    },

    /** @param {Random} random @param {Project} project */
    thinking(random, project) {
      const bytes = random.skewedInt(1300 * times, 0.9, 16_000)
      const parts = []
      for (let size = 0; size < bytes; size += parts[parts.length - 1].length) {
        parts.push(paragraph(random, project, Math.min(bytes, random.int(120, 700)), THOUGHTS))
      }
      return parts.join('\n\n')
    },

    /** @param {Random} random @param {number} words */
    title(random, words) {
      let text = capitalize(word(random))
      for (let i = 1; i < words; i++) text += ` ${word(random)}`
      return text
    },

    /** @param {Random} random @param {Project} project */
    command(random, project) {
      const file = random.pick(project.files)
      const name = random.pick(project.identifiers)
      const simple = random.pick([
        () => `npm test -- ${file.path}`,
        () => `npx vitest run ${file.path} 2>&1 | tail -${random.int(10, 60)}`,
        () => `git status --short && git diff --stat`,
        () => `git log --oneline -${random.int(5, 30)} -- ${file.path}`,
        () => `rg -n "${name}" ${file.directory} | head -${random.int(10, 50)}`,
        () => `ls -la ${file.directory}`,
        () => `sed -n '${random.int(1, 90)},${random.int(100, 300)}p' ${file.path}`,
        () => `node --test ${file.path}`,
        () => `python3 -m pytest ${file.directory} -k ${name} -q`,
        () => `cargo build --release 2>&1 | grep -E "error|warning" | head`,
        () => `go test ./${file.directory}/... -run ${capitalize(name)}`,
        () => `npm run build && npm run lint`,
        () => `docker compose up -d ${random.pick(vocabulary.programming)} && sleep ${random.int(1, 9)}`,
        () => `curl -s http://localhost:${random.int(3000, 9000)}/${word(random)}/${word(random)} | jq .`,
        () => `find ${file.directory} -name "*.${file.language}" -newer package.json | xargs wc -l`,
        () => `git add -A && git commit -m "${word(random)}: ${word(random)} ${word(random)} ${name}"`,
      ])()
      if (random.chance(0.12)) return heredoc(random, project)
      return random.chance(0.25) ? `cd ${project.cwd} && ${simple}` : simple
    },
  }

  /**
   * @param {Random} random
   * @param {Project} project
   */
  function heredoc(random, project) {
    const { lines } = random.pick(project.files)
    return `cat > /tmp/${word(random)}.mjs <<'EOF'\n${lines.slice(0, random.int(5, 25)).join('\n')}\nEOF\nnode /tmp/${word(random)}.mjs`
  }
}
