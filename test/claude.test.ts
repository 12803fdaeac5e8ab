import { describe, expect, test } from 'vitest'
import { ClaudeLog, transcriptPath, subagentPath, uuid, write, type LogRecord } from './kit/claude-log.ts'
import { query } from './kit/dump.ts'
import { NOW, productOn, tempDir } from './kit/home.ts'
import { ID, read, eventsOf, isHuman, texts } from './kit/claude-read.ts'

describe('a session of several files', () => {
  const parts = ['one', 'two', 'three'].map((name, i) => {
    const common = { sessionId: ID, cwd: '/w', gitBranch: name, version: '2.1.0', isSidechain: false }
    const record = (n: number, more: LogRecord): LogRecord => ({
      parentUuid: n === 0 && i === 0 ? null : n === 0 ? uuid(`${i - 1}:1`) : uuid(`${i}:${n - 1}`),
      uuid: uuid(`${i}:${n}`),
      timestamp: new Date(Date.UTC(2026, 9, 1, 9 + i, n)).toISOString(),
      ...common,
      ...more,
    })
    const said = { id: `m${i}`, role: 'assistant', model: 'm', content: [{ type: 'text', text: `answer ${name}` }] }
    return [
      record(0, { type: 'user', message: { role: 'user', content: `ask ${name}` } }),
      record(1, { type: 'assistant', message: said }),
    ]
  })
  const names = [uuid('zz'), uuid('aa'), uuid('mm')]
  const orders = [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
  ]

  test.each(orders)('reads as it happened, whatever came first: %i %i %i', async (...order) => {
    const home = tempDir()
    const { recall, store } = productOn(home)
    for (const i of order) {
      write(transcriptPath(home, names[i]!), parts[i]!.map((record) => `${JSON.stringify(record)}\n`).join(''))
      await recall.index()
    }
    const events = await eventsOf(recall)()
    expect(texts(events)).toEqual(['ask one', 'answer one', 'ask two', 'answer two', 'ask three', 'answer three'])
    expect(events.map(({ messageIdx }) => messageIdx)).toEqual([0, 1, 1_000_000, 1_000_001, 2_000_000, 2_000_001])
    expect(events[2]?.parentSeq).toBe(events[1]?.seq)
    expect(events[4]?.parentSeq).toBe(events[3]?.seq)
    const session = await recall.find(`claude:${ID}`)
    expect(session).toMatchObject({ title: 'ask one', gitBranch: 'one', branches: ['one', 'two', 'three'] })
    const all = await recall.events(session, { sidechains: false })
    expect(all.at(-1)).toMatchObject({ kind: 'completion', summary: 'ended: answer three' })
    await recall.analyze({ all: true })
    expect(JSON.parse((await recall.digest(session.uid)) ?? '{}')).toMatchObject({
      first_prompt: 'ask one',
      last_assistant: 'answer three',
    })
    const ids = query(store, 'SELECT id, idx FROM messages ORDER BY idx')
    expect(ids.map(({ idx }) => idx)).toEqual([0, 1, 1_000_000, 1_000_001, 2_000_000, 2_000_001])
    expect(new Set(ids.map(({ id }) => id)).size).toBe(6)
  })
})

