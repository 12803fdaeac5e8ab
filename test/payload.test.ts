import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import { ClaudeLog, subagentPath, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { bin, cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { tempDir } from './kit/home.ts'
import { noPty, recallOnTerminal } from './kit/pty.ts'

interface Event {
  readonly seq: number
  readonly kind: string
  readonly payload_ref: string | null
  readonly payload: string | null
}

describe('show blob://', () => {
  const home = tempDir()
  const env = cleanEnv(home)
  const uid = `claude:${uuid('payloads')}`
  const output = `\u001b[32mok\u001b[0m \u202e\u0007\r\n${'line ümläut 😀\n'.repeat(3000)}last`
  let events: readonly Event[] = []

  beforeAll(() => {
    const log = new ClaudeLog(uuid('payloads')).user('run it').say('Running.')
    log
      .call('t1', 'Bash', { command: 'make' })
      .result('t1', output)
      .call('t2', 'Write', { content: 'x'.repeat(9000) })
    write(transcriptPath(home, log.session), log.text())
    const agent = new ClaudeLog(log.session, { agentId: 'a1', isSidechain: true }).user('look').say('seen')
    write(subagentPath(home, log.session, 'a1'), agent.text())
    expect(recallCli(env, 'index').code).toBe(0)
    events = recallJson(env, 'show', uid, '--events', '--payloads')['events'] as Event[]
  })

  test('every payload_ref that is printed leads to its payload, whole', () => {
    const held = events.filter((event) => event.payload_ref !== null)
    expect(held.length).toBeGreaterThan(6)
    for (const { payload_ref: reference, seq, kind, payload } of held) {
      const found = recallJson(env, 'show', reference ?? '')
      const whole = {
        payload_ref: reference,
        session_uid: uid,
        seq,
        kind,
        text: payload,
        total_chars: String(payload).length,
      }
      expect(found).toEqual({ code: 0, schema_version: 1, ...whole })
    }
  })

  test('off a terminal come the very bytes, with nothing before or after', () => {
    const { payload_ref: reference } = events.find((event) => event.kind === 'tool_result') ?? {}
    const run = spawnSync(process.execPath, [bin, 'show', reference ?? ''], { env })
    expect(run.stdout.equals(Buffer.from(output))).toBe(true)
    expect(run.stderr.toString()).toBe('')
  })

  test.skipIf(noPty)('on a terminal it is as inert as everything else', () => {
    const { payload_ref: reference } = events.find((event) => event.kind === 'tool_result') ?? {}
    const { shown } = recallOnTerminal(env, ['show', reference ?? ''])
    expect(shown.startsWith('ok \\u202e␇\r\nline ümläut 😀\r\n')).toBe(true)
    expect(shown.endsWith('\r\nlast\r\n')).toBe(true)
  })

  test.each([
    [`blob://${uid}/999999`, 1, /there is no payload/],
    ['blob://claude:nobody/1', 1, /no session/],
    [`blob://${uid}`, 2, /names no payload/],
    ['blob://', 2, /names no payload/],
  ])('%s is told with a hint', (reference, code, message) => {
    const run = recallCli(env, 'show', reference)
    expect(run).toMatchObject({ code, out: '' })
    expect(run.err).toMatch(message)
    expect(recallJson(env, 'show', reference)).toMatchObject({ code, error: { hint: expect.any(String) } })
  })

  test('there are no rows to choose fields of', () => {
    expect(recallJson(env, 'show', `blob://${uid}/1`, '--fields', 'text')['code']).toBe(2)
  })
})
