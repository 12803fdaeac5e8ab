#!/usr/bin/env node
/** Checks that the benchmark keeps its promises: counts, unique texts, paraphrases that share no word with what they ask for. */
import { DatabaseSync } from '@photostructure/sqlite'
import { tellAll } from './generate.mjs'

const KINDS = ['question', 'keyword', 'exact', 'command', 'file', 'paraphrase']
const STOP = new Set(
  `a an the of to in on at for by with and or but not no is are was were be been it its this that from into as than then
   over under after before since when while whenever because owing they them their our we us you your i me my he she his
   her who what which where why how all any some one two both each every only so too very more most much many few other
   another others between during upon amid nothing somebody got get gets had has have did does do would could can there
   here out up down off again until still yet also whose without among once`.split(/\s+/),
)

const told = tellAll('/home/check')
/** @type {string[]} */
const faults = []
const expect = (/** @type {boolean} */ holds, /** @type {string} */ fault) => void (holds || faults.push(fault))

const code = told.sessions.filter((session) => session.pair.length === 0)
const answerable = told.questions.filter((question) => question.kind !== 'none')
expect(told.sessions.length >= 400, 'fewer than 400 sessions')
expect(told.sessions.length - code.length >= 100, 'fewer than 100 talks')
expect(new Set(code.map((session) => session.project)).size === 24, 'not 24 projects')
expect(
  told.sessions.every(({ exchanges }) => exchanges.length >= 3 && exchanges.length <= 42),
  'a session is too short or too long',
)
expect(told.stock.topics.length >= 60, 'fewer than 60 topics')
expect(answerable.length >= 300, 'fewer than 300 questions')
expect(told.questions.length - answerable.length >= 60, 'fewer than 60 questions without an answer')
expect(
  new Set(told.questions.map((question) => question.text)).size === told.questions.length,
  'a question is asked twice',
)
expect(
  answerable.every((question) => question.answers.length > 0),
  'a question has no right answer',
)
for (const kind of KINDS)
  expect(answerable.filter((one) => one.kind === kind).length >= 50, `fewer than 50 of kind ${kind}`)
for (const command of ['similar', 'how', 'fix', 'files', 'blame']) {
  const tasks = told.tasks.filter((task) => task.command === command)
  expect(tasks.filter((task) => !task.none).length >= 30, `fewer than 30 cases of ${command}`)
  expect(tasks.filter((task) => task.none).length >= 10, `fewer than 10 cases of ${command} without an answer`)
}
expect(JSON.stringify(tellAll('/home/check').questions) === JSON.stringify(told.questions), 'two runs differ')

const db = new DatabaseSync(':memory:')
db.exec("CREATE VIRTUAL TABLE told USING fts5(text, tokenize='porter unicode61')")
const count = db.prepare('SELECT count(*) AS n FROM told WHERE told MATCH ?')
for (const { name, paraphrases, text } of cores()) {
  db.exec('DELETE FROM told')
  db.prepare('INSERT INTO told VALUES (?)').run(text.replace(/\{\w+\}/g, ' '))
  for (const paraphrase of paraphrases) {
    const words = (paraphrase.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => !STOP.has(word))
    const shared = words.filter((word) => Number(/** @type {any} */ (count.get(`"${word}"`)).n) > 0)
    expect(shared.length === 0, `paraphrase of ${name} shares: ${shared.join(' ')}`)
  }
}

/** What a session says of a case or a thread, in whatever variant. */
function cores() {
  const cases = told.stock.cases.map((one) => {
    const { ask, file, error, bad, good, how } = one.topic
    const text = [...ask, file, error, bad, good, how, one.cause, one.fix, one.old, one.new, one.msg, one.id].join('\n')
    return { name: one.key, paraphrases: one.p, text }
  })
  const threads = told.stock.threads.map(({ name, p, lines, vals }) => {
    const text = [...lines.map(([, line]) => line), ...vals.flatMap((val) => Object.values(val))].join('\n')
    return { name, paraphrases: p, text }
  })
  return [...cases, ...threads]
}

for (const fault of faults) console.log(fault)
console.log(
  faults.length === 0 ? `all promises kept: ${told.sessions.length} sessions, ${answerable.length} questions` : '',
)
process.exitCode = faults.length === 0 ? 0 : 1
