/** Tells one long session: what was typed, thought, run and answered. */
import * as say from './frames.mjs'
import { longSlots } from './long.mjs'
import { fill } from './slots.mjs'
import { edited, failed, ran, readFile } from './steps.mjs'

/**
 * @typedef {import("./long.mjs").LongSession} LongSession
 * @typedef {import("./long.mjs").World} World
 * @typedef {import("./steps.mjs").Step} Step
 * @typedef {(world: World, session: LongSession) => void} Beat
 */

/** Raw bytes of what the calls of one exchange print: half of them print less. */
const OUTPUT = 26_000
const MOST_OUTPUT = 190_000
const MOST_CALLS = 40

/** @param {World} world @param {LongSession} session */
export function tellLong(world, session) {
  const { random, cases, tongues } = session
  /** @type {Beat[]} */
  const beats = [...cases.map(caseBeat), ...tongues.map(foreignBeat)]
  while (beats.length < session.size) {
    const at = random.below(beats.length + 1)
    beats.splice(at, 0, random.weighted(BEATS))
  }
  for (const beat of beats) beat(world, session)
}

/** @type {readonly (readonly [Beat, number])[]} */
const BEATS = [
  [followUp, 11],
  [chore, 6],
  [pasted, 2],
  [brief, 1],
  [workOrder, 1],
  [aside, 1],
  [mention, 1.5],
]

/**
 * @param {LongSession} session
 * @param {string} prompt
 * @param {{ half: number, plain?: boolean }} what `plain`: words of a person alone
 * @param {Step[]} steps
 */
function exchange(session, prompt, { half, plain = true }, steps) {
  const first = session.exchanges.length === 0
  const context = first ? { context: reminder(session) } : {}
  session.exchanges.push({ prompt, steps, ...context, ...summaryOf(session) })
  session.typed.push({ text: prompt, half, plain })
}

/** After many exchanges the client puts a summary in their place, which repeats what was asked. @param {LongSession} session */
function summaryOf({ exchanges, typed, about }) {
  if (exchanges.length === 0 || exchanges.length % 24 !== 0) return {}
  const asked = typed.slice(-24).map(({ text }) => `- ${text.slice(0, 200)}`)
  return { summary: `The work is on ${about.svc}. All that the user said:\n${asked.join('\n')}\nPending: nothing.` }
}

/** @param {LongSession} session */
function reminder({ about, cwd }) {
  const { svc, ents, mods, people } = about
  return [
    '<system-reminder>',
    `Contents of ${cwd}/CLAUDE.md (project instructions, checked into the codebase):`,
    `# ${svc}: modules ${mods.join(', ')}; the main things are ${ents.join(', ')}; ask ${people.join(' or ')}.`,
    'Run the tests before you commit. Keep the diff small. Add a test for every fix. Do not touch generated files.',
    '</system-reminder>',
  ].join('\n')
}

/** @type {Beat} */
function followUp(world, session) {
  const { random } = session
  const at = random.below(world.stock.followUps.length)
  const slots = longSlots(world, session)
  const text = fill(world.stock.followUps[at], slots)
  const prompt = random.chance(0.15) ? `${text}\n\n${fill(random.pick(world.stock.followUps), slots)}` : text
  exchange(session, prompt, { half: at % 2 }, [...work(world, session), answer(world, session)])
}

/** @type {Beat} */
function chore(world, session) {
  const { random } = session
  const { prompt, command, output, answer: text } = random.pick(world.stock.chores)
  const slots = { ...longSlots(world, session), log: '', files: '' }
  const steps = command === '' ? [] : [run(session, fill(command, slots), fill(output, slots))]
  exchange(session, random.chance(0.5) ? fill(prompt, slots) : random.pick(say.GO), { half: -1 }, [
    ...steps,
    { say: fill(text, slots) },
  ])
}

const LEADS = [
  'now seeing this in {svc}:',
  'this one is still failing, {fn} again I think:',
  'I get this after pulling {branch}, what is wrong?',
  'from the log of the {mod} worker, tell me what the {word} is doing here',
]

/** A person pastes what a program printed. @type {Beat} */
function pasted(world, session) {
  const { random, code } = session
  const slots = longSlots(world, session)
  const log = random.chance(0.6)
    ? world.output.listing(random, code, random.skewedInt(1500, 1, 40_000))
    : world.output.failure(random, code)
  const at = random.below(LEADS.length)
  exchange(session, `${fill(LEADS[at], slots)}\n\n${log}`, { half: random.below(2), plain: false }, [
    ...work(world, session),
    answer(world, session),
  ])
}

/** @type {Beat} */
function brief(world, session) {
  const { random, code } = session
  const slots = longSlots(world, session)
  const title = fill(random.pick(world.stock.followUps), slots)
  const why = world.prose.answer(random, code, 900)
  const text = fill(world.stock.brief, { ...slots, title, why })
  exchange(session, text, { half: random.below(2), plain: false }, [...work(world, session), answer(world, session)])
}

/** The same page of rules around each request. @type {Beat} */
function workOrder(world, session) {
  const slots = longSlots(world, session)
  const title = fill(session.random.pick(world.stock.followUps), slots)
  const text = fill(world.stock.houseRules, { ...slots, title })
  const half = session.random.below(2)
  exchange(session, text, { half, plain: false }, [...work(world, session), answer(world, session)])
}

/** @type {Beat} */
function aside(world, session) {
  const { random } = session
  const at = random.below(world.stock.asides.length)
  const of = world.stock.asides[at]
  const slots = { ...longSlots(world, session), ...random.pick(of.vals) }
  const [prompt, text] = of.lines.map(([, line]) => fill(fill(line, slots), slots))
  const half = at % 2
  session.asked.push({ text: fill(fill(random.pick(of.q), slots), slots), half })
  exchange(session, prompt, { half }, [{ say: text }])
}

