import { toolUse, type Json } from './claude-tools.ts'
import { between, hex, letters, uuid } from './derive.ts'
import type { Call, Happening, Script, Step } from './script.ts'

export interface LogFile {
  /** Relative to the home the demo is written to. */
  readonly path: string
  readonly lines: readonly Json[]
  readonly endedAt: number
}

const HOME = '/home/sam'
const MODELS = { large: 'claude-opus-4-5-20251101', medium: 'claude-sonnet-4-5-20250929' }
const SCOUT_MODEL = 'claude-haiku-4-5-20251001'
const CACHE_LIFE_MS = 5 * 60_000
/** Tool definitions and system prompt: the part of the context that is cached for everyone. */
const PREAMBLE_TOKENS = 11_800

/** One transcript in the making. */
interface Log {
  readonly seed: string
  readonly sessionId: string
  readonly cwd: string
  readonly model: string
  /** What every conversation record repeats. */
  readonly envelope: Json
  readonly lines: Json[]
  readonly scouts: LogFile[]
  clock: number
  last: string | null
  turnStartedAt: number | null
  lastPrompt: string
  responses: number
  /** Tokens the next request carries, and how many of them are cached until when. */
  context: number
  cached: number
  cachedUntil: number
  totalTokens: number
}

/** The files Claude Code would have left of this session: its transcript, and one of each subagent. */
export function claudeFiles(script: Script, start: number): readonly LogFile[] {
  const seed = `${script.project}/${script.name}`
  const cwd = script.project.replace('~', HOME)
  const sessionId = uuid(seed)
  const { branch, workdaysAgo, model } = script.when
  const version = `2.1.${204 - workdaysAgo * 2}`
  const envelope = { userType: 'external', entrypoint: 'cli', cwd, sessionId, version, gitBranch: branch }
  const log = newLog({ seed, sessionId, cwd, model: MODELS[model], envelope, clock: start })

  play(log, script.turns, () => log.lines.push({ type: 'ai-title', aiTitle: script.title, sessionId }))
  log.lines.push({ type: 'last-prompt', lastPrompt: log.lastPrompt, leafUuid: log.last, sessionId })
  log.lines.push({ type: 'ai-title', aiTitle: script.title, sessionId })

  const place = `.claude/projects/${cwd.replace(/[^a-zA-Z0-9]/g, '-')}/${sessionId}`
  const scouts = log.scouts.map((scout) => ({ ...scout, path: `${place}/subagents/${scout.path}` }))
  return [{ path: `${place}.jsonl`, lines: log.lines, endedAt: log.clock }, ...scouts]
}

function newLog(setting: Pick<Log, 'seed' | 'sessionId' | 'cwd' | 'model' | 'envelope' | 'clock'>): Log {
  return {
    ...setting,
    lines: [],
    scouts: [],
    last: null,
    turnStartedAt: null,
    lastPrompt: '',
    responses: 0,
    context: PREAMBLE_TOKENS + Math.round(between(`${setting.seed} context`, 2_000, 14_000)),
    cached: PREAMBLE_TOKENS,
    cachedUntil: setting.clock + CACHE_LIFE_MS,
    totalTokens: 0,
  }
}

/** Plays the steps in order. What is said and called in one breath is one response of the model. */
function play(log: Log, steps: readonly Step[], afterFirstResponse: () => void): void {
  let breath: Json[] = []
  const answer = (calls: readonly Call[]) => {
    if (breath.length + calls.length === 0) return
    respond(log, breath, calls)
    breath = []
    if (log.responses === 1) afterFirstResponse()
  }
  for (const step of steps) {
    switch (step.kind) {
      case 'think':
        breath.push({ type: 'thinking', thinking: step.text, signature: `Er${letters(step.text, 60)}` })
        break
      case 'say':
        breath.push({ type: 'text', text: step.text })
        break
      case 'together':
        answer(step.calls)
        break
      case 'bash':
      case 'denied':
      case 'read':
      case 'write':
      case 'edit':
      case 'unread':
      case 'grep':
      case 'agent':
        answer([step])
        break
      default:
        answer([])
        happen(log, step)
    }
  }
  answer([])
  endTurn(log)
}

