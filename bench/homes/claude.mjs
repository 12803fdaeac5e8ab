/** The Claude Code part of a home: `.claude/projects/<encoded cwd>/<session id>.jsonl` and subagents. */
import { createRandom } from './random.mjs'
import { writeSession } from './claude-session.mjs'

/**
 * @typedef {import("./random.mjs").Random} Random
 * @typedef {import("./sink.mjs").Sink} Sink
 * @typedef {import("./project.mjs").Project} Project
 * @typedef {import("./claude-transcript.mjs").Session} Session
 */

const DAY_MS = 86_400_000
const END_MS = Date.UTC(2026, 4, 31, 18)
const DAYS = 90
const SIZE_SPREAD = 1.7

const VERSIONS = [
  '2.1.81',
  '2.1.84',
  '2.1.87',
  '2.1.90',
  '2.1.92',
  '2.1.101',
  '2.1.107',
  '2.1.111',
  '2.1.119',
  '2.1.128',
  '2.1.137',
  '2.1.143',
  '2.1.150',
]
const FIRST_MODERN = VERSIONS.indexOf('2.1.101')

const MODELS = /** @type {const} */ ([
  ['claude-opus-4-5-20251101', 4],
  ['claude-opus-4-6', 3],
  ['claude-sonnet-4-5-20250929', 3],
])

/** A word that the first prompts of a few sessions hold, and nothing else does. */
export const NEEDLE = { word: 'quillomere', sessions: 7 }

/**
 * @param {{ sink: Sink, seed: string, projects: Project[], sessions: number, bytes: number,
 *   scene: { prose: import("./prose.mjs").Prose, output: import("./output.mjs").Output } }} home
 */
export function writeClaudeHome({ sink, seed, projects, sessions, bytes, scene }) {
  const plan = createRandom(`${seed}/claude/plan`)
  const shares = sessionBytes(plan, { sessions, bytes })
  let owed = 0
  for (const [index, share] of shares.entries()) {
    const random = createRandom(`${seed}/claude/session/${index}`)
    const project = projects[Math.floor(projects.length * plan.float() * plan.float())]
    const budgetBytes = Math.max(2000, share + Math.max(owed, -share / 2))
    const startMs = startTime(random)
    const session = describeSession(random, { project, startMs })
    const directory = `.claude/projects/${project.cwd.replace(/[^a-zA-Z0-9]/g, '-')}`
    const firstWords = index % Math.floor(sessions / NEEDLE.sessions) === 3 ? NEEDLE.word : undefined
    const bytesWritten = writeSession(
      { random, project, ...scene },
      { sink, directory, session, startMs, budgetBytes, firstWords },
    )
    owed += share - bytesWritten
  }
}

/**
 * Log-normal sizes that add up to `bytes`: most sessions are small, a few hold megabytes.
 *
 * @param {Random} random
 * @param {{ sessions: number, bytes: number }} total
 */
function sessionBytes(random, { sessions, bytes }) {
  const weights = Array.from({ length: sessions }, () => random.skewed(1, SIZE_SPREAD))
  const sum = weights.reduce((left, right) => left + right, 0)
  return weights.map((weight) => (weight / sum) * bytes)
}

/** Office hours of the last DAYS days, with room for a long session before the end. */
function startTime(/** @type {Random} */ random) {
  const day = random.below(DAYS)
  const hour = 8 + random.float() * 10
  return Math.floor(END_MS - (day + 1) * DAY_MS + (hour - 18) * (DAY_MS / 24))
}

/**
 * @param {Random} random
 * @param {{ project: Project, startMs: number }} when
 * @returns {Session}
 */
function describeSession(random, { project, startMs }) {
  const age = (END_MS - startMs) / (DAYS * DAY_MS)
  const release = Math.max(0, Math.floor((1 - age) * VERSIONS.length))
  return {
    sessionId: random.uuid(),
    cwd: project.cwd,
    gitBranch: random.pick(project.branches),
    version: VERSIONS[Math.min(release, VERSIONS.length - 1)],
    modern: release >= FIRST_MODERN,
    slug: `${random.pick(project.identifiers)}-${random.pick(project.identifiers)}`.toLowerCase().replace(/_/g, '-'),
    entrypoint: random.pick(['cli', 'cli', 'claude-vscode']),
    model: random.weighted(MODELS),
  }
}
