import { describe, expect, test } from 'vitest'
import {
  aSession,
  CodexLog,
  layRollout,
  lines,
  readRollout,
  threadId,
  told,
  words,
  type LogRecord,
} from '../../../test/kit/codex-log.ts'

describe('a rollout with what nobody knows or expects', () => {
  test('unknown types are told at level info, broken lines at level warn, and the rest is read', () => {
    const log = new CodexLog(threadId(1))
      .record('hologram', {})
      .item({ type: 'dream', content: 'x' })
      .event('sneeze', {})
      .event('item_completed', { item: { type: 'Whisper' } })
    log.records.push({ type: 'whistle', tune: 'x' })
    const { unit } = layRollout(
      `${log.text()}{"torn\n${lines(new CodexLog(threadId(1), null).prompt('hello').records)}`,
    )
    const { problems, events, facts } = readRollout(unit.path, unit.root)
    expect(problems.map((problem) => [problem.level, problem.type, problem.line])).toEqual([
      ['info', 'hologram', 2],
      ['info', 'response_item/dream', 3],
      ['info', 'event_msg/sneeze', 4],
      ['info', 'item_completed/Whisper', 5],
      ['info', 'whistle', 6],
      ['warn', 'broken line', 7],
    ])
    expect(words(events)).toEqual(['hello'])
    expect(facts.complete).toBe(false)
  })

  test.each<[string, LogRecord]>([
    ['response_item', { type: 'message' }],
    ['response_item', { type: 'message', role: 'user', content: 7 }],
    ['response_item', { type: 'function_call' }],
    ['response_item', { type: 'function_call_output' }],
    ['response_item', { type: 'custom_tool_call', name: 'exec' }],
    ['response_item', { type: 'reasoning', summary: [null, 3, {}] }],
    ['response_item', { type: 'web_search_call' }],
    ['response_item', {}],
    ['event_msg', { type: 'user_message' }],
    ['event_msg', { type: 'token_count', info: { total_token_usage: 'many' } }],
    ['event_msg', { type: 'item_completed' }],
    ['event_msg', { type: 'thread_rolled_back', num_turns: 99 }],
    ['event_msg', { type: 'mcp_tool_call_end' }],
    ['event_msg', { type: 'exec_command_end' }],
    ['event_msg', { type: 'exec_command_end', call_id: 'exec-1', exit_code: 'x', command: 7 }],
    ['event_msg', { type: 'exec_approval_request' }],
    ['event_msg', { type: 'item_completed', item: { type: 'CommandExecution', id: 'exec-2', cwd: 'file:///%' } }],
    ['event_msg', { type: 'item_completed', item: { type: 'FileChange', id: 'exec-3', changes: { a: 7 } } }],
    ['event_msg', { type: 'item_completed', item: { type: 'McpToolCall', id: 'exec-4' } }],
    ['event_msg', { type: 'item_completed', item: { type: 'CollabAgentToolCall' } }],
    ['event_msg', { type: 'item_completed', item: { type: 'DynamicToolCall', arguments: null } }],
    ['event_msg', { type: 'thread_rolled_back', num_turns: -1 }],
    ['response_item', { type: 'agent_message', content: [null] }],
    ['response_item', { type: 'custom_tool_call_output', call_id: 'none' }],
    ['event_msg', { type: 'task_complete', error: { message: 7 } }],
    ['turn_context', {}],
    ['compacted', {}],
    ['session_meta', { id: 7 }],
    ['inter_agent_communication', {}],
    ['token_usage_record', {}],
  ])('%s %j with fields missing does no harm', (type, payload) => {
    const { events, facts } = told(aSession().record(type, payload).prompt('after'))
    expect(words(events).at(-1)).toBe('after')
    expect(facts.complete).toBe(true)
  })
})