/** What was asked elsewhere is quoted here. @type {Beat} */
function mention(world, session) {
  const { random } = session
  if (world.told.length === 0) return chore(world, session)
  const prompt = fill(random.pick(say.MENTION), { x: random.pick(world.told), y: session.about.svc })
  exchange(session, prompt, { half: -1 }, [{ say: random.pick(say.UNRELATED) }])
}

/** @param {import("./stock.mjs").Case} of @returns {Beat} */
function caseBeat(of) {
  return (world, session) => {
    const { random } = session
    const half = of.topic.cases.indexOf(of) % 2
    const slots = longSlots(world, session)
    const { ask, error, bad, good } = of.topic
    for (const text of of.q) session.asked.push({ text: fill(text, slots), half })
    const extra = random.chance(0.4) ? ` ${fill(random.pick(world.stock.followUps), slots)}` : ''
    const broken = [run(session, fill(bad, slots), say.failureOutput(fill(error, slots), slots), true)]
    const cause = random.pick(say.CAUSE).replace('{x}', () => fill(of.cause, slots))
    exchange(session, `${fill(random.pick(ask), slots)}${extra}`, { half }, [
      ...broken,
      ...work(world, session),
      answer(world, session, cause),
    ])
    const fix = random.pick(say.FIX).replace('{x}', () => fill(of.fix, slots))
    const done = run(session, fill(good, slots), say.successOutput(fill(good, slots), slots))
    exchange(session, random.pick(say.GO), { half: -1 }, [...work(world, session), done, answer(world, session, fix)])
    if (random.chance(0.3)) world.told.push(fill(of.msg, slots))
  }
}

/** @param {import("./long-stock.mjs").Tongue} tongue @returns {Beat} */
function foreignBeat({ nouns, ask, say: said, q, half }) {
  return (world, session) => {
    const { random } = session
    const x = random.pick(nouns)
    const y = random.pick(nouns.filter((noun) => noun !== x))
    const slots = { ...longSlots(world, session), x, y }
    session.foreign.push({ text: fill(q, slots), half })
    exchange(session, fill(ask, slots), { half: -1 }, [...work(world, session), { say: fill(said, slots) }])
  }
}

/** Some sentences, and what is to be said among them. @param {World} world @param {LongSession} session @param {string} [fact] @returns {Step} */
function answer(world, session, fact) {
  const { random, code } = session
  const parts = [narrate(world, session, random.int(1, 5))]
  if (fact !== undefined) parts.push(fact)
  parts.push(random.chance(0.5) ? narrate(world, session, random.int(1, 6)) : world.prose.answer(random, code, 700))
  return { say: parts.join(random.chance(0.5) ? ' ' : '\n\n') }
}

/** @param {World} world @param {LongSession} session @param {number} count */
function narrate(world, session, count) {
  const { random } = session
  const sentences = Array.from({ length: count }, () =>
    fill(random.pick(world.stock.narration), longSlots(world, session)),
  )
  return sentences.join(' ')
}

/** Calls until so much was printed, with thoughts between them. @param {World} world @param {LongSession} session */
function work(world, session) {
  const { random } = session
  const wanted = random.skewedInt(session.size > 100 ? 4 * OUTPUT : OUTPUT, 1.1, MOST_OUTPUT)
  /** @type {Step[]} */
  const steps = []
  for (let size = 0, calls = 0; size < wanted && calls < MOST_CALLS; calls++) {
    if (random.chance(0.5)) steps.push({ think: thought(world, session) })
    if (random.chance(0.25)) steps.push({ say: narrate(world, session, random.int(1, 2)) })
    const step = callOf(world, session, Math.max(400, wanted / 6))
    steps.push(step)
    if ('call' in step) size += step.call.content.replaceAll(session.cwd, '').length + 200
  }
  return steps
}

/** @param {World} world @param {LongSession} session */
function thought(world, session) {
  const { random, code } = session
  if (random.chance(0.6)) return narrate(world, session, random.skewedInt(3, 0.8, 30))
  return world.prose.thinking(random, code)
}

/** @param {World} world @param {LongSession} session @param {number} bytes @returns {Step} */
function callOf(world, session, bytes) {
  const { random, code, cwd } = session
  const file = random.pick(code.files)
  const size = random.skewedInt(bytes, 0.8, 60_000)
  const kind = random.below(10)
  if (kind < 3) {
    session.files.add(file.path)
    return readFile(`${cwd}/${file.path}`, linesOf(session, file, size))
  }
  if (kind < 4) {
    session.files.add(file.path)
    const [removed, added] = [1, 2].map(() => [file.lines[random.below(file.lines.length)]])
    return edited(`${cwd}/${file.path}`, { at: random.below(file.lines.length), removed, added, original: '' })
  }
  const command = world.prose.command(random, code)
  if (kind < 5) return run(session, command, world.output.failure(random, code), true)
  return run(session, command, world.output.listing(random, code, size))
}

/** @param {LongSession} session @param {import("../homes/project.mjs").SourceFile} file @param {number} bytes */
function linesOf({ random, code }, file, bytes) {
  const lines = file.lines.map((text) => ({ text }))
  for (let size = lines.length * 40; size < bytes; size += 40) lines.push({ text: code.line(random, file.language) })
  return lines
}

/** @param {LongSession} session @param {string} command @param {string} output @returns {Step} */
function run(session, command, output, fails = false) {
  session.commands.push(command)
  if (!fails) return ran(command, output, 'As asked')
  session.errors.push(output)
  return failed(command, output, 'Look')
}
