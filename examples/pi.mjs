// Sessions of Pi (@earendil-works/pi-coding-agent) for recall: a source of its own, in one file, without dependencies.
//
//   [sources.plugins]
//   pi = "~/pi.mjs"
//
// `recall source test ./pi.mjs` tries it. Written for 0.87.
import { closeSync, openSync, readSync } from 'node:fs'
import path from 'node:path'

const FILE = /^sessions\/[^/]+\/[^/]+_[\w-]+\.jsonl$/

/** @type {import('@helix-forge/recall').Source} */
const pi = {
  name: 'pi',
  longName: 'pi',
  label: 'Pi',
  revision: 1,
  roots: (env) => [env.PI_CODING_AGENT_DIR || path.join(env.HOME ?? '', '.pi', 'agent')],
  owns: (file) => FILE.test(file.split(path.sep).join('/')),
  skips: (dir) => dir.split(path.sep)[0] !== 'sessions' || dir.split(path.sep).length > 2,
  reader: async () => ({ read: (unit, from) => new PiReading(unit, from) }),
  resume: (id) => ['pi', '--session', id],
}
export default pi

/** What `recall source test` lays down and reads. */
export const sample = {
  'sessions/--home-sam-code--/2026-11-02T09-00-00-000Z_5b0f1c2a-0000-4000-8000-00000000c0de.jsonl': [
    {
      type: 'session',
      version: 3,
      id: '5b0f1c2a-0000-4000-8000-00000000c0de',
      timestamp: '2026-11-02T09:00:00.000Z',
      cwd: '/home/sam/code',
    },
    entry('a1', null, { role: 'user', content: [{ type: 'text', text: 'Mend the test.' }], timestamp: 1793610001000 }),
    entry('a2', 'a1', {
      role: 'assistant',
      model: 'lab-large',
      responseId: 'r1',
      content: [
        { type: 'thinking', thinking: 'Run it first.' },
        { type: 'text', text: 'I run it.' },
        { type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'npm test' } },
      ],
      usage: { input: 100, output: 20, cacheRead: 50, cacheWrite: 10, reasoning: 5, cost: { total: 0.01 } },
      stopReason: 'toolUse',
      timestamp: 1793610002000,
    }),
    entry('a3', 'a2', {
      role: 'toolResult',
      toolCallId: 'c1',
      toolName: 'bash',
      content: [{ type: 'text', text: 'red\n\nCommand exited with code 1' }],
      isError: true,
      timestamp: 1793610003000,
    }),
    entry('a4', 'a3', {
      role: 'assistant',
      model: 'lab-large',
      responseId: 'r2',
      content: [{ type: 'text', text: 'Red.' }],
      usage: { input: 120, output: 8, cacheRead: 60, cacheWrite: 0 },
      stopReason: 'stop',
      timestamp: 1793610004000,
    }),
    entry('a5', 'a1', { role: 'user', content: 'No: leave it.', timestamp: 1793610005000 }),
    { type: 'session_info', id: 'a6', parentId: 'a5', timestamp: '2026-11-02T09:00:06.000Z', name: 'Mending' },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join(''),
}

function entry(id, parentId, message) {
  return { type: 'message', id, parentId, timestamp: new Date(message.timestamp).toISOString(), message }
}

/** Types of entries that say nothing of the conversation. */
const IGNORED = new Set(['thinking_level_change', 'context_edit', 'custom', 'label'])
const REMEMBERED = 4000
const MAX_LINE = 64 * 1024 * 1024

/** One pass over a session: the items of one line at a time, and after each where to go on. */
class PiReading {
  bytesRead = 0
  provisional = false
  #unit
  #checkpoint
  #state

  constructor(unit, from) {
    this.#unit = unit
    this.#checkpoint = from ?? { offset: 0, line: 0, state: null }
    const session = /_([\w-]+)\.jsonl$/.exec(path.basename(unit.path))?.[1] ?? path.basename(unit.path, '.jsonl')
    const fresh = {
      session,
      pos: 0,
      messages: 0,
      orphans: 0,
      places: [],
      calls: [],
      prompted: false,
      model: null,
      unknown: [],
    }
    this.#state = structuredClone(from?.state ?? fresh)
  }

  checkpoint() {
    return this.#checkpoint
  }