describe('a fork', () => {
  const [low, high] = [uuid('a'), uuid('b')].sort()
  const parentOf = (session: string) => new ClaudeLog(session).user('plan a bridge').say('Of wood?')
  const copiesOf = (log: ClaudeLog, session: string) => log.records.map((record) => ({ ...record, sessionId: session }))
  const own = (session: string) =>
    new ClaudeLog(session, {}, Date.parse('2026-10-01T12:00:00Z')).user('of stone').say('Stone.')

  const cases = [
    [low!, high!],
    [high!, low!],
  ] as const
  test.each(cases)('is its parent’s child, whichever id is smaller: %s', async (parent, fork) => {
    const original = parentOf(parent)
    const forked = own(fork)
    forked.records.unshift(...copiesOf(original, fork))
    const { recall, of } = await read(original, forked)
    const [first, second] = [await recall.find(`claude:${parent}`), await recall.find(`claude:${fork}`)]
    expect(first).toMatchObject({ promptCount: 1, parentUid: null, tokens: { output: 5 } })
    expect(second).toMatchObject({ promptCount: 1, parentUid: `claude:${parent}`, tokens: { output: 5 } })
    expect(texts(await of(fork))).toEqual(['plan a bridge', 'Of wood?', 'of stone', 'Stone.'])
  })

  test.each(cases)('that both went on is told by what stands between the copied records: %s', async (parent, fork) => {
    const original = new ClaudeLog(parent).user('plan a bridge').bare({ type: 'mode', mode: 'x' }).say('Of wood?')
    const forked = own(fork)
    forked.records.unshift(...copiesOf(original, fork).filter((record) => (record as LogRecord)['type'] !== 'mode'))
    const later = new ClaudeLog(parent, {}, Date.parse('2026-10-02T12:00:00Z')).user('x').user('go on').say('On.')
    original.records.push(
      ...later.records.slice(1).map((record) => ({ ...record, uuid: uuid(JSON.stringify(record)) })),
    )
    const { recall } = await read(original, forked)
    expect(await recall.find(`claude:${parent}`)).toMatchObject({ promptCount: 2, parentUid: null })
    expect(await recall.find(`claude:${fork}`)).toMatchObject({ promptCount: 1, parentUid: `claude:${parent}` })
  })

  test('whose file begins when it was forked is told by that', async () => {
    const [parent, fork] = [high!, low!]
    const at = (time: string, session: string) => ({
      type: 'queue-operation',
      operation: 'dequeue',
      timestamp: time,
      sessionId: session,
    })
    const original = parentOf(parent)
    const forked = own(fork)
    forked.records.unshift(at('2026-10-01T11:59:00.000Z', fork), ...copiesOf(original, fork))
    original.records.unshift(at('2026-10-01T09:00:00.500Z', parent))
    const { recall } = await read(original, forked)
    expect((await recall.find(`claude:${fork}`)).parentUid).toBe(`claude:${parent}`)
  })
})

test('records are copies only if they say the same, and one told twice is told once', async () => {
  const half = 'aaaa-bbbbbbbbbbbb'
  const record = (session: string, id: string, text: string, at: number): LogRecord => ({
    parentUuid: null,
    uuid: id,
    sessionId: session,
    timestamp: new Date(at).toISOString(),
    type: 'user',
    message: { role: 'user', content: text },
    isSidechain: false,
  })
  const [a, b] = [new ClaudeLog(uuid('s1')), new ClaudeLog(uuid('s2'))]
  a.bare(record(a.session, `11111111-1111-4111-${half}`, 'first', 1e12))
  b.bare(record(b.session, `22222222-2222-4222-${half}`, 'second', 2e12))
  b.bare(record(b.session, uuid('twice'), 'again', 3e12)).bare(record(b.session, uuid('twice'), 'again', 3e12))
  const { recall, of } = await read(a, b)
  expect((await recall.find(`claude:${a.session}`)).promptCount).toBe(1)
  expect((await recall.find(`claude:${b.session}`)).promptCount).toBe(2)
  expect(texts(await of(b.session))).toEqual(['second', 'again'])
})

