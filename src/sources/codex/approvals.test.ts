import { describe, expect, test } from 'vitest'
import { CodexLog, threadId, told, TURN, type LogRecord } from '../../../test/kit/codex-log.ts'

const asking = {
  approval_policy: 'on-request',
  approvals_reviewer: 'user',
  sandbox_policy: { type: 'workspace-write' },
}
const session = (context: LogRecord = {}) => new CodexLog(threadId(1)).start(TURN[0]).context('gpt-test-1', context)
const result = (log: CodexLog) => told(log).events.findLast((event) => event.role === 'tool')

describe('questions about calls', () => {
  const escalated = { cmd: 'touch ../x', sandbox_permissions: 'require_escalated', justification: 'please' }

  test('that a person answers with yes show by the time the command stood still', () => {
    const log = session(asking).call('c1', 'exec_command', escalated)
    log.completed(
      {
        type: 'CommandExecution',
        id: 'c1',
        command: ['x'],
        exit_code: 0,
        duration: { secs: 1, nanos: 500_000_000 },
        status: 'completed',
      },
      { started_at_ms: 1_790_000_000_000, completed_at_ms: 1_790_000_003_700 },
    )
    log.output('c1', 'Process exited with code 0\nOutput:\n')
    expect(result(log)?.marks).toEqual({ asked: true, approved: true, waitedMs: 2200, exitCode: 0 })
  })

  test('that no time shows for were asked, and nobody knows who answered', () => {
    const log = session(asking)
      .call('c1', 'exec_command', escalated)
      .output('c1', 'Process exited with code 0\nOutput:\n')
    expect(result(log)?.marks).toEqual({ asked: true, exitCode: 0 })
  })

  test('that a person answers with no took the whole time', () => {
    const log = session(asking).call('c1', 'exec_command', escalated).output('c1', 'exec command rejected by user')
    expect(result(log)?.marks).toEqual({ denied: 'person', asked: true, waitedMs: 1000 })
  })

  test('that some clients write down are told with the wait', () => {
    const log = session(asking)
      .call('c1', 'shell', { command: ['rm', 'x'] })
      .event('exec_approval_request', { call_id: 'c1', command: ['rm', 'x'] })
      .record('state', {})
      .event('exec_command_begin', { call_id: 'c1' })
      .output('c1', 'Exit code: 0\nWall time: 1 seconds\nOutput:\n')
    expect(result(log)?.marks).toEqual({ asked: true, approved: true, waitedMs: 2000, exitCode: 0 })
  })

  test('a patch that was declined is denied, once', () => {
    const log = session(asking)
      .item({ type: 'custom_tool_call', name: 'apply_patch', call_id: 'p1', input: '*** Begin Patch' })
      .completed({
        type: 'FileChange',
        id: 'p1',
        changes: {},
        status: 'declined',
        stdout: '',
        stderr: 'patch rejected by user',
      })
      .item({ type: 'custom_tool_call_output', call_id: 'p1', output: 'patch rejected by user' })
    const { events } = told(log)
    expect(events.filter((event) => event.marks?.denied !== undefined)).toHaveLength(1)
    expect(events.filter((event) => event.kind === 'error')).toEqual([])
  })

  test('are asked inside programs, too', () => {
    const program = `await tools.exec_command(${JSON.stringify(escalated)})`
    const log = session(asking).program('call_1', program)
    log.completed(
      {
        type: 'CommandExecution',
        id: 'exec-1',
        command: ['bash', '-c', 'touch ../x'],
        exit_code: 0,
        duration: { secs: 0, nanos: 5 },
      },
      { started_at_ms: 1_790_000_000_000, completed_at_ms: 1_790_000_001_000 },
    )
    expect(result(log)?.marks).toEqual({ asked: true, approved: true, waitedMs: 1000, exitCode: 0 })
  })
})
