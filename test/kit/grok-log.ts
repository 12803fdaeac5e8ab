import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Item, Unit } from '../../src/sources/source.ts'
import { grokReader } from '../../src/sources/grok/reader.ts'

export type Json = Record<string, unknown>

export const CWD = '/home/sam/code/demo'
export const START = Date.parse('2026-10-05T09:00:00Z')

/** Tokens of a turn as the client bills them: 1,000 read, 600 of them from the cache, 40 written. */
export const USAGE = {
  inputTokens: 1000,
  outputTokens: 40,
  totalTokens: 1040,
  cachedReadTokens: 600,
  cacheCreationTokens: 100,
  reasoningTokens: 15,
  modelCalls: 2,
  costUsdTicks: 25_000_000,
  numTurns: 1,
}

/** Writes `updates.jsonl` the way the client does: an envelope per line, a counter, a stream per answer. */
export class GrokLog {
  readonly lines: Json[] = []
  readonly session: string
  clock: number
  #order = 0
  #prompts = 0
  #turns = 0
  #stream = 0

  constructor(session: string, start = START) {
    this.session = session
    this.clock = start
  }

  get promptId(): string {
    return `prompt-${this.session}-${this.#turns}`
  }

  update(kind: string, body: Json = {}, meta: Json = {}): this {
    this.clock += 1000
    this.#order += 1
    const named = { eventId: `${this.session}-${this.#order}`, agentTimestampMs: this.clock, ...meta }
    const params = { sessionId: this.session, update: { sessionUpdate: kind, ...body }, _meta: named }
    const method = /chunk$|^tool_call(_update)?$|^plan$/.test(kind) ? 'session/update' : '_x.ai/session/update'
    this.lines.push({ timestamp: Math.floor(this.clock / 1000), method, params })
    return this
  }

  prompt(text: string, own: Json = {}): this {
    this.#prompts += 1
    this.#turns += 1
    this.#stream = this.clock
    const _meta = { modelId: 'grok-4.7', promptIndex: this.#prompts - 1, ...own }
    return this.update('user_message_chunk', { content: { type: 'text', text }, _meta })
  }

  say(text: string): this {
    return this.update('agent_message_chunk', { content: { type: 'text', text } }, this.#streamed())
  }

  think(text: string): this {
    return this.update('agent_thought_chunk', { content: { type: 'text', text } }, this.#streamed())
  }

  call(id: string, name: string, rawInput: unknown): this {
    const tool = { version: 1, name, kind: 'execute', namespace: 'grok_build' }
    const body = { toolCallId: id, title: name, rawInput, _meta: { 'x.ai/tool': tool } }
    return this.update('tool_call', body, this.#streamed())
  }

  progress(id: string, output: string): this {
    const content = [{ type: 'content', content: { type: 'text', text: output } }]
    return this.update('tool_call_update', { toolCallId: id, status: 'in_progress', content }, this.#streamed())
  }

  result(id: string, output: string, exit = 0, status = 'completed'): this {
    const rawOutput = {
      type: 'Bash',
      output: [...Buffer.from(output)],
      output_for_prompt: `exit: ${exit}\n${output}`,
      exit_code: exit,
    }
    const content = [{ type: 'content', content: { type: 'text', text: output } }]
    this.update('tool_call_update', { toolCallId: id, status, content, rawOutput }, this.#streamed())
    this.#stream = this.clock
    return this
  }

  done(more: Json = {}): this {
    return this.update('turn_completed', {
      prompt_id: this.promptId,
      stop_reason: 'end_turn',
      usage: USAGE,
      elapsed_ms: 5000,
      ...more,
    })
  }

  rewind(target: number): this {
    this.#prompts = target
    return this.update('rewind_marker', { target_prompt_index: target, created_at: new Date(this.clock).toISOString() })
  }

  text(lines: readonly Json[] = this.lines): string {
    return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  }

  #streamed(): Json {
    return { promptId: this.promptId, streamStartMs: this.#stream }
  }
}

/** Writes `events.jsonl` beside a transcript, by the transcript's clock. */
export class GrokEvents {
  readonly lines: Json[] = []
  readonly #log: GrokLog
  #turns = 0

  constructor(log: GrokLog) {
    this.#log = log
  }

  event(type: string, body: Json = {}): this {
    this.lines.push({ ts: new Date(this.#log.clock).toISOString(), type, ...body })
    return this
  }

  turn(body: Json = {}): this {
    const numbers = { turn_number: this.#turns++, conversation_message_count: 3 }
    const started = { session_id: this.#log.session, ...numbers, model_id: 'grok-4.7', yolo_mode: false }
    return this.event('turn_started', { ...started, schema_version: '1.0', ...body }).event('loop_started')
  }

  permission(decision: string, waitMs: number, tool = 'run_terminal_command'): this {
    this.event('permission_requested', { tool_name: tool })
    return this.event('permission_resolved', { tool_name: tool, decision, wait_ms: waitMs })
  }

  completed(call: string, outcome = 'success', tool = 'run_terminal_command'): this {
    return this.event('tool_completed', { tool_name: tool, tool_call_id: call, outcome, duration_ms: 5 })
  }

  end(outcome = 'completed', category?: string): this {
    const why = category === undefined ? {} : { cancellation_category: category }
    return this.event('turn_ended', { outcome, ...why })
  }

  text(): string {
    return jsonLines(this.lines)
  }
}

export function sessionDir(root: string, session: string, cwd = CWD): string {
  return path.join(root, 'sessions', encodeURIComponent(cwd), session)
}

/** Lays files of one session down and returns the unit of the first. */
export function laySession(root: string, session: string, files: Readonly<Record<string, string>>, cwd = CWD): Unit {
  const dir = sessionDir(root, session, cwd)
  for (const [name, text] of Object.entries(files)) put(path.join(dir, name), text)
  return { root, path: path.join(dir, Object.keys(files)[0] ?? '') }
}

export function put(file: string, text: string): string {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

export function jsonLines(records: readonly Json[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

export function readAll(unit: Unit): Item[] {
  return [...grokReader.read(unit, null)].flat()
}

export type Of<K extends Item['item']> = Extract<Item, { item: K }>

export function only<K extends Item['item']>(items: readonly Item[], kind: K): Of<K>[] {
  return items.filter((item): item is Of<K> => item.item === kind)
}
