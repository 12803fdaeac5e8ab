import { DatabaseSync } from '@photostructure/sqlite'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDir } from '../../../test/kit/home.ts'
import { CWD, GrokLog, jsonLines, laySession, only, put, readAll } from '../../../test/kit/grok-log.ts'
import { sessionDir, START, type Json } from '../../../test/kit/grok-log.ts'
import { grok } from './grok.ts'
import { grokReader } from './reader.ts'
import { groupCwd } from './place.ts'
import type { Item } from '../source.ts'

const ID = '019f0000-0000-7000-8000-000000000002'

function brief(items: readonly Item[]): string[] {
  return only(items, 'event').map(({ kind, tool, text, body }) =>
    [kind, tool, text ?? body].filter(Boolean).join(' | '),
  )
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

test('only files of sessions are claimed, by name', () => {
  const of = (...parts: string[]) => grok.owns(path.join('sessions', '%2Fcode', ...parts))
  expect(['updates.jsonl', 'chat_history.jsonl', 'events.jsonl', 'summary.json'].every((name) => of(ID, name))).toBe(
    true,
  )
  expect(of('prompt_history.jsonl')).toBe(true)
  expect(of(ID, 'subagents', 'a1', 'meta.json')).toBe(true)
  const never = [
    'rewind_points.jsonl',
    'signals.json',
    'feedback.jsonl',
    'chat_history.jsonl.corrupt',
    'summary.json.lock',
    'updates.jsonl.0f0f.tmp',
    path.join('terminal', 'call-1.log'),
    path.join('subagents', 'a1', 'notes.json'),
    path.join('compaction_checkpoints', 'x.json'),
  ]
  expect(never.filter((name) => of(ID, name))).toEqual([])
  const outside = ['auth.json', 'config.toml', 'active_sessions.json', path.join('logs', 'unified.jsonl')]
  expect(outside.filter((name) => grok.owns(name))).toEqual([])
  expect(['logs', 'hooks', 'worktrees', path.join('sessions', 'g', ID, 'terminal')].every(grok.skips)).toBe(true)
  expect(['sessions', path.join('sessions', 'g', ID, 'subagents', 'a1')].some(grok.skips)).toBe(false)
})

describe('where a session ran', () => {
  test('is the decoded name of its group, or what .cwd says where the name is a slug', () => {
    const root = tempDir()
    expect(groupCwd(path.join(root, '%2Fhome%2Fsam%2Fcode'))).toBe('/home/sam/code')
    const long = path.join(root, 'a-long-path-0123456789abcdef')
    put(path.join(long, '.cwd'), '/home/sam/a/long/path\n')
    expect(groupCwd(long)).toBe('/home/sam/a/long/path')
  })

  test('is unknown where neither says so', () => {
    expect(groupCwd(path.join(tempDir(), 'a-slug-without-cwd'))).toBe(null)
    expect(groupCwd(path.join(tempDir(), '%E0%A4%A'))).toBe(null)
  })
})

describe('chat_history.jsonl', () => {
  const rows: Json[] = [
    { type: 'system', content: 'You are' },
    { type: 'user', content: [{ type: 'text', text: '<user_info>os</user_info>' }] },
    { type: 'user', content: [{ type: 'text', text: 'rules' }], synthetic_reason: 'project_instructions' },
    {
      type: 'user',
      content: [
        { type: 'text', text: '<user_query>Do it</user_query>' },
        { type: 'image', url: 'x' },
      ],
      prompt_index: 0,
    },
    { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'zzz' },
    { type: 'backend_tool_call', kind: { tool_type: 'web_search', id: 'ws', action: { query: 'q' } } },
    {
      type: 'assistant',
      content: 'ok',
      tool_calls: [{ id: 'c1', name: 'grep', arguments: '{"pattern":"x"}' }],
      model_id: 'grok-4.6',
    },
    { type: 'tool_result', tool_call_id: 'c1', content: 'found', images: [{}] },
    { type: 'user', content: 'and quickly', synthetic_reason: 'interjection' },
    { type: 'assistant', content: 'done', model_id: 'grok-4.6' },
    { type: 'user', content: 'next', prompt_index: 1, prior_turn_interrupt: 'mid_turn_abort' },
  ]

  test('is the transcript where updates are missing', () => {
    const items = readAll(laySession(tempDir(), ID, { 'chat_history.jsonl': jsonLines(rows) }))
    expect(brief(items)).toEqual([
      'user_msg | <user_info>os</user_info>',
      'user_msg | rules',
      'user_msg | Do it',
      'thinking | hm',
      'tool_call | web_search',
      'assistant_msg | ok',
      'tool_call | grep',
      'tool_result | grep | found\n[image]',
      'user_msg | and quickly',
      'assistant_msg | done',
      'human_intervention | turn interrupted (mid turn abort)',
      'user_msg | next',
    ])
    const human = only(items, 'event').filter((event) => event.human)
    expect(human.map(({ text }) => text)).toEqual(['Do it', 'and quickly', 'next'])
    expect(only(items, 'event').find(({ tool }) => tool === 'grep')?.input).toEqual({ pattern: 'x' })
    expect(JSON.stringify(items)).not.toContain('zzz')
    expect(items[0]).toMatchObject({ item: 'lane', lane: '', mainPath: expect.stringContaining(ID) })
  })

  test('of version 0 has roles, functions and inline reasoning', () => {
    const old: Json[] = [
      { role: 'user', content: 'Do it' },
      {
        role: 'assistant',
        content: 'ok',
        reasoning_content: 'hm',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'grep', arguments: '{"pattern":' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'found' },
      { role: 'assistant', content: '', reasoning: { text: 'so', encrypted: 'zzz' } },
    ]
    const items = readAll(laySession(tempDir(), ID, { 'chat_history.jsonl': jsonLines([...old, ...rows.slice(8)]) }))
    expect(brief(items).slice(0, 6)).toEqual([
      'user_msg | Do it',
      'thinking | hm',
      'assistant_msg | ok',
      'tool_call | grep',
      'tool_result | grep | found',
      'thinking | so',
    ])
    expect(only(items, 'event')[0]?.human).toBe(true)
    expect(only(items, 'event')[3]?.input).toBe('{"pattern":')
  })

  test('says nothing once there are updates, but does where those are empty', () => {
    const root = tempDir()
    const unit = laySession(root, ID, { 'chat_history.jsonl': jsonLines(rows), 'updates.jsonl': '' })
    expect(brief(readAll(unit))).toHaveLength(12)
    laySession(root, ID, { 'updates.jsonl': new GrokLog(ID).prompt('x').text() })
    expect(() => grokReader.read(unit, null)).toThrow('read again')
    expect([...grokReader.read(unit, null, 'shadowed')]).toEqual([])
    expect(grokReader.readSidecars?.(unit)).toEqual([])
  })

  test('an unknown row is told, a torn one too, and the rest is read', () => {
    const text = `${jsonLines([{ type: 'hologram' }, {}])}{"type":"user","con\n${jsonLines([{ type: 'user', content: 'hi' }])}`
    const items = readAll(laySession(tempDir(), ID, { 'chat_history.jsonl': text }))
    expect(only(items, 'problem').map(({ level, type, line }) => [level, type, line])).toEqual([
      ['info', 'hologram', 1],
      ['info', 'row without type', 2],
      ['warn', 'broken line', 3],
    ])
    expect(brief(items)).toEqual(['user_msg | hi'])
    expect(only(items, 'facts').at(-1)?.facts.complete).toBe(false)
  })

  test('what a fork inherited bears the names it has in its parent', () => {
    const root = tempDir()
    const parent = readAll(laySession(root, 'parent', { 'chat_history.jsonl': jsonLines(rows.slice(0, 8)) }))
    const summary = { info: { id: ID, cwd: CWD }, parent_session_id: 'parent', inherited_prefix_len: 8 }
    const files = { 'chat_history.jsonl': jsonLines(rows), 'summary.json': JSON.stringify(summary) }
    const fork = only(readAll(laySession(root, ID, files)), 'event')
    const known = new Set(only(parent, 'event').map(({ native }) => native))
    expect(fork.map(({ native }) => known.has(native))).toEqual([...Array(8).fill(true), ...Array(4).fill(false)])
  })
})

describe('events.jsonl', () => {
  const lines: Json[] = [
    { type: 'turn_started', turn_number: 1, model_id: 'grok-4.7', yolo_mode: false, session_relationship: 'primary' },
    { type: 'loop_started', loop_index: 0 },
    { type: 'phase_changed', phase: 'permission_prompt' },
    { type: 'first_token' },
    { type: 'tool_started', tool_name: 'grep' },
    { type: 'tool_completed', tool_name: 'grep', outcome: 'success', duration_ms: 3 },
    { type: 'permission_requested', tool_name: 'run_terminal_command' },
    { type: 'permission_resolved', decision: 'allow', wait_ms: 4200, tool_name: 'run_terminal_command' },
    { type: 'permission_resolved', decision: 'deny', wait_ms: 900 },
    { type: 'interjected', source: 'queue', image_count: 0 },
    { type: 'yolo_toggled', enabled: true },
    { type: 'goal_started' },
    { type: 'todo_gate_blocked' },
    { type: 'laziness_checked' },
    { type: 'mcp_server_connected' },
    { type: 'turn_ended', outcome: 'completed' },
    { type: 'turn_ended', outcome: 'cancelled', cancellation_category: 'permission_rejected' },
    { type: 'turn_ended', outcome: 'error' },
  ]
  const stamped = lines.map((line, i) => ({ ts: iso(START + i * 1000), ...line }))

  test('tells turns, waits for permission and interjections in a lane of its own', () => {
    const items = readAll(laySession(tempDir(), ID, { 'events.jsonl': jsonLines(stamped) }))
    expect(brief(items)).toEqual([
      'lifecycle | turn 1 started on grok-4.7',
      'lifecycle | run_terminal_command | permission: allow after 4.2s for run_terminal_command',
      'lifecycle | permission: deny after 0.9s',
      'lifecycle | interjected (queue)',
      'lifecycle | permission prompts turned off',
      'lifecycle | turn ended: completed',
      'lifecycle | turn cancelled (permission rejected)',
      'error | turn ended: error',
    ])
    expect(only(items, 'problem')).toEqual([])
    expect(only(items, 'lane')).toMatchObject([{ session: ID, lane: '~events' }])
    expect(only(items, 'event').map(({ at }) => at)).toContain(START + 7000)
  })

  test('a turn cancelled in both accounts is one: the names are equal', () => {
    const log = new GrokLog(ID).prompt('x').done({ stop_reason: 'cancelled' })
    const root = tempDir()
    const told = readAll(laySession(root, ID, { 'updates.jsonl': log.text() }))
    const timed = readAll(laySession(root, ID, { 'events.jsonl': jsonLines(stamped) }))
    const cancel = (items: Item[]) =>
      only(items, 'event').find(({ text }) => text?.startsWith('turn cancelled'))?.native
    expect(cancel(told)).toBe(cancel(timed))
  })

  test('unknown types and missing fields', () => {
    const text = `${jsonLines([{ type: 'warp_started' }, { type: 'warp_started' }, { ts: 'x' }, { type: 'turn_ended' }, { type: 'permission_resolved' }])}{"ts":\n`
    const items = readAll(laySession(tempDir(), ID, { 'events.jsonl': text }))
    expect(only(items, 'problem').map(({ level, type }) => [level, type])).toEqual([
      ['info', 'warp_started'],
      ['info', 'event without type'],
      ['warn', 'broken line'],
    ])
    expect(brief(items)).toEqual(['lifecycle | turn ended: unknown', 'lifecycle | permission: unknown'])
  })
})

describe('prompt_history.jsonl', () => {
  test('gives the prompts of sessions that are gone', () => {
    const root = tempDir()
    const file = path.join(path.dirname(sessionDir(root, ID)), 'prompt_history.jsonl')
    const lines = [
      { timestamp: iso(START), session_id: 'gone', prompt: 'first', is_bash: false },
      { timestamp: iso(START + 1), session_id: 'gone', prompt: 'ls', is_bash: true },
      { timestamp: iso(START + 2), session_id: 'other', prompt: '/compact' },
      { timestamp: iso(START + 3), prompt: 'of nobody' },
      { timestamp: iso(START + 4), session_id: '../../etc', prompt: 'no path' },
    ]
    const items = readAll({ root, path: put(file, `${jsonLines(lines)}{"torn\n`) })
    expect(only(items, 'event').map(({ session, pos, text, human }) => [session, pos, text, human])).toEqual([
      ['gone', 0, 'first', true],
      ['gone', 1, '!ls', true],
      ['other', 0, '/compact', false],
    ])
    expect(only(items, 'lane')[0]).toMatchObject({ yieldsTo: '*', mainPath: sessionDir(root, 'gone') })
    expect(only(items, 'facts')[0]?.facts).toEqual({ complete: false, cwd: CWD, firstPrompt: 'first' })
    expect(only(items, 'problem')).toMatchObject([{ level: 'warn', type: 'broken line' }])
  })
})

describe('small files', () => {
  const read = (name: string, text: string) => readAll(laySession(tempDir(), ID, { [name]: text }))

  test('instruction files are named, the system prompt is only hashed, the plan mode is told', () => {
    const context = { version: 1, agents_md_files: [{ path: '/code/AGENTS.md', content: 'be terse' }, '/b.md'] }
    expect(brief(read('prompt_context.json', JSON.stringify(context)))).toEqual([
      'lifecycle | instructions loaded: /code/AGENTS.md, /b.md',
    ])
    const [prompt] = brief(read('system_prompt.txt', 'You are Grok'))
    expect(prompt).toMatch(/^lifecycle \| system prompt sha256:[0-9a-f]{16} \(12 characters\)$/)
    expect(brief(read('plan_mode.json', '{"state":"Active"}'))).toEqual(['lifecycle | plan mode: Active'])
  })

  test('what they lack is told or silent, never thrown', () => {
    expect(read('prompt_context.json', '{"version":1}')).toEqual([])
    expect(read('system_prompt.txt', '')).toEqual([])
    expect(only(read('plan_mode.json', '{}'), 'problem')).toMatchObject([{ level: 'info' }])
    expect(only(read('plan_mode.json', '{"sta'), 'problem')).toMatchObject([{ level: 'warn', type: 'broken file' }])
    expect(only(read('summary.json', ''), 'problem')).toMatchObject([{ level: 'warn', type: 'broken file' }])
  })

  test('a session that was never prompted is known by its summary alone', () => {
    const summary = { info: { id: ID, cwd: '/code' }, session_summary: 'Untouched', created_at: iso(START) }
    const items = read('summary.json', JSON.stringify(summary))
    expect(only(items, 'facts')[0]?.facts).toMatchObject({ cwd: '/code', agentTitle: 'Untouched', startedAt: START })
    const unit = laySession(tempDir(), ID, { 'summary.json': JSON.stringify(summary), 'updates.jsonl': '{}\n' })
    expect(readAll(unit)).toEqual([])
  })

  test('the note on a subagent links the two sessions', () => {
    const meta = {
      subagent_id: 'a1',
      child_session_id: 'child',
      parent_session_id: ID,
      subagent_type: 'explore',
      description: 'Look for the leak',
      status: 'failed',
      error: 'out of turns',
      started_at: iso(START),
      completed_at: iso(START + 5000),
      tool_calls: 7,
      effective_model_id: 'grok-mini',
    }
    const items = read(path.join('subagents', 'a1', 'meta.json'), JSON.stringify(meta))
    expect(items[0]).toMatchObject({ item: 'lane', session: 'child', lane: '~subagent' })
    expect(only(items, 'facts')[0]?.facts).toEqual({
      parent: `grok:${ID}`,
      hidden: true,
      agentTitle: 'Look for the leak',
      model: 'grok-mini',
      startedAt: START,
      endedAt: START + 5000,
    })
    expect(brief(items)).toEqual([
      `lifecycle | subagent of grok:${ID} (explore: Look for the leak) failed, 7 tool calls: out of turns`,
    ])
    const nameless = read(path.join('subagents', 'a1', 'meta.json'), '{"status":"running"}')
    expect(only(nameless, 'problem')).toMatchObject([{ level: 'info' }])
  })

  test('the client’s own index gives a title where the summary has none, and nothing is written beside it', () => {
    const root = tempDir()
    const unit = laySession(root, ID, { 'updates.jsonl': new GrokLog(ID).prompt('x').text() })
    const titleOf = () => only(readAll(unit), 'facts').at(-1)?.facts.agentTitle
    const index = path.join(root, 'sessions', 'session_search.sqlite')
    put(index, 'not a database at all')
    expect(titleOf()).toBeUndefined()
    put(index, '')
    const db = new DatabaseSync(index)
    db.exec('PRAGMA journal_mode = WAL')
    db.exec('CREATE TABLE session_docs (session_id TEXT PRIMARY KEY, cwd TEXT, title TEXT, content TEXT)')
    db.prepare('INSERT INTO session_docs VALUES (?, ?, ?, ?)').run(ID, CWD, 'From the index', '')
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    db.close()
    const before = readdirSync(path.dirname(index))
    expect(titleOf()).toBe('From the index')
    expect(readdirSync(path.dirname(index))).toEqual(before)
    laySession(root, ID, { 'summary.json': '{"generated_title":"Of its own"}' })
    expect(titleOf()).toBe('Of its own')
  })
})

describe('sidecars', () => {
  test('the summary alone refreshes title and times', () => {
    const root = tempDir()
    const unit = laySession(root, ID, { 'updates.jsonl': new GrokLog(ID).prompt('x').text(), 'summary.json': '{}' })
    expect(grok.sidecars?.(unit)).toEqual([path.join(path.dirname(sessionDir(root, ID)), '.cwd')])
    expect(grok.companions?.(unit)).toContain(path.join(sessionDir(root, ID), 'summary.json'))
    laySession(root, ID, { 'summary.json': '{"generated_title":"Late","title_is_manual":true}' })
    expect(only(grokReader.readSidecars?.(unit) ?? [], 'facts')).toMatchObject([
      { session: ID, lane: '', facts: { customTitle: 'Late', cwd: CWD } },
    ])
    expect(grok.sidecars?.({ root, path: path.join(sessionDir(root, ID), 'events.jsonl') })).toEqual([])
  })
})
