/** The Grok part of a home: `.grok/sessions/<encoded cwd>/<session id>/` with updates, telemetry and summary. */
import { createUpdates } from './grok-transcript.mjs'
import { createRandom } from './random.mjs'

/**
 * @typedef {import("./random.mjs").Random} Random
 * @typedef {import("./sink.mjs").Sink} Sink
 * @typedef {import("./project.mjs").Project} Project
 * @typedef {import("./grok-transcript.mjs").Updates} Updates
 * @typedef {{ prose: import("./prose.mjs").Prose, output: import("./output.mjs").Output }} Words
 * @typedef {Words & { random: Random, project: Project }} Scene
 */

const DAY_MS = 86_400_000
const END_MS = Date.UTC(2026, 4, 31, 18)
const DAYS = 90
const SIZE_SPREAD = 1.7
const MODEL = 'grok-4.7'

/**
 * @param {{ sink: Sink, seed: string, projects: Project[], sessions: number, bytes: number, scene: Words }} home
 */
export function writeGrokHome({ sink, seed, projects, sessions, bytes, scene }) {
  const plan = createRandom(`${seed}/grok/plan`)
  const weights = Array.from({ length: sessions }, () => plan.skewed(1, SIZE_SPREAD))
  const sum = weights.reduce((left, right) => left + right, 0)
  let owed = 0
  for (const [index, weight] of weights.entries()) {
    const random = createRandom(`${seed}/grok/session/${index}`)
    const project = projects[Math.floor(projects.length * plan.float() * plan.float())]
    const share = (weight / sum) * bytes
    const budgetBytes = Math.max(2000, share + Math.max(owed, -share / 2))
    owed += share - writeSession({ random, project, ...scene }, { sink, budgetBytes })
  }
}

/**
 * @param {Scene} scene
 * @param {{ sink: Sink, budgetBytes: number }} plan
 */
function writeSession(scene, { sink, budgetBytes }) {
  const { random, project, prose } = scene
  const session = timeOrderedId(random)
  const startMs = Math.floor(END_MS - (random.below(DAYS) + 1) * DAY_MS + (random.float() * 10 - 10) * (DAY_MS / 24))
  const directory = `.grok/sessions/${encodeURIComponent(project.cwd)}/${session}`
  const file = sink.open(`${directory}/updates.jsonl`)
  const events = sink.open(`${directory}/events.jsonl`)
  const updates = createUpdates({ file, events, random, session, model: MODEL, startMs })
  do {
    exchange(scene, updates, () => file.size() >= budgetBytes)
    updates.advance(random.skewedInt(90_000, 1.3, 10_800_000))
  } while (file.size() < budgetBytes)
  const summary = sink.open(`${directory}/summary.json`)
  const times = { created_at: iso(startMs), updated_at: iso(updates.clock()), last_active_at: iso(updates.clock()) }
  const generated_title = prose.title(random, random.int(3, 8))
  const info = { id: session, cwd: project.cwd }
  summary.write(JSON.stringify({ info, ...times, generated_title, current_model_id: MODEL, chat_format_version: 1 }))
  return file.close(updates.clock()) + events.close(updates.clock()) + summary.close(updates.clock())
}

/**
 * @param {Scene} scene
 * @param {Updates} updates
 * @param {() => boolean} spent
 */
function exchange({ random, project, prose, output }, updates, spent) {
  updates.prompt(prose.prompt(random, project))
  const steps = random.skewedInt(5, 0.8, 60)
  for (let step = 0; step < steps && !spent(); step++) {
    updates.think(prose.thinking(random, project))
    if (random.chance(0.6)) updates.say(prose.answer(random, project, 600))
    const failed = random.chance(0.07)
    updates.command({
      command: prose.command(random, project),
      output: failed
        ? output.failure(random, project)
        : output.listing(random, project, random.skewedInt(600, 1.2, 30_000)),
      exit: failed ? 1 : 0,
      news: random.chance(0.3) ? random.int(1, 6) : 0,
    })
  }
  updates.say(prose.answer(random, project, 1700))
  updates.done()
}

/**
 * One session whose commands print much and slowly: every news of a command repeats all it has printed, so that
 * nearly all of the file is said again later.
 *
 * @param {{ sink: Sink, seed: string, project: Project, bytes: number, scene: Words }} home
 * @returns {{ path: string, session: string, commands: number }} of the file below the sink's root
 */
export function writeHugeGrokSession({ sink, seed, project, bytes, scene }) {
  const random = createRandom(`${seed}/grok/huge`)
  const session = timeOrderedId(random)
  const directory = `.grok/sessions/${encodeURIComponent(project.cwd)}/${session}`
  const path = `${directory}/updates.jsonl`
  const file = sink.open(path)
  const events = sink.open(`${directory}/events.jsonl`)
  const updates = createUpdates({ file, events, random, session, model: MODEL, startMs: END_MS - DAY_MS })
  const printed = scene.output.listing(random, project, 64_000)
  let commands = 0
  while (file.size() < bytes) {
    updates.prompt(scene.prose.prompt(random, project))
    for (let run = 0; run < 4 && file.size() < bytes; run++) {
      updates.think(scene.prose.thinking(random, project))
      updates.command({
        command: scene.prose.command(random, project),
        output: printed.slice(random.below(2000)),
        exit: 0,
        news: 80,
      })
      commands += 1
    }
    updates.say(scene.prose.answer(random, project, 600))
    updates.done()
  }
  file.close(updates.clock())
  events.close(updates.clock())
  return { path, session, commands }
}

/** A UUID of version 7, without its time: the order of ids does not matter here. */
function timeOrderedId(/** @type {Random} */ random) {
  const id = random.uuid()
  return `${id.slice(0, 14)}7${id.slice(15)}`
}

const iso = (/** @type {number} */ ms) => new Date(ms).toISOString()
