import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createHash } from 'node:crypto'

export type LogRecord = Record<string, unknown>

/** A UUID that is always the same for the same name. */
export function uuid(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Writes the records of one Claude Code transcript the way the client does: a chain of uuids, one block a record. */
export class ClaudeLog {
  readonly records: LogRecord[] = []
  readonly session: string
  readonly #common: LogRecord
  #last: string | null = null
  #clock: number
  #count = 0

  constructor(session: string, common: LogRecord = {}, start = Date.parse('2026-10-01T09:00:00Z')) {
    this.session = session
    this.#clock = start
    this.#common = {
      sessionId: session,
      cwd: '/home/sam/code/demo',
      gitBranch: 'main',
      version: '2.1.100',
      isSidechain: false,
      ...common,
    }
  }

  user(content: unknown, more: LogRecord = {}): this {
    return this.record({ type: 'user', message: { role: 'user', content }, ...more })
  }

  say(text: string, more: LogRecord = {}): this {
    return this.assistant({ type: 'text', text }, more)
  }

  think(text: string): this {
    return this.assistant({ type: 'thinking', thinking: text, signature: 'x' })
  }

  call(id: string, name: string, input: unknown): this {
    return this.assistant({ type: 'tool_use', id, name, input })
  }

  result(id: string, content: unknown, more: LogRecord = {}): this {
    const { is_error: isError, ...rest } = more
    const block = {
      type: 'tool_result',
      tool_use_id: id,
      content,
      ...(isError === undefined ? {} : { is_error: isError }),
    }
    return this.user([block], rest)
  }

  assistant(block: LogRecord, more: LogRecord = {}): this {
    const { message, ...rest } = more
    const id = `msg_${this.session}_${this.#count}`
    const usage = {
      input_tokens: 10,
      output_tokens: 5,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 1000,
    }
    const whole = {
      id,
      type: 'message',
      role: 'assistant',
      model: 'claude-test-1',
      content: [block],
      usage,
      ...(message as object),
    }
    return this.record({ type: 'assistant', requestId: `req_${id}`, message: whole, ...rest })
  }

  record(record: LogRecord): this {
    const id = uuid(`${this.session}:${String(this.#common['agentId'] ?? '')}:${this.#count++}`)
    this.#clock += 1000
    this.records.push({
      parentUuid: this.#last,
      ...this.#common,
      uuid: id,
      timestamp: new Date(this.#clock).toISOString(),
      ...record,
    })
    this.#last = id
    return this
  }

  /** A record about the session as a whole: no uuid, no time. */
  bare(record: LogRecord): this {
    this.records.push(record)
    return this
  }

  text(): string {
    return this.records.map((record) => `${JSON.stringify(record)}\n`).join('')
  }
}

export function transcriptPath(home: string, session: string, project = '-home-sam-code-demo'): string {
  return path.join(home, '.claude', 'projects', project, `${session}.jsonl`)
}

export function subagentPath(home: string, session: string, agent: string, project = '-home-sam-code-demo'): string {
  return path.join(home, '.claude', 'projects', project, session, 'subagents', `agent-${agent}.jsonl`)
}

export function write(file: string, text: string): string {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}
