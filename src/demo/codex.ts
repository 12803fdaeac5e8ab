import type { LogFile } from './claude.ts'
import type { Json } from './claude-tools.ts'
import { codexUse, functionCall } from './codex-tools.ts'
import { between, hex, letters } from './derive.ts'
import type { Call, Happening, Script, Step } from './script.ts'

const HOME = '/home/sam'
const MODELS = { large: 'gpt-5.2-codex', medium: 'gpt-5.1-codex' }
/** Tool definitions and system prompt. */
const PREAMBLE_TOKENS = 7_900
const GUIDE = 'Run the tests before you say that something works.'

interface Count {
  readonly input_tokens: number
  readonly cached_input_tokens: number
  readonly output_tokens: number
  readonly reasoning_output_tokens: number
  readonly total_tokens: number
}

/** One rollout in the making. */
interface Log {
  readonly seed: string
  readonly id: string
  readonly cwd: string
  readonly model: string
  readonly lines: Json[]
  readonly helpers: LogFile[]
  clock: number
  turn: string | null
  turns: number
  calls: number
  lastWords: string
  /** Tokens the next request carries, and how many of them the service has seen before. */
  context: number
  cached: number
  total: Count
}

/** The files Codex would have left of this session: its rollout, and one of each subagent. */
export function codexFiles(script: Script, start: number): readonly LogFile[] {
  const seed = `codex ${script.project}/${script.name}`
  const cwd = script.project.replace('~', HOME)
  const { branch, model, workdaysAgo } = script.when
  const log = newLog({ seed, id: threadId(seed), cwd, model: MODELS[model], clock: start })
  const git = {
    commit_hash: hex(`${seed} commit`, 40),
    branch,
    repository_url: `git@example.com:sam/${nameOf(cwd)}.git`,
  }
  begin(log, { source: 'cli', cli_version: `0.${130 - workdaysAgo}.0`, git })
  play(log, script.turns)
  push(log, 'event_msg', { type: 'thread_name_updated', thread_id: log.id, thread_name: script.title })
  return [fileOf(log, start), ...log.helpers]
}

function newLog(setting: Pick<Log, 'seed' | 'id' | 'cwd' | 'model' | 'clock'>): Log {
  return {
    ...setting,
    lines: [],
    helpers: [],
    turn: null,
    turns: 0,
    calls: 0,
    lastWords: '',
    context: PREAMBLE_TOKENS,
    cached: 0,
    total: count(0, 0, 0, 0),
  }
}

function fileOf(log: Log, start: number): LogFile {
  const time = new Date(start).toISOString().slice(0, 19)
  const day = time.slice(0, 10).replaceAll('-', '/')
  const path = `.codex/sessions/${day}/rollout-${time.replaceAll(':', '-')}-${log.id}.jsonl`
  return { path, lines: log.lines, endedAt: log.clock }
}

function begin(log: Log, meta: Json): void {
  const own = { id: log.id, timestamp: iso(log), cwd: log.cwd, originator: 'codex_cli_rs', model_provider: 'openai' }
  push(log, 'session_meta', { ...own, base_instructions: { text: 'You are a coding agent.' }, ...meta })
}

function play(log: Log, steps: readonly Step[]): void {
  let thoughts: string[] = []
  for (const step of steps) {
    switch (step.kind) {
      case 'think':
        thoughts.push(step.text)
        break
      case 'say':
        respond(log, thoughts, step.text, [])
        thoughts = []
        break
      case 'together':
        respond(log, thoughts, null, step.calls)
        thoughts = []
        break
      case 'bash':
      case 'denied':
      case 'read':
      case 'write':
      case 'edit':
      case 'unread':
      case 'grep':
      case 'agent':
        respond(log, thoughts, null, [step])
        thoughts = []
        break
      default:
        happen(log, step)
    }
  }
  endTurn(log)
}

function happen(log: Log, step: Happening): void {
  switch (step.kind) {
    case 'user':
      endTurn(log)
      if (log.turns > 0) wait(log, 40, 420)
      startTurn(log)
      return prompt(log, step.text)
    case 'queued':
      return prompt(log, step.text)
    case 'compact':
      push(log, 'compacted', { message: step.text, replacement_history: [] })
      push(log, 'event_msg', { type: 'context_compacted' })
      log.context = PREAMBLE_TOKENS + tokens(step.text)
      return
    case 'rename':
      push(log, 'event_msg', { type: 'thread_name_updated', thread_id: log.id, thread_name: step.text })
      return
    case 'interrupt':
      return abort(log)
    case 'rest':
      log.clock += step.minutes * 60_000
      return
    default:
      return step satisfies never
  }
}

function startTurn(log: Log): void {
  log.turns += 1
  log.turn = threadId(`${log.seed} turn ${log.turns}`)
  push(log, 'event_msg', { type: 'task_started', turn_id: log.turn, model_context_window: 272_000 })
  if (log.turns === 1) {
    inject(log, `# AGENTS.md instructions for ${log.cwd}\n\n<INSTRUCTIONS>\n${GUIDE}\n</INSTRUCTIONS>`)
    inject(log, `<environment_context>\n  <cwd>${log.cwd}</cwd>\n  <shell>zsh</shell>\n</environment_context>`)
  }
  const policies = { approval_policy: 'on-request', sandbox_policy: { type: 'workspace-write' } }
  push(log, 'turn_context', { turn_id: log.turn, cwd: log.cwd, model: log.model, ...policies, effort: 'medium' })
}

