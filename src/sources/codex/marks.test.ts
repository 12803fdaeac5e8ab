import { describe, expect, test } from 'vitest'
import { CodexLog, threadId, told, TURN, type LogRecord } from '../../../test/kit/codex-log.ts'
import type { EventItem } from '../source.ts'

const marked = (events: readonly EventItem[]) =>
  events.flatMap((event) => (event.marks === undefined ? [] : [[event.kind, event.marks]]))

const session = (context: LogRecord = {}) => new CodexLog(threadId(1)).start(TURN[0]).context('gpt-test-1', context)
const asking = {
  approval_policy: 'on-request',
  approvals_reviewer: 'user',
  sandbox_policy: { type: 'workspace-write' },
}
const result = (log: CodexLog) => told(log).events.findLast((event) => event.role === 'tool')

describe('marks', () => {
  test('a log with a denial, an interruption, a compaction, turns and exit codes has one of each', () => {
    const log = session({ sandbox_policy: { type: 'read-only' } })
      .injected('<environment_context>\n  <cwd>/x</cwd>\n</environment_context>')
      .prompt('go')
      .call('c1', 'exec_command', { cmd: 'ls' })
      .output('c1', 'Process exited with code 0\nOutput:\na.ts')
      .call('c2', 'exec_command', { cmd: 'touch ../x' })
      .output('c2', "Process exited with code 1\nOutput:\ntouch: cannot touch '../x': Read-only file system\n")
      .record('compacted', { message: 'So far.', replacement_history: [] })
      .event('context_compacted', {})
      .completed({ type: 'ContextCompaction', id: 'k1' })
      .prompt('faster, please')
      .call('c3', 'exec_command', { cmd: 'sleep 60' })
      .output('c3', 'Wall time: 2.5 seconds\naborted by user')
      .injected('<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>')
      .event('turn_aborted', { reason: 'interrupted', turn_id: TURN[0] })
      .ran('c3', 'sleep 60', -1, '')
      .start(TURN[1])
      .prompt('never mind')
      .complete(TURN[1], { error: { message: 'the service is gone' } })
      .event('thread_rolled_back', { num_turns: 1 })
    expect(marked(told(log).events)).toEqual([
      ['lifecycle', { turn: 'started' }],
      ['user_msg', { injected: true }],
      ['tool_result', { exitCode: 0 }],
      ['tool_result', { denied: 'sandbox', exitCode: 1 }],
      ['lifecycle', { compacted: 'auto' }],
      ['user_msg', { midTurn: true }],
      ['tool_result', { stopped: true }],
      ['user_msg', { injected: true }],
      ['human_intervention', { interrupted: true, turn: 'interrupted' }],
      ['lifecycle', { turn: 'started' }],
      ['lifecycle', { turn: 'failed' }],
      ['lifecycle', { takenBack: 1 }],
    ])
    expect(told(log).events.filter((event) => event.kind === 'error')).toMatchObject([{ text: 'the service is gone' }])
  })

  test('a prompt in a running turn is a person’s, and one after it is not in the middle of anything', () => {
    const log = session().prompt('one').say('hm').prompt('two').complete(TURN[0]).start(TURN[1]).prompt('three')
    const prompts = told(log).events.filter((event) => event.human)
    expect(prompts.map((event) => [event.text, event.marks ?? {}])).toEqual([
      ['one', {}],
      ['two', { midTurn: true }],
      ['three', {}],
    ])
  })

  test.each([
    ['exec command rejected by user', 'person'],
    ['patch rejected by user', 'person'],
    ['exec_command failed: CreateProcess { message: "Rejected(\\"rejected by user\\")" }', 'person'],
    ['user rejected MCP tool call', 'person'],
    ['approval required by policy, but AskForApproval is set to Never', 'rule'],
    [
      'approval policy is Never; reject command — you cannot ask for escalated permissions if the policy is Never',
      'rule',
    ],
    ['exec_command failed: CreateProcess { message: "Rejected(\\"`rm -rf x` rejected: not permitted\\")" }', 'rule'],
    ['patch rejected: writing outside of the project; rejected by user approval settings', 'rule'],
    ['This action was rejected due to unacceptable risk.\nReason: none', 'rule'],
    ['patch rejected: writing is blocked by read-only sandbox; rejected by user approval settings', 'sandbox'],
    [
      'failed in sandbox MacosSeatbelt with execution error: sandbox denied exec error, exit code: 1, stdout: , stderr: ps: Operation not permitted\n',
      'sandbox',
    ],
    ['Command blocked by PreToolUse hook: no. Command: ls', 'hook'],
  ])('%s: denied, and no error', (output, denied) => {
    const log = session(asking).call('c1', 'exec_command', { cmd: 'x' }).output('c1', output)
    expect(result(log)).toMatchObject({ kind: 'tool_result', body: output, marks: { denied } })
  })

  test.each([
    [
      'a failure in a sandbox',
      'failed in sandbox MacosSeatbelt with execution error: sandbox denied exec error, exit code: 1, stdout: , stderr: sed: bad flag\n',
      1,
    ],
    [
      'a key that is not accepted',
      'Process exited with code 128\nOutput:\ngit@example.com: Permission denied (publickey).\n',
      128,
    ],
    [
      'a test that mentions it',
      'Process exited with code 1\nOutput:\nOperation not permitted\n1\n2\n3\nTests: 1 failed\n',
      1,
    ],
  ])('%s is an error', (_, output, exitCode) => {
    const log = session(asking).call('c1', 'exec_command', { cmd: 'x' }).output('c1', output)
    expect(result(log)).toMatchObject({ kind: 'error', marks: { exitCode } })
    expect(result(log)?.marks?.denied).toBeUndefined()
  })

  test('without a sandbox nothing is barred by one', () => {
    const log = session({ sandbox_policy: { type: 'danger-full-access' } }).call('c1', 'exec_command', { cmd: 'x' })
    log.output('c1', 'Process exited with code 1\nOutput:\ncp: x: Read-only file system')
    expect(result(log)).toMatchObject({ kind: 'error' })
  })

  test.each([
    ['aborted by user after 3.2s', { stopped: true }],
    ['aborted', { stopped: true }],
    ['command timed out after 10 milliseconds', undefined],
  ])('%s', (output, marks) => {
    const stopped = result(
      session()
        .call('c1', 'shell', { command: ['x'] })
        .output('c1', output),
    )
    expect([stopped?.kind, stopped?.marks]).toEqual([marks === undefined ? 'error' : 'tool_result', marks])
  })
})

