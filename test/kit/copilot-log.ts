import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Unit } from '../../src/sources/source.ts'

type Json = Record<string, unknown>

export const SESSION = '5b0f1c2a-0000-4000-8000-00000000c0de'
export const AGENT = '5b0f1c2a-0000-4000-8000-0000000a6e27'

/** Writes the events of one session the way the client does. */
export class CopilotLog {
  readonly records: Json[] = []
  readonly session: string
  clock: number
  #calls = 0
  #last: string | null = null

  constructor(session = SESSION, start = Date.parse('2026-11-02T09:00:00Z')) {
    this.session = session
    this.clock = start
    const context = { cwd: '/home/sam/code/demo', gitRoot: '/home/sam/code/demo', branch: 'main' }
    const own = { sessionId: session, version: 1, producer: 'copilot-agent', copilotVersion: '1.0.102' }
    this.event('session.start', { ...own, startTime: this.time(), selectedModel: 'lab-large', context })
    this.event('system.message', { role: 'system', content: 'You are the client.' })
  }

  time(): string {
    return new Date(this.clock).toISOString()
  }

  /** The id of the latest record. */
  get last(): string {
    return this.#last ?? ''
  }

  event(type: string, data: Json = {}, agentId?: string): this {
    this.clock += 1000
    const id = uuid(`${this.session} ${this.records.length}`)
    const agent = agentId === undefined ? {} : { agentId }
    this.records.push({ type, data, id, timestamp: this.time(), parentId: this.#last, ...agent })
    this.#last = id
    return this
  }

  prompt(content: string, more: Json = {}, agentId?: string): this {
    const transformedContent = `<current_datetime>${this.time()}</current_datetime>\n\n${content}`
    const data = { content, transformedContent, delivery: 'idle', attachments: [], ...more }
    return this.event('user.message', data, agentId).event('assistant.turn_start', { turnId: '0' }, agentId)
  }

  /** An answer with its bill, before it as the client writes it. */
  answer(content: string, more: Json = {}, agentId?: string): this {
    const apiCallId = `msg_${this.#calls++}`
    const tokens = {
      inputTokens: 1000,
      outputTokens: 50,
      cacheReadTokens: 300,
      cacheWriteTokens: 200,
      reasoningTokens: 5,
    }
    this.event('session.usage_record', { usage: { model: 'lab-large', ...tokens, cost: 0, apiCallId } }, agentId)
    const data = {
      messageId: uuid(`m ${this.records.length}`),
      model: 'lab-large',
      content,
      toolRequests: [],
      apiCallId,
    }
    this.event('assistant.message', { ...data, ...more }, agentId)
    return (more['toolRequests'] as unknown[] | undefined)?.length
      ? this
      : this.event('assistant.turn_end', {}, agentId)
  }

  call(toolCallId: string, name: string, input: Json, agentId?: string): this {
    const toolRequests = [{ toolCallId, name, arguments: input, type: 'function' }]
    this.answer('', { toolRequests }, agentId)
    return this.event('tool.execution_start', { toolCallId, toolName: name, arguments: input }, agentId)
  }

  result(toolCallId: string, content: string, exitCode?: number, agentId?: string): this {
    const tail = exitCode === undefined ? '' : `\n<shellId: 0 completed with exit code ${exitCode}>`
    const shell = exitCode === undefined ? {} : { shellExecution: { exitCode } }
    const data = { toolCallId, success: true, result: { content: content + tail }, ...shell }
    return this.event('tool.execution_complete', data, agentId)
  }

  failure(toolCallId: string, message: string, code: string): this {
    return this.event('tool.execution_complete', { toolCallId, success: false, error: { message, code } })
  }

  permission(toolCallId: string, result: Json, decisionSource?: string): this {
    const requestId = uuid(`r ${this.records.length}`)
    const source = decisionSource === undefined ? {} : { decisionSource }
    this.event('permission.requested', { requestId, permissionRequest: { kind: 'shell', toolCallId } })
    return this.event('permission.completed', { requestId, toolCallId, result, ...source })
  }

  /** What the session has cost so far, as the end of a run tells it. */
  shutdown(usage: Json = {}): this {
    const modelMetrics = { 'lab-large': { requests: { count: 1, cost: 0 }, usage } }
    return this.event('session.shutdown', { shutdownType: 'routine', modelMetrics })
  }

  text(): string {
    return this.records.map((record) => `${JSON.stringify(record)}\n`).join('')
  }
}

/** Writes a session below `home` as the client lays it down, and says where. */
export function laySession(home: string, log: CopilotLog, details?: string): Unit {
  const root = path.join(home, '.copilot')
  const dir = path.join(root, 'session-state', log.session)
  mkdirSync(dir, { recursive: true })
  if (details !== undefined) writeFileSync(path.join(dir, 'workspace.yaml'), details)
  writeFileSync(path.join(dir, 'events.jsonl'), log.text())
  return { path: path.join(dir, 'events.jsonl'), root }
}

function uuid(of: string): string {
  const hex = createHash('sha256').update(of).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** A session in which all happens that the client can tell. */
export function eventfulLog(): CopilotLog {
  const log = new CopilotLog()
  log.prompt('wrong way').answer('Oh.')
  const wrong = String(log.records.find(({ type }) => type === 'user.message')?.['id'])
  log.event('session.snapshot_rewind', { upToEventId: wrong, eventsRemoved: 4 })
  log.prompt('copy it out').call('c1', 'bash', { command: 'cp a ..' })
  log.permission('c1', { kind: 'denied-interactively-by-user', feedback: 'keep it here' }, 'human_response')
  log.failure('c1', 'The user rejected this tool call.', 'rejected').answer('Right.')
  log.prompt('test it').call('c2', 'bash', { command: 'npm test' })
  log.permission('c2', { kind: 'approve-once' }, 'human_response')
  log.prompt('and lint it', { delivery: 'steering' }).result('c2', 'fail', 1).answer('Red.')
  log.event('system.notification', { content: 'a shell has ended', kind: { type: 'shell_completed' } })
  log.prompt('count', {}).call('c3', 'task', { prompt: 'Count the files.', description: 'count' })
  log.event('subagent.started', { toolCallId: 'c3', agentName: 'general-purpose', agentDescription: 'count' }, AGENT)
  log.prompt('Count the files.', { source: `agent-${log.session}` }, AGENT).call('c4', 'bash', { command: 'ls' }, AGENT)
  log.result('c4', 'a', 0, AGENT).answer('One.', {}, AGENT).result('c3', 'One.')
  log.event('subagent.completed', { toolCallId: 'c3', agentName: 'general-purpose', totalTokens: 1 }, AGENT)
  log.answer('There is one.', { reasoningText: 'Counting is easy.' })
  const used = { model: 'lab-large', inputTokens: 900, outputTokens: 40, cacheReadTokens: 100, cacheWriteTokens: 0 }
  const told = { success: true, trigger: 'manual', summaryContent: 'They counted.', compactionTokensUsed: used }
  log.event('session.compaction_start', {}).event('session.compaction_complete', told)
  log.prompt('a long story').event('abort', { reason: 'user_initiated' }).event('assistant.turn_end', { turnId: '0' })
  return log.shutdown({ inputTokens: 1, outputTokens: 1 })
}
