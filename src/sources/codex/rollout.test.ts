import { describe, expect, test } from 'vitest'
import { aSession, CodexLog, threadId, told, TURN, words, type LogRecord } from '../../../test/kit/codex-log.ts'

describe('a Codex rollout', () => {
  test('reads like a conversation in which every text stands once', () => {
    const { events, facts, problems } = told(aSession())
    expect(events.map((event) => [event.kind, event.human ?? false, event.text ?? event.tool ?? ''])).toEqual([
      ['lifecycle', false, 'task started'],
      ['user_msg', false, expect.stringContaining('AGENTS.md')],
      ['user_msg', false, expect.stringContaining('environment_context')],
      ['user_msg', true, 'why does the build fail? ümläut 日本語'],
      ['thinking', false, '**Looking at the build**'],
      ['tool_call', false, 'shell'],
      ['error', false, 'shell'],
      ['assistant_msg', false, 'A type is wrong.'],
      ['lifecycle', false, 'task complete'],
      ['lifecycle', false, 'task started'],
      ['user_msg', true, 'fix it'],
      ['human_intervention', false, 'turn aborted: interrupted'],
      ['lifecycle', false, 'task started'],
      ['user_msg', true, 'fix it, please'],
      ['assistant_msg', false, 'Done.'],
      ['lifecycle', false, 'task complete'],
    ])
    expect(facts).toMatchObject({
      firstPrompt: 'why does the build fail? ümläut 日本語',
      cwd: '/home/sam/code/demo',
      branch: 'main',
      model: 'gpt-test-1',
      version: '0.142.0',
      complete: true,
    })
    expect(problems).toEqual([])
  })

  test('joins a result to its call', () => {
    const { events } = told(aSession())
    const call = events.find((event) => event.kind === 'tool_call')!
    const result = events.find((event) => event.kind === 'error')!
    expect(result).toMatchObject({ call: 'call_1', parent: call.pos, body: 'Exit code: 2\nTS2345' })
    expect(call).toMatchObject({ callIdx: 0, input: { command: ['bash', '-lc', 'npm run build'] } })
    expect(call).not.toHaveProperty('message')
  })

  test('counts what the running total grew by, and each growth once', () => {
    const { usage } = told(aSession())
    const counted = usage.filter((item) => item.leftOut === undefined)
    expect(counted.map(({ input, cacheRead, output, reasoning }) => [input, cacheRead, output, reasoning])).toEqual([
      [1000, 0, 50, 20],
      [200, 1000, 30, 0],
      [200, 1200, 10, 0],
    ])
    expect(new Set(counted.map((item) => item.key)).size).toBe(3)
    expect(counted.every((item) => item.model === 'gpt-test-1')).toBe(true)
  })

  test('a repeated total is shown to the audit, one without numbers is nothing', () => {
    const log = new CodexLog(threadId(1)).tokens(10, 0, 5)
    log.records.push(log.records.at(-1)!)
    log.event('token_count', { info: null, rate_limits: {} })
    expect(told(log).usage.map((item) => item.leftOut)).toEqual([undefined, 're_emitted'])
  })

  test('told in either order, a text stands once; said twice, it stands twice', () => {
    const log = new CodexLog(threadId(1)).start(TURN[0])
    log.event('user_message', { message: 'go on' }).injected('go on').prompt('go on').say('ok').say('ok')
    expect(words(told(log).events)).toEqual(['task started', 'go on', 'go on', 'ok', 'ok'])
  })

  test('a prompt out of an editor is what the person wrote', () => {
    const request = '# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nrename it\n'
    const { events, facts } = told(new CodexLog(threadId(1)).prompt(request))
    expect(events.at(-1)).toMatchObject({ text: 'rename it', human: true })
    expect(facts.firstPrompt).toBe('rename it')
  })

  test('a prompt that no event names is no person’s, where events name prompts', () => {
    const log = new CodexLog(threadId(1)).prompt('hello').say('hi').injected('Remember the rules.').say('ok')
    const prompts = told(log).events.filter((event) => event.kind === 'user_msg')
    expect(prompts.map((event) => event.human)).toEqual([true, false])
  })

  test('response items alone are enough', () => {
    const log = new CodexLog(threadId(1))
      .injected('<some_new_context>x</some_new_context>')
      .injected('hello')
      .item({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] })
      .item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] })
    expect(told(log).events.map((event) => [event.role, event.human ?? null, event.text])).toEqual([
      ['user', false, '<some_new_context>x</some_new_context>'],
      ['user', true, 'hello'],
      ['system', false, 'Be brief.'],
      ['assistant', null, 'hi'],
    ])
  })

  test('the paginated kind tells words as completed items', () => {
    const completed = (item: LogRecord) => ({ turn_id: TURN[0], item })
    const log = new CodexLog(threadId(1), { history_mode: 'paginated' })
      .start(TURN[0])
      .item({
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: 'list it' }],
        internal_chat_message_metadata_passthrough: { turn_id: TURN[0], content_item_kinds: ['user.text'] },
      })
      .event(
        'item_completed',
        completed({ type: 'UserMessage', id: 'u1', content: [{ type: 'text', text: 'list it' }] }),
      )
      .event('item_completed', completed({ type: 'Reasoning', id: 'r1', summary_text: ['hm'], raw_content: [] }))
      .event(
        'item_completed',
        completed({
          type: 'CommandExecution',
          id: 'exec_1',
          command: ['ls'],
          cwd: '/x',
          aggregated_output: 'a.ts',
          exit_code: 0,
          status: 'completed',
        }),
      )
      .event('item_completed', completed({ type: 'AgentMessage', id: 'a1', content: [{ type: 'Text', text: 'a.ts' }] }))
      .item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a.ts' }] })
    const { events, problems } = told(log)
    expect(events.map((event) => event.text ?? event.tool)).toEqual([
      'task started',
      'list it',
      'hm',
      'exec_command',
      'exec_command',
      'a.ts',
    ])
    expect(events[1]).toMatchObject({ human: true })
    expect(problems).toEqual([])
  })

  test('the calls inside an exec program are calls, also where nothing but the program tells of them', () => {
    const input = 'const r = await tools.exec_command({ cmd: "npm test" });\nawait tools.view_image({ path: r.file });'
    const log = new CodexLog(threadId(1))
      .item({ type: 'custom_tool_call', name: 'exec', call_id: 'call_1', input })
      .item({
        type: 'custom_tool_call_output',
        call_id: 'call_1',
        output: 'Script completed\nWall time: 1\nOutput:\nok',
      })
    expect(told(log).events.map((event) => [event.kind, event.tool, event.input ?? event.body])).toEqual([
      ['tool_call', 'exec_command', { cmd: 'npm test', program: input }],
      ['tool_call', 'view_image', {}],
      ['tool_result', 'exec_command', 'ok'],
    ])
  })

  test('a patch is kept as it is, and fails if its end says so', () => {
    const patch = '*** Begin Patch\n*** Update File: a.ts\n*** End Patch'
    const log = new CodexLog(threadId(1))
      .item({ type: 'custom_tool_call', name: 'apply_patch', call_id: 'p1', input: patch })
      .event('patch_apply_end', { call_id: 'p1', success: false, stdout: '', stderr: 'no', changes: {} })
      .item({ type: 'custom_tool_call_output', call_id: 'p1', output: 'no' })
    expect(told(log).events.map((event) => [event.kind, event.tool])).toEqual([
      ['tool_call', 'apply_patch'],
      ['error', 'apply_patch'],
    ])
    expect(told(log).events[0]?.input).toEqual({ input: patch })
  })

  test('a search on the web is one call with what was asked', () => {
    const action = { type: 'search', query: 'node zstd' }
    const log = new CodexLog(threadId(1))
      .event('web_search_end', { call_id: 'ws_1', query: 'node zstd', action })
      .item({ type: 'web_search_call', status: 'completed', action })
    expect(told(log).events.map((event) => [event.tool, event.input])).toEqual([['web_search', action]])
  })

  test('turns taken back are marked, not lost', () => {
    const log = new CodexLog(threadId(1))
      .start(TURN[0])
      .prompt('one')
      .say('first')
      .complete(TURN[0])
      .start(TURN[1])
      .prompt('two')
      .say('second')
      .complete(TURN[1])
      .event('thread_rolled_back', { num_turns: 1 })
    const { items, events } = told(log)
    const taken = items.find((item) => item.item === 'supersede')!
    const within = events.filter((event) => event.pos >= taken.from && event.pos <= taken.to)
    expect(words(within)).toEqual(['task started', 'two', 'second', 'task complete'])
    expect(events.at(-1)?.text).toBe('1 turn taken back')
  })

  test('a compaction is told once, and the history it repeats is not', () => {
    const log = new CodexLog(threadId(1))
      .prompt('one')
      .record('compacted', {
        message: 'So far: one.',
        replacement_history: [{ type: 'message', role: 'user', content: [] }],
      })
      .event('context_compacted', {})
      .item({ type: 'compaction', encrypted_content: 'gAAA' })
    expect(words(told(log).events)).toEqual(['one', 'conversation compacted\n\nSo far: one.'])
  })

  test('the same header again is a resumption', () => {
    const { events, facts } = told(aSession().meta({ cwd: '/elsewhere' }).prompt('still there?'))
    expect(words(events).slice(-2)).toEqual(['session resumed', 'still there?'])
    expect(facts.cwd).toBe('/home/sam/code/demo')
  })
})
