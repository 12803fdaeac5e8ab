import { appendFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { EventRecord } from '../src/store/store.ts'
import { FLAG } from '../src/store/store.ts'
import { ClaudeLog, transcriptPath, subagentPath, uuid, write, type LogRecord } from './kit/claude-log.ts'
import { dump, query } from './kit/dump.ts'
import { NOW, productOn, tempDir } from './kit/home.ts'

const ID = uuid('words')
const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file)."

async function read(...logs: readonly ClaudeLog[]) {
  const home = tempDir()
  for (const log of logs) write(transcriptPath(home, log.session), log.text())
  const bench = productOn(home)
  await bench.recall.index()
  return { ...bench, home, of: eventsOf(bench.recall) }
}

function eventsOf(recall: Awaited<ReturnType<typeof productOn>>['recall']) {
  return async (session = ID): Promise<EventRecord[]> => {
    const found = await recall.find(`claude:${session}`)
    return (await recall.events(found, { sidechains: true })).filter(({ flags }) => (flags & FLAG.inferred) === 0)
  }
}

const isHuman = ({ flags }: EventRecord) => (flags & FLAG.human) !== 0
const texts = (events: readonly EventRecord[]) => events.map(({ text }) => text)
const queued = (operation: string, at: string, content?: string): LogRecord => ({
  type: 'queue-operation',
  operation,
  timestamp: `2026-10-01T09:00:${at}.000Z`,
  sessionId: ID,
  ...(content === undefined ? {} : { content }),
})

