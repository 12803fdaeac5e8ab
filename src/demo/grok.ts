import type { LogFile } from './claude.ts'
import { between, hex, uuid } from './derive.ts'
import { grokTool } from './grok-tools.ts'
import type { Call, Happening, Script, Step } from './script.ts'

type Json = Readonly<Record<string, unknown>>

const HOME = '/home/sam'
const MODELS = { large: 'grok-4.7', medium: 'grok-4.6' }
const PREAMBLE_TOKENS = 9_400
const USD_TICKS = 1e10
/** USD per million tokens: fresh input, cached input, output. */
const PRICES = { input: 3, cached: 0.75, output: 15 }

/** One session in the making. */
interface Log {
  readonly seed: string
  readonly session: string
  readonly cwd: string
  readonly model: string
  readonly updates: Json[]
  readonly events: Json[]
  readonly others: LogFile[]
  clock: number
  order: number
  prompts: number
  promptId: string
  turn: { readonly startedAt: number; input: number; cached: number; output: number; calls: number } | null
  streamStart: number
  context: number
}

/** The files Grok would have left of this session: a directory for it, and one for each subagent. */
export function grokFiles(script: Script, start: number): readonly LogFile[] {
  const cwd = script.project.replace('~', HOME)
  const log = newLog({ seed: `grok/${script.project}/${script.name}`, cwd, model: MODELS[script.when.model] }, start)
  play(log, script.turns)
  const { branch } = script.when
  const title = { generated_title: script.title, session_summary: script.title }
  return [...filesOf(log, start, { ...title, git_root_dir: cwd, head_branch: branch }), ...log.others]
}

function newLog(setting: Pick<Log, 'seed' | 'cwd' | 'model'>, clock: number): Log {
  const fresh = { updates: [], events: [], others: [], order: 0, prompts: 0, promptId: '', turn: null }
  const context = PREAMBLE_TOKENS + Math.round(between(`${setting.seed} context`, 500, 6_000))
  const id = uuid(setting.seed)
  const session = `${id.slice(0, 14)}7${id.slice(15)}`
  return { ...setting, session, ...fresh, clock, streamStart: clock, context }
}

function filesOf(log: Log, start: number, more: Json): LogFile[] {
  const place = `.grok/sessions/${encodeURIComponent(log.cwd)}/${log.session}`
  const endedAt = log.clock
  const summary = {
    info: { id: log.session, cwd: log.cwd },
    created_at: iso(start),
    updated_at: iso(endedAt),
    last_active_at: iso(endedAt),
    num_messages: log.updates.length,
    current_model_id: log.model,
    chat_format_version: 1,
    ...more,
  }
  return [
    { path: `${place}/updates.jsonl`, lines: log.updates, endedAt },
    { path: `${place}/events.jsonl`, lines: log.events, endedAt },
    { path: `${place}/summary.json`, lines: [summary], endedAt },
  ]
}

function play(log: Log, steps: readonly Step[]): void {
  for (const step of steps) {
    switch (step.kind) {
      case 'think':
        ask(log)
        words(log, 'agent_thought_chunk', step.text)
        break
      case 'say':
        words(log, 'agent_message_chunk', step.text)
        break
      case 'together':
        step.calls.map((call) => begin(log, call)).forEach((finish) => finish())
        break
      case 'user':
      case 'queued':
      case 'compact':
      case 'rename':
      case 'interrupt':
      case 'rest':
        happen(log, step)
        break
      default:
        begin(log, step)()
    }
  }
  endTurn(log, 'end_turn')
}

function happen(log: Log, step: Happening): void {
  switch (step.kind) {
    case 'user':
      endTurn(log, 'end_turn')
      if (log.prompts > 0) wait(log, 30, 300)
      return prompt(log, step.text)
    case 'queued':
      event(log, 'interjected', { source: 'queue', image_count: 0 })
      return update(log, 'user_message_chunk', {
        content: { type: 'text', text: step.text },
        _meta: { interjection: true },
      })
    case 'compact': {
      const before = log.context
      log.context = PREAMBLE_TOKENS + tokens(step.text)
      return update(log, 'auto_compact_completed', { tokens_before: before, tokens_after: log.context })
    }
    case 'rename':
      return
    case 'interrupt':
      wait(log, 2, 9)
      return endTurn(log, 'cancelled')
    case 'rest':
      log.clock += step.minutes * 60_000
      return
    default:
      return step satisfies never
  }
}

