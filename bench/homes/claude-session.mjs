/** What happens in one Claude Code session, with its subagents. */
import { callTool } from './claude-tools.mjs'
import { createTranscript } from './claude-transcript.mjs'

/**
 * @typedef {import("./claude-tools.mjs").Scene} Scene
 * @typedef {import("./claude-tools.mjs").ToolCall} ToolCall
 * @typedef {import("./claude-transcript.mjs").Transcript} Transcript
 * @typedef {import("./claude-transcript.mjs").Session} Session
 * @typedef {import("./claude-transcript.mjs").Block} Block
 * @typedef {import("./sink.mjs").Sink} Sink
 * @typedef {{ sink: Sink, directory: string, session: Session, startMs: number, budgetBytes: number,
 *   firstWords?: string }} Plan
 */

const CONTEXT_LIMIT_TOKENS = 160_000
const SUBAGENT_MODEL = 'claude-haiku-4-5-20251001'
const INTERRUPTED = '[Request interrupted by user for tool use]'

/**
 * Writes the session's files until its budget is spent; returns the bytes really written.
 *
 * @param {Scene} scene
 * @param {Plan} plan
 */
export function writeSession(scene, plan) {
  const { random, prose } = scene
  const { sink, directory, session, startMs, budgetBytes, firstWords } = plan
  const file = sink.open(`${directory}/${session.sessionId}.jsonl`)
  const transcript = createTranscript({ file, random, session, startMs })
  const title = prose.title(random, random.int(3, 8))
  /** @type {Record<string, object>} */
  const backups = {}
  let subagentBytes = 0
  let prefix = firstWords === undefined ? '' : `${firstWords} `

  const spent = () => file.size() + subagentBytes >= budgetBytes

  do {
    if (transcript.contextTokens() > CONTEXT_LIMIT_TOKENS) compact(scene, transcript)
    const prompt = prefix + prose.prompt(random, scene.project)
    prefix = ''
    openExchange(scene, transcript, { prompt, backups })
    subagentBytes += work(scene, transcript, plan, spent)
    closeExchange(scene, transcript, { prompt, title })
    transcript.advance(random.skewedInt(90_000, 1.3, 10_800_000))
  } while (!spent())

  return file.close(transcript.clock()) + subagentBytes
}

/**
 * @param {Scene} scene
 * @param {Transcript} transcript
 * @param {{ prompt: string, backups: Record<string, object> }} asked
 */
function openExchange({ random, project }, transcript, { prompt, backups }) {
  const { session } = transcript
  const { sessionId } = session
  if (random.chance(0.15)) {
    transcript.note({
      type: 'queue-operation',
      operation: 'enqueue',
      timestamp: transcript.timestamp(),
      sessionId,
      content: prompt,
    })
    transcript.note({ type: 'queue-operation', operation: 'dequeue', timestamp: transcript.timestamp(), sessionId })
  }
  const content = random.chance(0.8) ? prompt : [{ type: 'text', text: prompt }]
  const messageId = transcript.user(content, { permissionMode: 'default' })
  if (random.chance(0.5)) {
    const backupTime = transcript.timestamp()
    const version = random.int(1, 9)
    backups[random.pick(project.files).path] = { backupFileName: `${random.hex(16)}@v${version}`, version, backupTime }
  }
  transcript.note({
    type: 'file-history-snapshot',
    messageId,
    snapshot: { messageId, trackedFileBackups: backups, timestamp: transcript.timestamp() },
    isSnapshotUpdate: false,
  })
  if (session.modern && random.chance(0.2)) {
    transcript.append({ attachment: { type: 'todo_reminder', content: [], itemCount: 0 }, type: 'attachment' })
  }
}

/**
 * The agent's steps up to its final answer, or to an interrupt. Returns the bytes of its subagents.
 *
 * @param {Scene} scene
 * @param {Transcript} transcript
 * @param {Plan} plan
 * @param {() => boolean} spent
 */
function work(scene, transcript, plan, spent) {
  const { random, project, prose } = scene
  const steps = random.skewedInt(5, 0.8, 60)
  const interruptedAt = random.chance(0.03) ? random.below(steps) : -1
  let subagentBytes = 0
  for (let step = 0; step < steps && !spent(); step++) {
    if (random.chance(0.025) && plan.budgetBytes > 60_000) {
      subagentBytes += delegate(scene, transcript, plan)
    } else {
      toolStep(scene, transcript)
    }
    if (step === interruptedAt) {
      transcript.user([{ type: 'text', text: INTERRUPTED }])
      return subagentBytes
    }
  }
  finalAnswer(scene, transcript, prose.answer(random, project, 1700))
  return subagentBytes
}

/**
 * @param {Scene} scene
 * @param {Transcript} transcript
 */