function inject(log: Log, text: string): void {
  push(log, 'response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
  log.context += tokens(text)
}

function prompt(log: Log, text: string): void {
  inject(log, text)
  push(log, 'event_msg', { type: 'user_message', message: text, images: [] })
}

function abort(log: Log): void {
  wait(log, 2, 9)
  push(log, 'event_msg', { type: 'turn_aborted', turn_id: log.turn, reason: 'interrupted' })
  log.turn = null
}

function endTurn(log: Log): void {
  if (log.turn === null) return
  push(log, 'event_msg', { type: 'task_complete', turn_id: log.turn, last_agent_message: log.lastWords })
  log.turn = null
}

/** Writes a response, everything in it twice as the client does, and what its calls gave back. */
function respond(log: Log, thoughts: readonly string[], words: string | null, calls: readonly Call[]): void {
  wait(log, 3, 22)
  const before = log.lines.length
  for (const text of thoughts) push(log, 'event_msg', { type: 'agent_reasoning', text })
  if (thoughts.length > 0) {
    const summary = thoughts.map((text) => ({ type: 'summary_text', text }))
    const sealed = `gAAAAA${letters(`${log.seed} ${before}`, 58)}`
    push(log, 'response_item', { type: 'reasoning', summary, content: null, encrypted_content: sealed })
  }
  if (words !== null) {
    push(log, 'event_msg', { type: 'agent_message', message: words })
    const content = [{ type: 'output_text', text: words }]
    push(log, 'response_item', { type: 'message', role: 'assistant', content })
    log.lastWords = words
  }
  const uses = calls.map((call) => playCall(log, call))
  bill(log, log.lines.slice(before), thoughts)
  for (const finish of uses) finish()
}

/** Writes the call; the function that is returned lets it run and writes its output. */
function playCall(log: Log, call: Call): () => void {
  log.calls += 1
  const id = `call_${letters(`${log.seed} call ${log.calls}`, 24)}`
  if (call.kind === 'agent') return playAgent(log, call, id)
  const { item, outputType, output, seconds } = codexUse(call, log.cwd)
  push(log, 'response_item', { ...item, call_id: id })
  return () => {
    wait(log, ...seconds)
    push(log, 'response_item', { type: outputType, call_id: id, output })
    log.context += tokens(output) + Math.round(between(`${log.seed} unseen ${id}`, 300, 4_500))
    if (call.kind === 'denied') abort(log)
  }
}

function playAgent(log: Log, call: Extract<Call, { kind: 'agent' }>, id: string): () => void {
  push(log, 'response_item', { ...functionCall('spawn_agent', { message: call.task }), call_id: id })
  return () => {
    const [start, seed] = [log.clock, `${log.seed} agent ${id}`]
    const helper = newLog({ ...log, seed, id: threadId(seed), clock: start })
    const spawn = { parent_thread_id: log.id, depth: 1, agent_nickname: 'Ada', agent_role: 'explorer' }
    begin(helper, { source: { subagent: { thread_spawn: spawn } }, cli_version: '0.125.0' })
    play(helper, [{ kind: 'user', text: call.task }, ...call.turns, { kind: 'say', text: call.report }])
    log.clock = helper.clock
    log.helpers.push(fileOf(helper, start), ...helper.helpers)
    const output = JSON.stringify({ agent_id: helper.id, status: { completed: call.report } })
    push(log, 'response_item', { type: 'function_call_output', call_id: id, output })
    log.context += tokens(output)
  }
}

/** Adds the response to the running total, which is then told: as often as not twice. */
function bill(log: Log, written: readonly Json[], thoughts: readonly string[]): void {
  const output = tokens(JSON.stringify(written)) >> 1
  const last = count(log.context, Math.min(log.cached, log.context), output, tokens(thoughts.join('')))
  log.total = count(
    log.total.input_tokens + last.input_tokens,
    log.total.cached_input_tokens + last.cached_input_tokens,
    log.total.output_tokens + last.output_tokens,
    log.total.reasoning_output_tokens + last.reasoning_output_tokens,
  )
  log.cached = log.context
  log.context += output
  const info = { total_token_usage: log.total, last_token_usage: last, model_context_window: 272_000 }
  const times = between(`${log.seed} told ${log.lines.length}`, 0, 2) < 1 ? 1 : 2
  for (let time = 0; time < times; time++) push(log, 'event_msg', { type: 'token_count', info, rate_limits: null })
}

function count(input: number, cached: number, output: number, reasoning: number): Count {
  return {
    input_tokens: input,
    cached_input_tokens: cached,
    output_tokens: output,
    reasoning_output_tokens: Math.min(reasoning, output),
    total_tokens: input + output,
  }
}

function push(log: Log, type: string, payload: Json): void {
  log.lines.push({ timestamp: iso(log), type, payload })
}

/** Looks like the ids that the client makes, which begin with the time. */
function threadId(seed: string): string {
  const h = hex(seed, 24)
  return `019d${h.slice(0, 4)}-${h.slice(4, 8)}-7${h.slice(8, 11)}-a${h.slice(11, 14)}-${h.slice(12, 24)}`
}

function nameOf(cwd: string): string {
  return cwd.split('/').at(-1) ?? ''
}

function wait(log: Log, low: number, high: number): void {
  log.clock += Math.round(between(`${log.seed} wait ${log.lines.length} ${log.clock}`, low, high) * 1000)
}

function iso(log: Log): string {
  return new Date(log.clock).toISOString()
}

function tokens(text: string): number {
  return Math.ceil(text.length / 3.6)
}
