import { describe, expect, test } from 'vitest'
import { ClaudeLog } from './kit/claude-log.ts'
import { NOW } from './kit/home.ts'
import { ID, read, isHuman } from './kit/claude-read.ts'

const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file)."

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

  test('and a yes with words: a turn of their own that points at the call, no prompt', async () => {
    const yes = [
      { type: 'tool_result', tool_use_id: 'c1', content: 'done', is_error: false },
      { type: 'text', text: 'and mind the pagination' },
    ]
    const decided = { permissionDecision: { decision: 'accept', source: 'user_temporary', grantScope: 'once' } }
    const { recall, of } = await read(asked().user(yes, decided).say('Minded.'))
    const [, call, result, comment, answer] = await of()
    expect(result).toMatchObject({ kind: 'tool_result', marks: { asked: true, approved: true } })
    expect(comment).toMatchObject({ kind: 'user_msg', text: 'and mind the pagination', marks: { onApproval: true } })
    expect(isHuman(comment!)).toBe(true)
    expect(comment?.parentSeq).toBe(call?.seq)
    expect(comment?.exchange).toBe(answer?.exchange)
    expect((await recall.find(`claude:${ID}`)).promptCount).toBe(1)
    const { hits } = await recall.search({ text: 'mind the pagination', filter: { limit: 5 }, now: NOW })
    expect(hits).toHaveLength(1)
  })

  test("behind a result, what the client adds is nobody's words, and a rule asks nobody", async () => {
    const added = [
      { type: 'tool_result', tool_use_id: 'c1', content: 'done', is_error: false },
      { type: 'text', text: '<system-reminder>be kind</system-reminder>' },
    ]
    const { of } = await read(asked().user(added, { permissionDecision: { decision: 'accept', source: 'config' } }))
    const [, , result, reminder] = await of()
    expect(result?.marks).toEqual({})
    expect(reminder).toMatchObject({ marks: { injected: true } })
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
