import { readFileSync } from 'node:fs'
import path from 'node:path'

const SHARES = { question: 20, how: 8, file: 6, commit: 6 }
const COMMANDS = { how: 'how', file: 'files', commit: 'blame' }
/** So much of what the agent explained then tells that it was read. */
const TELLING = 50

/** Tasks about the sessions of bench/retrieval, whose answers are known by construction: every so many-th of each kind. */
export function generatedTasks(home) {
  const read = (name) => JSON.parse(readFileSync(path.join(home, name), 'utf8'))
  const sessions = new Map(read('sessions.json').map((session) => [session.id, path.join(home, session.path)]))
  const questions = read('questions.json')
    .filter(
      ({ kind, about, exchange, answers }) =>
        kind === 'question' && about === 'code' && exchange && answers.length === 1,
    )
    .map(({ id, text, answers, exchange }) => ({
      id,
      how: 'search',
      question: text,
      answers: explained(sessions.get(answers[0]), exchange),
    }))
    .filter(({ answers }) => answers.length > 0)
  const tasks = read('tasks.json').filter(({ none }) => !none)
  const asked = (how) =>
    tasks
      .filter(({ command }) => command === COMMANDS[how])
      .map(({ id, argument, expect, cwd }) => ({
        id,
        how: how === 'how' ? 'task' : how,
        question: argument,
        cwd,
        // Which session it was is the answer to who changed a file, or what is behind a commit.
        answers: expect.commands ?? expect.sessions.map((uid) => uid.slice(uid.indexOf(':') + 1)),
      }))
  return Object.entries(SHARES).flatMap(([kind, many]) => some(kind === 'question' ? questions : asked(kind), many))
}

function some(all, many) {
  return Array.from({ length: Math.min(many, all.length) }, (_, i) => all[Math.floor((i * all.length) / many)])
}

function records(file) {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** What the generator counts as an exchange begins with one of these; a summary of the client does not. */
function isPrompt({ type, message, isMeta, isCompactSummary }) {
  if (type !== 'user' || isMeta || isCompactSummary) return false
  return typeof message.content === 'string' || message.content.some((block) => block.type === 'text')
}

/** Beginnings of what the agent said in the nth exchange: the longest of it is the answer. */
function explained(file, exchange) {
  let at = 0
  const said = []
  for (const record of records(file)) {
    if (isPrompt(record)) at++
    if (at !== exchange || record.type !== 'assistant') continue
    for (const block of record.message.content) if (block.type === 'text') said.push(block.text)
  }
  const [longest] = said.sort((a, b) => b.length - a.length)
  return longest === undefined || longest.length < TELLING ? [] : [longest.slice(0, TELLING)]
}