describe('the newest versions', () => {
  test('what was sent is a prompt, whatever it begins with', async () => {
    const sent = [
      '[Request interrupted by user] is what my log says, why?',
      'This session is being continued from a previous conversation, is it?',
      '<system-reminder>what is that?</system-reminder>',
      'what does <system-reminder>x</system-reminder> mean here?',
      '<command-name>foo</command-name> is what I saw',
    ]
    const log = new ClaudeLog(ID)
    for (const text of sent) log.user(text, { promptSource: 'typed' }).say('Well.')
    log.user('<task-notification>done</task-notification>', { promptSource: 'system' })
    const { of } = await read(log)
    expect(texts((await of()).filter(isHuman))).toEqual(sent)
  })

  const bill = (input: number): LogRecord => ({
    type: 'cost-state',
    sessionId: ID,
    startTime: Date.parse('2026-10-01T08:59:59Z'),
    modelUsage: {
      'claude-test-1[1m]': {
        inputTokens: input,
        outputTokens: 9,
        cacheReadInputTokens: 1000,
        cacheCreationInputTokens: 100,
      },
    },
  })

  test('a stop that reaches a subagent too is one stop', async () => {
    const stopped = '[Request interrupted by user for tool use]'
    const log = new ClaudeLog(ID).user('go').call('t1', 'Agent', { prompt: 'wait' })
    log.result('t1', 'stopped', { is_error: true, toolUseResult: 'User rejected tool use' }).user(stopped)
    const side = new ClaudeLog(ID, { isSidechain: true, agentId: 'a1' }).user('wait').user(stopped)
    const home = tempDir()
    write(transcriptPath(home, ID), log.text())
    write(subagentPath(home, ID, 'a1'), side.text())
    const { recall } = productOn(home)
    await recall.index()
    const events = await recall.events(await recall.find(`claude:${ID}`), { sidechains: true })
    expect(events.filter(({ kind }) => kind === 'human_intervention')).toHaveLength(1)
  })

  test('a run that reached its limit of turns was broken off by nobody', async () => {
    const log = new ClaudeLog(ID).user('go').call('t1', 'Bash', { command: 'ls' }).result('t1', 'a')
    log.record({ type: 'attachment', attachment: { type: 'max_turns_reached', maxTurns: 1, turnCount: 2 } })
    const { recall, of } = await read(log)
    expect((await of()).at(-1)).toMatchObject({ kind: 'lifecycle', marks: { turn: 'aborted' } })
    expect((await recall.status()).problems).toEqual([])
  })

  test('what was billed beside the responses is counted once, also over a resume', async () => {
    const log = new ClaudeLog(ID).user('go').say('Gone.').bare(bill(50)).user('on').bare(bill(70))
    const { recall } = await read(log)
    expect((await recall.find(`claude:${ID}`)).tokens).toMatchObject({ input: 70, output: 9, cacheRead: 1000 })
    const { counted } = await recall.audit(`claude:${ID}`)
    expect(counted).toHaveLength(2)
  })

  test('a bill that is less than the responses, or of an older process, adds nothing', async () => {
    const old = { ...bill(500), startTime: Date.parse('2026-09-30T08:00:00Z') }
    const { recall } = await read(new ClaudeLog(ID).user('go').say('Gone.').bare(bill(3)).bare(old))
    expect((await recall.find(`claude:${ID}`)).tokens).toMatchObject({ input: 10, output: 9 })
  })

  test('what the service was sent is passed over unread, and a type nobody knows is told once', async () => {
    const log = new ClaudeLog(ID).user('go')
    for (let i = 0; i < 5; i++) {
      log.bare({ type: 'api-request-blob', hash: 'x', message: { role: 'user', content: 'x'.repeat(2000) } })
      log.record({ type: 'attachment', attachment: { type: 'prompt_snapshot', text: 'y'.repeat(2000) } })
      log.record({ type: 'of-tomorrow' })
    }
    log.say('Gone.')
    const { recall, of } = await read(log)
    const { problems } = await recall.status()
    expect(problems).toEqual([{ source: 'claude', type: 'of-tomorrow', level: 'info', count: 1 }])
    const [ask, answer] = await of()
    expect(answer?.parentSeq).toBe(ask?.seq)
  })

  test('and is not told again when more of it comes', async () => {
    const home = tempDir()
    const log = new ClaudeLog(ID).user('go').record({ type: 'of-tomorrow' })
    const file = write(transcriptPath(home, ID), log.text())
    const { recall } = productOn(home)
    expect(await recall.index()).toMatchObject({ problems: 1 })
    write(file, log.record({ type: 'of-tomorrow' }).say('Gone.').text())
    expect(await recall.index()).toMatchObject({ problems: 0 })
    write(file, log.record({ type: 'of-the-day-after' }).text())
    expect(await recall.index()).toMatchObject({ problems: 1 })
    expect((await recall.status()).problems.map(({ count }) => count)).toEqual([1, 1])
  })

  test('however many records of one unknown type there are, they hide no other problem', async () => {
    const log = new ClaudeLog(ID).user('hello')
    for (let i = 0; i < 300; i++) log.record({ type: 'of-tomorrow' })
    const home = tempDir()
    write(transcriptPath(home, ID), `${log.text()}{ torn\n`)
    const { recall } = productOn(home)
    expect((await recall.index()).problems).toBe(2)
    expect((await recall.status()).problems.map(({ type, count }) => [type, count])).toEqual([
      ['broken line', 1],
      ['of-tomorrow', 1],
    ])
  })
})

test('messages of subagents stand behind those of their session, in blocks of their own', async () => {
  const home = tempDir()
  write(transcriptPath(home, ID), new ClaudeLog(ID).user('count').say('four').text())
  for (const name of ['a1', 'a2']) {
    const side = new ClaudeLog(ID, { isSidechain: true, agentId: name }).user(`count for ${name}`).say('two')
    write(subagentPath(home, ID, name), side.text())
  }
  const { recall, store } = productOn(home)
  await recall.index()
  const told = query(store, 'SELECT thread, idx FROM messages ORDER BY idx')
  expect(told.map(({ idx }) => idx)).toEqual([0, 1, 1_000_000, 1_000_001, 2_000_000, 2_000_001])
  expect(new Set(told.slice(2).map(({ thread }) => thread))).toEqual(new Set(['a1', 'a2']))
  const events = await recall.events(await recall.find(`claude:${ID}`), { sidechains: true })
  const positions = events.flatMap(({ messageIdx }) => messageIdx ?? []).sort((a, b) => a - b)
  expect(positions).toEqual(told.map(({ idx }) => idx))
})

