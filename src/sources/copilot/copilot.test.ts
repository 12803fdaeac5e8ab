import { expect, test } from 'vitest'
import { AGENT, CopilotLog, eventfulLog, laySession, SESSION } from '../../../test/kit/copilot-log.ts'
import { productOn, tempDir } from '../../../test/kit/home.ts'
import type { EventItem, Item } from '../source.ts'
import { copilot } from './copilot.ts'
import { copilotReader } from './reader.ts'

const ALL = { limit: 0 }

function read(log: CopilotLog): Item[] {
  return [...copilotReader.read(laySession(tempDir(), log), null)].flat()
}

function events(items: readonly Item[]): EventItem[] {
  return items.filter((item) => item.item === 'event')
}

/** The product on one session. */
async function indexed(log: CopilotLog, details?: string) {
  const home = tempDir()
  laySession(home, log, details)
  const bench = productOn(home)
  await bench.recall.index()
  const [session] = (await bench.recall.list({ ...ALL, hidden: true })).sessions
  if (session === undefined) throw new Error('no session')
  return { ...bench, session }
}

test('opens transcripts and what stands beside them, and nothing else of the directory', () => {
  expect(copilot.owns(`session-state/${SESSION}/events.jsonl`)).toBe(true)
  const others = ['config.json', 'session-store.db', 'mcp-config.json', `session-state/${SESSION}/session.db`]
  for (const other of [...others, `session-state/${SESSION}/files/events.jsonl`, 'logs/events.jsonl'])
    expect(copilot.owns(other)).toBe(false)
  expect(copilot.skips('session-state')).toBe(false)
  for (const dir of ['logs', `session-state/${SESSION}/files`]) expect(copilot.skips(dir)).toBe(true)
})

test('a call stands once, with what it gave back, and an exit code other than 0 is an error', () => {
  const log = new CopilotLog().prompt('test it').call('c1', 'bash', { command: 'npm test' }).result('c1', 'red', 1)
  const [, call, result] = events(read(log))
  expect(call).toMatchObject({ kind: 'tool_call', tool: 'bash', input: { command: 'npm test' }, callIdx: 0 })
  expect(result).toMatchObject({ kind: 'error', tool: 'bash', body: 'red', parent: call?.pos, marks: { exitCode: 1 } })
})

test('older versions say the exit code behind the output only', () => {
  const log = new CopilotLog().prompt('test it').call('c1', 'bash', { command: 'npm test' })
  const content = 'red\n<shellId: 3 completed with exit code 2>'
  log.event('tool.execution_complete', { toolCallId: 'c1', success: true, result: { content } })
  expect(events(read(log)).at(-1)).toMatchObject({ kind: 'error', body: 'red', marks: { exitCode: 2 } })
})

test("a tool of a server is named as everywhere, and a person's own command is a call, too", () => {
  const request = {
    toolCallId: 'c1',
    name: 'lab-echo',
    arguments: { say: 'x' },
    mcpServerName: 'lab',
    mcpToolName: 'echo',
  }
  const log = new CopilotLog().prompt('ask').answer('', { toolRequests: [request] })
  log.event('tool.user_requested', { toolCallId: 'c2', toolName: 'bash' })
  log
    .event('tool.execution_start', { toolCallId: 'c2', toolName: 'bash', arguments: { command: 'ls' } })
    .result('c2', 'a', 0)
  const calls = events(read(log)).filter(({ kind }) => kind === 'tool_call')
  expect(calls.map(({ tool }) => tool)).toEqual(['mcp__lab__echo', 'bash'])
  expect(calls[1]?.message).toBeUndefined()
})

test('what nobody was there to allow was denied by a rule, without a question to anybody', () => {
  const log = new CopilotLog().prompt('copy').call('c1', 'bash', { command: 'cp a ..' })
  log.permission('c1', { kind: 'denied-no-approval-rule-and-could-not-request-from-user' }, 'unattended_fallback')
  log.failure('c1', 'Permission denied', 'denied')
  expect(events(read(log)).at(-1)).toMatchObject({ kind: 'tool_result', marks: { denied: 'rule' } })
  expect(events(read(log)).at(-1)?.marks?.asked).toBeUndefined()
})

test('prompts are what a person typed: not the orders of agents, not notes of the client, not empty ones', () => {
  const log = eventfulLog().prompt('', { isAutopilotContinuation: true }).prompt('go on', { source: 'skill-x' })
  const prompts = events(read(log)).filter(({ human }) => human === true)
  expect(prompts.map(({ text }) => text)).toEqual([
    'wrong way',
    'copy it out',
    'keep it here',
    'test it',
    'and lint it',
    'count',
    'a long story',
  ])
})

test('a subagent has a lane of its own, named by the call that started it', () => {
  const items = read(eventfulLog())
  const own = events(items).filter(({ lane }) => lane === `agent-${AGENT}`)
  expect(own.map(({ kind, sidechain, thread }) => [kind, sidechain, thread])).toEqual(
    ['lifecycle', 'user_msg', 'tool_call', 'tool_result', 'assistant_msg', 'lifecycle', 'lifecycle'].map((kind) => [
      kind,
      true,
      AGENT,
    ]),
  )
  const result = events(items).find(({ call, kind }) => call === 'c3' && kind === 'tool_result')
  expect(result).toMatchObject({ lane: '', thread: AGENT })
})

test('a record of an unknown type is told once, known ones of no interest never', () => {
  const log = new CopilotLog().prompt('hi').event('novelty.seen').event('novelty.seen').event('hook.start')
  log.event('model.messages_snapshot', { messages: [{ role: 'user', content: 'hi' }] })
  expect(read(log).filter(({ item }) => item === 'problem')).toMatchObject([{ type: 'novelty.seen', level: 'info' }])
})

test('each call of the service is counted once, its input without what the cache had', async () => {
  const { recall, session } = await indexed(new CopilotLog().prompt('hi').answer('Hello.'))
  expect(session.tokens).toMatchObject({ input: 500, output: 50, cacheRead: 300, cacheWrite5m: 200, reasoning: 5 })
  await recall.close()
})

test('before usage was recorded, what a run has cost is told at its end, and grows over runs', async () => {
  const log = new CopilotLog()
  const answer = (content: string) =>
    log.event('assistant.message', { messageId: content, model: 'lab-large', content, outputTokens: 20 })
  log.prompt('one')
  answer('Yes.')
  log.shutdown({ inputTokens: 1000, outputTokens: 20, cacheReadTokens: 400, cacheWriteTokens: 0 })
  log.event('session.resume', {}).prompt('two')
  answer('Again.')
  log.shutdown({ inputTokens: 2500, outputTokens: 40, cacheReadTokens: 900, cacheWriteTokens: 0 })
  const { session } = await indexed(log)
  expect(session.tokens).toMatchObject({ input: 1600, output: 40, cacheRead: 900 })
})

test('the name in workspace.yaml is the title: quoted, bare, or on lines of its own', async () => {
  const log = new CopilotLog().prompt('hi').answer('Hello.')
  const named = async (name: string) => (await indexed(log, `id: x\nname: ${name}\nuser_named: true\n`)).session.title
  expect(await named('"A \\"quoted\\" name"')).toBe('A "quoted" name')
  expect(await named("'it''s'")).toBe("it's")
  expect(await named('plain: words')).toBe('plain: words')
  expect(await named('|-\n  two\n  lines')).toBe('two lines')
})