describe('what people typed while the agent worked', () => {
  const busy = () => new ClaudeLog(ID).user('fix the build').call('c1', 'Bash', { command: 'make' })

  test('and what was handed to it in the running turn is a prompt, in its place, found and counted', async () => {
    const log = busy()
      .bare(queued('enqueue', '02', 'and mind the linter'))
      .bare(queued('remove', '03'))
      .result('c1', 'ok')
      .say('Both are green.')
    const { recall, of } = await read(log)
    const events = await of()
    expect(texts(events.filter(isHuman))).toEqual(['fix the build', 'and mind the linter'])
    const at = events.findIndex(({ text }) => text === 'and mind the linter')
    expect(events[at]).toMatchObject({ kind: 'user_msg', role: 'user', marks: { midTurn: true }, exchange: 2 })
    expect(events[at - 1]?.kind).toBe('tool_result')
    expect(events[at + 1]?.text).toBe('Both are green.')
    expect((await recall.find(`claude:${ID}`)).promptCount).toBe(2)
    const { hits } = await recall.search({ text: 'mind the linter', filter: { limit: 5 }, now: NOW })
    expect(hits).toHaveLength(1)
  })

  test('is one prompt with the user record or the attachment that also tells it', async () => {
    const attachment = {
      type: 'attachment',
      attachment: { type: 'queued_command', prompt: 'b', commandMode: 'prompt' },
    }
    const log = busy()
      .bare(queued('enqueue', '01', 'a'))
      .bare(queued('dequeue', '02'))
      .result('c1', 'ok')
      .say('Done.')
      .user('a')
      .call('c2', 'Bash', { command: 'ls' })
      .bare(queued('enqueue', '03', 'b'))
      .bare(queued('remove', '04'))
      .result('c2', 'ok')
      .record(attachment)
      .say('Yes.')
    const before = busy()
      .result('c1', 'ok')
      .record(attachment)
      .bare(queued('enqueue', '03', 'b'))
      .bare(queued('remove', '04'))
    const { of } = await read(log)
    expect(texts((await of()).filter(isHuman))).toEqual(['fix the build', 'a', 'b'])
    const other = await read(before.say('Yes.'))
    expect(texts((await other.of()).filter(isHuman))).toEqual(['fix the build', 'b'])
  })

  test('was never sent if it was taken back or is still queued; a command without arguments is none', async () => {
    const log = busy()
      .bare(queued('enqueue', '01', 'taken back'))
      .bare(queued('popAll', '02'))
      .bare(queued('enqueue', '03', '/ide'))
      .bare(queued('remove', '04'))
      .bare(queued('enqueue', '05', '<task-notification>done</task-notification>'))
      .bare(queued('remove', '06'))
      .result('c1', 'ok')
      .say('Done.')
      .bare(queued('enqueue', '07', 'still queued'))
    const { of } = await read(log)
    expect(texts((await of()).filter(isHuman))).toEqual(['fix the build'])
  })

  test('is known where the log ends before its record, and once when the record comes', async () => {
    const log = new ClaudeLog(ID)
      .user('hi')
      .say('Hello.')
      .bare(queued('enqueue', '08', 'only here'))
      .bare(queued('dequeue', '09'))
    const { recall, home, of } = await read(log)
    expect(texts((await of()).filter(isHuman))).toEqual(['hi', 'only here'])
    const more = new ClaudeLog(ID, {}, Date.parse('2026-10-01T10:00:00Z')).user('x').user('only here').say('Sure.')
    appendFileSync(
      transcriptPath(home, ID),
      more.records
        .slice(1)
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    )
    await recall.index()
    expect(texts((await of()).filter(isHuman))).toEqual(['hi', 'only here'])
  })

  test('is what the record names, where it names it, and not what the person took out again', async () => {
    const removed = (content: string, reason?: string) => ({
      ...queued('remove', '06', content),
      ...(reason ? { reason } : {}),
    })
    const log = busy()
      .bare(queued('enqueue', '01', 'first'))
      .bare(queued('enqueue', '02', 'second'))
      .bare(queued('enqueue', '03', 'third'))
      .bare(removed('second', 'absorbed_mid_turn'))
      .bare(removed('third', 'user_removed'))
      .result('c1', 'ok')
      .say('Done.')
      .bare(queued('dequeue', '07'))
      .user('first')
      .say('That too.')
    const { of } = await read(log)
    expect(texts((await of()).filter(isHuman))).toEqual(['fix the build', 'second', 'first'])
  })

  test('is not what a program put into the queue before it', async () => {
    const log = busy()
      .bare(queued('enqueue', '01', '<task-notification>x</task-notification>'))
      .bare(queued('enqueue', '02', 'do B'))
      .bare(queued('remove', '03'))
      .result('c1', 'ok')
      .say('B.')
    const { of } = await read(log)
    expect(texts((await of()).filter(isHuman))).toEqual(['fix the build', 'do B'])
  })

  test('as an attachment is a person’s unless the attachment says otherwise', async () => {
    const attached = (more: LogRecord) => ({ type: 'attachment', attachment: { type: 'queued_command', ...more } })
    const log = busy()
      .result('c1', 'ok')
      .record(attached({ prompt: 'mine' }))
      .record(attached({ prompt: [{ type: 'image' }], commandMode: 'prompt' }))
      .record(attached({ prompt: 'not mine', commandMode: 'prompt', isMeta: true, origin: { kind: 'coordinator' } }))
      .record(attached({ prompt: 'a note', commandMode: 'task-notification' }))
      .say('Ok.')
    const { of } = await read(log)
    expect(texts((await of()).filter(isHuman))).toEqual(['fix the build', 'mine', '[image]'])
  })

  test('is read in pieces as in one go', async () => {
    const log = busy()
      .bare(queued('enqueue', '02', 'und der Linter'))
      .bare(queued('remove', '03'))
      .result('c1', 'ok')
      .say('Gut.')
    const text = log.text()
    const home = tempDir()
    const file = write(transcriptPath(home, ID), '')
    const pieces = productOn(home)
    for (const line of text.split('\n').slice(0, -1)) {
      appendFileSync(file, `${line}\n`)
      await pieces.recall.index()
    }
    const whole = productOn(home)
    await whole.recall.index()
    expect(dump(pieces.store)).toEqual(dump(whole.store))
  })
})

test('the arguments of a slash command are a prompt and a title; a command alone is none', async () => {
  const command = (name: string, args: string) =>
    `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`
  const log = new ClaudeLog(ID)
    .user(command('clear', ''))
    .user(command('debug', 'the stop hooks are slow'))
    .say('I look at them.')
  const { recall, of } = await read(log)
  const session = await recall.find(`claude:${ID}`)
  expect(session).toMatchObject({ promptCount: 1, title: '/debug the stop hooks are slow' })
  const [clear, debug] = await of()
  expect(clear).toMatchObject({ text: '/clear', marks: { command: '/clear' } })
  expect(isHuman(clear!)).toBe(false)
  expect(debug).toMatchObject({ text: '/debug the stop hooks are slow', marks: { command: '/debug' } })
  expect(isHuman(debug!)).toBe(true)
})

