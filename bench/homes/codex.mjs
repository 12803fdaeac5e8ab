/** The Codex part of a home: `.codex/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl`, one per session and subagent. */
import { callTool } from './codex-tools.mjs'
import { createRollout } from './codex-rollout.mjs'
import { createRandom } from './random.mjs'

/**
 * @typedef {import("./random.mjs").Random} Random
 * @typedef {import("./sink.mjs").Sink} Sink
 * @typedef {import("./project.mjs").Project} Project
 * @typedef {import("./codex-tools.mjs").Scene} Scene
 * @typedef {import("./codex-rollout.mjs").Rollout} Rollout
 * @typedef {{ sink: Sink, startMs: number, budgetBytes: number }} Plan
 */

const DAY_MS = 86_400_000
const END_MS = Date.UTC(2026, 4, 31, 18)
const DAYS = 90
const SIZE_SPREAD = 1.7

const MODELS = /** @type {const} */ ([
  ['gpt-5.2-codex', 4],
  ['gpt-5.1-codex-max', 3],
  ['gpt-5.1-codex-mini', 2],
])

/**
 * @param {{ sink: Sink, seed: string, projects: Project[], sessions: number, bytes: number,
 *   scene: { prose: import("./prose.mjs").Prose, output: import("./output.mjs").Output } }} home
 */
export function writeCodexHome({ sink, seed, projects, sessions, bytes, scene }) {
  const plan = createRandom(`${seed}/codex/plan`)
  const weights = Array.from({ length: sessions }, () => plan.skewed(1, SIZE_SPREAD))
  const sum = weights.reduce((left, right) => left + right, 0)
  let owed = 0
  for (const [index, weight] of weights.entries()) {
    const share = (weight / sum) * bytes
    const random = createRandom(`${seed}/codex/session/${index}`)
    const project = projects[Math.floor(projects.length * plan.float() * plan.float())]
    const budgetBytes = Math.max(2000, share + Math.max(owed, -share / 2))
    owed += share - writeSession({ random, project, ...scene }, { sink, startMs: startTime(random), budgetBytes })
  }
}

/** Office hours of the last DAYS days, with room for a long session before the end. */
function startTime(/** @type {Random} */ random) {
  const day = random.below(DAYS)
  const hour = 8 + random.float() * 10
  return Math.floor(END_MS - (day + 1) * DAY_MS + (hour - 18) * (DAY_MS / 24))
}

/**
 * Writes turns until the budget is spent; returns the bytes really written.
 *
 * @param {Scene} scene
 * @param {Plan} plan
 */
function writeSession(scene, { sink, startMs, budgetBytes }) {
  const { random, project, prose } = scene
  const rollout = createRollout(scene, { sink, startMs, model: random.weighted(MODELS), source: 'cli' })
  let helperBytes = 0
  const spent = () => rollout.size() + helperBytes >= budgetBytes
  do {
    rollout.startTurn()
    rollout.prompt(prose.prompt(random, project))
    const steps = random.skewedInt(6, 0.8, 60)
    const abortedAt = random.chance(0.03) ? random.below(steps) : -1
    let aborted = false
    for (let step = 0; step < steps && !aborted && !spent(); step++) {
      if (random.chance(0.02) && budgetBytes > 60_000) helperBytes += delegate(scene, rollout, sink)
      else respond(scene, rollout)
      aborted = step === abortedAt
    }
    if (aborted) rollout.abort()
    else rollout.complete(prose.answer(random, project, 1700))
    rollout.advance(random.skewedInt(90_000, 1.3, 10_800_000))
  } while (!spent())
  return rollout.close() + helperBytes
}

/**
 * @param {Scene} scene
 * @param {Rollout} rollout
 */
function respond(scene, rollout) {
  const { random, project, prose } = scene
  rollout.advance(random.int(2000, 20_000))
  if (random.chance(0.8)) rollout.think(prose.thinking(random, project))
  if (random.chance(0.3)) rollout.say(prose.answer(random, project, 300))
  const calls = random.chance(0.85) ? [callTool(scene)] : [callTool(scene), callTool(scene)]
  const ids = calls.map((call) => rollout.call(call))
  rollout.count()
  for (const [index, call] of calls.entries()) {
    rollout.advance(call.durationMs)
    rollout.output(ids[index], call)
  }
}

/**
 * A subagent: a rollout of its own that names its parent. Returns its bytes.
 *
 * @param {Scene} scene
 * @param {Rollout} rollout
 * @param {Sink} sink
 */
function delegate(scene, rollout, sink) {
  const { random, project, prose } = scene
  const message = prose.prompt(random, project)
  const call = { type: 'function_call', name: 'spawn_agent', input: { message }, output: '', durationMs: 0 }
  const id = rollout.call(call)
  rollout.count()
  const spawn = { parent_thread_id: rollout.id, depth: 1, agent_nickname: prose.title(random, 1), agent_role: 'worker' }
  const source = { subagent: { thread_spawn: spawn } }
  const worker = createRollout(scene, { sink, startMs: rollout.clock(), model: 'gpt-5.1-codex-mini', source })
  worker.startTurn()
  worker.prompt(message)
  for (let step = random.int(2, 9); step > 0; step--) respond(scene, worker)
  const report = prose.answer(random, project, 1600)
  worker.complete(report)
  rollout.advance(worker.clock() - rollout.clock())
  rollout.output(id, { ...call, output: JSON.stringify({ agent_id: worker.id, status: { completed: report } }) })
  return worker.close()
}
