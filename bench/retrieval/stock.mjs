/** The hand-written stock that sessions and questions are made from: plain text files in `stock/`. */
import { readFileSync } from 'node:fs'

/**
 * One concrete problem with its cause and its fix. `q`, `k`, `p`: plain questions, keywords, a paraphrase.
 *
 * @typedef {{ key: string, topic: Topic, cause: string, fix: string, old: string, new: string, msg: string, id: string,
 *   q: string[], k: string[], p: string[] }} Case
 * @typedef {{ name: string, tag: string, file: string, error: string, bad: string, good: string, how: string,
 *   ask: string[], cases: Case[] }} Topic
 * @typedef {{ name: string, vals: Record<string, string>[], lines: [speaker: string, text: string][], q: string[],
 *   p: string[], later: string[] }} Thread
 * @typedef {{ svc: string, tags: string[], ents: string[], mods: string[], people: string[] }} Project
 * @typedef {{ prompt: string, command: string, output: string, answer: string }} Chore
 * @typedef {ReturnType<typeof readStock>} Stock
 */

const TOPICS = ['database', 'http', 'build', 'ops', 'frontend', 'data', 'systems', 'product']
const THREADS = ['talk-home', 'talk-life', 'talk-work']

export function readStock() {
  const topics = TOPICS.flatMap((name) => blocks(name).map(topic))
  const none = Object.fromEntries(blocks('task-none').map(([head, rest]) => [head, rest]))
  return {
    topics,
    cases: topics.flatMap((one) => one.cases),
    threads: THREADS.flatMap((name) => blocks(name).map(thread)),
    asides: blocks('asides').map(thread),
    projects: lines('projects').map(project),
    pairs: lines('pairs').map((line) => line.split('|')),
    chores: lines('chores').map(chore),
    smallTalk: lines('small-talk').map((line) => line.split('|')),
    unanswerable: lines('unanswerable'),
    none,
  }
}

/** @param {string} name */
function lines(name) {
  const text = readFileSync(new URL(`./stock/${name}.txt`, import.meta.url), 'utf8')
  return text.split('\n').filter((line) => line.trim() !== '')
}

/**
 * @param {string} name
 * @returns {[head: string, lines: string[]][]}
 */
function blocks(name) {
  /** @type {[string, string[]][]} */
  const found = []
  for (const line of lines(name)) {
    if (line.startsWith('# ') && /^# [\w ]+$/.test(line)) found.push([line.slice(2), []])
    else found[found.length - 1][1].push(line)
  }
  return found
}

/** @param {string} line */
function field(line) {
  const at = line.indexOf(': ')
  if (at === -1) throw new Error(`no field in stock line: ${line}`)
  return [line.slice(0, at), line.slice(at + 2).replaceAll('\\n', '\n')]
}

/**
 * @param {[string, string[]]} block
 * @returns {Topic}
 */
function topic([head, body]) {
  const [name, tag] = head.split(' ')
  /** @type {any} */
  const found = { name, tag, ask: [], cases: [] }
  /** @type {any} */
  let target = found
  for (const line of body) {
    if (line === 'case') {
      target = { key: `${name}/${found.cases.length + 1}`, topic: found, q: [], k: [], p: [] }
      found.cases.push(target)
      continue
    }
    const [key, value] = field(line)
    if (Array.isArray(target[key])) target[key].push(value)
    else target[key] = value
  }
  return found
}

/**
 * @param {[string, string[]]} block
 * @returns {Thread}
 */
function thread([name, body]) {
  /** @type {Thread} */
  const found = { name, vals: [], lines: [], q: [], p: [], later: [] }
  for (const line of body) {
    const [key, value] = field(line)
    if (key === 'val') found.vals.push(Object.fromEntries(value.split(' | ').map((pair) => pair.split('='))))
    else if (key === 'q' || key === 'p' || key === 'later') found[key].push(value)
    else found.lines.push([key, value])
  }
  return found
}

/**
 * @param {string} line
 * @returns {Project}
 */
function project(line) {
  const [svc, tags, ents, mods, people] = line.split('|')
  return {
    svc,
    tags: tags.split(' '),
    ents: ents.split(' '),
    mods: mods.split(' '),
    people: people.split(' '),
  }
}

/**
 * @param {string} line
 * @returns {Chore}
 */
function chore(line) {
  const [prompt, command, output, answer] = line.split('¦').map((part) => part.replaceAll('\\n', '\n'))
  return { prompt, command, output, answer }
}