function happen(log: Log, step: Happening): void {
  switch (step.kind) {
    case 'user':
      endTurn(log)
      if (log.last !== null) wait(log, 40, 420)
      return prompt(log, step.text)
    case 'queued':
      return queue(log, step.text)
    case 'compact':
      endTurn(log)
      wait(log, 30, 90)
      return summarize(log, step.text)
    case 'rename':
      log.lines.push({ type: 'custom-title', customTitle: step.text, sessionId: log.sessionId })
      return
    case 'interrupt':
      return interrupted(log, '[Request interrupted by user]')
    case 'rest':
      log.clock += step.minutes * 60_000
      return
    default:
      return step satisfies never
  }
}

function prompt(log: Log, text: string): void {
  const messageId = uuid(`${log.seed} ${log.lines.length + 1}`)
  const snapshot = { messageId, trackedFileBackups: {}, timestamp: iso(log) }
  log.lines.push({ type: 'file-history-snapshot', messageId, snapshot, isSnapshotUpdate: false })
  push(log, { type: 'user', promptId: uuid(`${messageId} prompt`), message: { role: 'user', content: text } })
  log.turnStartedAt = log.clock
  log.lastPrompt = text
  log.context += tokens(text)
}

function queue(log: Log, text: string): void {
  const operation = { type: 'queue-operation', sessionId: log.sessionId }
  log.lines.push({ ...operation, operation: 'enqueue', timestamp: iso(log), content: text })
  wait(log, 1, 6)
  log.lines.push({ ...operation, operation: 'remove', timestamp: iso(log) })
  push(log, { type: 'attachment', attachment: { type: 'queued_command', prompt: text, commandMode: 'prompt' } })
  log.context += tokens(text)
}

function summarize(log: Log, summary: string): void {
  const boundary = { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', level: 'info' }
  const links = { logicalParentUuid: log.last, compactMetadata: { trigger: 'manual', preTokens: log.context } }
  log.last = null
  push(log, { ...boundary, isMeta: false, ...links })
  const content = `This session is being continued from a previous conversation that ran out of context. ${summary}`
  const marks = { isVisibleInTranscriptOnly: true, isCompactSummary: true }
  push(log, { type: 'user', message: { role: 'user', content }, ...marks })
  log.context = PREAMBLE_TOKENS + tokens(content)
  log.cached = PREAMBLE_TOKENS
}

function interrupted(log: Log, text: string): void {
  wait(log, 2, 9)
  push(log, { type: 'user', message: { role: 'user', content: [{ type: 'text', text }] } })
  log.turnStartedAt = null
}

function endTurn(log: Log): void {
  if (log.turnStartedAt === null || log.responses === 0) return
  const durationMs = log.clock - log.turnStartedAt
  log.turnStartedAt = null
  push(log, { type: 'system', subtype: 'turn_duration', durationMs, isMeta: false })
}

/** Writes a response, a record per block, all of one id, and then what its calls gave back. */
function respond(log: Log, words: readonly Json[], calls: readonly Call[]): void {
  log.responses += 1
  const seed = `${log.seed} response ${log.responses}`
  const uses = calls.map((call, i) => playCall(log, call, `toolu_01${letters(`${seed} call ${i}`, 22)}`))
  const blocks = [...words, ...uses.map((use) => use.block)]
  const usage = bill(log)
  const records: string[] = []
  let output = 0
  blocks.forEach((block, i) => {
    wait(log, 3, 22)
    output += tokens(JSON.stringify(block))
    const final = i === blocks.length - 1
    const message = {
      model: log.model,
      id: `msg_01${letters(seed, 22)}`,
      type: 'message',
      role: 'assistant',
      content: [block],
      stop_reason: final ? (calls.length > 0 ? 'tool_use' : 'end_turn') : null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: output, service_tier: 'standard' },
    }
    records.push(push(log, { type: 'assistant', message, requestId: `req_011C${letters(`${seed} request`, 20)}` }))
  })
  log.context += output
  log.totalTokens += output
  uses.forEach((use, i) => use.finish(records[words.length + i]!))
}

