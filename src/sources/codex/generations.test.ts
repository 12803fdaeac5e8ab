import path from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  CodexLog,
  layRollout,
  lines,
  readRollout,
  threadId,
  told,
  TURN,
  words,
  write,
  type LogRecord,
} from '../../../test/kit/codex-log.ts'
import { tempDir } from '../../../test/kit/home.ts'
import type { Checkpoint } from '../source.ts'
import { codexReader } from './reader.ts'

describe('older kinds of rollout', () => {
  test('without an envelope', () => {
    const env = '<environment_context>\n  <cwd>/home/sam/code/old</cwd>\n</environment_context>'
    const message = (role: string, text: string) => ({ type: 'message', role, content: [{ type: 'input_text', text }] })
    const { unit } = layRollout(
      lines([
        { id: threadId(1), timestamp: '2025-08-20T10:00:00.000Z', instructions: null, git: {} },
        { record_type: 'state' },
        message('user', env),
        message('user', 'hello'),
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: null },
        { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c1' },
        { type: 'function_call_output', call_id: 'c1', output: '{"output":"a","metadata":{"exit_code":0}}' },
        message('assistant', 'hi'),
        message('user', 'bye'),
      ]),
    )
    const { events, facts, problems } = readRollout(unit.path, unit.root)
    expect(events.map((event) => [event.kind, event.human ?? false])).toEqual([
      ['user_msg', false],
      ['user_msg', true],
      ['thinking', false],
      ['tool_call', false],
      ['tool_result', false],
      ['assistant_msg', false],
      ['user_msg', true],
    ])
    expect(events.every((event) => event.at === null)).toBe(true)
    expect(facts).toMatchObject({
      cwd: '/home/sam/code/old',
      startedAt: Date.parse('2025-08-20T10:00:00Z'),
      firstPrompt: 'hello',
    })
    expect(problems).toEqual([])
  })

  test('with calls as events and whole messages: calls outside a message are orphans', () => {
    const root = path.join(tempDir(), '.codex')
    const file = write(
      path.join(root, 'sessions', 'abc123', 'rollout.jsonl'),
      lines([
        {
          type: 'session_meta',
          payload: {
            id: 'abc123',
            timestamp: '2025-07-01T10:00:00Z',
            cwd: '/path',
            cli_version: '1.0',
            git: { branch: 'main', commit_hash: 'f00' },
          },
        },
        {
          type: 'event_msg',
          timestamp: '2025-07-01T10:00:01Z',
          payload: { type: 'user_message', message: 'Help me…' },
        },
        {
          type: 'event_msg',
          timestamp: '2025-07-01T10:00:02Z',
          payload: { type: 'agent_message', message: 'I’ll help…' },
        },
        {
          type: 'event_msg',
          timestamp: '2025-07-01T10:00:03Z',
          payload: { type: 'function_call', name: 'shell', parameters: { command: 'ls' } },
        },
        {
          type: 'event_msg',
          timestamp: '2025-07-01T10:00:03Z',
          payload: { type: 'function_call', name: 'shell', parameters: { command: 'ls' } },
        },
        {
          type: 'message',
          timestamp: '2025-07-01T10:00:04Z',
          payload: {
            role: 'assistant',
            content: [
              { type: 'text', text: 'Here.' },
              { type: 'tool_use', name: 'shell', input: { command: 'pwd' } },
            ],
          },
        },
      ]),
    )
    const { events, facts, items } = readRollout(file, root)
    expect(items[0]).toMatchObject({ item: 'lane', session: 'abc123', lane: '', mainPath: file })
    expect(events.map((event) => [event.kind, event.message ?? null, event.callIdx ?? null])).toEqual([
      ['user_msg', 0, null],
      ['assistant_msg', 1, null],
      ['tool_call', null, 0],
      ['tool_call', null, 1],
      ['assistant_msg', 2, null],
      ['tool_call', 2, 0],
    ])
    expect(facts).toMatchObject({ cwd: '/path', branch: 'main', version: '1.0', firstPrompt: 'Help me…' })
  })

  test('with calls and outputs inside bare messages', () => {
    const use = { type: 'tool_use', id: 't1', name: 'shell', input: { command: 'ls' } }
    const result = { type: 'tool_result', tool_use_id: 't1', content: 'a.ts', is_error: false }
    const { unit } = layRollout(
      lines([
        { id: threadId(1), timestamp: '2025-08-20T10:00:00.000Z', instructions: null },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Let me look.' }, use] },
        { type: 'message', role: 'user', content: [result] },
      ]),
    )
    const { events } = readRollout(unit.path, unit.root)
    expect(events.map((event) => [event.kind, event.message ?? null, event.tool ?? null])).toEqual([
      ['assistant_msg', 0, null],
      ['tool_call', 0, 'shell'],
      ['tool_result', null, 'shell'],
    ])
  })

  test('as one document', () => {
    const root = path.join(tempDir(), '.codex')
    const document = {
      session: { timestamp: '2025-05-01T10:00:00.000Z', id: threadId(1), instructions: '' },
      items: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
        { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c1' },
        { type: 'function_call_output', call_id: 'c1', output: '{"output":"a","metadata":{"exit_code":1}}' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] },
      ],
    }
    const text = JSON.stringify(document, null, 2)
    const file = write(path.join(root, 'sessions', `rollout-2025-05-01-${threadId(1)}.json`), text)
    const { events, facts } = readRollout(file, root)
    expect(events.map((event) => event.kind)).toEqual(['user_msg', 'tool_call', 'error', 'assistant_msg'])
    expect(facts).toMatchObject({ firstPrompt: 'hello', startedAt: Date.parse('2025-05-01T10:00:00Z'), complete: true })

    const reading = codexReader.read({ path: file, root }, null)
    const steps = reading[Symbol.iterator]()
    const first = [steps.next().value, steps.next().value].flat()
    const middle: Checkpoint = JSON.parse(JSON.stringify(reading.checkpoint()))
    expect(middle.offset).toBeLessThanOrEqual(text.length)
    const rest = [...codexReader.read({ path: file, root }, middle)].flat()
    expect([...first, ...rest].filter((item) => item?.item === 'event')).toEqual(events)

    write(file, text.slice(0, -20))
    expect(readRollout(file, root).problems).toMatchObject([{ level: 'warn', type: 'broken document' }])
  })
})