function prompt(log: Log, text: string): void {
  log.promptId = uuid(`${log.seed} prompt ${log.prompts}`)
  log.turn = { startedAt: log.clock, input: 0, cached: 0, output: 0, calls: 0 }
  const started = { session_id: log.session, turn_number: log.prompts + 1, model_id: log.model, yolo_mode: false }
  event(log, 'turn_started', { ...started, session_relationship: 'primary', schema_version: '1.0' })
  const _meta = { modelId: log.model, promptIndex: log.prompts }
  update(log, 'user_message_chunk', { content: { type: 'text', text }, _meta })
  log.prompts += 1
  log.context += tokens(text)
}

/** The model is called: it reads all of the context, most of it from the cache. */
function ask(log: Log): void {
  log.streamStart = log.clock
  if (log.turn === null) return
  log.turn.input += log.context
  log.turn.cached += Math.round(log.context * between(`${log.seed} cache ${log.order}`, 0.7, 0.97))
  log.turn.calls += 1
}

/** Words come in pieces, a sentence or so each. */
function words(log: Log, kind: string, text: string): void {
  if (log.turn?.calls === 0) ask(log)
  for (const piece of text.match(/[^]+?(?:[.!?。]\s+|$)/g) ?? []) {
    wait(log, 1, 6)
    update(log, kind, { content: { type: 'text', text: piece } }, streamed(log))
  }
  spend(log, text)
}

function spend(log: Log, text: string): void {
  if (log.turn) log.turn.output += tokens(text)
  log.context += tokens(text)
}

/** Makes a call; what is returned lets it run to its end. */
function begin(log: Log, call: Call): () => void {
  if (log.turn?.calls === 0) ask(log)
  const toolCallId = `call-${uuid(`${log.seed} call ${log.order}`)}-0`
  if (call.kind === 'agent') return delegate(log, call, toolCallId)
  const tool = grokTool(call, log.cwd)
  announce(log, toolCallId, { name: tool.name, kind: tool.kind, input: tool.input })
  return () => {
    if (call.kind === 'denied') {
      event(log, 'permission_requested', { tool_name: tool.name })
      wait(log, ...tool.seconds)
      event(log, 'permission_resolved', { tool_name: tool.name, decision: 'deny', wait_ms: 6400 })
    } else wait(log, ...tool.seconds)
    answer(log, toolCallId, tool)
    if (call.kind === 'denied') endTurn(log, 'cancelled')
  }
}

function announce(log: Log, toolCallId: string, tool: { name: string; kind: string; input: Json }): void {
  const named = { version: 1, name: tool.name, kind: tool.kind, namespace: 'grok_build' }
  const body = { toolCallId, title: tool.name, rawInput: tool.input, _meta: { 'x.ai/tool': named } }
  update(log, 'tool_call', body, streamed(log))
  event(log, 'tool_started', { tool_name: tool.name })
  spend(log, JSON.stringify(tool.input))
}

function answer(
  log: Log,
  toolCallId: string,
  tool: { name: string; output: string; raw: Json; failed: boolean },
): void {
  const content = [{ type: 'content', content: { type: 'text', text: tool.output } }]
  const status = tool.failed ? 'failed' : 'completed'
  update(log, 'tool_call_update', { toolCallId, status, content, rawOutput: tool.raw }, streamed(log))
  const outcome = tool.failed ? 'error' : 'success'
  event(log, 'tool_completed', { tool_name: tool.name, tool_call_id: toolCallId, outcome, duration_ms: 400 })
  log.context += tokens(tool.output) + Math.round(between(`${log.seed} unseen ${log.order}`, 200, 2_500))
  ask(log)
}

