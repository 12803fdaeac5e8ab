/** Planted cases for the commands beside search: similar, how, fix, files, blame. */
import { createRandom } from '../homes/random.mjs'
import { SEED } from './plan.mjs'
import { fill, numberSlots } from './slots.mjs'
import { shuffled } from './talk.mjs'

/**
 * `expect` lists everything that is right; with `none` the right answer is to have none. A path may be given relative to
 * the working directory `cwd`.
 *
 * @typedef {import("./plan.mjs").Session} Session
 * @typedef {import("./stock.mjs").Stock} Stock
 * @typedef {import("./trees.mjs").Trees} Trees
 * @typedef {{ sessions?: string[], commands?: string[] }} Expected
 * @typedef {{ id: string, command: "similar" | "how" | "fix" | "files" | "blame", argument: string, cwd?: string,
 *   expect: Expected, none: boolean }} Task
 * @typedef {{ stock: Stock, sessions: readonly Session[], trees: Trees, home: string }} Told
 */

const EACH = 40
const NONE = 11

/** @param {Told} told @returns {Task[]} */
export function plantedTasks(told) {
  const random = createRandom(`${SEED}/tasks`)
  const tasks = [
    ...similar(random, told),
    ...how(random, told),
    ...fix(random, told),
    ...files(random, told),
    ...blame(random, told),
  ]
  return tasks.map((task, index) => ({ ...task, id: `${task.command}-${index + 1}` }))
}

const uid = (/** @type {Session} */ session) => `claude:${session.id}`

/**
 * @param {Task["command"]} command
 * @param {string} argument
 * @param {Expected | null} expect null: nothing is right
 * @returns {Task}
 */
function task(command, argument, expect) {
  return { id: '', command, argument, expect: expect ?? {}, none: expect === null }
}

/** @param {Stock} stock @param {"how" | "fix" | "similar"} command */
const noneOf = (stock, command) => stock.none[command].slice(0, NONE).map((text) => task(command, text, null))

/** Sessions that met a topic. @param {Told} told @param {string} name */
const meeting = ({ sessions }, name) =>
  sessions.filter((session) => session.occurrences.some((occurrence) => occurrence.of.topic.name === name))

/** @param {import("../homes/random.mjs").Random} random @param {Told} told @returns {Task[]} */
function similar(random, told) {
  const single = told.sessions.filter((session) => session.occurrences.length === 1 && session.exchanges.length < 16)
  const bySession = shuffled(random, single).flatMap((session) => {
    const others = meeting(told, session.occurrences[0].of.topic.name).filter((other) => other !== session)
    return others.length === 0 ? [] : [task('similar', uid(session), { sessions: others.map(uid) })]
  })
  const byText = shuffled(random, told.stock.topics).map((topic) => {
    const [session] = meeting(told, topic.name)
    const slots = session.occurrences.find((occurrence) => occurrence.of.topic === topic)?.slots ?? {}
    const text = `${fill(random.pick(topic.ask), slots)} ${fill(random.pick(topic.cases).q[0], slots)}`
    return task('similar', text, { sessions: meeting(told, topic.name).map(uid) })
  })
  return [...bySession.slice(0, EACH / 2), ...byText.slice(0, EACH / 2), ...noneOf(told.stock, 'similar')]
}

/** @param {import("../homes/random.mjs").Random} random @param {Told} told @returns {Task[]} */
function how(random, told) {
  const planted = shuffled(random, told.stock.topics).map((topic) => {
    const used = told.sessions.flatMap((session) =>
      session.occurrences.filter((one) => one.of.topic === topic).map((one) => fill(topic.good, one.slots)),
    )
    return task('how', topic.how, { commands: [...new Set(used)], sessions: meeting(told, topic.name).map(uid) })
  })
  return [...planted.slice(0, EACH), ...noneOf(told.stock, 'how')]
}

/** The same error with other numbers and ids. @param {import("../homes/random.mjs").Random} random @param {Told} told */
function fix(random, told) {
  const planted = shuffled(random, told.stock.topics).map((topic) => {
    const met = meeting(told, topic.name)
    const known = random.pick(met).occurrences.find((occurrence) => occurrence.of.topic === topic)
    const text = fill(topic.error, { ...known?.slots, ...numberSlots(random) })
    return task('fix', text, { sessions: met.map(uid) })
  })
  return [...planted.slice(0, EACH), ...noneOf(told.stock, 'fix')]
}

/** @param {import("../homes/random.mjs").Random} random @param {Told} told @returns {Task[]} */
function files(random, { sessions, home }) {
  /** @type {Map<string, Session[]>} */
  const byPath = new Map()
  for (const session of sessions)
    for (const { path } of session.touches) {
      const key = `${session.project}\0${path}`
      const known = byPath.get(key) ?? []
      if (!known.includes(session)) byPath.set(key, [...known, session])
    }
  const common = new Set(['README.md', 'CHANGELOG.md', 'notes.md'])
  const planted = shuffled(random, [...byPath]).filter(([key]) => !common.has(key.split('\0')[1]))
  const wanted = planted.slice(0, EACH).map(([key, touching]) => {
    const [project, path] = key.split('\0')
    const newestFirst = touching.toReversed().map(uid)
    const cwd = `${home}/code/${project}`
    const found = task('files', random.chance(0.5) ? path : `${cwd}/${path}`, { sessions: newestFirst })
    return found.argument === path ? { ...found, cwd } : found
  })
  const untouched = [
    'src/legacy/never.ts',
    'docs/colophon.md',
    'assets/logo.svg',
    'vendor/zlib/inflate.c',
    'Makefile.am',
  ]
  const names = [
    ...untouched,
    'src/ledger/pool.rs',
    'internal/moon.go',
    'lib/tasks/rake.rb',
    'app/Kernel.php',
    'setup.cfg',
    'Gemfile',
  ]
  return [...wanted, ...names.map((path) => ({ ...task('files', path, null), cwd: `${home}/code/billing` }))]
}

/** @param {import("../homes/random.mjs").Random} random @param {Told} told @returns {Task[]} */
function blame(random, { sessions, trees, home }) {
  const commits = sessions.flatMap((session) => session.commits.map(({ hash }) => ({ hash, session })))
  const byCommit = shuffled(random, commits).map(({ hash, session }) =>
    task('blame', hash, { sessions: [uid(session)] }),
  )
  /** @type {Task[]} */
  const written = []
  /** @type {Task[]} */
  const foreign = []
  for (const [project, tree] of trees.projects)
    for (const [path, lines] of tree)
      for (const [index, { text, by }] of lines.entries()) {
        const argument = `${home}/code/${project}/${path}:${index + 1}`
        if (text.length < 12 || lines.filter((line) => line.text === text).length > 1) continue
        if (by !== null) written.push(task('blame', argument, { sessions: [`claude:${by}`] }))
        else foreign.push(task('blame', argument, null))
      }
  const unknown = Array.from({ length: NONE - 5 }, () => task('blame', `${random.int(1, 9)}${random.hex(6)}`, null))
  const byLine = shuffled(random, written).slice(0, EACH / 2)
  return [...byCommit.slice(0, EACH / 2), ...byLine, ...unknown, ...shuffled(random, foreign).slice(0, 6)]
}
