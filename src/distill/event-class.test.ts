import { describe, expect, test } from 'vitest'
import { CALL_KINDS, EVENT_KINDS } from '../model/event.ts'
import { eventClass, type Classified } from './event-class.ts'

const result = (body: string): Classified => ({ kind: 'tool_result', role: 'tool', tool: 'Bash', body })
const prompt = (text: string): Classified => ({ kind: 'user_msg', role: 'user', human: true, text })
const answer = (text: string): Classified => ({ kind: 'assistant_msg', role: 'assistant', text })

describe('a call', () => {
  test.each(CALL_KINDS)('of kind %s is named by its tool', (kind) => {
    expect(eventClass({ kind, role: 'assistant', tool: 'Read' })).toBe('tool_use:Read')
  })

  test('is a call whatever its command speaks of', () => {
    const text = 'cargo test --workspace || echo permission denied, retry again'
    expect(eventClass({ kind: 'tool_call', role: 'assistant', tool: 'Bash', text })).toBe('tool_use:Bash')
  })

  test('of an unknown tool has no name to give', () => {
    expect(eventClass({ kind: 'tool_call', role: 'assistant' })).toBe('tool_use')
  })
})

describe('a failure', () => {
  test('of a tool is stronger than its words', () => {
    const body = 'permission denied: worktree failed, retry'
    expect(eventClass({ kind: 'error', role: 'tool', tool: 'Bash', body })).toBe('tool_error:Bash')
    expect(eventClass({ kind: 'error', role: 'tool', body })).toBe('tool_error')
  })

  test('of the service is no failure of a tool', () => {
    expect(eventClass({ kind: 'error', role: 'system', text: 'API error: overloaded' })).toBe('system')
    expect(eventClass({ kind: 'error', role: 'system', text: 'API error: retrying' })).toBe('retry_loop')
    expect(eventClass({ kind: 'error', role: 'assistant', text: 'Prompt is too long' })).toBe('assistant')
  })
})

describe('words', () => {
  test.each([
    ['rm: cannot remove: Permission denied', 'permission_denied'],
    ['PERMISSION\n  DENIED', 'permission_denied'],
    ['fatal: worktree add failed', 'worktree_error'],
    ['worktree: access Denied', 'worktree_error'],
    ['Worktree ERROR', 'worktree_error'],
    ['cargo: no such package in the workspace', 'cargo_workspace'],
    ['Retrying in 3 s', 'retry_loop'],
    ['connection reset, attempt 2', 'retry_loop'],
  ])('%j are %s in a result, in an answer and in a prompt', (words, label) => {
    expect(eventClass(result(words))).toBe(label)
    expect(eventClass(answer(words))).toBe(label)
    expect(eventClass(prompt(words))).toBe(label)
  })

  test.each([
    'access was denied',
    'permissions were denied',
    'failed before the worktree was made',
    'worktree list\nerror: something else',
    'workspace of cargo',
    'cargo build\nthe workspace is fine',
    'no more attempts',
    'attempted 3 times',
  ])('%j are nothing in particular', (words) => {
    expect(eventClass(result(words))).toBe('tool_result')
    expect(eventClass(answer(words))).toBe('assistant')
    expect(eventClass(prompt(words))).toBe('user')
  })

  test('found on a later line count as well', () => {
    expect(eventClass(result('worktree list\nworktree add: failed'))).toBe('worktree_error')
    expect(eventClass(result('cargo build\ncargo metadata: not in a workspace'))).toBe('cargo_workspace')
  })

  test('go in order: denial, correction, worktree, workspace, retry', () => {
    const all = ['retry', 'cargo workspace', 'worktree fail', 'again', 'permission denied']
    const labels = all.map((_, i) => eventClass(prompt(all.slice(0, i + 1).join('\n'))))
    expect(labels).toEqual(['retry_loop', 'cargo_workspace', 'worktree_error', 'user_correction', 'permission_denied'])
  })

  test('beyond the first 4 KB of a message are not looked at', () => {
    expect(eventClass(result(`${' '.repeat(4080)}permission denied`))).toBe('tool_result')
    expect(eventClass(result(`${' '.repeat(4070)}permission denied`))).toBe('permission_denied')
  })

  test('in a text win over what is in a body', () => {
    expect(eventClass({ ...result('permission denied'), text: 'retry' })).toBe('retry_loop')
    expect(eventClass({ ...result('permission denied'), text: '' })).toBe('permission_denied')
  })
})

describe('a correction', () => {
  test.each(['you did it Again', 'again!', 'Опять не работает', 'ну вот, опять', 'please stop  doing that', '«опять»'])(
    '%j is one when a person says it',
    (words) => {
      expect(eventClass(prompt(words))).toBe('user_correction')
    },
  )

  test.each([answer, result, (text: string): Classified => ({ kind: 'user_msg', role: 'user', human: false, text })])(
    'is none when nobody typed it',
    (say) => {
      for (const words of ['again', 'опять', 'stop doing']) expect(eventClass(say(words))).not.toBe('user_correction')
    },
  )

  test.each([
    'against the wind',
    'againé',
    'опятьки',
    'попять',
    'опять_',
    'stop_doing',
    'nonstop doing',
    'stop doings',
  ])('%j is none: a word must stand alone', (words) => {
    expect(eventClass(prompt(words))).toBe('user')
  })
})

describe('without telling words', () => {
  test('the label is what the record is', () => {
    expect(eventClass(result('ok'))).toBe('tool_result')
    expect(eventClass({ kind: 'tool_result', role: 'tool' })).toBe('tool_result')
    expect(eventClass(prompt('hello'))).toBe('user')
    expect(eventClass({ kind: 'human_intervention', role: 'user', text: '[Request interrupted by user]' })).toBe('user')
    expect(eventClass({ kind: 'thinking', role: 'assistant', text: 'hm' })).toBe('assistant')
    expect(eventClass({ kind: 'lifecycle', role: 'system', text: 'compacted' })).toBe('system')
    expect(eventClass({ kind: 'lifecycle', role: 'system', text: 'done', type: 'result' })).toBe('result')
    expect(eventClass({ kind: 'lifecycle', role: 'tool' })).toBe('other')
  })

  test('no kind is without a label', () => {
    for (const kind of EVENT_KINDS) expect(eventClass({ kind, role: 'system' })).toMatch(/^[a-z_:]+$/)
  })
})
