/** The files of one Grok session while it is being written: `updates.jsonl` and `events.jsonl`. */

/**
 * @typedef {import("./random.mjs").Random} Random
 * @typedef {import("./sink.mjs").SinkFile} SinkFile
 * @typedef {ReturnType<typeof createUpdates>} Updates
 */

const BYTES_PER_TOKEN = 3.6
const TICKS_PER_TOKEN = 30_000

/**
 * @param {{ file: SinkFile, events: SinkFile, random: Random, session: string, model: string, startMs: number }} setting
 */
export function createUpdates({ file, events, random, session, model, startMs }) {
  let clock = startMs
  let order = 0
  let prompts = 0
  let promptId = ''
  let streamStartMs = startMs
  let contextTokens = 11_000
  let turn = { input: 0, cached: 0, output: 0, calls: 0, startMs }

  /** @param {string} kind @param {object} body @param {object} [meta] */
  function update(kind, body, meta = {}) {
    order += 1
    const method = kind === 'turn_completed' ? '_x.ai/session/update' : 'session/update'
    const _meta = { totalTokens: contextTokens, eventId: `${session}-${order}`, agentTimestampMs: clock, ...meta }
    const params = { sessionId: session, update: { sessionUpdate: kind, ...body }, _meta }
    file.write(`${JSON.stringify({ timestamp: Math.floor(clock / 1000), method, params })}\n`)
  }

  /** @param {string} type @param {object} [body] */
  const event = (type, body = {}) =>
    events.write(`${JSON.stringify({ ts: new Date(clock).toISOString(), type, ...body })}\n`)

  const streamed = () => ({ promptId, streamStartMs, turnStartMs: turn.startMs })

  /** @param {'agent_message_chunk' | 'agent_thought_chunk'} kind @param {string} text */
  function words(kind, text) {
    const pieces = random.int(1, 3)
    const size = Math.ceil(text.length / pieces)
    for (let at = 0; at < text.length; at += size) {
      clock += random.int(200, 2000)
      update(kind, { content: { type: 'text', text: text.slice(at, at + size) } }, streamed())
    }
    spend(text)
  }

  /** @param {string} text */
  function spend(text) {
    const tokens = Math.ceil(text.length / BYTES_PER_TOKEN)
    turn.output += tokens
    contextTokens += tokens
  }

  return {
    prompts: () => prompts,
    clock: () => clock,
    advance: (/** @type {number} */ ms) => void (clock += ms),

    /** @param {string} text */
    prompt(text) {
      promptId = random.uuid()
      turn = { input: 0, cached: 0, output: 0, calls: 0, startMs: clock }
      event('turn_started', { session_id: session, turn_number: prompts + 1, model_id: model, yolo_mode: false })
      const _meta = { modelId: model, promptIndex: prompts }
      update('user_message_chunk', { content: { type: 'text', text }, _meta })
      prompts += 1
      contextTokens += Math.ceil(text.length / BYTES_PER_TOKEN)
    },

    /** A call of the model: all of the context is read, what was there before from the cache. */
    think(/** @type {string} */ text) {
      streamStartMs = clock
      turn.input += contextTokens
      turn.cached += Math.floor(contextTokens * 0.9)
      turn.calls += 1
      words('agent_thought_chunk', text)
    },

    say: (/** @type {string} */ text) => words('agent_message_chunk', text),

    /**
     * A command, with news of it while it runs: each repeats all that it has printed so far.
     *
     * @param {{ command: string, output: string, exit: number, news: number }} run
     */
    command({ command, output, exit, news }) {
      const toolCallId = `call-${random.uuid()}-0`
      const tool = { version: 1, name: 'run_terminal_command', kind: 'execute', namespace: 'grok_build' }
      const title = 'run_terminal_command'
      const rawInput = { command, description: command.slice(0, 40) }
      update('tool_call', { toolCallId, title, rawInput, _meta: { 'x.ai/tool': tool } }, streamed())
      event('tool_started', { tool_name: title })
      for (let step = 1; step <= news; step++) {
        clock += random.int(300, 3000)
        const text = output.slice(0, Math.floor((output.length * step) / (news + 1)))
        const content = [{ type: 'content', content: { type: 'text', text } }]
        update('tool_call_update', { toolCallId, status: 'in_progress', content }, streamed())
      }
      clock += random.int(50, 900)
      const content = [{ type: 'content', content: { type: 'text', text: output } }]
      const rawOutput = {
        type: 'Bash',
        output: [...Buffer.from(output)],
        output_for_prompt: `exit: ${exit}\n${output}`,
        exit_code: exit,
        command,
        truncated: false,
      }
      update('tool_call_update', { toolCallId, status: 'completed', content, rawOutput }, streamed())
      event('tool_completed', { tool_name: title, tool_call_id: toolCallId, outcome: 'success', duration_ms: 900 })
      spend(output)
    },

    done() {
      const total = { inputTokens: turn.input, outputTokens: turn.output, totalTokens: turn.input + turn.output }
      const cache = { cachedReadTokens: turn.cached, cacheCreationTokens: 0, reasoningTokens: turn.output >> 2 }
      const costUsdTicks = (turn.input - turn.cached + turn.output * 5) * TICKS_PER_TOKEN
      const usage = { ...total, ...cache, modelCalls: turn.calls, costUsdTicks, numTurns: turn.calls }
      const body = { prompt_id: promptId, stop_reason: 'end_turn', usage, elapsed_ms: clock - turn.startMs }
      update('turn_completed', body)
      event('turn_ended', { outcome: 'completed' })
    },
  }
}
