import { stripVTControlCharacters } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { tempDir } from './kit/home.ts'
import { noPty, recallOnTerminal } from './kit/pty.ts'

const home = tempDir()
const env = cleanEnv(home)
const LONG = 'the heron stands in the pond and waits for a fish that never comes '.repeat(4).trim()

beforeAll(() => {
  const log = new ClaudeLog(uuid('shown'))
    .user('<local-command-caveat>Caveat: what follows was made by the client.</local-command-caveat>', { isMeta: true })
    .user('<local-command-stdout>nothing</local-command-stdout>')
    .user('count the herons')
    .call('t1', 'Bash', { command: 'count --herons' })
    .result('t1', 'Exit code 3\ncount: no such pond', { is_error: true })
    .call('t2', 'Bash', { command: 'ls' })
    .result('t2', 'ponds')
    .call('t4', 'Bash', { command: 'paint the-pond' })
    .result('t4', 'Permission to use Bash with command paint the-pond has been denied.', { is_error: true })
    .user([{ type: 'text', text: '[Request interrupted by user]' }])
    .call('t3', 'Bash', { command: 'look' })
    .result('t3', 'water')
    .say(LONG)
  write(transcriptPath(home, log.session), log.text())
  expect(recallCli(env, 'index').code).toBe(0)
})

describe('show', () => {
  test('tells the number of what is said, and in the margin what failed, was not allowed, or was stopped', () => {
    const { out } = recallCli(env, 'show', 'last')
    expect(out).toMatch(/^ {2}#3 {4}user: count the herons$/m)
    expect(out).toMatch(/^✗ #4 {4}\[Bash\] count --herons — failed$/m)
    expect(out).toMatch(/^ {2}#5 {6}.*no such pond/m)
    expect(out).toMatch(/^⊘ #8 {4}\[Bash\] paint the-pond — not allowed$/m)
    expect(out).toMatch(/^! #10 +user: \[Request interrupted by user\]$/m)
    expect(out).not.toContain('[Bash] look')
    expect(recallCli(env, 'show', 'last', '--tools').out).toMatch(/^ {2}#\d+ +\[Bash\] look$/m)
  })

  test('folds what the client put in, and shows it when asked', () => {
    const { out } = recallCli(env, 'show', 'last')
    expect(out).not.toContain('local-command')
    expect(out).toContain('(2 messages of the client; --plumbing shows)')
    expect(recallCli(env, 'show', 'last', '--plumbing').out).toContain('<local-command-caveat>')
    expect(JSON.stringify(recallJson(env, 'show', 'last'))).toContain('<local-command-caveat>')
  })

  test('off a terminal nothing is wrapped', () => {
    expect(recallCli(env, 'show', 'last').out).toContain(LONG)
  })

  test.skipIf(noPty)('on a terminal text is wrapped beside its margin, and search results too', () => {
    for (const args of [
      ['show', 'last'],
      ['search', 'heron fish pond'],
    ]) {
      const lines = stripVTControlCharacters(recallOnTerminal(env, args).shown).split('\r\n')
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
      const [first] = LONG.match(/^.{30}/) ?? []
      expect(lines.some((line) => line.includes(String(first)))).toBe(true)
    }
    expect(recallOnTerminal(env, ['show', 'last']).shown).toMatch(/\n {8}\w/)
  })
})