test('a legacy message among other records is a prompt if a person typed it', () => {
  const message = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
  const log = new CodexLog(threadId(1)).prompt('hello').say('hi')
  log.records.push(message('and the old way?'), message('<environment_context>x</environment_context>'))
  const prompts = told(log).events.filter((event) => event.kind === 'user_msg')
  expect(prompts.map((event) => [event.text, event.human, event.marks ?? {}])).toEqual([
    ['hello', true, {}],
    ['and the old way?', true, {}],
    ['<environment_context>x</environment_context>', false, { injected: true }],
  ])
})

test('a rollout that was rewritten in the newest form keeps the ids of what it says', () => {
  const old = new CodexLog(threadId(1))
    .start(TURN[0])
    .context()
    .prompt('one')
    .think('hm')
    .say('first')
    .complete(TURN[0])
  const item = (type: string, more: LogRecord) => ({
    type: 'event_msg',
    payload: { type: 'item_completed', turn_id: TURN[0], item: { type, ...more } },
  })
  const migrated = old.records.map((record, ordinal) => {
    const payload = record['payload'] as LogRecord
    const rewritten =
      payload['type'] === 'user_message'
        ? item('UserMessage', { content: [{ type: 'text', text: 'one' }] })
        : payload['type'] === 'agent_message'
          ? item('AgentMessage', { content: [{ type: 'Text', text: 'first' }] })
          : payload['type'] === 'agent_reasoning'
            ? item('Reasoning', { summary_text: ['hm'], raw_content: [] })
            : {}
    return { ...record, ...rewritten, ordinal }
  })
  const { unit } = layRollout(lines(migrated))
  const { events } = readRollout(unit.path, unit.root)
  expect(events.map((event) => event.native)).toEqual(told(old).events.map((event) => event.native))
  expect(words(events)).toEqual(['task started', 'one', 'hm', 'first', 'task complete'])
})
