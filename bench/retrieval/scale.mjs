/**
 * A large home for latency: a million events in a hundred thousand exchanges, about 200 MB of text to index. Text is
 * made up in Zipf's proportions; nothing is judged. `latency.json` holds what to ask.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { benchVocabulary } from '../generate.mjs'
import { createTranscript } from '../homes/claude-transcript.mjs'
import { createProject } from '../homes/project.mjs'
import { createProse } from '../homes/prose.mjs'
import { createRandom } from '../homes/random.mjs'
import { createSink } from '../homes/sink.mjs'
import { wording } from '../wording.mjs'

/**
 * @typedef {import("../homes/random.mjs").Random} Random
 * @typedef {import("../homes/claude-transcript.mjs").Transcript} Transcript
 * @typedef {ReturnType<typeof createProse>} Prose
 * @typedef {ReturnType<typeof createProject>} Project
 * @typedef {{ kind: "keyword" | "phrase" | "question" | "common", text: string }} Probe
 */

const SEED = 'recall-retrieval-scale-1'
const EXCHANGES = 100_000
const CALLS = 3
const TEXT_BYTES = 1000
const PROJECTS = 24
const PROBES = 100
const START_MS = Date.UTC(2025, 10, 1, 9)

/** @param {string} home an empty directory @param {number} [exchanges] */
export function writeScaledHome(home, exchanges = EXCHANGES) {
  const vocabulary = benchVocabulary()
  const prose = createProse(vocabulary)
  const projects = Array.from({ length: PROJECTS }, (_, index) => createProject(vocabulary, { seed: SEED, index }))
  const sink = createSink(home)
  const tally = { sessions: 0, exchanges: 0, events: 0, textBytes: 0 }
  while (tally.exchanges < exchanges) {
    const random = createRandom(`${SEED}/${tally.sessions}`)
    const length = Math.min(random.skewedInt(16, 0.9, 200), exchanges - tally.exchanges)
    writeSession({ sink, random, project: random.pick(projects), prose, tally, length })
    tally.sessions += 1
  }
  writeFileSync(join(home, 'latency.json'), `${JSON.stringify(probes(prose, projects, vocabulary), null, 1)}\n`)
  return { ...tally, ...sink.totals() }
}

/**
 * @param {{ sink: import("../homes/sink.mjs").Sink, random: Random, project: Project, prose: Prose,
 *   tally: { exchanges: number, events: number, textBytes: number, sessions: number }, length: number }} plan
 */
function writeSession({ sink, random, project, prose, tally, length }) {
  const sessionId = random.uuid()
  const { cwd } = project
  const file = sink.open(`.claude/projects/${cwd.replace(/[^a-zA-Z0-9]/g, '-')}/${sessionId}.jsonl`)
  const counted = {
    ...file,
    write(/** @type {string} */ line) {
      tally.events += 1
      for (const [, text] of wording(JSON.parse(line))) tally.textBytes += Buffer.byteLength(text)
      file.write(line)
    },
  }
  const known = { sessionId, cwd, gitBranch: 'main', version: '2.1.128', slug: 'x', entrypoint: 'cli', modern: true }
  const startMs = START_MS + tally.sessions * 1_500_000
  const session = { ...known, model: 'claude-opus-4-6' }
  const transcript = createTranscript({ file: counted, random, session, startMs })
  for (let i = 0; i < length; i++) writeExchange(transcript, random, project, prose)
  tally.exchanges += length
  file.close(transcript.clock())
}

/** Ten events: a prompt, a thought, a word before each call, the calls with their results, an answer. */
function writeExchange(
  /** @type {Transcript} */ transcript,
  /** @type {Random} */ random,
  /** @type {Project} */ project,
  /** @type {Prose} */ prose,
) {
  const cut = (/** @type {string} */ text, /** @type {number} */ share) => text.slice(0, TEXT_BYTES * share)
  transcript.user(cut(prose.prompt(random, project), 0.3))
  const signature = random.base64(120)
  const thinking = cut(prose.thinking(random, project), 0.6)
  for (let call = 0; call < CALLS; call++) {
    const id = `toolu_01${random.base62(22)}`
    const input = { command: cut(prose.command(random, project), 0.2) }
    const use = /** @type {const} */ ({ type: 'tool_use', id, name: 'Bash', input })
    /** @type {import("../homes/claude-transcript.mjs").Block[]} */
    const before = call === 0 ? [{ type: 'thinking', thinking, signature }] : []
    if (call === 1) before.push({ type: 'text', text: cut(prose.answer(random, project, 300), 0.3) })
    const response = transcript.response([...before, use], { stopReason: 'tool_use' })
    for (let i = 0; i < before.length; i++) response.next()
    const callUuid = response.next()
    const stdout = `ok ${random.hex(12)}`
    transcript.toolResult({
      toolUseId: id,
      callUuid,
      content: stdout,
      isError: false,
      toolUseResult: { stdout, stderr: '' },
    })
  }
  transcript
    .response([{ type: 'text', text: cut(prose.answer(random, project, 800), 0.7) }], { stopReason: 'end_turn' })
    .next()
  transcript.advance(random.skewedInt(60_000, 1, 3_600_000))
}

/**
 * @param {Prose} prose
 * @param {readonly Project[]} projects
 * @param {ReturnType<typeof benchVocabulary>} vocabulary
 * @returns {Probe[]}
 */
function probes(prose, projects, vocabulary) {
  const random = createRandom(`${SEED}/probes`)
  const words = () => prose.sentence(random, random.pick(projects)).match(/[A-Za-z]{3,}/g) ?? ['file']
  return Array.from({ length: PROBES }, () => {
    const sentence = words()
    const at = random.below(Math.max(1, sentence.length - 1))
    return /** @type {Probe[]} */ ([
      { kind: 'keyword', text: `${vocabulary.word(random)} ${random.pick(random.pick(projects).identifiers)}` },
      { kind: 'phrase', text: `"${sentence.slice(at, at + 2).join(' ')}"` },
      { kind: 'question', text: `why did the ${words().slice(0, random.int(4, 9)).join(' ')} after we changed it?` },
      {
        kind: 'common',
        text: random.pick(['the test file', 'fix the error', 'code', 'why is the build so slow', 'run it']),
      },
    ])
  }).flat()
}