  *[Symbol.iterator]() {
    const { session } = this.#state
    yield [{ item: 'lane', session, lane: '', originality: 0, mainPath: this.#unit.path }]
    let { offset, line } = this.#checkpoint
    for (const { bytes, whole } of linesOf(this.#unit.path, offset, (read) => (this.bytesRead += read))) {
      line += 1
      const record = parsed(bytes)
      const items =
        record === null
          ? whole
            ? [this.#problem('broken line', 'warn', line, offset)]
            : []
          : this.#read(record, line, offset)
      this.provisional = !whole && items.length > 0
      offset += bytes.length + 1
      // A last line without its end is told, but comes again.
      if (whole) this.#checkpoint = { offset, line, state: structuredClone(this.#state) }
      yield items
    }
  }

  #read(record, line, offset) {
    const at = timeOf(record.message?.timestamp) ?? timeOf(Date.parse(record.timestamp))
    const place = { at, line, native: textOf(record.id) ?? `line-${line}` }
    const back = this.#turnBack(record)
    switch (record.type) {
      case 'session':
        return [this.#header(record)]
      case 'message':
        return [...back, ...this.#message(record.message ?? {}, place)]
      case 'custom_message':
        return [
          ...back,
          this.#event(place, {
            kind: 'user_msg',
            role: 'user',
            text: wordsOf(record.content),
            human: false,
            marks: { injected: true },
          }),
        ]
      case 'compaction': {
        const text = `conversation compacted\n\n${textOf(record.summary) ?? ''}`
        const note = this.#event(place, { kind: 'lifecycle', role: 'system', text, marks: { compacted: 'unknown' } })
        return [...back, note, ...this.#usage(record.usage, place, { pos: note.pos })]
      }
      case 'branch_summary': {
        const note = this.#event(place, {
          kind: 'lifecycle',
          role: 'system',
          text: `left branch\n\n${textOf(record.summary) ?? ''}`,
        })
        return [...back, note, ...this.#usage(record.usage, place, { pos: note.pos })]
      }
      case 'usage':
        return this.#usage(record.usage, place, { pos: Math.max(0, this.#state.pos - 1) })
      case 'session_info':
        return textOf(record.name) === null ? [] : [this.#facts({ agentTitle: record.name })]
      case 'model_change':
        return textOf(record.modelId) === null ? [] : [this.#facts({ model: record.modelId })]
      default:
        return IGNORED.has(record.type)
          ? []
          : this.#unknown(String(record.type ?? 'entry without type').slice(0, 80), line, offset)
    }
  }

  /** Entries are a tree: one whose parent is not the latest begins a branch, and what came after its parent is left. */
  #turnBack({ parentId }) {
    const { places, session, pos } = this.#state
    const parent = places.findIndex(([id]) => id === parentId)
    if (parent === -1 || parent === places.length - 1) return []
    const from = places[parent][1] + 1
    places.length = parent + 1
    return from < pos ? [{ item: 'supersede', session, lane: '', from, to: pos - 1 }] : []
  }

  #header({ timestamp, cwd, parentSession }) {
    const parent = /_([\w-]+)\.jsonl$/.exec(textOf(parentSession) ?? '')?.[1]
    const since = timeOf(Date.parse(timestamp))
    return this.#facts({
      ...(textOf(cwd) === null ? {} : { cwd }),
      ...(since === null ? {} : { writtenSince: since }),
      ...(parent === undefined ? {} : { parent: `pi:${parent}` }),
    })
  }

  #message(message, place) {
    switch (message.role) {
      case 'user':
        return this.#prompt(wordsOf(message.content), place)
      case 'assistant':
        return this.#answer(message, place)
      case 'toolResult':
        return [this.#result(message, place)]
      case 'bashExecution': {
        const call = this.#event(place, {
          kind: 'tool_call',
          role: 'assistant',
          tool: 'bash',
          input: { command: textOf(message.command) ?? '' },
          call: place.native,
          callIdx: this.#state.orphans++,
        })
        const exit = Number.isSafeInteger(message.exitCode) ? { marks: { exitCode: message.exitCode } } : {}
        const kind = message.exitCode ? 'error' : 'tool_result'
        return [
          call,
          this.#event(
            { ...place, block: 1 },
            {
              kind,
              role: 'tool',
              tool: 'bash',
              body: textOf(message.output) ?? '',
              call: place.native,
              parent: call.pos,
              ...exit,
            },
          ),
        ]
      }
      default:
        // The system prompt, and what extensions put there.
        return []
    }
  }

  #prompt(text, place) {
    if (text === '') return []
    const event = this.#event(place, {
      kind: 'user_msg',
      role: 'user',
      text,
      human: true,
      message: this.#state.messages++,
    })
    if (this.#state.prompted) return [event]
    this.#state.prompted = true
    return [this.#facts({ firstPrompt: text.slice(0, 4096) }), event]
  }

  #answer(message, place) {
    const parts = Array.isArray(message.content) ? message.content : []
    const index = this.#state.messages++
    const items = []
    let block = 0
    let calls = 0
    const model = textOf(message.model)
    if (model !== null && model !== this.#state.model) items.push(this.#facts({ model: (this.#state.model = model) }))
    for (const part of parts) {
      const where = { ...place, block: block++ }
      if (part?.type === 'thinking' && textOf(part.thinking) !== null)
        items.push(this.#event(where, { kind: 'thinking', role: 'assistant', text: part.thinking, message: index }))
      if (part?.type === 'text' && textOf(part.text) !== null)
        items.push(this.#event(where, { kind: 'assistant_msg', role: 'assistant', text: part.text, message: index }))
      if (part?.type === 'toolCall') {
        const call = textOf(part.id)
        const event = this.#event(where, {
          kind: 'tool_call',
          role: 'assistant',
          tool: textOf(part.name) ?? '',
          input: part.arguments ?? {},
          message: index,
          callIdx: calls++,
          ...(call === null ? {} : { call }),
        })
        this.#state.calls = [...this.#state.calls.slice(-63), [call, event.pos]]
        items.push(event)
      }
    }
    const told = { ...place, block }
    if (message.stopReason === 'error')
      items.push(this.#event(told, { kind: 'error', role: 'system', text: textOf(message.errorMessage) ?? 'error' }))
    else if (message.stopReason === 'aborted')
      items.push(
        this.#event(told, {
          kind: 'human_intervention',
          role: 'user',
          text: 'aborted',
          marks: { interrupted: true, turn: 'interrupted' },
        }),
      )
    else if (message.stopReason === 'stop')
      items.push(
        this.#event(told, { kind: 'lifecycle', role: 'system', text: 'turn completed', marks: { turn: 'completed' } }),
      )
    return [
      ...items,
      ...this.#usage(
        message.usage,
        { ...place, native: textOf(message.responseId) ?? place.native },
        { message: items.length > 0 ? index : null },
      ),
    ]
  }

  #result({ toolCallId, toolName, content, isError }, place) {
    const body = wordsOf(content)
    const code = /\n\nCommand exited with code (\d+)\s*$/.exec(body)?.[1]
    const called = this.#state.calls.find(([id]) => id === toolCallId)?.[1]
    return this.#event(place, {
      kind: isError === true ? 'error' : 'tool_result',
      role: 'tool',
      body,
      ...(textOf(toolName) === null ? {} : { tool: toolName }),
      ...(textOf(toolCallId) === null ? {} : { call: toolCallId }),
      ...(called === undefined ? {} : { parent: called }),
      ...(code === undefined ? {} : { marks: { exitCode: Number(code) } }),
    })
  }

  #event({ at, line, native, block = 0 }, draft) {
    const state = this.#state
    const pos = state.pos++
    state.places = [...state.places.slice(-REMEMBERED).filter(([id]) => id !== native), [native, pos]]
    return {
      item: 'event',
      session: state.session,
      lane: '',
      pos,
      parent: pos === 0 ? null : pos - 1,
      at,
      native,
      block,
      line,
      ...draft,
    }
  }

  /** Input is without what the cache had, output with reasoning: as recall counts. */
  #usage(usage, { at, line, native }, { message = null, pos }) {
    if (!usage || !(usage.input || usage.output || usage.cacheRead || usage.cacheWrite)) return []
    const n = (value) => (typeof value === 'number' ? value : 0)
    const cost = usage.cost?.total
    return [
      {
        item: 'usage',
        session: this.#state.session,
        lane: '',
        key: native,
        model: this.#state.model,
        at,
        input: n(usage.input),
        output: n(usage.output),
        cacheRead: n(usage.cacheRead),
        cacheWrite5m: n(usage.cacheWrite),
        cacheWrite1h: 0,
        reasoning: n(usage.reasoning),
        costUsd: typeof cost === 'number' && cost > 0 ? cost : null,
        message,
        ...(pos === undefined ? {} : { pos }),
        line,
      },
    ]
  }

  #facts(facts) {
    return { item: 'facts', session: this.#state.session, lane: '', facts }
  }

  #unknown(type, line, offset) {
    if (this.#state.unknown.includes(type) || this.#state.unknown.length >= 64) return []
    this.#state.unknown.push(type)
    return [this.#problem(type, 'info', line, offset)]
  }

  #problem(type, level, line, offset) {
    return {
      item: 'problem',
      type,
      level,
      message: level === 'warn' ? 'not a JSON object' : 'a type of entry not known',
      line,
      offset,
    }
  }
}

