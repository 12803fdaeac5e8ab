import path from 'node:path'
import { appendFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { tempDir } from '../../../test/kit/home.ts'
import { GrokEvents, GrokLog, jsonLines, laySession, only, put, readAll } from '../../../test/kit/grok-log.ts'
import { sessionDir, START, USAGE, type Json } from '../../../test/kit/grok-log.ts'
import type { Checkpoint, Item } from '../source.ts'
import { grokReader } from './reader.ts'

const ID = '019f0000-0000-7000-8000-00000000000b'
const CHILD = '019f0000-0000-7000-8000-00000000000c'

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

function results(log: GrokLog) {
  const items = readAll(laySession(tempDir(), ID, { 'updates.jsonl': log.text() }))
  return only(items, 'event').filter(({ role }) => role === 'tool')
}

describe('what a call gave back', () => {
  const answered = (tool: string, input: Json, rawOutput: Json, more: Json = {}) => {
    const log = new GrokLog(ID).prompt('x').call('c1', tool, input)
    log.update('tool_call_update', { toolCallId: 'c1', status: 'completed', rawOutput, ...more })
    return results(log)[0]
  }

  test('of an edit is what the model was told, not that there is a diff', () => {
    const content = [{ type: 'diff', path: '/a.js', oldText: 'a', newText: 'b' }]
    const rawOutput = {
      type: 'SearchReplace',
      EditsApplied: { tool_output_for_prompt: 'The file /a.js has been updated.' },
    }
    expect(answered('search_replace', { file_path: '/a.js' }, rawOutput, { content })?.body).toBe(
      'The file /a.js has been updated.',
    )
  })

  test('of a search is what it found, of a listing the list, of a command in the background what it put out', () => {
    const content = [{ type: 'content', content: { type: 'text', text: 'found 1 matches' } }]
    const found = 'Found 1 matching lines\n/a.js\n3: größer\n'
    const grep = { type: 'GrepSearch', stdout: [...Buffer.from(found)], match_count: 1 }
    expect(answered('grep', { pattern: 'gr' }, grep, { content })?.body).toBe(found)
    const list = { type: 'ListDir', Content: { content: '- /work/\n  - a.js', absolute_root_path: '/work' } }
    expect(answered('list_dir', {}, list)?.body).toBe('- /work/\n  - a.js')
    const log = new GrokLog(ID).prompt('x')
    log.update('task_completed', { task_snapshot: { command: 'make', exit_code: 0, output: 'built\n' } })
    const items = readAll(laySession(tempDir(), ID, { 'updates.jsonl': log.text() }))
    expect(only(items, 'event').at(-1)).toMatchObject({
      text: 'background task ended with exit code 0: make',
      body: 'built\n',
    })
  })

  test('of a to-do list, and of a subagent, which it names', () => {
    const todo = { type: 'Todo', TodosUpdated: { summary_for_prompt: '- [pending] 1: Mend it\n', todos: [] } }
    expect(answered('todo_write', {}, todo)?.body).toBe('- [pending] 1: Mend it\n')
    const text = `Four.\n\n<subagent_meta>id=${CHILD}, turns=1</subagent_meta>\n\n<subagent_result>\nsubagent_id: ${CHILD}\n</subagent_result>`
    const content = [{ type: 'content', content: { type: 'text', text } }]
    const done = { type: 'SubagentCompleted', output: 'Four.', subagent_id: CHILD }
    expect(answered('spawn_subagent', {}, done, { content })).toMatchObject({
      body: `Four.\n\n<subagent_result>\nsubagent_id: ${CHILD}\n</subagent_result>`,
      thread: CHILD,
    })
    const begun = { type: 'Text', text: `Subagent started in background.\nsubagent_id: ${CHILD}\ndescription: bg` }
    expect(answered('spawn_subagent', {}, begun)).toMatchObject({ thread: CHILD, body: begun.text })
  })

  test('of a server’s tool goes by the tool’s own name, and a failure is told as the model was', () => {
    const log = new GrokLog(ID).prompt('x')
    for (const [call, output, status] of [
      ['c1', { OkayOutput: 'echo: heron' }, 'completed'],
      ['c2', { Error: 'it failed' }, 'failed'],
    ] as const) {
      log.call(call, 'use_tool', { tool_name: 'tracker__echo', tool_input: { text: 'heron' } })
      const rawOutput = {
        type: 'MCP',
        tool_name: 'echo',
        server_name: 'tracker',
        output,
        is_error: status === 'failed',
      }
      log.update('tool_call_update', { toolCallId: call, status, rawOutput })
    }
    const told = only(readAll(laySession(tempDir(), ID, { 'updates.jsonl': log.text() })), 'event').slice(1)
    expect(told.map(({ kind, tool, body }) => [kind, tool, body])).toEqual([
      ['tool_call', 'tracker__echo', undefined],
      ['tool_result', 'tracker__echo', 'echo: heron'],
      ['tool_call', 'tracker__echo', undefined],
      ['error', 'tracker__echo', 'Failed to call echo: it failed'],
    ])
    expect(told[0]?.input).toEqual({ tool_name: 'tracker__echo', tool_input: { text: 'heron' } })
  })

  test('of a command has its exit code, also zero', () => {
    const log = new GrokLog(ID).prompt('x').call('c1', 'run_terminal_command', {}).result('c1', 'ok')
    log.call('c2', 'run_terminal_command', {}).result('c2', 'no', 2)
    expect(results(log).map(({ kind, marks }) => [kind, marks])).toEqual([
      ['tool_result', { exitCode: 0 }],
      ['error', { exitCode: 2 }],
    ])
  })
})

describe('subagents', () => {
  const own = { ...USAGE, modelUsage: { 'grok-4.7': USAGE } }
  const both: Json = Object.fromEntries(Object.entries(USAGE).map(([name, value]) => [name, value * 2]))
  const news = (kind: string, log: GrokLog, more: Json = {}) =>
    log.update(kind, {
      subagent_id: CHILD,
      child_session_id: CHILD,
      subagent_type: 'general',
      status: 'completed',
      ...more,
    })

  const family = (usage: Json, late = false) => {
    const root = tempDir()
    const parent = new GrokLog(ID).prompt('delegate')
    news('subagent_spawned', parent, { parent_prompt_id: parent.promptId })
    const child = new GrokLog(CHILD, parent.clock).prompt('count').done({ usage: own })
    parent.clock = child.clock
    if (!late) news('subagent_finished', parent)
    parent.done({ usage })
    if (late) news('subagent_finished', parent)
    laySession(root, CHILD, { 'updates.jsonl': child.text() })
    return only(readAll(laySession(root, ID, { 'updates.jsonl': parent.text() })), 'usage')
  }

  test('a bill that includes a subagent’s is told without it', () => {
    expect(family({ ...both, modelUsage: { 'grok-4.7': both } })).toMatchObject([
      { input: 300, cacheRead: 600, cacheWrite5m: 100, output: 40, reasoning: 15, costUsd: 0.0025, model: 'grok-4.7' },
    ])
    expect(family(both)).toMatchObject([{ input: 300, output: 40 }])
  })

  test('a bill from before the subagent ended, or that is smaller than its, is told as it is', () => {
    expect(family({ ...both, usageIsIncomplete: true }, true)).toMatchObject([{ input: 600, output: 80 }])
    const small = { ...USAGE, inputTokens: 900, cachedReadTokens: 0, cacheCreationTokens: 0 }
    expect(family(small)).toMatchObject([{ input: 900, output: 40 }])
  })

  test('the subagent’s own session says how it ended', () => {
    const meta = (status: string) => {
      const file = path.join(sessionDir(tempDir(), ID), 'subagents', CHILD, 'meta.json')
      const text = JSON.stringify({ child_session_id: CHILD, parent_session_id: ID, status })
      return only(readAll({ root: path.resolve(file, '../../../../..'), path: put(file, text) }), 'event')[0]?.marks
    }
    expect(['running', 'completed', 'failed', 'cancelled', 'lost'].map(meta)).toEqual([
      { subagent: 'started' },
      { subagent: 'completed' },
      { subagent: 'failed' },
      { subagent: 'cancelled' },
      undefined,
    ])
  })
})

test('rows of a chat history get the times of their turns, steps and calls', () => {
  const clock = new GrokLog(ID)
  const events = new GrokEvents(clock).turn()
  const rows: Json[] = [
    { type: 'system', content: 's' },
    { type: 'user', content: '<user_info>x</user_info>' },
    { type: 'user', content: 'first', prompt_index: 0 },
    { type: 'assistant', content: '', tool_calls: [{ id: 'c1', name: 'run_terminal_command', arguments: '{}' }] },
    { type: 'tool_result', tool_call_id: 'c1', content: 'exit: 1\nno' },
    { type: 'assistant', content: 'It failed.' },
    { type: 'user', content: 'second', prompt_index: 1 },
    { type: 'user', content: 'wait', synthetic_reason: 'interjection' },
    { type: 'user', content: 'third', prompt_index: 2 },
  ]
  clock.clock += 5000
  events.completed('c1', 'error').event('loop_started')
  clock.clock += 5000
  events.end().turn().end()
  const files = { 'chat_history.jsonl': jsonLines(rows), 'events.jsonl': events.text() }
  const told = only(readAll(laySession(tempDir(), ID, files)), 'event')
  expect(told.map(({ kind, at, marks }) => [kind, at === null ? null : at - START, marks])).toEqual([
    ['user_msg', null, { injected: true }],
    ['user_msg', 0, undefined],
    ['tool_call', 0, undefined],
    ['error', 5000, { exitCode: 1 }],
    ['assistant_msg', 5000, undefined],
    ['user_msg', 10_000, undefined],
    ['user_msg', 10_000, { midTurn: true }],
    ['user_msg', null, undefined],
  ])
})

test('the telemetry names the model where nothing else does, and a headless run is a program’s', () => {
  const log = new GrokLog(ID).prompt('x', { modelId: undefined }).done()
  const files = { 'events.jsonl': new GrokEvents(log).turn({ ts: iso(START) }).text() }
  const summary = { 'summary.json': '{"session_kind":"headless"}' }
  const items = readAll(laySession(tempDir(), ID, { 'updates.jsonl': log.text(), ...files, ...summary }))
  expect(only(items, 'usage')).toMatchObject([{ model: 'grok-4.7' }])
  expect(only(items, 'facts').at(-1)?.facts).toMatchObject({ automated: true })
  const telemetry = readAll(laySession(tempDir(), ID, files))
  expect(only(telemetry, 'facts')).toMatchObject([{ lane: '~events', facts: { model: 'grok-4.7' } }])
})

describe('a prompt that only the prompt log has', () => {
  const line = (prompt: string, at: number) => ({ timestamp: iso(at), session_id: ID, prompt, is_bash: false })
  const typed = (items: readonly Item[]) =>
    only(items, 'event').flatMap(({ lane, text, at, human, marks }) =>
      lane === '~typed' ? [{ text, at, human, marks }] : [],
    )

  const lay = (prompts: Json[]) => {
    const root = tempDir()
    const log = new GrokLog(ID)
    log.clock += 60_000
    const events = new GrokEvents(log)
    log.prompt('first\nof all')
    events.turn()
    log.clock += 60_000
    log.done()
    events.end()
    log.clock += 600_000
    log.prompt('last')
    const unit = laySession(root, ID, { 'updates.jsonl': log.text(), 'events.jsonl': events.text() })
    const file = put(path.join(path.dirname(path.dirname(unit.path)), 'prompt_history.jsonl'), jsonLines(prompts))
    return { log, transcript: unit.path, unit: { root, path: file } }
  }

  test('is told once, by its time, if its session went on after it', () => {
    const at = START + 90_000
    const { unit } = lay([
      line('first\nof all', START + 60_900),
      line('and the other', at),
      line('/compact', at + 1),
      line('last', START),
    ])
    expect(typed(readAll(unit))).toEqual([{ text: 'and the other', at, human: true, marks: { midTurn: true } }])
  })

  test('waits while its session may still take it up', () => {
    const late = START + 3_600_000
    const { unit, transcript, log } = lay([line('soon sent', late), line('never sent', late + 60_000)])
    const first = grokReader.read(unit, null)
    expect(typed([...first].flat())).toEqual([])
    log.clock = late + 10
    const before = log.lines.length
    log.prompt('soon sent').done()
    log.clock = late + 900_000
    log.prompt('much later')
    appendFileSync(transcript, log.text(log.lines.slice(before)))
    appendFileSync(unit.path, jsonLines([line('much later', log.clock)]))
    const checkpoint = JSON.parse(JSON.stringify(first.checkpoint())) as Checkpoint
    expect(typed([...grokReader.read(unit, checkpoint)].flat())).toMatchObject([
      { text: 'never sent', at: late + 60_000 },
    ])
  })
})
