/** Writes the records of one Codex rollout, each text twice and running totals repeated, as the client does. */

/**
 * @typedef {import("./codex-tools.mjs").Scene} Scene
 * @typedef {import("./codex-tools.mjs").ToolCall} ToolCall
 * @typedef {import("./sink.mjs").Sink} Sink
 * @typedef {ReturnType<typeof createRollout>} Rollout
 */

const CONTEXT_LIMIT_TOKENS = 240_000
const PREAMBLE_TOKENS = 7900
const VERSIONS = ['0.121.0', '0.125.2', '0.130.0', '0.133.1']

/**
 * @param {Scene} scene
 * @param {{ sink: Sink, startMs: number, model: string, source: unknown }} plan
 */
export function createRollout({ random, project, prose }, { sink, startMs, model, source }) {
  let clock = startMs
  let turn = ''
  let turns = 0
  let context = PREAMBLE_TOKENS
  let cached = 0
  let unread = 0
  let output = 0
  const total = { input: 0, cached: 0, output: 0, reasoning: 0 }
  const id = timedId(clock)
  const time = new Date(startMs).toISOString().slice(0, 19)
  const name = `rollout-${time.replaceAll(':', '-')}-${id}.jsonl`
  const file = sink.open(`.codex/sessions/${time.slice(0, 10).replaceAll('-', '/')}/${name}`)

  /** A version 7 UUID. */
  function timedId(/** @type {number} */ at) {
    const text = at.toString(16).padStart(12, '0')
    return `${text.slice(0, 8)}-${text.slice(8)}-7${random.hex(3)}-a${random.hex(3)}-${random.hex(12)}`
  }

  function push(/** @type {string} */ type, /** @type {object} */ payload) {
    clock += random.int(1, 40)
    file.write(`${JSON.stringify({ timestamp: new Date(clock).toISOString(), type, payload })}\n`)
  }

  const event = (/** @type {string} */ type, /** @type {object} */ rest) => push('event_msg', { type, ...rest })
  const item = (/** @type {object} */ payload) => push('response_item', payload)
  const user = (/** @type {string} */ text) =>
    item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })

  const git = {
    commit_hash: random.hex(40),
    branch: random.pick(project.branches),
    repository_url: `git@x:${project.name}`,
  }
  const base_instructions = { text: prose.answer(random, project, 9000) }
  const cli_version = random.pick(VERSIONS)
  push('session_meta', {
    id,
    timestamp: new Date(clock).toISOString(),
    cwd: project.cwd,
    originator: 'codex_cli_rs',
    cli_version,
    source,
    model_provider: 'openai',
    base_instructions,
    git,
  })

  const usage = (/** @type {typeof total} */ sums) => ({
    input_tokens: sums.input,
    cached_input_tokens: sums.cached,
    output_tokens: sums.output,
    reasoning_output_tokens: sums.reasoning,
    total_tokens: sums.input + sums.output,
  })

  return {
    id,
    clock: () => clock,
    size: () => file.size(),
    advance(/** @type {number} */ ms) {
      clock += ms
    },

    startTurn() {
      turns += 1
      turn = timedId(clock)
      event('task_started', { turn_id: turn, model_context_window: 272_000 })
      if (turns === 1) {
        user(
          `# AGENTS.md instructions for ${project.cwd}\n\n<INSTRUCTIONS>\n${prose.answer(random, project, 900)}\n</INSTRUCTIONS>`,
        )
        user(`<environment_context>\n  <cwd>${project.cwd}</cwd>\n  <shell>bash</shell>\n</environment_context>`)
      }
      const policies = { approval_policy: 'on-request', sandbox_policy: { type: 'workspace-write' }, effort: 'medium' }
      push('turn_context', { turn_id: turn, cwd: project.cwd, model, ...policies, summary: 'auto' })
    },

    prompt(/** @type {string} */ text) {
      user(text)
      event('user_message', { message: text, images: [], local_images: [], text_elements: [] })
      unread += text.length
    },

    think(/** @type {string} */ text) {
      event('agent_reasoning', { text })
      const summary = [{ type: 'summary_text', text }]
      item({
        type: 'reasoning',
        summary,
        content: null,
        encrypted_content: random.base64(random.skewedInt(1500, 0.7, 9000)),
      })
      output += text.length
    },

    say(/** @type {string} */ text) {
      event('agent_message', { message: text, phase: 'commentary' })
      item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }], phase: 'commentary' })
      output += text.length
    },

    call(/** @type {ToolCall} */ call) {
      const call_id = `call_${random.base62(24)}`
      const input = call.type === 'custom_tool_call' ? { input: call.input } : { arguments: JSON.stringify(call.input) }
      item({ type: call.type, name: call.name, ...input, call_id })
      output += JSON.stringify(input).length
      return call_id
    },

    output(/** @type {string} */ call_id, /** @type {ToolCall} */ call) {
      item({ type: `${call.type}_output`, call_id, output: call.output })
      unread += call.output.length
    },

    /** The response is over: the running total grows, and is told once or twice. */
    count() {
      context += Math.ceil(unread / 4)
      const spent = { input: context, cached, output: Math.ceil(output / 4) + 20, reasoning: random.int(0, 20) }
      cached = context
      context += spent.output
      unread = 0
      output = 0
      for (const field of /** @type {const} */ (['input', 'cached', 'output', 'reasoning']))
        total[field] += spent[field]
      const info = { total_token_usage: usage(total), last_token_usage: usage(spent), model_context_window: 272_000 }
      const rate_limits = { primary: { used_percent: random.int(0, 99), window_minutes: 300 }, secondary: null }
      for (let times = random.chance(0.4) ? 2 : 1; times > 0; times--) event('token_count', { info, rate_limits })
      if (context < CONTEXT_LIMIT_TOKENS) return
      push('compacted', { message: prose.answer(random, project, 3000), replacement_history: [] })
      event('context_compacted', {})
      context = PREAMBLE_TOKENS
      cached = 0
    },

    complete(/** @type {string} */ text) {
      this.say(text)
      this.count()
      event('task_complete', { turn_id: turn, last_agent_message: text })
    },

    abort() {
      event('turn_aborted', { turn_id: turn, reason: 'interrupted' })
      user('<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>')
    },

    close: () => file.close(clock),
  }
}