/** A subagent works in a session of its own, which lists hide. */
function delegate(log: Log, call: Extract<Call, { kind: 'agent' }>, toolCallId: string): () => void {
  const description = call.task.split(' ').slice(0, 5).join(' ')
  const subagent = { subagent_id: hex(`${log.seed} ${toolCallId}`, 12), subagent_type: 'explore', description }
  announce(log, toolCallId, { name: 'spawn_subagent', kind: 'execute', input: { ...subagent, prompt: call.task } })
  return () => {
    const child = newLog({ seed: `${log.seed} ${toolCallId}`, cwd: log.cwd, model: log.model }, log.clock)
    const links = { child_session_id: child.session, parent_session_id: log.session }
    update(log, 'subagent_spawned', { ...subagent, ...links })
    const startedAt = log.clock
    play(child, [{ kind: 'user', text: call.task }, ...call.turns, { kind: 'say', text: call.report }])
    log.clock = child.clock
    const sums = { status: 'completed', tool_calls: call.turns.length, turns: 1, duration_ms: log.clock - startedAt }
    update(log, 'subagent_finished', { ...subagent, ...links, ...sums })
    const kind = { session_kind: 'subagent', parent_session_id: log.session, session_summary: description }
    const meta = {
      ...subagent,
      ...links,
      ...sums,
      prompt: call.task,
      started_at: iso(startedAt),
      completed_at: iso(log.clock),
    }
    const place = `.grok/sessions/${encodeURIComponent(log.cwd)}/${log.session}/subagents/${subagent.subagent_id}`
    log.others.push(...filesOf(child, startedAt, kind))
    log.others.push({ path: `${place}/meta.json`, lines: [meta], endedAt: log.clock })
    answer(log, toolCallId, { name: 'spawn_subagent', output: call.report, raw: { type: 'Text' }, failed: false })
  }
}

function endTurn(log: Log, reason: 'end_turn' | 'cancelled'): void {
  const { turn } = log
  if (turn === null) return
  log.turn = null
  const fresh = turn.input - turn.cached
  const cost = (fresh * PRICES.input + turn.cached * PRICES.cached + turn.output * PRICES.output) / 1e6
  const usage = {
    inputTokens: turn.input,
    outputTokens: turn.output,
    totalTokens: turn.input + turn.output,
    cachedReadTokens: turn.cached,
    cacheCreationTokens: 0,
    reasoningTokens: Math.round(turn.output / 4),
    modelCalls: turn.calls,
    costUsdTicks: Math.round(cost * USD_TICKS),
    numTurns: turn.calls,
  }
  const ended = { prompt_id: log.promptId, stop_reason: reason, elapsed_ms: log.clock - turn.startedAt }
  update(log, 'turn_completed', turn.calls > 0 ? { ...ended, usage } : ended)
  event(log, 'turn_ended', { outcome: reason === 'cancelled' ? 'cancelled' : 'completed' })
}

function update(log: Log, kind: string, body: Json, meta: Json = {}): void {
  log.order += 1
  const method = /chunk$|^tool_call/.test(kind) ? 'session/update' : '_x.ai/session/update'
  const _meta = { eventId: `${log.session}-${log.order}`, agentTimestampMs: log.clock, ...meta }
  const params = { sessionId: log.session, update: { sessionUpdate: kind, ...body }, _meta }
  log.updates.push({ timestamp: Math.floor(log.clock / 1000), method, params })
}

function event(log: Log, type: string, body: Json): void {
  log.events.push({ ts: iso(log.clock), type, ...body })
}

function streamed(log: Log): Json {
  return { totalTokens: log.context, promptId: log.promptId, streamStartMs: log.streamStart }
}

function wait(log: Log, low: number, high: number): void {
  log.clock += Math.round(between(`${log.seed} wait ${log.order} ${log.clock}`, low, high) * 1000)
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

function tokens(text: string): number {
  return Math.ceil(text.length / 3.6)
}
