import { stripVTControlCharacters } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { projectName } from '../src/model/session.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { tempDir } from './kit/home.ts'
import { noPty, recallOnTerminal } from './kit/pty.ts'

type Json = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- what the program prints, read as its users would

const home = tempDir()
const env = cleanEnv(home)
const start = (day: number) => Date.parse(`2026-10-0${day}T09:00:00Z`)

/** A Codex transcript; `source` tells who started it. */
function codex(name: string, day: number, source: unknown, prompt: string): void {
  const at = (s: number) => new Date(start(day) + s * 1000).toISOString()
  const id = uuid(name)
  const lines = [
    {
      timestamp: at(0),
      type: 'session_meta',
      payload: {
        id,
        timestamp: at(0),
        cwd: '/srv/pond',
        cli_version: '0.99.0',
        originator: source === 'exec' ? 'codex_exec' : 'codex_cli_rs',
        source,
      },
    },
    {
      timestamp: at(1),
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] },
    },
    {
      timestamp: at(2),
      type: 'response_item',
      payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] },
    },
  ]
  const file = `${home}/.codex/sessions/2026/10/0${day}/rollout-2026-10-0${day}T09-00-00-${id}.jsonl`
  write(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

beforeAll(() => {
  const claude = (name: string, day: number, common: Json = {}) => new ClaudeLog(uuid(name), common, start(day))
  const typed = claude('typed', 1, { gitBranch: 'heron/count' }).user('count the herons').say('eleven')
  write(
    transcriptPath(home, typed.session),
    typed.call('t1', 'Bash', { command: 'ls ponds' }).result('t1', 'one').text(),
  )
  const script = claude('script', 2, { entrypoint: 'sdk-cli' }).user('summarise the ponds').say('quiet')
  write(transcriptPath(home, script.session), script.text())
  const nothing = claude('nothing', 3).bare({ type: 'summary', summary: 'x', leafUuid: uuid('nobody') })
  write(
    transcriptPath(home, nothing.session),
    nothing.user('<local-command-stdout></local-command-stdout>', { isMeta: true }).text(),
  )
  codex('parent', 4, 'cli', 'paint the boat')
  for (const [i, name] of ['child one', 'child two'].entries())
    codex(
      name,
      5 + i,
      { subagent: { thread_spawn: { parent_thread_id: uuid('parent'), depth: 1 } } },
      `look at plank ${i}`,
    )
  codex('exec', 7, 'exec', 'lint the boat')
  expect(recallCli(env, 'index').code).toBe(0)
})

const titles = (...args: string[]): string[] =>
  (recallJson(env, 'list', ...args) as Json)['sessions'].map((session: Json) => session['title'])

describe('list', () => {
  test('shows what people did; subagents are folded under who started them, runs of programs left out', () => {
    const told = recallJson(env, 'list') as Json
    expect(told['sessions'].map((s: Json) => [s['title'], s['subagent_count']])).toEqual([
      ['paint the boat', 2],
      ['count the herons', 0],
    ])
    expect(told).toMatchObject({ total: 2, folded: { subagents: 2, automated: 2 } })
    const run = recallCli(env, 'list')
    expect(run.err).toContain('folded: 2 sessions of subagents (--subagents), 2 automated runs (--automated)')
    expect(run.out).toMatch(/paint the boat .* 2 /)
  })

  test('and shows them when asked, each with its mark', () => {
    expect(titles('--subagents')).toEqual(['look at plank 1', 'look at plank 0', 'paint the boat', 'count the herons'])
    expect(titles('--hidden')).toEqual(titles('--subagents', '--automated'))
    expect(titles('--automated')).toEqual([
      'lint the boat',
      'paint the boat',
      'summarise the ponds',
      'count the herons',
    ])
    expect(titles('--is', 'automated')).toEqual(['lint the boat', 'summarise the ponds'])
    expect(titles('--all', '--limit', '0')).toHaveLength((recallJson(env, 'status') as Json)['totals']['sessions'])
    const { out, err } = recallCli(env, 'list', '--all')
    expect(out).toContain('↳ look at plank 1')
    expect(out).toContain('[auto] lint the boat')
    expect(err).not.toContain('folded')
  })

  test('takes the filters of search', () => {
    expect(titles('--tool', 'bash')).toEqual(['count the herons'])
    expect(titles('--kind', 'tool_call')).toEqual(['count the herons'])
    expect(titles('--branch', 'heron')).toEqual(['count the herons'])
    expect(titles('--before', '2026-10-03')).toEqual(['count the herons'])
    expect(titles('--source', 'codex', '--outcome', 'unknown')).toEqual(['paint the boat'])
    expect(titles('--is', 'sidechain')).toEqual([])
    expect(titles('--tag', 'none')).toEqual([])
  })

  test.each([
    ['--kind', 'nonsense', 'tool_call'],
    ['--outcome', 'good', 'abandoned'],
    ['--is', 'odd', 'automated'],
  ])('%s %s is refused with what it takes, here and in search', (option, value, known) => {
    for (const command of [['list'], ['search', 'boat']]) {
      const run = recallCli(env, ...command, option, value)
      expect(run.code).toBe(2)
      expect(run.err).toContain(known)
    }
  })

  test('search finds runs of programs by is:automated', () => {
    const found = (recallJson(env, 'search', 'boat is:automated') as Json)['hits']
    expect(found.map((hit: Json) => hit['session']['title'])).toEqual(['lint the boat'])
  })

  test('search puts what people did before runs of programs that are newer', () => {
    const found = (recallJson(env, 'search', 'boat') as Json)['hits']
    expect(found.map((hit: Json) => hit['session']['title'])).toEqual(['paint the boat', 'lint the boat'])
  })

  test('last is the newest that a person started', () => {
    expect(recallJson(env, 'show', 'last')).toMatchObject({ title: 'paint the boat' })
  })

  test.skipIf(noPty)('fits 80 columns with room for the title', () => {
    const lines = recallOnTerminal(env, ['list', '--all']).shown.split('\r\n')
    for (const line of lines) expect(stripVTControlCharacters(line).length).toBeLessThanOrEqual(80)
    expect(lines.join('\n')).toContain('[auto] summarise the ponds')
  })
})

test.each([
  ['/home/sam/heron', null, null, 'heron'],
  ['/home/sam/heron/src', '/home/sam/heron', null, 'heron'],
  ['/home/sam/heron/.worktrees/2', '/home/sam/heron', null, 'heron/2'],
  ['/home/sam/heron/.worktrees/2/src', null, null, 'heron/2'],
  ['/home/sam/heron/.claude/worktrees/dawn', '/home/sam/heron', 'main', 'heron/dawn'],
  ['/home/sam/heron/.worktrees/sam/dawn/src', '/home/sam/heron', 'sam/dawn', 'heron/sam/dawn'],
  ['C:\\code\\heron\\.worktrees\\2', 'C:\\code\\heron', null, 'heron/2'],
  ['/home/sam/.codex/worktrees/4f2a/heron', '/home/sam/.codex/worktrees/4f2a/heron', null, 'heron'],
  [null, null, null, ''],
])('a session in %s of %s on %s is of %s', (cwd, gitRepo, gitBranch, name) => {
  expect(projectName({ cwd, gitRepo, gitBranch })).toBe(name)
})
