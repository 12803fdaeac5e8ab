/** Writes told sessions as Claude Code would have left them, and the working trees they speak of. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createTranscript } from '../homes/claude-transcript.mjs'

/**
 * @typedef {import("./plan.mjs").Session} Session
 * @typedef {Pick<Session, "random" | "id" | "cwd" | "branch" | "startMs" | "exchanges">} Told
 * @typedef {import("./steps.mjs").Step} Step
 * @typedef {import("../homes/claude-transcript.mjs").Transcript} Transcript
 * @typedef {import("../homes/claude-transcript.mjs").Block} Block
 * @typedef {import("../homes/sink.mjs").Sink} Sink
 */

const VERSION = '2.1.128'
const MODEL = 'claude-sonnet-4-5-20250929'

/** Where the transcript of a session lies, relative to the home. */
export function transcriptPath(/** @type {Told} */ { id, cwd }) {
  return `.claude/projects/${cwd.replace(/[^a-zA-Z0-9]/g, '-')}/${id}.jsonl`
}

/** @param {Sink} sink @param {Session} session */
export function writeTranscript(sink, session) {
  return writeTalk(sink, session, () => titleOf(session))
}

/** @param {Sink} sink @param {Told} session @param {() => string} [titled] asked at the end; without it, no title */
export function writeTalk(sink, session, titled) {
  const { random, id, cwd, branch, startMs } = session
  const file = sink.open(transcriptPath(session))
  const envelope = { sessionId: id, cwd, gitBranch: branch, version: VERSION, slug: 'x', entrypoint: 'cli' }
  const known = { ...envelope, modern: true, model: MODEL }
  const transcript = createTranscript({ file, random, session: known, startMs })
  for (const exchange of session.exchanges) {
    if (exchange.summary !== undefined) compact(transcript, exchange.summary)
    const text = { type: 'text', text: exchange.prompt }
    transcript.user(exchange.context === undefined ? exchange.prompt : [{ type: 'text', text: exchange.context }, text])
    if (random.chance(0.15)) {
      transcript.append({ attachment: { type: 'todo_reminder', content: [], itemCount: 0 }, type: 'attachment' })
    }
    play(transcript, random, exchange.steps)
    transcript.advance(random.skewedInt(60_000, 1, 3_600_000))
  }
  if (titled) transcript.note({ type: 'ai-title', aiTitle: titled(), sessionId: id })
  return file.close(transcript.clock())
}

/** @param {Transcript} transcript @param {string} summary */
function compact(transcript, summary) {
  transcript.compact()
  const text = `This session is being continued from a previous conversation that ran out of context. ${summary}`
  transcript.user(text, { isVisibleInTranscriptOnly: true, isCompactSummary: true })
}

/**
 * What is thought and said in one breath, with the call that ends it, is one response.
 *
 * @param {Transcript} transcript
 * @param {import("../homes/random.mjs").Random} random
 * @param {Step[]} steps
 */
function play(transcript, random, steps) {
  /** @type {Block[]} */
  let breath = []
  for (const step of steps) {
    if ('think' in step) breath.push({ type: 'thinking', thinking: step.think, signature: random.base64(80) })
    else if ('say' in step) breath.push({ type: 'text', text: step.say })
    else {
      const id = `toolu_01${random.base62(22)}`
      const { name, input, ms, ...result } = step.call
      const response = transcript.response([...breath, { type: 'tool_use', id, name, input }], {
        stopReason: 'tool_use',
      })
      for (let i = 0; i < breath.length; i++) response.next()
      const callUuid = response.next()
      breath = []
      transcript.advance(ms)
      transcript.toolResult({ toolUseId: id, callUuid, ...result })
    }
  }
  const response = transcript.response(breath, { stopReason: 'end_turn' })
  for (let i = 0; i < breath.length; i++) response.next()
}

/** @param {Session} session */
function titleOf({ pair, occurrences, commits, about, random }) {
  if (pair.length > 0) return `${pair[0]} and ${pair[1]} catch up`
  const first = commits[0]?.message
  if (first !== undefined && random.chance(0.6)) return first
  return occurrences.length === 0 ? `Small chores in ${about.svc}` : `Work on ${about.svc}`
}

/**
 * The final state of every file, with as much of a repository as tells where it comes from.
 *
 * @param {string} home
 * @param {import("./trees.mjs").Trees} trees
 * @param {readonly Session[]} sessions
 */
export function writeTrees(home, trees, sessions) {
  for (const [project, files] of trees.projects) {
    const root = join(home, 'code', project)
    put(join(root, '.git/config'), `[remote "origin"]\n\turl = git@github.test:${project}/${project}.git\n`)
    put(join(root, '.git/HEAD'), 'ref: refs/heads/main\n')
    for (const [path, lines] of files) put(join(root, path), `${lines.map((line) => line.text).join('\n')}\n`)
  }
  for (const { cwd, project } of sessions) {
    if (!cwd.endsWith('-worktree')) continue
    const gitDir = join(home, 'code', project, '.git/worktrees', cwd.slice(cwd.lastIndexOf('/') + 1))
    put(join(gitDir, 'commondir'), '../..\n')
    put(join(gitDir, 'gitdir'), `${cwd}/.git\n`)
    put(join(cwd, '.git'), `gitdir: ${gitDir}\n`)
  }
}

/** @param {string} path @param {string} text */
function put(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