interface PlayedCall {
  readonly block: Json
  /** Lets the call run and writes its result under the record that made the call. */
  finish(caller: string): void
}

function playCall(log: Log, call: Call, id: string): PlayedCall {
  if (call.kind === 'agent') return playAgent(log, call, id)
  const use = toolUse(call, log.cwd)
  const block = { type: 'tool_use', id, name: use.name, input: use.input }
  const finish = (caller: string): void => {
    wait(log, ...use.seconds)
    const result = { type: 'tool_result', tool_use_id: id, content: use.content, is_error: use.isError }
    pushResult(log, caller, result, use.detail)
    if (call.kind === 'denied') interrupted(log, '[Request interrupted by user for tool use]')
  }
  return { block, finish }
}

function playAgent(log: Log, call: Extract<Call, { kind: 'agent' }>, id: string): PlayedCall {
  const [agentType, prompt] = ['Explore', call.task]
  const description = prompt.split(' ').slice(0, 5).join(' ')
  const input = { description, prompt, subagent_type: agentType }
  const finish = (caller: string): void => {
    const agentId = `a${hex(`${log.seed} ${id}`, 16)}`
    const envelope = { ...log.envelope, agentId }
    const scout = newLog({ ...log, seed: `${log.seed} ${agentId}`, model: SCOUT_MODEL, envelope })
    push(scout, { type: 'user', message: { role: 'user', content: prompt } })
    play(scout, [...call.turns, { kind: 'say', text: call.report }], () => {})
    const [startedAt, content] = [log.clock, [{ type: 'text', text: call.report }]]
    log.clock = scout.clock
    const calls = scout.lines.filter((line) => 'toolUseResult' in line).length
    const sums = { totalDurationMs: log.clock - startedAt, totalTokens: scout.totalTokens, totalToolUseCount: calls }
    const result = { type: 'tool_result', tool_use_id: id, content }
    pushResult(log, caller, result, { status: 'completed', prompt, agentId, agentType, content, ...sums })
    const meta = { agentType, description }
    log.scouts.push({ path: `agent-${agentId}.jsonl`, lines: scout.lines, endedAt: scout.clock })
    log.scouts.push({ path: `agent-${agentId}.meta.json`, lines: [meta], endedAt: startedAt })
  }
  return { block: { type: 'tool_use', id, name: 'Agent', input }, finish }
}

function pushResult(log: Log, caller: string, result: Json, detail: unknown): void {
  log.last = caller
  const links = { toolUseResult: detail, sourceToolAssistantUUID: caller }
  push(log, { type: 'user', message: { role: 'user', content: [result] }, ...links })
  // Files and outputs are longer in life than on a stage: without this, sessions would be far too cheap.
  const unseen = Math.round(between(`${log.seed} unseen ${log.lines.length}`, 300, 4_500))
  log.context += tokens(JSON.stringify(result['content'])) + unseen
}

/** What the next response costs before its output: cached context is read, the rest is written to the cache. */
function bill(log: Log): Json {
  const read = log.clock < log.cachedUntil ? log.cached : PREAMBLE_TOKENS
  const created = log.context - read
  log.cached = log.context
  log.cachedUntil = log.clock + CACHE_LIFE_MS
  log.totalTokens += created + read
  return {
    input_tokens: 3 + (log.responses % 5),
    cache_creation_input_tokens: created,
    cache_read_input_tokens: read,
    cache_creation: { ephemeral_5m_input_tokens: created, ephemeral_1h_input_tokens: 0 },
  }
}

function push(log: Log, record: Json): string {
  const id = uuid(`${log.seed} ${log.lines.length}`)
  const isSidechain = 'agentId' in log.envelope
  log.lines.push({ parentUuid: log.last, isSidechain, ...record, uuid: id, timestamp: iso(log), ...log.envelope })
  log.last = id
  return id
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