test('the calls of a subagent whose file is gone are told, found and summed up, but not counted', async () => {
  const log = new ClaudeLog(ID).user('delegate').call('t1', 'Task', { prompt: 'x' })
  const inner = (type: string, content: unknown, n: number) => ({
    type: 'progress',
    data: {
      type: 'agent_progress',
      agentId: 'a1',
      message: {
        type,
        uuid: uuid(`inner${n}`),
        timestamp: '2026-10-01T09:00:05.000Z',
        message: { id: `i${n}`, role: type, content },
      },
    },
  })
  log.record(
    inner(
      'assistant',
      [
        {
          type: 'tool_use',
          id: 'e1',
          name: 'Edit',
          input: { file_path: '/w/zebra.ts', old_string: 'a', new_string: 'b' },
        },
      ],
      1,
    ),
  )
  log.record(inner('user', [{ type: 'tool_result', tool_use_id: 'e1', content: 'edited' }], 2))
  log.result('t1', 'done')
  const { recall, home, of, store } = await read(log)
  const call = (await of()).find(({ tool }) => tool === 'Edit')
  expect(call).toMatchObject({ kind: 'edit', thread: 'a1' })
  expect((await recall.find(`claude:${ID}`)).toolCount).toBe(1)
  expect(query(store, 'SELECT tool_name FROM tool_calls')).toEqual([{ tool_name: 'Task' }])
  const { hits } = await recall.search({ text: 'zebra.ts', filter: { limit: 5 }, now: NOW })
  expect(hits).toHaveLength(1)
  const own = new ClaudeLog(ID, { isSidechain: true, agentId: 'a1' })
    .user('x')
    .call('e1', 'Edit', { file_path: '/w/zebra.ts' })
  write(subagentPath(home, ID, 'a1'), own.text())
  await recall.index()
  expect((await of()).filter(({ tool, kind }) => tool === 'Edit' && kind === 'edit')).toHaveLength(1)
  expect((await recall.find(`claude:${ID}`)).toolCount).toBe(2)
})

describe('rows', () => {
  test('sessions without a prompt, an answer or a call are listed only if asked for', async () => {
    const empty = new ClaudeLog(uuid('empty'))
      .bare({ type: 'mode', mode: 'x' })
      .record({ type: 'system', subtype: 'informational', content: 'hi' })
    const { recall } = await read(new ClaudeLog(ID).user('hi'), empty)
    expect((await recall.list({ limit: 0, empty: false })).total).toBe(1)
    expect((await recall.list({ limit: 0, empty: true })).total).toBe(2)
  })

  test('a session left only as a subagent keeps its project and branch; a drive is one whatever its case', async () => {
    const home = tempDir()
    const windows = { cwd: 'c:\\Users\\sam\\app', gitBranch: 'topic', isSidechain: true, agentId: 'a9' }
    write(subagentPath(home, ID, 'a9'), new ClaudeLog(ID, windows).user('count').say('four').text())
    const { recall } = productOn(home)
    await recall.index()
    expect(await recall.find(`claude:${ID}`)).toMatchObject({
      cwd: 'C:\\Users\\sam\\app',
      gitBranch: 'topic',
      branches: ['topic'],
    })
    expect((await recall.list({ limit: 0, branch: 'topic' })).total).toBe(1)
  })

  test('a file that begins with a byte order mark is read', async () => {
    const home = tempDir()
    write(transcriptPath(home, ID), `\uFEFF${new ClaudeLog(ID).user('hi').text()}`)
    const { recall } = productOn(home)
    await recall.index()
    expect((await recall.find(`claude:${ID}`)).promptCount).toBe(1)
  })

  test('SQL sees whole arguments, no id where there is none, and positions from 0', async () => {
    const other = uuid('other name')
    const home = tempDir()
    const log = new ClaudeLog(ID).user('write it').call('w', 'Write', { file_path: '/w/a', content: 'z'.repeat(9000) })
    write(transcriptPath(home, other), log.text())
    const { recall, store } = productOn(home)
    await recall.index()
    const [call] = query(store, 'SELECT length(tool_input) AS n, message_id FROM tool_calls')
    expect(call?.['n']).toBeGreaterThan(9000)
    expect(query(store, 'SELECT idx FROM messages ORDER BY idx')).toEqual([{ idx: 0 }, { idx: 1 }])
  })
})
