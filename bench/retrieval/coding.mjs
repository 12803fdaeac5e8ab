/** Sessions of people who work with an agent on code. */
import * as say from './frames.mjs'
import { fill, projectSlots } from './slots.mjs'
import { edited, failed, ran, readFile, todos } from './steps.mjs'

/**
 * @typedef {import("../homes/random.mjs").Random} Random
 * @typedef {import("./stock.mjs").Stock} Stock
 * @typedef {import("./stock.mjs").Case} Case
 * @typedef {import("./slots.mjs").Slots} Slots
 * @typedef {import("./steps.mjs").Exchange} Exchange
 * @typedef {import("./plan.mjs").Session} Session
 * @typedef {import("./trees.mjs").Trees} Trees
 * @typedef {{ stock: Stock, trees: Trees, history: Map<string, string[]>, home: string,
 *   told: { what: string, asked: string, where: string }[] }} World
 */

const LONG = 18

/**
 * Tells the session: what was asked, done and answered. Sessions must be told in the order of time, for files and
 * histories grow.
 *
 * @param {World} world
 * @param {Session} session
 */
export function tellCoding(world, session) {
  const { random } = session
  const beats = session.occurrences.map((occurrence) => () => tellCase(world, session, occurrence))
  const extras = Array.from({ length: session.chores }, () => () => tellChore(world, session))
  extras.push(...session.asides.map((aside) => () => tellAside(session, aside)))
  if (world.told.length > 20)
    for (let count = random.int(0, 2); count > 0; count--) extras.push(() => tellMention(world, session))
  for (const extra of extras) beats.splice(random.int(0, beats.length), 0, extra)
  for (const beat of beats) beat()
  const first = session.exchanges[0]
  if (random.chance(0.55)) first.context = projectNotes(world, session)
  if (session.exchanges.length > LONG) summarize(session)
}

/** @param {World} world @param {Session} session @param {Session["occurrences"][number]} occurrence */
function tellCase(world, session, occurrence) {
  const { random, exchanges } = session
  const { slots, of } = occurrence
  const { topic } = of
  const path = fill(topic.file, slots)
  const lines = world.trees.linesOf(slots.svc, path, random, slots)
  const error = fill(topic.error, slots)
  const before = fill(of.old, slots)
  if (!lines.some((line) => line.text === before.split('\n')[0]))
    lines.splice(random.int(3, lines.length), 0, ...before.split('\n').map((text) => ({ text, by: null })))
  const bad = fill(topic.bad, slots)
  occurrence.exchange = exchanges.length + 1

  /** @type {Exchange["steps"]} */
  const steps = [{ think: random.pick(say.START) }]
  if (random.chance(0.35)) steps.push(todos([`look into ${slots.mod}`, ...unrelatedTodos(world, session)]))
  for (let round = random.chance(0.3) ? 2 : 1; round > 0; round--) {
    steps.push(failed(bad, say.failureOutput(error, slots), `Reproduce in ${slots.mod}`))
    session.commands.push({ command: bad, ok: false })
  }
  steps.push({ think: random.pick(say.SUSPECT) }, readFile(session.absolute(path), lines))
  session.touches.push({ path, edit: false })
  steps.push({ say: random.pick(say.CAUSE).replace('{x}', () => fill(of.cause, slots)) })
  exchanges.push({ prompt: fill(random.pick(topic.ask), slots), steps })

  repair(world, session, { of, slots, path, lines, before })
  if (occurrence.committed) commit(world, session, fill(of.msg, slots))
  world.told.push({ what: fill(of.msg, slots), asked: fill(random.pick(topic.ask), slots), where: slots.svc })
}

/**
 * @param {World} world
 * @param {Session} session
 * @param {{ of: Case, slots: Slots, path: string, lines: import("./trees.mjs").Line[], before: string }} done
 */
function repair(world, session, { of, slots, path, lines, before }) {
  const { random } = session
  const after = fill(of.new, slots)
  const change = world.trees.edit(lines, { before, after, by: session.id, random })
  session.touches.push({ path, edit: true })
  const good = fill(of.topic.good, slots)
  session.commands.push({ command: good, ok: true })
  session.exchanges.push({
    prompt: random.pick(say.GO),
    steps: [
      edited(session.absolute(path), change),
      { think: `The symbol is ${fill(of.id, slots)}. Now the proof.` },
      ran(good, say.successOutput(good, slots), describe(of.topic.how)),
      { say: random.pick(say.FIX).replace('{x}', () => fill(of.fix, slots)) },
    ],
  })
}

/** As agents do it: a few words about the command, never the words of the question about it. */
function describe(/** @type {string} */ task) {
  const words = task.split(' ')
  return words.filter((word, i) => i !== 1 && word.length > 2).join(' ')
}