describe('what is told beside a call', () => {
  test('gives the exit code that its output does not have', () => {
    const log = session()
      .call('c1', 'shell', { command: ['x'] })
      .ran('c1', 'x', 3, 'no\n')
      .output('c1', 'no\n')
    expect(told(log).events.filter((event) => event.tool === 'shell')).toMatchObject([
      { kind: 'tool_call' },
      { kind: 'error', body: 'no\n', marks: { exitCode: 3 } },
    ])
  })

  const stopOf = (play: (log: CodexLog) => CodexLog) => {
    const log = session()
      .prompt('go')
      .call('c1', 'shell', { command: ['rm', 'x'] })
    const { events } = told(play(log).event('turn_aborted', { reason: 'interrupted', turn_id: TURN[0] }))
    return events.flatMap(({ kind, marks }) =>
      marks?.turn === 'interrupted' || marks?.denied !== undefined ? [[kind, marks.denied, marks.interrupted]] : [],
    )
  }

  test('a turn that a refusal ended was stopped by nothing else', () => {
    const no = (log: CodexLog) => log.output('c1', 'exec command rejected by user')
    const denial = ['tool_result', 'person', undefined]
    const ended = [denial, ['lifecycle', undefined, undefined]]
    expect(stopOf(no)).toEqual(ended)
    const aborted = '<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>'
    expect(stopOf((log) => no(log).injected(aborted))).toEqual(ended)
    expect(stopOf((log) => no(log.call('c2', 'shell', {})).output('c2', 'aborted by user after 0.1s'))).toEqual(ended)
  })

  test('what a person stopped after a refusal that the agent went on from is a stop', () => {
    const stop = ['human_intervention', undefined, true]
    expect(stopOf((log) => log.output('c1', 'exec command rejected by user').say('Then so.')).at(-1)).toEqual(stop)
    expect(stopOf((log) => log.output('c1', 'aborted by user after 3.2s'))).toEqual([stop])
    expect(
      stopOf((log) => log.output('c1', 'approval required by policy, but AskForApproval is set to Never')).at(-1),
    ).toEqual(stop)
  })

  test('a command in the background ends once, however its end is told', () => {
    const begun = () =>
      session()
        .call('c1', 'exec_command', { cmd: 'x' })
        .output('c1', 'Wall time: 0.3 seconds\nProcess running with session ID 7\nOutput:\n')
    const poll = (log: CodexLog) =>
      log.call('c2', 'write_stdin', { session_id: 7 }).output('c2', 'Process exited with code 4\nOutput:\nbye')
    const alone = begun().ran('c1', 'x', 4, 'bye')
    const before = poll(begun().ran('c1', 'x', 4, 'bye'))
    const after = poll(begun()).ran('c1', 'x', 4, 'bye')
    for (const log of [alone, before, after]) {
      const errors = told(log).events.filter((event) => event.kind === 'error')
      expect(errors).toMatchObject([{ body: 'Exit code: 4\nbye', marks: { exitCode: 4 } }])
    }
  })

  test.each([
    ['a turn about nothing else', (log: CodexLog) => log.complete(TURN[0]), 'manual'],
    ['a turn that goes on', (log: CodexLog) => log.prompt('go on'), 'auto'],
    ['a log that ends there', (log: CodexLog) => log, 'unknown'],
  ])('a compaction in %s', (_, play, compacted) => {
    const log = play(session().record('compacted', { message: 'x' }).event('token_count', { info: null }))
    const notes = told(log).events.filter((event) => event.marks?.compacted !== undefined)
    expect(notes).toMatchObject([{ marks: { compacted } }])
  })

  test('an output without a call has the name it gives itself', () => {
    const log = session().item({
      type: 'function_call_output',
      name: 'goal_objective',
      namespace: 'agent',
      output: 'Mend it',
    })
    expect(told(log).events.at(-1)).toMatchObject({ kind: 'tool_result', tool: 'goal_objective', body: 'Mend it' })
  })

  test('tokens are those of the message before them, and of none where only calls were made', () => {
    const log = session().prompt('go').say('I look.').call('c1', 'shell', {}).tokens(100, 0, 10)
    log.output('c1', 'x').call('c2', 'shell', {}).tokens(100, 0, 20).output('c2', 'y').say('Done.').tokens(100, 0, 30)
    const { events, usage } = told(log)
    const text = (message: number | null) => events.find((event) => message !== null && event.message === message)?.text
    expect(usage.map((item) => [item.output, text(item.message)])).toEqual([
      [10, 'I look.'],
      [20, undefined],
      [30, 'Done.'],
    ])
  })

  test('a failure that an event and the end of the turn tell is one error', () => {
    const log = session().prompt('go').event('error', { message: 'no more quota' })
    const { events } = told(log.complete(TURN[0], { error: { message: 'no more quota' } }))
    expect(events.filter((event) => event.kind === 'error')).toHaveLength(1)
    expect(events.at(-1)).toMatchObject({ marks: { turn: 'failed' } })
  })

  test('a type nobody knows is told once', () => {
    const log = session().record('hologram', {}).record('hologram', {}).event('sneeze', {}).event('sneeze', {})
    expect(told(log).problems.map((problem) => problem.type)).toEqual(['hologram', 'event_msg/sneeze'])
  })
})
