import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ClaudeLog, transcriptPath, uuid, write, type LogRecord } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { CodexLog, threadId } from './kit/codex-log.ts'
import { tempDir } from './kit/home.ts'

const HOUR = 3_600_000
const START = Date.parse('2026-10-01T09:00:00Z')
const [ORIGIN, STONE, WOOD, OTHER] = ['origin', 'stone', 'wood', 'other'].map(uuid) as [string, string, string, string]

const copied = (records: readonly LogRecord[], session: string) =>
  records.map((record) => ({ ...record, sessionId: session }))
const text = (records: readonly LogRecord[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** What a session says by itself: a prompt, an edit, an answer. */
function part(session: string, hours: number, words: string, file: string): LogRecord[] {
  return saying(new ClaudeLog(session, {}, START + hours * HOUR), words, file).records
}

function saying(log: ClaudeLog, words: string, file: string): ClaudeLog {
  return log
    .user(words)
    .call(`edit ${words}`, 'Edit', { file_path: `/home/sam/code/demo/${file}`, old_string: 'a', new_string: 'b' })
    .result(`edit ${words}`, 'The file has been updated.')
    .say(`${words}: done`)
}

/** A session, two forks of it, one that has nothing to do with them but the same words, and a fork by reference. */
function writeFamily(home: string): void {
  const log = saying(new ClaudeLog(ORIGIN, {}, START), 'plan the bridge', 'plan.md')
  const origin = [...log.records]
  write(transcriptPath(home, ORIGIN), saying(log, 'of glass', 'glass.ts').text())
  write(transcriptPath(home, STONE), text([...copied(origin, STONE), ...part(STONE, 1, 'of stone', 'stone.ts')]))
  write(transcriptPath(home, WOOD), text([...copied(origin, WOOD), ...part(WOOD, 2, 'of wood', 'wood.ts')]))
  write(transcriptPath(home, OTHER), text(part(OTHER, 0, 'plan the bridge', 'plan.md')))
  const parent = new CodexLog(threadId(1)).context().prompt('count the herons').say('Four.')
  const records = parent.records.length
  const lent = parent.prompt('and the storks').say('Two.')
  const base = { thread_id: threadId(1), end_ordinal_exclusive: records }
  const fork = new CodexLog(
    threadId(50),
    { forked_from_id: threadId(1), forked_from_ordinal_exclusive: records, history_base: base },
    START + 3 * HOUR,
  )
  for (const log of [lent, fork.context().prompt('and the cranes').say('None.')]) {
    const file = path.join(home, '.codex/sessions/2026/10/01', `rollout-2026-10-01T09-00-00-${log.session}.jsonl`)
    write(file, log.text())
  }
}

interface Side {
  readonly text: string
  readonly usd: number | null
  readonly prompts: readonly { readonly text: string; readonly pointer: string }[]
  readonly parts_at: string | null
  readonly digest: { readonly outcome: string; readonly cost: { readonly turns: number } }
}
interface Diff {
  readonly common: { readonly events: number; readonly prompts: number; readonly last_a: string } | null
  readonly a: Side
  readonly b: Side
  readonly files: readonly { readonly path: string; readonly a: unknown; readonly b: unknown }[]
  readonly tools: unknown
}

const home = tempDir()
const env = cleanEnv(home)
const diff = (a: string, b: string, at = env) => recallJson(at, 'diff', a, b) as unknown as Diff & { code: number }
const asked = ({ prompts }: Side) => prompts.map((prompt) => prompt.text)
const pathsOf = ({ files }: Diff) => files.map(({ path: name }) => path.basename(name)).sort()

beforeAll(() => {
  writeFamily(home)
  expect(recallCli(env, 'index').code).toBe(0)
})

describe('sessions with a common start', () => {
  test('two forks of one session part exactly where they were forked', () => {
    const found = diff(STONE, WOOD)
    expect(found.common).toMatchObject({ events: 4, prompts: 1 })
    expect([asked(found.a), asked(found.b)]).toEqual([['of stone'], ['of wood']])
    expect([found.a.parts_at, found.b.parts_at]).toEqual([found.a.prompts[0]?.pointer, found.b.prompts[0]?.pointer])
    expect(pathsOf(found)).toEqual(['stone.ts', 'wood.ts'])
    expect(found.tools).toEqual([{ tool: 'Edit', a: 1, b: 1 }])
  })

  test('so do a fork and its original, whichever is named first', () => {
    const found = diff(ORIGIN, STONE)
    const turned = diff(STONE, ORIGIN)
    expect(found.common).toMatchObject({ events: 4, prompts: 1 })
    expect([asked(found.a), asked(found.b)]).toEqual([['of glass'], ['of stone']])
    expect([turned.a, turned.b]).toEqual([found.b, found.a])
    expect(pathsOf(found)).toEqual(['glass.ts', 'stone.ts'])
  })

  test('a Codex fork by reference parts where its history ends', () => {
    const found = diff(threadId(1), threadId(50))
    expect(found.common).toMatchObject({ prompts: 1 })
    expect([asked(found.a), asked(found.b)]).toEqual([['and the storks'], ['and the cranes']])
  })

  test('people are told where, with the pointer of each', () => {
    const { code, out } = recallCli(env, 'diff', STONE, WOOD)
    expect(code).toBe(0)
    expect(out).toContain('They begin with the same 4 events (1 prompt) and part behind #4 of the first')
    expect(out).toMatch(/of stone +#\d+ of wood/)
    expect(out).toMatch(/stone\.ts +1 edit, 0 reads +–$/m)
  })
})

test('sessions with nothing but words in common have no common start', () => {
  const found = diff(STONE, OTHER)
  expect(found).toMatchObject({ common: null, a: { parts_at: null }, b: { parts_at: null } })
  expect(asked(found.b)).toEqual(['plan the bridge'])
  expect(recallCli(env, 'diff', STONE, OTHER).out).toContain('They have nothing in common.')
})

test('an evicted session is told from its digest, and that is said', () => {
  const own = tempDir()
  const at = cleanEnv(own)
  writeFamily(own)
  const config = path.join(own, '.config', 'recall')
  mkdirSync(config, { recursive: true })
  write(
    path.join(config, 'config.toml'),
    '[session_memory.retention]\nraw_soft_cap_bytes = 0\nraw_hard_cap_bytes = 10\n',
  )
  expect(recallCli(at, 'sweep')).toMatchObject({ code: 0 })
  const found = diff(STONE, WOOD, at)
  expect(found).toMatchObject({ common: null, a: { text: 'gone' }, b: { text: 'gone' } })
  expect([asked(found.a), asked(found.b)]).toEqual([['of stone'], ['of wood']])
  const { out } = recallCli(at, 'diff', STONE, WOOD)
  expect(out).toContain('The first is told from its digest: its raw text has gone.')
  expect(out).toContain('Where they part cannot be told any more.')
})

test('a page holds the same, without scripts', () => {
  const file = path.join(tempDir(), 'diff.html')
  expect(recallCli(env, 'diff', STONE, WOOD, '--out', file)).toMatchObject({ code: 0, out: '' })
  const page = readFileSync(file, 'utf8')
  expect(page).toContain('They begin with the same 4 events')
  for (const words of ['of stone', 'of wood', 'stone.ts']) expect(page).toContain(words)
  expect(page).not.toContain('<script')
  expect(recallCli(env, 'diff', STONE, WOOD, '--html').out.trimEnd()).toBe(page.trimEnd())
  expect(recallCli(env, 'diff', STONE, WOOD, '--html', '--json').code).toBe(2)
})

test('what it cannot compare it says, with the documented exit code', () => {
  expect(recallCli(env, 'diff', STONE, 'claude:00000000-1111')).toMatchObject({ code: 1 })
  expect(recallCli(env, 'diff', '019d', STONE).code).toBe(1)
  const alike = recallCli(env, 'diff', 'codex:019d00', STONE)
  expect(alike.code).toBe(2)
  expect(alike.err).toContain(threadId(50))
  const same = recallCli(env, 'diff', STONE, `claude:${STONE}`)
  expect(same).toMatchObject({ code: 2, err: expect.stringContaining('are the same session') })
  expect(recallCli(env, 'diff', STONE).code).toBe(2)
})