/** @param {World} world @param {Session} session @param {string} message */
function commit(world, session, message) {
  const { random } = session
  const hash = `${random.int(1, 9)}${random.hex(6)}`
  const command = `git add -A && git commit -m "${message}"`
  const output = `[${session.branch} ${hash}] ${message}\n 1 file changed, ${random.int(1, 9)} insertions(+), 1 deletion(-)`
  session.commits.push({ hash, message })
  session.commands.push({ command, ok: true })
  session.exchanges.push({
    prompt: random.pick(say.COMMIT),
    steps: [ran(command, output, 'Commit'), { say: random.pick(say.COMMITTED) }],
  })
  const log = world.history.get(session.project) ?? []
  world.history.set(session.project, [`${hash} ${message}`, ...log])
}

/** @param {World} world @param {Session} session */
function tellChore(world, session) {
  const { random } = session
  const slots = projectSlots(random, session.about)
  const chore = random.pick(world.stock.chores)
  const log = (world.history.get(session.project) ?? ['0000000 first commit']).slice(0, 12).join('\n')
  const known = [...(world.trees.projects.get(session.project)?.keys() ?? [])].slice(0, 30).join('\n')
  const all = { ...slots, log, files: known }
  const command = fill(chore.command, all)
  /** @type {Exchange["steps"]} */
  const steps = []
  if (command !== '') {
    steps.push(ran(command, fill(chore.output, all), 'As asked'))
    session.commands.push({ command, ok: true })
  } else if (chore.output !== '') {
    const path = random.pick(['README.md', 'CHANGELOG.md', 'notes.md'])
    const lines = world.trees.linesOf(session.project, path, random, slots)
    const before = lines[random.int(0, lines.length - 1)].text || '# notes'
    const after = `${before}\n- ${slots.ent}: see ${slots.mod}`
    steps.push(edited(session.absolute(path), world.trees.edit(lines, { before, after, by: session.id, random })))
    session.touches.push({ path, edit: true })
  }
  steps.push({ say: fill(chore.answer, all) })
  session.exchanges.push({ prompt: fill(chore.prompt, all), steps })
}

/** @param {Session} session @param {Session["asides"][number]} aside */
function tellAside(session, aside) {
  const [prompt, answer] = aside.of.lines.map(([, text]) => fill(fill(text, aside.slots), aside.slots))
  aside.exchange = session.exchanges.length + 1
  session.exchanges.push({ prompt, steps: [{ say: answer }] })
}

/** @param {World} world @param {Session} session */
function tellMention({ told }, session) {
  const { random } = session
  const { what, asked, where } = random.pick(told)
  const prompt = random.chance(0.6)
    ? fill(random.pick(say.MENTION), { x: what, y: where })
    : fill(random.pick(say.OVERHEARD), { x: asked, y: where })
  session.exchanges.push({ prompt, steps: [{ say: random.pick(say.UNRELATED) }] })
}

/** @param {World} world @param {Session} session */
function unrelatedTodos({ told }, { random }) {
  return told.length === 0 ? [] : Array.from({ length: random.int(1, 4) }, () => random.pick(told).what)
}

/** What the client puts before the first prompt: the same for all sessions of a project, growing over time. */
function projectNotes(/** @type {World} */ world, /** @type {Session} */ session) {
  const { svc, ents, mods, people } = session.about
  const lessons = (world.history.get(session.project) ?? []).slice(-8).map((line) => `- ${line.slice(8)}`)
  return [
    '<system-reminder>',
    "As you answer the user's questions, you can use the following context:",
    `# claudeMd`,
    `Contents of ${session.absolute('CLAUDE.md')} (project instructions, checked into the codebase):`,
    `# ${svc}`,
    `Modules: ${mods.join(', ')}. The main things are ${ents.join(', ')}. Ask ${people.join(' or ')} when in doubt.`,
    'Run the tests before you commit. Keep diffs small. Never deploy from a laptop. Errors have a code and a hint.',
    'Database, queue, cache, search, mail, certificates, pipeline: see the handbook.',
    '## Learned the hard way',
    ...lessons,
    'IMPORTANT: this context may or may not be relevant to your tasks.',
    '</system-reminder>',
  ].join('\n')
}

/** @param {Session} session */
function summarize({ exchanges, about }) {
  const middle = exchanges[Math.floor(exchanges.length / 2)]
  const asked = exchanges.slice(0, 6).map((exchange) => `- ${exchange.prompt.slice(0, 120)}`)
  middle.summary = `The work is on ${about.svc}. So far the user asked:\n${asked.join('\n')}\nPending: nothing.`
}