describe('a call that did not happen', () => {
  const asked = () => new ClaudeLog(ID).user('tidy up').call('c1', 'Bash', { command: 'rm -r build' })

  test('with what the person said instead as a turn of their own that points at the call', async () => {
    const words = 'keep build, remove dist\nand say why'
    const note = "\n\nNote: The user's next message may contain a correction or preference. Pay close attention."
    const log = asked()
      .result('c1', `${REJECTED} To tell you how to proceed, the user said:\n${words}${note}`, {
        is_error: true,
        toolUseResult: 'Error: x',
      })
      .say('Right.')
    const { recall, of } = await read(log)
    const [, call, result, comment, answer] = await of()
    expect(result).toMatchObject({ kind: 'tool_result', marks: { denied: 'person' }, eventClass: 'permission_denied' })
    expect(comment).toMatchObject({ kind: 'user_msg', role: 'user', text: words, marks: { onDenial: true } })
    expect(comment?.parentSeq).toBe(call?.seq)
    expect(isHuman(comment!)).toBe(true)
    expect(comment?.exchange).toBe(answer?.exchange)
    expect((await recall.find(`claude:${ID}`)).promptCount).toBe(1)
    const { hits } = await recall.search({ text: 'remove dist', filter: { limit: 5 }, now: NOW })
    expect(hits).toHaveLength(1)
  })

  test.each([
    ['This command requires approval', {}, { denied: 'rule' }],
    ["cp in '/x/y' needs approval. The path is outside.", {}, { denied: 'rule' }],
    ['The following parts of the command require approval: rm', {}, { denied: 'rule' }],
    ["A variable in this command can't be checked before it runs", {}, { denied: 'rule' }],
    ["rm in '/x' was blocked. For security, Claude Code may only …", {}, { denied: 'rule' }],
    ['Permission to use Bash with command rm has been denied.', {}, { denied: 'rule' }],
    ["Claude requested permissions to use Bash, but you haven't granted it yet.", {}, { denied: 'rule' }],
    ['PreToolUse:Bash hook error: no', {}, { denied: 'hook' }],
    ['Whatever it says', { toolDenialKind: 'permission-rule' }, { denied: 'rule' }],
    [REJECTED, { toolUseResult: 'User rejected tool use', toolDenialBeforeRun: true }, { denied: 'person' }],
    [REJECTED, { toolUseResult: 'User rejected tool use' }, { stopped: true }],
    ['Stopped', { toolDenialKind: 'interrupted' }, { stopped: true }],
  ])('%s', async (words, more, marks) => {
    const { of } = await read(
      asked()
        .result('c1', words, { is_error: true, ...more })
        .say('Then not.'),
    )
    const result = (await of()).find(({ role }) => role === 'tool')
    expect(result).toMatchObject({ kind: 'tool_result', marks })
  })

  test('is told once: a no is no stop, and a stop is no no', async () => {
    const interrupt = [{ type: 'text', text: '[Request interrupted by user for tool use]' }]
    const denied = await read(
      asked().result('c1', REJECTED, { is_error: true, toolUseResult: 'Error: x' }).user(interrupt),
    )
    const afterNo = (await denied.of()).at(-1)
    expect(afterNo).toMatchObject({ kind: 'lifecycle', marks: { turn: 'interrupted' } })
    expect(afterNo?.marks.interrupted).toBeUndefined()
    const more = { is_error: true, toolUseResult: 'User rejected tool use' }
    const stopped = await read(asked().result('c1', REJECTED, more).user(interrupt))
    const events = await stopped.of()
    expect(events.at(-1)).toMatchObject({ kind: 'human_intervention', marks: { interrupted: true } })
    expect(events.filter(({ marks }) => marks.denied !== undefined)).toEqual([])
  })
})

test('what failed is an error, whoever says so, with its exit code', async () => {
  const log = new ClaudeLog(ID)
    .user('run them')
    .call('c1', 'Bash', { command: 'a' })
    .result('c1', 'Exit code 2\nboom', { is_error: true })
    .call('c2', 'Bash', { command: 'b' })
    .result('c2', 'no flag', { toolUseResult: 'Error: no flag' })
    .call('c3', 'Bash', { command: 'c' })
    .result('c3', 'x'.repeat(600), { toolUseResult: { stdout: 'x'.repeat(600), exitCode: 7 } })
    .call('c4', 'Bash', { command: 'd' })
    .result('c4', 'fine', { toolUseResult: { stdout: 'fine', exitCode: 0 } })
  const { of } = await read(log)
  const results = (await of()).filter(({ role }) => role === 'tool')
  expect(results.map(({ kind, marks }) => [kind, marks.exitCode])).toEqual([
    ['error', 2],
    ['error', undefined],
    ['error', 7],
    ['tool_result', 0],
  ])
})

