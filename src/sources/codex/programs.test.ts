import { describe, expect, test } from 'vitest'
import { CodexLog, threadId, told, TURN } from '../../../test/kit/codex-log.ts'
import { aProgrammedSession } from '../../../test/kit/codex-sessions.ts'
import type { EventItem } from '../source.ts'

const calls = (events: readonly EventItem[]) =>
  events
    .filter((event) => event.tool !== undefined)
    .map((event) => [event.kind, event.tool, event.input ?? event.body?.trim(), event.marks ?? {}])

const log = (sandbox = 'danger-full-access') =>
  new CodexLog(threadId(1))
    .start(TURN[0])
    .context('gpt-test-1', { sandbox_policy: { type: sandbox }, approval_policy: 'never' })
    .prompt('go')

describe('a program that calls tools', () => {
  test('is told as the calls it made, each with its own result, where the log tells when they end', () => {
    const workdir = '/home/sam/code/demo'
    expect(calls(told(aProgrammedSession()).events)).toEqual([
      ['tool_call', 'exec_command', { cmd: 'npm test', workdir }, {}],
      ['error', 'exec_command', 'Exit code: 1\nTests: 1 failed, 1 total', { exitCode: 1 }],
      ['tool_call', 'apply_patch', { input: expect.stringContaining(`*** Update File: ${workdir}/a.ts\n@@`) }, {}],
      ['tool_result', 'apply_patch', 'Success.', {}],
      ['tool_call', 'exec_command', { cmd: 'git status', workdir }, {}],
      ['tool_result', 'exec_command', 'clean', { exitCode: 0 }],
      ['tool_call', 'exec_command', { cmd: 'npm test', workdir }, {}],
      ['tool_result', 'exec_command', 'Tests: 1 passed, 1 total', { exitCode: 0 }],
      ['tool_result', 'exec', 'done', {}],
    ])
  })

  test('joins each result to its call', () => {
    const { events } = told(aProgrammedSession())
    for (const result of events.filter((event) => event.role === 'tool' && event.tool !== 'exec')) {
      expect(events[Number(result.parent)]).toMatchObject({ kind: 'tool_call', call: result.call, tool: result.tool })
    }
  })

  test('gives its calls the ids that they have where only the program tells of them', () => {
    const program = 'await tools.exec_command({ cmd: "ls" });\nawait tools.exec_command({ cmd: "pwd" });'
    const ids = (events: readonly EventItem[]) =>
      events.filter((event) => event.kind === 'tool_call').map((event) => event.native)
    const silent = log().program('call_1', program).programOutput('call_1', 'Script completed', 'x')
    const talkative = log().program('call_1', program).ran('exec-1', 'pwd', 0, '/').ran('exec-2', 'ls', 0, 'a')
    const [first, second] = ids(told(silent).events)
    expect(ids(told(talkative.programOutput('call_1', 'Script completed', 'x')).events)).toEqual([second, first])
  })

  test('is told when it began, not when it ended', () => {
    const at = Date.parse('2026-10-01T09:00:02.500Z')
    const { events } = told(
      log()
        .program('call_1', 'await tools.exec_command({ cmd: "ls" })')
        .completed(
          { type: 'CommandExecution', id: 'exec-1', command: ['ls'], exit_code: 0, aggregated_output: 'a' },
          { started_at_ms: at },
        ),
    )
    expect(events.at(-2)).toMatchObject({ kind: 'tool_call', at })
  })

  test('tells of tools whose ends are told nowhere as it spells them out', () => {
    const program = 'await tools.update_plan({ plan: [] });\nawait tools.exec_command({ cmd: "ls" });'
    const { events } = told(
      log().program('call_1', program).ran('exec-1', 'ls', 0, 'a').programOutput('call_1', 'Script completed', 'ok'),
    )
    expect(calls(events).map(([kind, tool]) => [kind, tool])).toEqual([
      ['tool_call', 'update_plan'],
      ['tool_call', 'exec_command'],
      ['tool_result', 'exec_command'],
      ['tool_result', 'update_plan'],
    ])
  })

  test('that makes no call is a call itself, and fails if it does', () => {
    const { events } = told(
      log().program('call_1', 'throw new Error("no")').programOutput('call_1', 'Script failed', 'Script error:\nno'),
    )
    expect(calls(events)).toMatchObject([
      ['tool_call', 'exec', { input: 'throw new Error("no")' }, {}],
      ['error', 'exec', 'Script error:\nno', {}],
    ])
  })

  test('that fails with one of its calls tells of one failure', () => {
    const { events } = told(
      log()
        .program('call_1', 'await tools.mcp__notes__add({ text: "x" })')
        .completed({
          type: 'McpToolCall',
          id: 'exec-1',
          server: 'notes',
          tool: 'add',
          arguments: {},
          error: { message: 'disk full' },
        })
        .programOutput('call_1', 'Script failed', 'Script error:\nError: disk full'),
    )
    expect(calls(events).map(([kind, tool]) => [kind, tool])).toEqual([
      ['tool_call', 'mcp__notes__add'],
      ['error', 'mcp__notes__add'],
      ['tool_result', 'exec'],
    ])
  })

  test('tells of the one call that the sandbox barred, though nothing else does', () => {
    const program = 'await tools.exec_command({ cmd: "ls" });\nawait tools.exec_command({ cmd: "touch /x" });'
    const barred = "touch: cannot touch '/x': Read-only file system\n"
    const { events } = told(
      log('read-only')
        .program('call_1', program)
        .ran('exec-1', 'ls', 0, 'a')
        .programOutput('call_1', 'Script completed', barred),
    )
    expect(calls(events).slice(2)).toEqual([
      ['tool_call', 'exec_command', { cmd: 'touch /x' }, {}],
      ['tool_result', 'exec_command', barred.trim(), { denied: 'sandbox' }],
    ])
  })

  test('tells of the patch that failed, which the log does not, as a call with its own error', () => {
    const patch = '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** End Patch\n'
    const why = 'apply_patch verification failed: Failed to find expected lines in a.ts'
    const bad = `try { await tools.apply_patch(${JSON.stringify(patch)}) } catch (e) { text(e) }`
    const program = `await tools.exec_command({ cmd: "ls" });\n${bad}`
    const mixed = log().program('call_1', program).ran('exec-1', 'ls', 0, 'a')
    expect(calls(told(mixed.programOutput('call_1', 'Script completed', why)).events)).toEqual([
      ['tool_call', 'exec_command', { cmd: 'ls', workdir: expect.any(String) }, {}],
      ['tool_result', 'exec_command', 'a', { exitCode: 0 }],
      ['tool_call', 'apply_patch', { input: patch }, {}],
      ['error', 'apply_patch', why, {}],
    ])
    const alone = log().program('call_1', bad).programOutput('call_1', 'Script completed', why)
    expect(calls(told(alone).events)).toEqual([
      ['tool_call', 'apply_patch', { input: patch }, {}],
      ['error', 'apply_patch', why, {}],
    ])
  })

  test('that goes on in the background gets its result when it comes', () => {
    const { events } = told(
      log()
        .program('call_1', 'text((await tools.exec_command({ cmd: "sleep 9; exit 5" })).output)')
        .programOutput('call_1', 'Script running with cell ID 1')
        .call('call_2', 'wait', { cell_id: '1' })
        .ran('exec-1', 'sleep 9; exit 5', 5, 'late\n')
        .item({
          type: 'function_call_output',
          call_id: 'call_2',
          output: 'Script completed\nWall time 1\nOutput:\nlate',
        }),
    )
    expect(calls(events).map(([kind, tool, , marks]) => [kind, tool, marks])).toEqual([
      ['tool_call', 'wait', {}],
      ['tool_call', 'exec_command', {}],
      ['error', 'exec_command', { exitCode: 5 }],
      ['tool_result', 'wait', {}],
    ])
  })

  test('that a person stops leaves stopped calls, and no error', () => {
    const stop = (plan: CodexLog) =>
      plan
        .item({ type: 'custom_tool_call_output', call_id: 'call_1', output: 'aborted by user after 2.0s' })
        .event('turn_aborted', { reason: 'interrupted', turn_id: TURN[0] })
        .ran('exec-9', 'sleep 30', -1, '')
    const one = stop(log().program('call_1', 'await tools.exec_command({ cmd: "sleep 30" })'))
    const two = stop(
      log()
        .program('call_1', 'await tools.exec_command({ cmd: "ls" });\nawait tools.exec_command({ cmd: "sleep 30" })')
        .ran('exec-1', 'ls', 0, 'a'),
    )
    for (const plan of [one, two]) {
      const { events } = told(plan)
      expect(events.filter((event) => event.kind === 'error')).toEqual([])
      const last = events.findLast((event) => event.tool === 'exec_command')
      expect(last).toMatchObject({ kind: 'tool_result', marks: { stopped: true } })
      expect(events.filter((event) => event.kind === 'tool_call')).toHaveLength(plan === one ? 1 : 2)
    }
  })
})
