import { appendFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { codexReader } from '../../src/sources/codex/reader.ts'
import type { EventItem, FactsItem, Item, Problem, UsageItem } from '../../src/sources/source.ts'
import { tempDir } from './home.ts'

export type LogRecord = Record<string, unknown>

/** An id that counts up in time like those of the client. */
export function threadId(number: number): string {
  return `019d${String(number).padStart(4, '0')}-0000-7000-8000-${String(number).padStart(12, '0')}`
}

/** Turns in the order in which they begin; a session with an id between two of them was forked there. */
export const TURN = [threadId(10), threadId(20), threadId(30), threadId(140)] as const

/** Writes the records of one Codex rollout the way the client does since its records have an envelope. */
export class CodexLog {
  readonly records: LogRecord[] = []
  readonly session: string
  #clock: number
  #total = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_output_tokens: 0, total_tokens: 0 }

  constructor(session: string, meta: LogRecord | null = {}, start = Date.parse('2026-10-01T09:00:00Z')) {
    this.session = session
    this.#clock = start
    if (meta !== null) this.meta(meta)
  }

  meta(more: LogRecord = {}): this {
    const timestamp = new Date(this.#clock).toISOString()
    const git = { branch: 'main', commit_hash: 'c0ffee' }
    const own = { id: this.session, timestamp, cwd: '/home/sam/code/demo', cli_version: '0.142.0', source: 'cli', git }
    return this.record('session_meta', { ...own, ...more })
  }

  context(model = 'gpt-test-1', more: LogRecord = {}): this {
    return this.record('turn_context', { cwd: '/home/sam/code/demo', model, ...more })
  }

  start(turn: string): this {
    return this.event('task_started', { turn_id: turn })
  }

  complete(turn: string, more: LogRecord = {}): this {
    return this.event('task_complete', { turn_id: turn, ...more })
  }

  /** A prompt that a person typed: the item, and the event that names it. */
  prompt(text: string): this {
    return this.injected(text).event('user_message', { message: text, images: [] })
  }

  injected(text: string): this {
    return this.item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
  }

  say(text: string): this {
    this.event('agent_message', { message: text })
    return this.item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
  }

  think(text: string): this {
    this.event('agent_reasoning', { text })
    const summary = [{ type: 'summary_text', text }]
    return this.item({ type: 'reasoning', summary, content: null, encrypted_content: 'gAAA'.repeat(100) })
  }

  call(id: string, name: string, input: unknown): this {
    return this.item({ type: 'function_call', name, arguments: JSON.stringify(input), call_id: id })
  }

  output(id: string, output: unknown): this {
    return this.item({ type: 'function_call_output', call_id: id, output })
  }

  /** A call of the tool whose programs call the others. */
  program(id: string, input: string): this {
    return this.item({ type: 'custom_tool_call', name: 'exec', namespace: 'functions', call_id: id, input })
  }

  /** What a program put out, part by part. */
  programOutput(id: string, first: string, ...texts: string[]): this {
    const head = `${first}\nWall time 0.1 seconds\nOutput:\n`
    const output = [head, ...texts].map((text) => ({ type: 'input_text', text }))
    return this.item({ type: 'custom_tool_call_output', call_id: id, output })
  }

  /** What later versions tell of a thing when it is done. */
  completed(item: LogRecord, more: LogRecord = {}): this {
    return this.event('item_completed', { thread_id: this.session, item, ...more })
  }

  /** A command that has ended. */
  ran(id: string, script: string, exit: number, output: string, more: LogRecord = {}): this {
    return this.completed({
      type: 'CommandExecution',
      id,
      command: ['/bin/bash', '-lc', script],
      cwd: 'file:///home/sam/code/demo',
      source: 'unified_exec_startup',
      status: exit === 0 ? 'completed' : 'failed',
      aggregated_output: output,
      exit_code: exit,
      ...more,
    })
  }

  /** A message from one agent to another, whose words a service may have sealed. */
  letter(author: string, recipient: string, type: string, words: string, sealed?: string): this {
    const text = `Message Type: ${type}\nTask name: ${recipient}\nSender: ${author}\nPayload:\n${words}`
    const open = { type: 'input_text', text }
    const content = sealed === undefined ? [open] : [open, { type: 'encrypted_content', encrypted_content: sealed }]
    return this.item({ type: 'agent_message', author, recipient, content })
  }

  /** A response of so many tokens, as the running total tells it. */
  tokens(input: number, cached: number, output: number, reasoning = 0): this {
    const last = {
      input_tokens: input,
      cached_input_tokens: cached,
      output_tokens: output,
      reasoning_output_tokens: reasoning,
      total_tokens: input + output,
    }
    this.#total = {
      input_tokens: this.#total.input_tokens + input,
      cached_input_tokens: this.#total.cached_input_tokens + cached,
      output_tokens: this.#total.output_tokens + output,
      reasoning_output_tokens: this.#total.reasoning_output_tokens + reasoning,
      total_tokens: this.#total.total_tokens + input + output,
    }
    return this.event('token_count', { info: { total_token_usage: this.#total, last_token_usage: last } })
  }

  item(payload: LogRecord): this {
    return this.record('response_item', payload)
  }

  event(type: string, payload: LogRecord): this {
    return this.record('event_msg', { type, ...payload })
  }

  record(type: string, payload: LogRecord): this {
    this.#clock += 1000
    this.records.push({ timestamp: new Date(this.#clock).toISOString(), type, payload })
    return this
  }

  /** What a fork writes first: its own header and all the parent has, in one go and with its own times. */
  fork(session: string, meta: LogRecord = {}): CodexLog {
    const forked = new CodexLog(session, { forked_from_id: this.session, ...meta }, this.#clock + 60_000)
    const timestamp = forked.records[0]?.['timestamp']
    forked.records.push(...this.records.map((record) => ({ ...record, timestamp })))
    forked.#total = { ...this.#total }
    forked.#clock += 5_000
    return forked
  }

  text(): string {
    return lines(this.records)
  }
}

/** An ordinary session of three turns, one of them broken off. */
export function aSession(): CodexLog {
  return new CodexLog(threadId(1))
    .start(TURN[0])
    .context()
    .injected('# AGENTS.md instructions for /home/sam/code/demo\n\n<INSTRUCTIONS>be kind</INSTRUCTIONS>')
    .injected('<environment_context>\n  <cwd>/home/sam/code/demo</cwd>\n</environment_context>')
    .prompt('why does the build fail? ümläut 日本語')
    .think('**Looking at the build**')
    .call('call_1', 'shell', { command: ['bash', '-lc', 'npm run build'] })
    .output('call_1', JSON.stringify({ output: 'TS2345', metadata: { exit_code: 2, duration_seconds: 1 } }))
    .tokens(1000, 0, 50, 20)
    .tokens(0, 0, 0)
    .say('A type is wrong.')
    .tokens(1200, 1000, 30)
    .complete(TURN[0])
    .start(TURN[1])
    .prompt('fix it')
    .event('turn_aborted', { reason: 'interrupted', turn_id: TURN[1] })
    .start(TURN[2])
    .prompt('fix it, please')
    .say('Done.')
    .tokens(1400, 1200, 10)
    .complete(TURN[2])
}

export function rolloutPath(home: string, session: string): string {
  return path.join(home, '.codex', 'sessions', '2026', '10', '01', `rollout-2026-10-01T11-00-00-${session}.jsonl`)
}

export function write(file: string, content: string | Uint8Array): string {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}

export interface Told {
  readonly items: readonly Item[]
  readonly events: readonly EventItem[]
  readonly usage: readonly UsageItem[]
  readonly problems: readonly Problem[]
  readonly facts: FactsItem['facts']
}

export const lines = (records: readonly LogRecord[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

export const words = (items: readonly Item[]) =>
  items.flatMap((item) => (item.item === 'event' && item.text !== undefined ? [item.text] : []))

/** Lays a rollout down in a home of its own. */
export function layRollout(content: string, session = threadId(1)) {
  const home = tempDir()
  return laid(write(rolloutPath(home, session), content), home)
}

/** Lays a log of prompts down in a home of its own. */
export function layHistory(content: string) {
  const home = tempDir()
  return laid(write(path.join(home, '.codex', 'history.jsonl'), content), home)
}

function laid(file: string, home: string) {
  return {
    unit: { path: file, root: path.join(home, '.codex') },
    bytes: readFileSync(file),
    append: (bytes: Uint8Array) => appendFileSync(file, bytes),
    truncate: (bytes: number) => truncateSync(file, bytes),
  }
}

export function told(log: CodexLog): Told {
  const { unit } = layRollout(log.text(), log.session)
  return readRollout(unit.path, unit.root)
}

/** Everything that reading a file of a Codex home once gives. */
export function readRollout(file: string, root: string): Told {
  const items = [...codexReader.read({ path: file, root }, null)].flat()
  return {
    items,
    events: items.filter((item) => item.item === 'event'),
    usage: items.filter((item) => item.item === 'usage'),
    problems: items.filter((item) => item.item === 'problem'),
    facts: Object.assign({}, ...items.flatMap((item) => (item.item === 'facts' ? [item.facts] : []))),
  }
}
