import { describe, expect, test, vi } from 'vitest'
import { tempDir } from '../../../test/kit/home.ts'
import { CWD, GrokLog, laySession, only, readAll, START, USAGE, type Json } from '../../../test/kit/grok-log.ts'
import { grok } from './grok.ts'
import type { EventItem, Item } from '../source.ts'

const ID = '019f0000-0000-7000-8000-000000000001'

function readLog(log: GrokLog, lines = log.lines, files: Record<string, string> = {}): Item[] {
  return readAll(laySession(tempDir(), log.session, { 'updates.jsonl': log.text(lines), ...files }))
}

function events(items: readonly Item[]): EventItem[] {
  return only(items, 'event')
}

function brief(items: readonly Item[]): string[] {
  return events(items).map(({ kind, tool, text, body }) => [kind, tool, text ?? body].filter(Boolean).join(' | '))
}

describe('words', () => {
  test('chunks of one stream become one message, thoughts apart, and a new stream a new message', () => {
    const log = new GrokLog(ID).prompt('Fix the build').think('It is ').think('the cache.').say('I clear ').say('it.')
    log.call('c1', 'run_terminal_command', { command: 'make clean' }).result('c1', 'ok').say('Done.').done()
    const all = events(readLog(log))
    expect(all.map(({ kind, text, message }) => [kind, text, message])).toEqual([
      ['user_msg', 'Fix the build', 0],
      ['thinking', 'It is the cache.', 1],
      ['assistant_msg', 'I clear it.', 1],
      ['tool_call', undefined, 1],
      ['tool_result', undefined, undefined],
      ['assistant_msg', 'Done.', 2],
      ['lifecycle', 'turn ended after 5s', undefined],
    ])
    expect(all.map(({ pos }) => pos)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(all[3]).toMatchObject({ tool: 'run_terminal_command', input: { command: 'make clean' }, call: 'c1' })
  })

  test('a prompt in several pieces is one prompt, and what the client wrapped around it is cut off', () => {
    const log = new GrokLog(ID).prompt('<user_info>os: linux</user_info><user_query>Why is ')
    log.update('user_message_chunk', { content: { type: 'text', text: 'it red?</user_query>' } }).say('Because.')
    expect(brief(readLog(log))[0]).toBe('user_msg | Why is it red?')
  })

  test('what a person writes about the markup of the client is kept', () => {
    const asked = [
      '<environment_context> what is this tag',
      '<user_query>hello</user_query> and more',
      'what does <system-reminder>x</system-reminder> mean?',
    ]
    const log = new GrokLog(ID)
    for (const prompt of asked) log.prompt(prompt).say('Well.').done()
    const said = events(readLog(log)).filter(({ kind, human }) => kind === 'user_msg' && human)
    expect(said.map(({ text }) => text)).toEqual(asked)
  })

  test('words that no person typed are told apart', () => {
    const log = new GrokLog(ID).prompt('Go on')
    log.update('user_message_chunk', { content: { type: 'text', text: '<system-reminder>be brief</system-reminder>' } })
    log.say('ok').prompt('woken up by a timer', { syntheticReason: 'scheduler_fired' }).say('awake')
    log.update('user_message_chunk', { content: { type: 'text', text: 'stop that' }, _meta: { interjection: true } })
    const said = events(readLog(log)).filter(({ kind }) => kind === 'user_msg')
    expect(said.map(({ text, human }) => [text, human])).toEqual([
      ['Go on', true],
      ['woken up by a timer', false],
      ['stop that', true],
    ])
  })

  test('what an agent asks of its subagent no person typed', () => {
    const log = new GrokLog(ID).prompt('Look around').say('ok')
    const items = readLog(log, log.lines, { 'summary.json': '{"session_kind":"subagent"}' })
    expect(events(items)[0]).toMatchObject({ kind: 'user_msg', text: 'Look around', human: false })
    expect(only(items, 'facts')[1]?.facts).toEqual({ firstPrompt: 'Look around' })
    const fork = readLog(log, log.lines, { 'summary.json': '{"session_kind":"fork"}' })
    expect(events(fork)[0]?.human).toBe(true)
  })

  test('a line that is the host’s own turn is a boundary, no text', () => {
    const log = new GrokLog(ID).prompt('a').say('b')
    log.update('user_message_chunk', { content: { type: 'text', text: 'host' }, _meta: { hostTurn: true } }).say('c')
    expect(brief(readLog(log))).toEqual(['user_msg | a', 'assistant_msg | b', 'assistant_msg | c'])
  })

  test('updates without an envelope, as early versions wrote them, are read', () => {
    const log = new GrokLog(ID).prompt('old').say('times')
    const bare = log.lines.map((line) => (line['params'] as Json)['update'] as Json)
    expect(brief(readLog(log, bare))).toEqual(['user_msg | old', 'assistant_msg | times'])
  })
})

describe('order', () => {
  const log = new GrokLog(ID).prompt('one').say('first').call('c1', 'read_file', { path: 'a' }).result('c1', 'text')
  log.say('last').done().prompt('two').say('answer').done()
  const whole = brief(readLog(log))

  test.each([
    ['a chunk after the end of its turn', [0, 1, 2, 3, 5, 4, 6, 7, 8]],
    ['an answer before its prompt', [0, 1, 2, 3, 4, 5, 7, 6, 8]],
    ['a result before its call', [0, 1, 3, 2, 4, 5, 6, 7, 8]],
    ['a turn written backwards', [5, 4, 3, 2, 1, 0, 8, 7, 6]],
  ])('%s ends up where it happened', (_, order) => {
    expect(
      brief(
        readLog(
          log,
          order.map((i) => log.lines[i] ?? {}),
        ),
      ),
    ).toEqual(whole)
  })

  test('a chunk after the next prompt still stands before that prompt', () => {
    const late = [0, 1, 2, 3, 5, 6, 4, 7, 8].map((i) => log.lines[i] ?? {})
    const told = brief(readLog(log, late))
    expect(told.indexOf('assistant_msg | last')).toBeLessThan(told.indexOf('user_msg | two'))
    expect(told.toSorted()).toEqual(whole.toSorted())
  })

  test('a client that counts from the beginning again after a restart mixes nothing up', () => {
    const again = new GrokLog(ID, START + 3_600_000).prompt('two').say('answer').done()
    const first = new GrokLog(ID).prompt('one').say('first').say(' part').done()
    expect(brief(readLog(first, [...first.lines, ...again.lines]))).toEqual([
      'user_msg | one',
      'assistant_msg | first part',
      'lifecycle | turn ended after 5s',
      'user_msg | two',
      'assistant_msg | answer',
      'lifecycle | turn ended after 5s',
    ])
  })

  test('news before the first prompt after a restart stand behind the turn before', () => {
    const first = new GrokLog(ID)
    for (let i = 0; i < 9; i++) first.update('hook_execution')
    first.prompt('one').say('first').done()
    const again = new GrokLog(ID, START + 3_600_000).update('task_completed', { task_snapshot: { command: 'make' } })
    const told = brief(readLog(first, [...first.lines, ...again.lines]))
    expect(told).toEqual([
      'user_msg | one',
      'assistant_msg | first',
      'lifecycle | turn ended after 5s',
      'lifecycle | background task ended: make',
    ])
  })

  test('a line written twice counts once', () => {
    const twice = log.lines.flatMap((line) => [line, line])
    expect(brief(readLog(log, twice))).toEqual(whole)
  })
})

describe('calls', () => {
  test('a call and all news of it are one call and one result; arrays of bytes are never kept', () => {
    const log = new GrokLog(ID).prompt('test').call('c1', 'run_terminal_command', { command: 'npm test' })
    for (let i = 1; i < 40; i++) log.progress('c1', 'line\n'.repeat(i))
    log.result('c1', 'all 58 passed '.repeat(100)).done()
    const items = readLog(log)
    expect(events(items).map(({ kind }) => kind)).toEqual(['user_msg', 'tool_call', 'tool_result', 'lifecycle'])
    expect(events(items)[2]?.body).toMatch(/^exit: 0\nall 58 passed/)
    expect(JSON.stringify(items)).not.toMatch(/\d+,\d+,\d+/)
  })

  test.each([
    ['a bad exit code', (log: GrokLog) => log.result('c1', 'boom', 1)],
    ['a failed status', (log: GrokLog) => log.result('c1', 'boom', 0, 'failed')],
  ])('%s makes an error', (_, end) => {
    const log = end(new GrokLog(ID).prompt('x').call('c1', 'run_terminal_command', { command: 'make' }))
    expect(events(readLog(log)).at(-1)).toMatchObject({ kind: 'error', call: 'c1', tool: 'run_terminal_command' })
  })

  test('an outcome that only the telemetry names counts too', () => {
    const log = new GrokLog(ID).prompt('x').call('c1', 'web_fetch', {}).result('c1', 'nothing')
    log.call('c2', 'web_fetch', {}).result('c2', 'page')
    const outcomes = [
      { type: 'tool_completed', tool_name: 'web_fetch', tool_call_id: 'c1', outcome: 'error' },
      { type: 'tool_completed', tool_name: 'web_fetch', tool_call_id: 'c2', outcome: 'error', source: 'workspace' },
      { type: 'tool_completed', tool_name: 'web_fetch', tool_call_id: 'c2', outcome: 'success' },
    ]
    const files = { 'events.jsonl': `${outcomes.map((line) => JSON.stringify(line)).join('\n')}\n` }
    expect(brief(readLog(log, log.lines, files)).slice(1)).toEqual([
      'tool_call | web_fetch',
      'error | web_fetch | exit: 0\nnothing',
      'tool_call | web_fetch',
      'tool_result | web_fetch | exit: 0\npage',
    ])
  })

  test('a call that never ended keeps the output it had shown, once its turn is over', () => {
    const log = new GrokLog(ID).prompt('x').call('c1', 'run_terminal_command', { command: 'sleep 100' })
    log.progress('c1', 'tick').progress('c1', 'tick tock').done({ stop_reason: 'cancelled' }).prompt('y')
    expect(brief(readLog(log))).toEqual([
      'user_msg | x',
      'tool_call | run_terminal_command',
      'tool_result | run_terminal_command | tick tock',
      'human_intervention | turn cancelled after 5s',
      'user_msg | y',
    ])
  })

  test('arguments that come only with a later line are filled in', () => {
    const log = new GrokLog(ID).prompt('x').update('tool_call', { toolCallId: 'c1', title: 'Edit' })
    log.update('tool_call_update', {
      toolCallId: 'c1',
      status: 'in_progress',
      rawInput: { variant: 'Edit', path: 'a.ts' },
    })
    log.result('c1', 'done')
    expect(events(readLog(log))[1]).toMatchObject({ tool: 'Edit', input: { variant: 'Edit', path: 'a.ts' } })
  })

  test('news of a call that never names its arguments are not parsed for ever', () => {
    const log = new GrokLog(ID).prompt('x').update('tool_call', { toolCallId: 'c1', title: 'Run', status: 'pending' })
    for (let i = 0; i < 100; i++) log.progress('c1', 'so far')
    const parse = vi.spyOn(JSON, 'parse')
    expect(brief(readLog(log))).toEqual(['user_msg | x', 'tool_call | Run'])
    expect(parse.mock.calls.length).toBeLessThan(10)
    parse.mockRestore()
  })

  test('without words for the model, what the screen showed is kept, else what is left of the raw output', () => {
    const log = new GrokLog(ID).prompt('x').call('c1', 'search_replace', {}).call('c2', 'web_search', {})
    const diff = { type: 'diff', path: '/a.ts', oldText: 'a', newText: 'b' }
    log.update('tool_call_update', { toolCallId: 'c1', status: 'completed', content: [diff] })
    log.update('tool_call_update', {
      toolCallId: 'c2',
      status: 'completed',
      rawOutput: { query: 'q', bytes: [1, 2, 3] },
    })
    const bodies = events(readLog(log)).filter(({ kind }) => kind === 'tool_result')
    expect(bodies.map(({ body }) => body)).toEqual(['[diff of /a.ts]', '{"query":"q"}'])
  })
})

describe('turns', () => {
  test('a turn is billed once, fresh input apart from the cache, with its cost', () => {
    const log = new GrokLog(ID).prompt('x').say('y').done()
    expect(only(readLog(log), 'usage')).toEqual([
      expect.objectContaining({
        key: log.promptId,
        model: 'grok-4.7',
        input: 300,
        cacheRead: 600,
        cacheWrite5m: 100,
        cacheWrite1h: 0,
        output: 40,
        reasoning: 15,
        costUsd: 0.0025,
        message: 1,
        line: 3,
      }),
    ])
  })

  test('a bill over several models adds up to its total, never to twice that', () => {
    const share = (part: number) => ({ ...USAGE, inputTokens: 1000 * part, cachedReadTokens: 600 * part })
    const modelUsage = { 'grok-4.7-build': share(0.75), 'grok-mini': share(0.25) }
    const log = new GrokLog(ID).prompt('x').done({ usage: { ...USAGE, modelUsage } })
    const bills = only(readLog(log), 'usage')
    expect(bills.map(({ key, model }) => [key, model])).toEqual([
      [log.promptId, 'grok-4.7-build'],
      [`${log.promptId}:grok-mini`, 'grok-mini'],
    ])
    expect(bills.reduce((sum, { cacheRead }) => sum + cacheRead, 0)).toBe(600)
    const one = new GrokLog(ID).prompt('x').done({ usage: { ...USAGE, modelUsage: { 'grok-4.7-build': USAGE } } })
    expect(only(readLog(one), 'usage')).toMatchObject([{ key: one.promptId, model: 'grok-4.7-build', cacheRead: 600 }])
  })

  test('no usage, no row; a partial cost is no cost; more cache than input is no negative input', () => {
    const log = new GrokLog(ID)
      .prompt('a')
      .done({ usage: undefined })
      .prompt('b')
      .done({ usage: { inputTokens: 0 } })
    log.prompt('c').done({ usage: { ...USAGE, costIsPartial: true } })
    log.prompt('d').done({ usage: { inputTokens: 5, cachedReadTokens: 9, outputTokens: 1 } })
    expect(only(readLog(log), 'usage')).toMatchObject([
      { costUsd: null, input: 300 },
      { costUsd: null, input: 0, cacheRead: 9, output: 1 },
    ])
  })

  test.each([
    [{ stop_reason: 'cancelled' }, 'human_intervention', 'turn cancelled after 5s'],
    [{ stop_reason: 'error', error_kind: 'rate_limit' }, 'error', 'turn failed after 5s: rate_limit'],
    [{ stop_reason: 'refusal' }, 'lifecycle', 'turn ended after 5s: refusal'],
    [{ stop_reason: undefined, elapsed_ms: undefined }, 'lifecycle', 'turn ended: unknown'],
  ])('a turn that ended with %j is %s', (end, kind, text) => {
    expect(events(readLog(new GrokLog(ID).prompt('x').done(end))).at(-1)).toMatchObject({ kind, text })
  })

  test('a rewind takes back what followed its target; the branch stays and so does its bill', () => {
    const log = new GrokLog(ID).prompt('keep').say('kept').done().prompt('wrong').say('way').done()
    log.rewind(1).prompt('right').say('so').done()
    const items = readLog(log)
    expect(only(items, 'supersede')).toEqual([{ item: 'supersede', session: ID, lane: '', from: 3, to: 5 }])
    expect(events(items).map(({ pos, parent, text }) => [pos, parent, text])).toEqual([
      [0, null, 'keep'],
      [1, 0, 'kept'],
      [2, 1, 'turn ended after 5s'],
      [3, 2, 'wrong'],
      [4, 3, 'way'],
      [5, 4, 'turn ended after 5s'],
      [6, 2, 'rewound to before prompt 2'],
      [7, 6, 'right'],
      [8, 7, 'so'],
      [9, 8, 'turn ended after 5s'],
    ])
    expect(only(items, 'usage')).toHaveLength(3)
  })

  test('a second rewind further back takes all of it, and one without a target is told', () => {
    const log = new GrokLog(ID).prompt('a').prompt('b').rewind(1).prompt('c').rewind(0).prompt('d')
    expect(only(readLog(log), 'supersede').map(({ from, to }) => [from, to])).toEqual([
      [1, 1],
      [0, 3],
    ])
    expect(events(readLog(log)).map(({ parent }) => parent)).toEqual([null, 0, 0, 2, null, 4])
    const bad = new GrokLog(ID).prompt('a').update('rewind_marker', {})
    expect(only(readLog(bad), 'problem')).toMatchObject([{ level: 'warn', type: 'rewind_marker names no prompt' }])
  })
})

describe('session', () => {
  test('the lane is the directory, and the summary tells title, times, place and parent', () => {
    const log = new GrokLog(ID).prompt('x')
    const summary = {
      info: { id: ID, cwd: '/elsewhere' },
      session_summary: 'first words',
      generated_title: 'A title',
      created_at: '2026-10-05T08:59:00Z',
      updated_at: '2026-10-07T00:00:00Z',
      last_active_at: '2026-10-05T09:10:00Z',
      current_model_id: 'grok-4.7',
      parent_session_id: 'p',
      session_kind: 'subagent_fork',
      head_branch: 'main',
      git_root_dir: '/elsewhere',
    }
    const items = readLog(log, log.lines, { 'summary.json': JSON.stringify(summary) })
    expect(items[0]).toMatchObject({ item: 'lane', session: ID, lane: '', mainPath: expect.stringMatching(`${ID}$`) })
    expect(only(items, 'facts').at(-1)?.facts).toEqual({
      agentTitle: 'A title',
      branch: 'main',
      branches: ['main'],
      gitRepo: '/elsewhere',
      model: 'grok-4.7',
      parent: 'grok:p',
      hidden: true,
      startedAt: Date.parse(summary.created_at),
      endedAt: Date.parse(summary.last_active_at),
      cwd: '/elsewhere',
      complete: true,
    })
  })

  test('without a summary, or with a broken one, the name of the directory says where it ran', () => {
    const log = new GrokLog(ID).prompt('x')
    expect(only(readLog(log), 'facts').at(-1)?.facts).toEqual({ cwd: CWD, complete: true })
    const torn = readLog(log, log.lines, { 'summary.json': '{"info": {"id"' })
    expect(only(torn, 'facts').at(-1)?.facts).toEqual({ cwd: CWD, complete: true })
  })

  test('an unknown kind is told once and the rest read', () => {
    const log = new GrokLog(ID).prompt('x').update('brand_new_thing', { a: 1 }).update('brand_new_thing')
    log.update('other_new_thing').say('y')
    const items = readLog(log)
    expect(only(items, 'problem')).toMatchObject([
      { level: 'info', type: 'brand_new_thing', line: 2 },
      { level: 'info', type: 'other_new_thing', line: 4 },
    ])
    expect(brief(items)).toEqual(['user_msg | x', 'assistant_msg | y'])
  })

  test.each([
    ['user_message_chunk', {}],
    ['agent_message_chunk', {}],
    ['agent_thought_chunk', { content: 'no block' }],
    ['tool_call_update', { status: 'completed' }],
  ])('a %s that lacks what it is for is told as broken', (kind, body) => {
    const log = new GrokLog(ID).prompt('x').update(kind, body).say('y')
    const items = readLog(log)
    expect(only(items, 'problem')).toMatchObject([{ level: 'warn', line: 2 }])
    expect(brief(items)).toEqual(['user_msg | x', 'assistant_msg | y'])
  })

  test('a torn line in the middle costs itself only, and the session is not complete', () => {
    const log = new GrokLog(ID).prompt('x').say('y').say('z')
    const [a, b, c] = log.text().split('\n')
    const unit = laySession(tempDir(), ID, { 'updates.jsonl': `${a}\n${b?.slice(0, 90)}\n${c}\n` })
    const items = readAll(unit)
    expect(only(items, 'problem')).toMatchObject([{ level: 'warn', type: 'broken line', line: 2 }])
    expect(brief(items)).toEqual(['user_msg | x', 'assistant_msg | z'])
    expect(only(items, 'facts').at(-1)?.facts.complete).toBe(false)
  })

  test('two records on one line are two records', () => {
    const log = new GrokLog(ID).prompt('x').say('y')
    const unit = laySession(tempDir(), ID, { 'updates.jsonl': `${log.text().replaceAll('\n', '')}\n` })
    expect(brief(readAll(unit))).toEqual(['user_msg | x', 'assistant_msg | y'])
  })

  test('an empty file says nothing', () => {
    expect(readAll(laySession(tempDir(), ID, { 'updates.jsonl': '' }))).toEqual([])
  })

  test('resume', () => expect(grok.resume('abc')).toBe('grok --resume abc'))
})
