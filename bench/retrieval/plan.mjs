/** Which sessions there are, in which project and when, and what is told in each. Nothing is drawn twice: same seed, same plan. */
import { createRandom } from '../homes/random.mjs'
import { projectSlots } from './slots.mjs'
import { shuffled } from './talk.mjs'

/**
 * @typedef {import("../homes/random.mjs").Random} Random
 * @typedef {import("./stock.mjs").Stock} Stock
 * @typedef {import("./stock.mjs").Case} Case
 * @typedef {import("./stock.mjs").Thread} Thread
 * @typedef {import("./stock.mjs").Project} Project
 * @typedef {import("./slots.mjs").Slots} Slots
 * @typedef {{ of: Case, slots: Slots, exchange: number, committed: boolean }} Occurrence
 * @typedef {{ of: Thread, slots: Slots, exchange: number, A: string, B: string }} Fact
 * @typedef {{ of: Thread, slots: Slots, exchange: number }} Aside
 * @typedef {{ id: string, random: Random, project: string, about: Project, cwd: string, branch: string, startMs: number,
 *   absolute: (path: string) => string, chores: number, occurrences: Occurrence[], asides: Aside[], pair: string[],
 *   named: boolean, facts: Fact[], memories: Fact[], exchanges: import("./steps.mjs").Exchange[],
 *   commands: { command: string, ok: boolean }[], touches: { path: string, edit: boolean }[],
 *   commits: { hash: string, message: string }[] }} Session
 */

export const SEED = 'recall-retrieval-1'
const CODING = 284
const TALKS_A_PAIR = 12
const DAY_MS = 86_400_000
const END_MS = Date.UTC(2026, 4, 31, 18)
const DAYS = 210
const BRANCHES = ['main', 'main', 'fix/small-things', 'feat/next', 'chore/cleanup']

/**
 * All sessions, oldest first, still untold.
 *
 * @param {Stock} stock
 * @param {string} home
 * @returns {Session[]}
 */
export function planSessions(stock, home) {
  const sessions = [...planCoding(stock, home), ...planTalks(stock, home)]
  return sessions.sort((a, b) => a.startMs - b.startMs || (a.id < b.id ? -1 : 1))
}

/** @param {Stock} stock @param {string} home */
function planCoding(stock, home) {
  const random = createRandom(`${SEED}/plan`)
  /** @type {Map<Project, Case[]>} */
  const byProject = new Map(stock.projects.map((project) => [project, []]))
  for (const one of stock.cases) {
    const places = shuffled(
      random,
      stock.projects.filter((project) => project.tags.includes(one.topic.tag)),
    )
    const times = random.weighted(
      /** @type {[number, number][]} */ ([
        [1, 4],
        [2, 5],
        [3, 3],
      ]),
    )
    for (const place of places.slice(0, times)) byProject.get(place)?.push(one)
  }
  /** @type {[Project, Case[]][]} */
  const drafts = []
  for (const [project, cases] of byProject) {
    const left = shuffled(random, cases)
    while (left.length > 0) drafts.push([project, left.splice(0, random.chance(0.2) ? 2 : 1)])
  }
  while (drafts.length < CODING) drafts.push([random.pick(stock.projects), []])
  return drafts.map(([project, cases], index) => draftCoding(stock, { home, project, cases, index }))
}

/**
 * @param {Stock} stock
 * @param {{ home: string, project: Project, cases: Case[], index: number }} draft
 * @returns {Session}
 */
function draftCoding(stock, { home, project, cases, index }) {
  const random = createRandom(`${SEED}/coding/${index}`)
  const slots = projectSlots(random, project)
  const worktree = random.chance(0.06) ? `-${slots.ent}-worktree` : ''
  const occurrences = cases.map((of) => {
    return { of, slots: projectSlots(random, project), exchange: 0, committed: random.chance(0.7) }
  })
  const asides = Array.from({ length: random.chance(0.3) ? 1 : 0 }, () => {
    const of = random.pick(stock.asides)
    return { of, slots: { ...projectSlots(random, project), ...random.pick(of.vals) }, exchange: 0 }
  })
  const chores = Math.max(cases.length === 0 ? 3 : 0, random.skewedInt(6, 0.9, 34))
  const startMs = Math.floor(END_MS - random.float() * DAYS * DAY_MS)
  const cwd = `${home}/code/${project.svc}${worktree}`
  const branch = worktree === '' ? random.pick(BRANCHES) : `feat/${slots.ent}`
  return session({ random, project: project.svc, about: project, cwd, branch, startMs, chores, occurrences, asides })
}

/** @param {Stock} stock @param {string} home */
function planTalks(stock, home) {
  return stock.pairs.flatMap((pair, index) => {
    const random = createRandom(`${SEED}/talk/${index}`)
    const threads = shuffled(random, stock.threads)
    const share = Math.ceil(threads.length / TALKS_A_PAIR)
    /** @type {Fact[]} */
    const past = []
    return Array.from({ length: TALKS_A_PAIR }, (_, week) => {
      const facts = threads.slice(week * share, (week + 1) * share).map((of) => factOf(random, of, pair))
      const memories = shuffled(random, past).slice(0, random.int(2, 5))
      past.push(...facts)
      const startMs = Math.floor(END_MS - (DAYS - week * 17 - random.float() * 9) * DAY_MS)
      const places = { project: 'talk', about: stock.projects[0], cwd: `${home}/talk`, branch: '' }
      const own = createRandom(`${SEED}/talk/${index}/${week}`)
      return session({ random: own, ...places, startMs, pair, named: index % 2 === 0, facts, memories })
    })
  })
}

/** @param {Random} random @param {Thread} of @param {string[]} pair @returns {Fact} */
function factOf(random, of, pair) {
  const [A, B] = random.chance(0.5) ? pair : [pair[1], pair[0]]
  return { of, A, B, slots: { ...random.pick(of.vals), A, B }, exchange: 0 }
}

/**
 * @param {Pick<Session, "random" | "project" | "about" | "cwd" | "branch" | "startMs"> & Partial<Session>} known
 * @returns {Session}
 */
function session(known) {
  return {
    id: known.random.uuid(),
    absolute: (path) => `${known.cwd}/${path}`,
    chores: 0,
    occurrences: [],
    asides: [],
    pair: [],
    named: false,
    facts: [],
    memories: [],
    exchanges: [],
    commands: [],
    touches: [],
    commits: [],
    ...known,
  }
}
