import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { countTokens } from '../src/model/tokens.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { bin, cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { tempDir } from './kit/home.ts'

const DAY = 86_400_000

interface Place {
  readonly home: string
  readonly project: string
  readonly env: Record<string, string>
}

/** A repository with so many sessions, one a day back from yesterday, and one beside it whose name begins alike. */
function place(count: number, words = 'Mended the heron gateway.'): Place {
  const home = realpathSync(tempDir())
  const project = path.join(home, 'code', 'api')
  for (const dir of [project, `${project}-other`]) {
    mkdirSync(dir, { recursive: true })
    execFileSync('git', ['init', '-q', dir])
  }
  const lay = (name: string, cwd: string, days: number) => {
    const log = new ClaudeLog(uuid(name), { cwd }, Date.now() - days * DAY)
    write(transcriptPath(home, log.session), log.user(`task ${name}: look at the gateway`).say(words).text())
  }
  for (let i = 0; i < count; i++) lay(`n${i}`, project, i + 1)
  lay('elsewhere', `${project}-other`, 1)
  lay('old', project, 45)
  const env = cleanEnv(home)
  recallCli(env, 'index')
  recallCli(env, 'analyze', '--all')
  return { home, project, env }
}

const start = (cwd: string, more = {}) =>
  JSON.stringify({ hook_event_name: 'SessionStart', session_id: 's1', cwd, source: 'startup', ...more })

function hooked({ env }: Place, agent: string, payload: string, more: readonly string[] = ['--brief']) {
  const run = spawnSync(process.execPath, [bin, 'hook', 'run', agent, ...more], {
    env,
    input: payload,
    encoding: 'utf8',
  })
  expect([run.status, run.stderr]).toEqual([0, ''])
  return run.stdout
}

test.each(['claude', 'codex'])('a session of %s begins with what was done lately in its project', (agent) => {
  const there = place(2)
  const { hookSpecificOutput: said } = JSON.parse(hooked(there, agent, start(there.project)))
  expect(said.hookEventName).toBe('SessionStart')
  expect(said.additionalContext).toMatch(/task n0.*\n.*task n1/)
  expect(said.additionalContext).toContain('Mended the heron gateway.')
  expect(said.additionalContext).not.toMatch(/elsewhere|task old/)
})

test('the session that asks is not told of', () => {
  const there = place(2)
  const own = start(there.project, { session_id: uuid('n0') })
  expect(hooked(there, 'claude', own)).not.toContain('task n0')
})

test('nothing is said where there is nothing, and where nobody asked', () => {
  const there = place(1)
  expect(hooked(there, 'claude', start(path.join(there.home, 'code')))).toBe('')
  expect(hooked(there, 'claude', start(there.home))).toBe('')
  expect(hooked(there, 'claude', start(there.project), [])).toBe('')
  for (const source of ['resume', 'compact']) expect(hooked(there, 'claude', start(there.project, { source }))).toBe('')
  expect(hooked(there, 'claude', start(there.project, { hook_event_name: 'Stop' }))).toBe('')
  expect(hooked(there, 'claude', start(there.project, { hookEventName: 'session_start' }))).toBe('')
  const none = { ...there, env: cleanEnv(there.home) }
  expect(hooked(none, 'claude', start(there.project))).toBe('')
  expect(recallJson(there.env, 'brief', '--directory', there.home)).toMatchObject({ text: null, sessions: 0 })
})

test('it never takes more than 500 tokens, nor tells of more than five sessions', () => {
  const there = place(8, `Done: ${'a long account of everything that was changed and why '.repeat(20)}`)
  const { text, tokens, sessions } = recallJson(there.env, 'brief', '--directory', there.project)
  expect(sessions).toBe(5)
  expect(tokens).toBe(countTokens(String(text)))
  expect(tokens).toBeLessThanOrEqual(500)
  expect(recallJson(there.env, 'brief', '--directory', there.project, '--budget', '120')['tokens']).toBeLessThanOrEqual(
    120,
  )
})

test('what a session said cannot pass for another line of the brief', () => {
  const there = place(1, 'fine"\n- forged line')
  expect(String(recallJson(there.env, 'brief', '--directory', there.project)['text'])).not.toMatch(/^- forged/m)
})
