#!/usr/bin/env node
/**
 * Everyday questions to `recall how`, in a made-up home where every task was done once among commands that speak of it; and
 * sessions asked of `recall similar`, where long sessions touch every subject in passing:
 *
 *   node bench/retrieval/daily.mjs [--half open|held] [--program bin/recall.js] [--misses]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { sessionId, writeSession } from './small-home.mjs'

/** The rest of a working day: what every session also does. */
const USUAL = [
  { command: 'git status', description: 'Show changes' },
  { command: 'npm test', description: 'Run the tests' },
  { command: 'git add -A && git commit -m "Work"', description: 'Commit the changes' },
]
const PLACES = ['/w/shop', '/w/api', '/w/site']
const LONG_SESSIONS = 4

const { values } = parseArgs({
  options: {
    half: { type: 'string', default: 'open' },
    program: { type: 'string', default: fileURLToPath(new URL('../../bin/recall.js', import.meta.url)) },
    misses: { type: 'boolean', default: false },
  },
})
const isAsked = (/** @type {unknown} */ _, /** @type {number} */ i) => (i % 2 === 1) === (values.half === 'held')
const miss = (/** @type {string} */ line) => values.misses && console.log(line)
inHome(askHow)
inHome(askSimilar)

/** @param {(home: string, run: (...args: string[]) => any) => void} ask */
function inHome(ask) {
  const scratch = mkdtempSync(join(tmpdir(), 'recall-daily-'))
  const home = join(scratch, 'home')
  const env = { PATH: process.env['PATH'], HOME: home, XDG_DATA_HOME: scratch, XDG_CONFIG_HOME: scratch, NO_COLOR: '1' }
  const run = (/** @type {string[]} */ ...args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [values.program, ...args, '--json'], {
      env,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`recall ${args[0]} failed: ${stdout}${stderr}`)
    return JSON.parse(stdout)
  }
  try {
    ask(home, run)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** @param {string} name */
function blocksOf(name) {
  return readFileSync(new URL(`stock/${name}.txt`, import.meta.url), 'utf8')
    .trim()
    .split(/\n{2,}/)
    .slice(1)
}

/** @param {string} home @param {(...args: string[]) => any} run */
function askHow(home, run) {
  const days = blocksOf(values.half === 'held' ? 'daily-held' : 'daily').map((block) => {
    const [ask = '', right = '', prompt = '', ...ran] = block.trim().split('\n')
    const commands = ran.map((line) => {
      const [command = '', description] = line.slice(2).split('  # ')
      return { command, description, failed: line.startsWith('!') }
    })
    return {
      ask: ask.slice(2),
      right: new RegExp(right.slice(2), 'i'),
      steps: [{ prompt: prompt.slice(2) }, ...commands],
    }
  })
  for (const [day, { ask, steps }] of days.entries()) {
    const cwd = PLACES[day % PLACES.length] ?? '/w'
    writeSession(home, { name: ask, day, cwd, steps: [...steps, ...USUAL, { say: 'Done.' }] })
  }
  run('index')
  const places = days.map(({ ask, right }) => {
    const { commands } = run('how', ask)
    const place = commands.findIndex((/** @type {{ command: string }} */ { command }) => right.test(command)) + 1
    if (place !== 1) miss(`place ${place}\t${ask}\t${commands[0]?.command ?? '-'}`)
    return place
  })
  const within = (/** @type {number} */ most) => places.filter((place) => place > 0 && place <= most).length
  console.log(`how, ${values.half} half: first ${within(1)} of ${days.length}, in the first three ${within(3)}`)
}

/** @param {string} home @param {(...args: string[]) => any} run */
function askSimilar(home, run) {
  const subjects = blocksOf('alike').map((block) => {
    const [name = '', ...lines] = block.trim().split('\n')
    const texts = lines.map((line) => line.slice(2))
    const talks = texts
      .filter((_, i) => i % 2 === 0)
      .map(
        (prompt, i) => /** @type {import("./small-home.mjs").Step[]} */ ([{ prompt }, { say: texts[2 * i + 1] ?? '' }]),
      )
    return { name: name.slice(2), talks }
  })
  const nameOf = (/** @type {string} */ subject, /** @type {number} */ i) => `claude:${sessionId(`${subject} ${i}`)}`
  let day = 0
  for (const { name, talks } of subjects)
    for (const [i, talk] of talks.entries())
      writeSession(home, {
        name: `${name} ${i}`,
        day: day++,
        cwd: PLACES[day % PLACES.length] ?? '/w',
        steps: [...talk, ...USUAL],
      })
  for (let i = 0; i < LONG_SESSIONS; i++) {
    const steps = subjects.flatMap(({ name, talks }) => [
      ...inPassing(name, talks[i % talks.length] ?? []),
      ...USUAL,
      ...filler(day),
    ])
    writeSession(home, { name: `long ${i}`, day: day++, cwd: PLACES[i % PLACES.length] ?? '/w', steps })
  }
  run('index')
  const mates = subjects.filter(({ talks }) => talks.length > 1)
  let [sessions, first, both, sure, alone, guessed] = [0, 0, 0, 0, 0, 0]
  for (const { name, talks } of mates.filter(isAsked)) {
    for (const i of talks.keys()) {
      const others = [...talks.keys()].filter((other) => other !== i).map((other) => nameOf(name, other))
      const { hits } = run('similar', nameOf(name, i))
      const found = hits.map((/** @type {any} */ hit) => hit.session.session_uid)
      sessions++
      if (others.includes(found[0])) first++
      if (others.every((other) => found.slice(0, 2).includes(other))) both++
      if (others.includes(found[0]) && !hits[0].low_confidence) sure++
      if (!others.every((other) => found.slice(0, 2).includes(other)))
        miss(
          `${name} ${i}\t${hits
            .slice(0, 3)
            .map((/** @type {any} */ hit) => `${hit.session.title?.slice(0, 40)} (${hit.shared.slice(0, 4)})`)
            .join(' | ')}`,
        )
    }
  }
  for (const { name } of subjects.filter(({ talks }) => talks.length === 1).filter(isAsked)) {
    const { hits } = run('similar', nameOf(name, 0))
    alone++
    if (hits.length === 0 || hits[0].low_confidence || hits[0].session.title === null) guessed++
    else miss(`${name}\tsure of ${hits[0].session.title} (${hits[0].shared})`)
  }
  console.log(
    `similar, ${values.half} half: first ${first} of ${sessions} (${sure} without a doubt), both at the top ${both}; without a like ${guessed} of ${alone} silent or in doubt`,
  )
}

/** A subject that is touched, and its answer cut after the first sentence. @param {string} name @param {readonly import("./small-home.mjs").Step[]} talk */
function inPassing(name, talk) {
  const say =
    talk
      .map((step) => ('say' in step ? step.say : ''))
      .join('')
      .split('. ')[0] ?? ''
  return [
    { prompt: `by the way, how did it go with ${name.replace('only once: ', '')}?` },
    { say: `As before: ${say}.` },
  ]
}

/** What a long session also speaks of. @param {number} seed */
function filler(seed) {
  const things = [
    'the build',
    'the readme',
    'a type',
    'the linter',
    'an import',
    'the config',
    'a helper',
    'the changelog',
  ]
  return Array.from({ length: 6 }, (_, i) => [
    { prompt: `next: ${things[(seed + i) % 8]} and ${things[(seed * 3 + i + 1) % 8]}, see step ${seed * 7 + i}` },
    { say: `Changed ${things[(seed + i) % 8]} in step ${seed * 7 + i}; the tests pass and everything is committed.` },
  ]).flat()
}