function textOf(value) {
  return typeof value === 'string' && value !== '' ? value : null
}

function timeOf(ms) {
  return typeof ms === 'number' && Number.isFinite(ms) && ms > 0 ? ms : null
}

function wordsOf(content) {
  if (typeof content === 'string') return content
  const parts = Array.isArray(content) ? content : []
  return parts
    .map((part) => textOf(part?.text) ?? (part?.type === 'image' ? '[image]' : ''))
    .filter((text) => text !== '')
    .join('\n')
}

function parsed(bytes) {
  try {
    const value = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** The lines of a file from a byte on, one at a time. */
function* linesOf(file, from, onRead) {
  const fd = openSync(file, 'r')
  try {
    const chunk = Buffer.allocUnsafe(256 * 1024)
    let held = Buffer.alloc(0)
    for (let at = from; ;) {
      const got = readSync(fd, chunk, 0, chunk.length, at)
      if (got === 0) break
      at += got
      onRead(got)
      held = Buffer.concat([held, chunk.subarray(0, got)])
      for (let end = held.indexOf(10); end !== -1; end = held.indexOf(10)) {
        yield { bytes: held.subarray(0, end), whole: true }
        held = held.subarray(end + 1)
      }
      if (held.length > MAX_LINE) throw new Error('a line over 64 MiB')
    }
    if (held.length > 0) yield { bytes: held, whole: false }
  } finally {
    closeSync(fd)
  }
}