test('words about the client’s markup are words', async () => {
  const asked = 'Explain what <command-name>/foo</command-name> markup does in this log'
  const { of } = await read(new ClaudeLog(ID).user(asked).say('It names a command.'))
  expect(texts((await of()).filter(isHuman))).toEqual([asked])
})

test('a command that ran and failed was not denied, whatever its output says', async () => {
  const log = new ClaudeLog(ID)
    .user('push')
    .call('c1', 'Bash', { command: 'git push' })
    .result('c1', 'Exit code 1\nremote: error: pull request requires approval from code owners', { is_error: true })
    .call('c2', 'Bash', { command: 'git commit' })
    .result('c2', 'Exit code 1\npre-commit hook blocked the commit: lint', { is_error: true })
  const { of } = await read(log)
  expect((await of()).filter(({ role }) => role === 'tool').map(({ kind, marks }) => [kind, marks])).toEqual([
    ['error', { exitCode: 1 }],
    ['error', { exitCode: 1 }],
  ])
})

test('a stop after a no and another prompt is a stop', async () => {
  const log = new ClaudeLog(ID)
    .user('tidy up')
    .call('c1', 'Bash', { command: 'rm x' })
    .result('c1', REJECTED, { is_error: true, toolUseResult: 'Error: x' })
    .user('then list them')
    .user([{ type: 'text', text: '[Request interrupted by user]' }])
  expect((await (await read(log)).of()).at(-1)).toMatchObject({
    kind: 'human_intervention',
    marks: { interrupted: true },
  })
})

test('words that no person typed are told so', async () => {
  const log = new ClaudeLog(ID)
    .user('Operation stopped by hook: another session is active')
    .user('Unknown skill: foo')
    .user('<ide_opened_file>The user opened a file that was cut')
    .user('[Request interrupted by user')
    .user('<task-notification>x</task-notification>')
    .user('go on')
  const { recall, of } = await read(log)
  expect((await recall.find(`claude:${ID}`)).promptCount).toBe(1)
  expect((await of()).map(({ marks }) => marks.injected ?? false)).toEqual([true, true, true, true, true, false])
})

test('marks say what a transcript knows of turns, compactions and pull requests', async () => {
  const log = new ClaudeLog(ID)
    .user('go')
    .say('Gone.')
    .record({ type: 'system', subtype: 'turn_duration', durationMs: 5000 })
    .record({ type: 'system', subtype: 'compact_boundary', compactMetadata: { trigger: 'manual', preTokens: 9 } })
    .record({ type: 'pr-link', prNumber: 3, prUrl: 'https://example.com/a/b/pull/3' })
    .say('API Error: 500', { isApiErrorMessage: true, message: { model: '<synthetic>' } })
    .say('No response requested.', { message: { model: '<synthetic>' } })
  const { recall, of } = await read(log)
  expect((await of()).slice(2).map(({ kind, marks }) => [kind, marks])).toEqual([
    ['lifecycle', { turn: 'completed' }],
    ['lifecycle', { compacted: 'manual' }],
    ['lifecycle', { made: [{ kind: 'pr', value: 'https://example.com/a/b/pull/3' }] }],
    ['error', { turn: 'failed' }],
    ['lifecycle', { injected: true }],
  ])
  await recall.analyze({ all: true })
  const digest = JSON.parse((await recall.digest(`claude:${ID}`)) ?? '{}') as Record<string, unknown>
  expect(digest).toMatchObject({ compactions: 1, prs: ['https://example.com/a/b/pull/3'], last_assistant: 'Gone.' })
})

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

test('messages that only a log of prompts tells count from 0, and give way when the transcript comes', async () => {
  const home = tempDir()
  const line = (text: string, second: number) =>
    JSON.stringify({
      display: text,
      timestamp: Date.parse('2026-10-01T09:00:00Z') + second * 1000,
      sessionId: ID,
      project: '/w',
    })
  write(`${home}/.claude/history.jsonl`, `${line('first', 1)}\n${line('second', 2)}\n`)
  const { recall, store } = productOn(home)
  await recall.index()
  const told = () => query(store, 'SELECT idx, content FROM messages ORDER BY idx')
  expect(told()).toEqual([
    { idx: 0, content: 'first' },
    { idx: 1, content: 'second' },
  ])
  write(transcriptPath(home, ID), new ClaudeLog(ID).user('first').say('Yes.').text())
  await recall.index()
  expect(told().slice(0, 2)).toEqual([
    { idx: 0, content: 'first' },
    { idx: 1, content: 'Yes.' },
  ])
})