function toolStep(scene, transcript) {
  const { random, project, prose } = scene
  const calls = Array.from(
    {
      length: random.weighted([
        [1, 16],
        [2, 3],
        [3, 1],
      ]),
    },
    () => callTool(scene),
  )
  /** @type {Block[]} */
  const blocks = []
  if (random.chance(0.7)) blocks.push(thought(scene))
  if (random.chance(0.6)) blocks.push({ type: 'text', text: prose.answer(random, project, 600) })
  const uses = calls.map(({ name, input }) => ({
    type: /** @type {const} */ ('tool_use'),
    id: toolId(random),
    name,
    input,
  }))
  const response = transcript.response([...blocks, ...uses], { stopReason: 'tool_use' })
  for (let i = 0; i < blocks.length; i++) response.next()

  const interleaved = random.chance(0.5)
  const uuids = interleaved ? [] : calls.map(() => response.next())
  for (const [i, call] of calls.entries()) {
    const callUuid = interleaved ? response.next() : uuids[i]
    const toolUseId = uses[i].id
    if (!transcript.session.modern) progress(scene, transcript, { call, toolUseId })
    transcript.advance(call.durationMs)
    transcript.toolResult({ toolUseId, callUuid, ...call })
  }
}

/**
 * @param {Scene} scene
 * @param {Transcript} transcript
 * @param {{ call: ToolCall, toolUseId: string }} running
 */
function progress({ random }, transcript, { call, toolUseId }) {
  if (call.lastLines === undefined || call.durationMs < 4000) return
  for (let tick = 1; tick <= Math.min(3, call.durationMs / 4000); tick++) {
    const data = {
      type: 'bash_progress',
      output: call.lastLines,
      fullOutput: call.lastLines,
      elapsedTimeSeconds: tick * 2,
      totalLines: 5,
    }
    transcript.append({
      type: 'progress',
      data,
      toolUseID: `bash-progress-${random.int(0, 99)}`,
      parentToolUseID: toolUseId,
    })
  }
}

/**
 * An Agent call: its own transcript beside the session, linked by the agent id.
 *
 * @param {Scene} scene
 * @param {Transcript} transcript
 * @param {Plan} plan
 */
function delegate(scene, transcript, { sink, directory, session }) {
  const { random, project, prose } = scene
  const agentId = `a${random.hex(16)}`
  const toolUseId = toolId(random)
  const input = {
    description: prose.title(random, 4),
    prompt: prose.prompt(random, project),
    subagent_type: random.pick(['Explore', 'general-purpose', 'Plan']),
  }
  const response = transcript.response([thought(scene), { type: 'tool_use', id: toolUseId, name: 'Agent', input }], {
    stopReason: 'tool_use',
  })
  response.next()
  const callUuid = response.next()

  const path = `${directory}/${session.sessionId}/subagents/agent-${agentId}`
  const file = sink.open(`${path}.jsonl`)
  const startMs = transcript.clock()
  const worker = createTranscript({ file, random, session: { ...session, model: SUBAGENT_MODEL }, startMs, agentId })
  worker.user(input.prompt)
  const totalToolUseCount = random.int(2, 9)
  for (let step = 0; step < totalToolUseCount; step++) toolStep(scene, worker)
  const text = prose.answer(random, project, 1600)
  finalAnswer(scene, worker, text)
  const meta = sink.open(`${path}.meta.json`)
  meta.write(JSON.stringify({ agentType: input.subagent_type, description: input.description }))

  const totalDurationMs = worker.clock() - startMs
  transcript.advance(totalDurationMs)
  const content = [{ type: 'text', text }]
  const toolUseResult = {
    status: 'completed',
    prompt: input.prompt,
    agentId,
    content,
    totalDurationMs,
    totalTokens: worker.contextTokens(),
    totalToolUseCount,
  }
  transcript.toolResult({ toolUseId, callUuid, content, toolUseResult })
  return file.close(worker.clock()) + meta.close(worker.clock())
}

/**
 * @param {Scene} scene
 * @param {Transcript} transcript
 * @param {string} text
 */
function finalAnswer(scene, transcript, text) {
  /** @type {Block[]} */
  const blocks = scene.random.chance(0.4) ? [thought(scene)] : []
  blocks.push({ type: 'text', text })
  const response = transcript.response(blocks, { stopReason: 'end_turn' })
  for (let i = 0; i < blocks.length; i++) response.next()
}

/**
 * @param {Scene} scene
 * @param {Transcript} transcript
 * @param {{ prompt: string, title: string }} said
 */
function closeExchange({ random }, transcript, { prompt, title }) {
  const { session } = transcript
  if (random.chance(0.4)) {
    const durationMs = random.int(4000, 600_000)
    transcript.append({ type: 'system', subtype: 'turn_duration', durationMs, isMeta: false })
  }
  const { sessionId } = session
  transcript.note({ type: 'last-prompt', lastPrompt: prompt.slice(0, 200), leafUuid: transcript.lastUuid(), sessionId })
  transcript.note({ type: 'ai-title', aiTitle: title, sessionId })
}

/**
 * @param {Scene} scene
 * @param {Transcript} transcript
 */
function compact({ random, project, prose }, transcript) {
  transcript.compact()
  const summary = `This session is being continued from a previous conversation that ran out of context.\n\n${prose.answer(random, project, 4000)}`
  transcript.user(summary, { isVisibleInTranscriptOnly: true, isCompactSummary: true })
}

/** @param {Scene} scene @returns {Block} */
function thought({ random, project, prose }) {
  return { type: 'thinking', thinking: prose.thinking(random, project), signature: random.base64(random.int(200, 600)) }
}

/** @param {Scene["random"]} random */
const toolId = (random) => `toolu_01${random.base62(22)}`
