/** Figures from what a tool answered. Pure. */

/**
 * @typedef {import("./questions.mjs").Question} Question
 * @typedef {import("./tasks.mjs").Task} Task
 * @typedef {{ question: Question, sessions: string[], lowConfidence: boolean, confidence?: string, ms: number }} Asked
 * @typedef {{ task: Task, answer: import("./run.mjs").Answer | null, ms: number }} Tried
 * @typedef {{ questions: number, hit1: number, hit5: number, hit10: number, mrr: number, empty: number }} Figures
 */

const RANKS = 10
const TOP = 3

/** @param {readonly Asked[]} asked */
export function scoreQuestions(asked) {
  const answerable = asked.filter(({ question }) => question.kind !== 'none')
  const lexical = answerable.filter(({ question }) => question.kind !== 'paraphrase')
  const kinds = [...new Set(answerable.map(({ question }) => question.kind))]
  const none = asked.filter(({ question }) => question.kind === 'none')
  const surfaced = none.filter(({ sessions, lowConfidence }) => sessions.length > 0 && !lowConfidence)
  const doubted = answerable.filter((one) => one.lowConfidence && rankOf(one) === 1)
  const times = asked.map(({ ms }) => ms).sort((a, b) => a - b)
  /** @param {(one: Asked) => boolean} keep */
  const part = (keep) => figures(answerable.filter(keep))
  return {
    overall: figures(answerable),
    without_paraphrase: figures(lexical),
    code: figures(lexical.filter(({ question }) => question.about === 'code')),
    talk: figures(lexical.filter(({ question }) => question.about === 'talk')),
    kinds: Object.fromEntries(kinds.map((kind) => [kind, part(({ question }) => question.kind === kind)])),
    unanswerable: none.length,
    false_surface: share(surfaced.length, none.length),
    right_but_doubted: share(doubted.length, answerable.length),
    confidence: confidences(asked),
    p50_ms: quantile(times, 0.5),
    p95_ms: quantile(times, 0.95),
  }
}

/** How often the first hit is right, by how sure the tool said it was. @param {readonly Asked[]} asked */
function confidences(asked) {
  const said = [...new Set(asked.flatMap(({ confidence }) => confidence ?? []))].sort()
  return Object.fromEntries(
    said.map((word) => {
      const hits = asked.filter(({ confidence }) => confidence === word)
      return [word, { hits: hits.length, right: share(hits.filter((one) => rankOf(one) === 1).length, hits.length) }]
    }),
  )
}

/** Place of the first right session among distinct sessions; 0 if it is not among the first ten. */
export function rankOf(/** @type {Asked} */ { question, sessions }) {
  const distinct = [...new Set(sessions)].slice(0, RANKS)
  return distinct.findIndex((session) => question.answers.includes(session)) + 1
}

/** @param {readonly Asked[]} asked @returns {Figures} */
function figures(asked) {
  const ranks = asked.map(rankOf)
  const upTo = (/** @type {number} */ limit) => ranks.filter((rank) => rank > 0 && rank <= limit).length
  const reciprocal = ranks.reduce((sum, rank) => sum + (rank === 0 ? 0 : 1 / rank), 0)
  return {
    questions: asked.length,
    hit1: share(upTo(1), asked.length),
    hit5: share(upTo(5), asked.length),
    hit10: share(upTo(RANKS), asked.length),
    mrr: share(reciprocal, asked.length),
    empty: asked.filter(({ sessions }) => sessions.length === 0).length,
  }
}

/** Right: one of the first three is. Wrong: something is said where nothing, or something else, is right. */
export function scoreTasks(/** @type {readonly Tried[]} */ tried) {
  const commands = [...new Set(tried.map(({ task }) => task.command))]
  return commands.map((command) => {
    const all = tried.filter(({ task }) => task.command === command)
    const planted = all.filter(({ task }) => !task.none)
    const none = all.filter(({ task }) => task.none)
    const times = all.map(({ ms }) => ms).sort((a, b) => a - b)
    return {
      command,
      known: all.every(({ answer }) => answer !== null),
      planted: planted.length,
      right: share(planted.filter(isRight).length, planted.length),
      wrong_first: share(all.filter(isWrong).length, all.length),
      none: none.length,
      silent: share(none.filter(({ answer }) => isSilent(answer)).length, none.length),
      p50_ms: quantile(times, 0.5),
    }
  })
}

/** @param {Tried} tried */
function isRight({ task, answer }) {
  if (answer === null) return false
  const wanted = task.expect.commands
  if (wanted === undefined) return answer.sessions.slice(0, TOP).some((one) => task.expect.sessions?.includes(one))
  return answer.commands.slice(0, TOP).some((one) => wanted.some((command) => squeeze(one).includes(squeeze(command))))
}

/** The first thing said is not right. @param {Tried} tried */
function isWrong({ task, answer }) {
  if (answer === null || isSilent(answer)) return false
  return !isRight({
    task,
    ms: 0,
    answer: { sessions: answer.sessions.slice(0, 1), commands: answer.commands.slice(0, 1) },
  })
}

/** A guess that says so claims nothing. @param {Tried["answer"]} answer */
const isSilent = (answer) =>
  answer !== null && (answer.lowConfidence === true || (answer.sessions.length === 0 && answer.commands.length === 0))

const squeeze = (/** @type {string} */ text) => text.replace(/\s+/g, ' ').trim()
const share = (/** @type {number} */ part, /** @type {number} */ whole) =>
  whole === 0 ? 0 : Math.round((part / whole) * 1000) / 1000

/** @param {readonly number[]} sorted @param {number} at */
export function quantile(sorted, at) {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? 0
  return Math.round(value * 100) / 100
}
