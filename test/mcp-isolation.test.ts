import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client } from '@modelcontextprotocol/client'
import { chmodSync, chownSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ClaudeLog, uuid, write } from './kit/claude-log.ts'
import { bin, cleanEnv, recallCli } from './kit/cli.ts'
import { noContainer } from './kit/container.ts'
import { tempDir } from './kit/home.ts'

/** In every word that the other group has. */
const CANARY = 'heron-canary'
const [MINE, THEIRS, PRIVATE] = [uuid('iso-mine'), uuid('iso-theirs'), uuid('iso-private')]
const UID = 1001

let env: Record<string, string> = {}
let root = ''
let theirShortId = ''
let client: Client

const transcript = (group: string, id: string) =>
  path.join(root, 'data/sessions', group, '.claude/projects/-workspace-group', `${id}.jsonl`)

beforeAll(async () => {
  const home = tempDir()
  env = cleanEnv(home)
  root = path.join(env['XDG_DATA_HOME'] ?? '', 'recall')
  // Sessions of the person, beside the groups.
  write(
    path.join(home, '.claude/projects/-p', `${PRIVATE}.jsonl`),
    new ClaudeLog(PRIVATE).user(CANARY).say(CANARY).text(),
  )
  for (const group of ['a', 'b', 'main']) expect(recallCli(env, 'group', 'add', group).code).toBe(0)
  write(transcript('a', MINE), new ClaudeLog(MINE).user('my own words').say('the answer of mine').text())
  write(transcript('b', THEIRS), new ClaudeLog(THEIRS).user(CANARY).call('t', 'Bash', { command: CANARY }).text())
  write(path.join(root, 'groups/b/conversations/2026-01-01-theirs.md'), CANARY)
  expect(recallCli(env, 'session', 'set', THEIRS, '--group', 'b').code).toBe(0)
  expect(recallCli(env, 'session', 'archive', CANARY, '--group', 'b').code).toBe(0)
  for (const args of [
    ['index'],
    ['analyze'],
    ...['a', 'b', 'main'].flatMap((g) => [
      ['index', '--group', g],
      ['analyze', '--group', g],
    ]),
  ])
    expect(recallCli(env, ...args).code).toBe(0)
  theirShortId = String(
    (JSON.parse(recallCli(env, 'list', '--group', 'b', '--json').out) as { sessions: { id: string }[] }).sessions[0]
      ?.id,
  )
  client = await served()
})

afterAll(async () => client.close())

/** `recall mcp --group a`: where it can be, as the user of its container, who may read the directories of a alone. */
async function served(): Promise<Client> {
  const server = [process.execPath, bin, 'mcp', '--group', 'a']
  if (!noContainer) {
    closeAll(root, path.join(env['HOME'] ?? '', '.claude'))
    for (const dir of ['data/sessions/a', 'data/ipc/a', 'groups/a']) give(path.join(root, dir))
    server.unshift('setpriv', `--reuid=${UID}`, `--regid=${UID}`, '--clear-groups')
  }
  const [command = '', ...args] = server
  const it = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  const home = tempDir()
  chmodSync(home, 0o755)
  await it.connect(
    new StdioClientTransport({
      command,
      args,
      env: { ...env, HOME: home, XDG_CONFIG_HOME: path.join(home, 'config') },
    }),
  )
  return it
}

/** What is between is passed through; what belongs to somebody is theirs. */
function closeAll(...dirs: readonly string[]): void {
  for (let dir = root; dir !== path.dirname(dir); dir = path.dirname(dir))
    if (statSync(dir).uid === 0) chmodSync(dir, statSync(dir).mode | 0o011)
  for (const dir of dirs.flatMap((place) => [place, ...below(place)])) {
    const { mode } = statSync(dir)
    const isBetween = /\/(recall|data|sessions|ipc|groups)$/.test(dir)
    chmodSync(dir, isBetween ? mode | 0o055 : mode & 0o700)
  }
}

function give(dir: string): void {
  for (const place of [dir, ...below(dir)]) chownSync(place, UID, UID)
}

const below = (dir: string) =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((name) => path.join(dir, name))

const ask = async (name: string, input: object): Promise<string> =>
  JSON.stringify(await client.callTool({ name, arguments: input as Record<string, unknown> }).catch(String))

/** Everything that could name what is b's, or the person's. */
const tricks = (): readonly string[] => [
  THEIRS,
  PRIVATE,
  `claude:${THEIRS}`,
  `claude:${PRIVATE}`,
  THEIRS.slice(0, 8),
  theirShortId,
  theirShortId.slice(0, 6),
  `claude:${THEIRS}#1`,
  `${THEIRS}#2`,
  `../b/${THEIRS}`,
  `b/${THEIRS}`,
  transcript('b', THEIRS),
  path.relative(path.join(root, 'groups/a'), transcript('b', THEIRS)),
  path.join(root, 'groups/b/conversations/2026-01-01-theirs.md'),
  path.join(root, 'groups/b/recall.db'),
  `group:b`,
  `project:/ ${CANARY.slice(0, 5)}`,
  CANARY,
  CANARY.toUpperCase(),
  `"${CANARY}"`,
  `${CANARY}*`,
  'heron canary',
  'ｈｅｒｏｎ-ｃａｎａｒｙ',
  `file:${root}/groups/b`,
  'last',
  'this',
  '..',
  '/',
  '*',
  '1',
  '__proto__',
  '\u202e\u0000',
]

const SECRETS = [CANARY, THEIRS, PRIVATE]

/** Words of the question may be said again beside what is found; nothing else may be theirs. */
function expectNothing(answer: string, asked: string): void {
  const { structuredContent = {} } = answer.startsWith('{')
    ? (JSON.parse(answer) as { structuredContent?: object })
    : {}
  const found = JSON.stringify(
    Object.entries(structuredContent).filter(([name]) => name === 'rows' || name === 'sessions'),
  )
  const held = (text: string) => SECRETS.filter((words) => text.toLowerCase().includes(words))
  expect(held(found)).toEqual([])
  expect(held(answer).filter((words) => !held(asked).includes(words))).toEqual([])
}

const CALLS: readonly (readonly [string, (trick: string) => object])[] = [
  ['search_memory', (query) => ({ query })],
  ['search_memory', (project) => ({ query: 'words', project })],
  ['search_memory', (source) => ({ query: 'words', source })],
  ['search_memory', (cursor) => ({ query: 'words', cursor })],
  ['read_session', (session) => ({ session })],
  ['read_session', (session) => ({ session, include: ['results', 'thinking', 'subagents'] })],
  ['read_session', (around) => ({ session: 'last', around })],
  ['read_session', (cursor) => ({ session: 'last', cursor })],
  ['recent_work', (project) => ({ project, days: 9000 })],
  ...['error', 'task', 'similar', 'file', 'commit'].map(
    (what) => ['find_solution', (text: string) => ({ for: what, text })] as const,
  ),
  ['find_solution', (project) => ({ for: 'error', text: 'x', project })],
  ['get_digest', (session) => ({ session })],
  ['record_decision', (session) => ({ session, text: 'mine' })],
  ['list_sessions', (group) => ({ group })],
  ['clear_session', (name) => ({ name, groupFolder: 'b' })],
  ['resume_session', (id) => ({ session_id: id })],
]

describe('a server of one group', () => {
  test('answers with what is its own', async () => {
    expect(await ask('read_session', { session: 'last' })).toContain('the answer of mine')
    expect(await ask('search_memory', { query: 'my own words' })).toContain(MINE)
  })

  test.each(CALLS.map(([name, make], i) => [`${name} ${JSON.stringify(make('…'))}`, i]))(
    '%s tells nothing of another',
    async (_, i) => {
      const [name, make] = CALLS[i as number] ?? ['', () => ({})]
      for (const trick of tricks()) expectNothing(await ask(name, make(trick)), trick)
    },
  )

  test('numbers in the history of another do not exist', async () => {
    for (const id of [1, 2, 0, -1, 1e9, 1.5])
      expect(await ask('resume_session', { session_id: id })).toContain('"isError":true')
    expect(await ask('list_sessions', {})).not.toContain(CANARY)
  })

  test('resources name nothing of another', async () => {
    for (const trick of tricks())
      for (const kind of ['digest', 'archive', '../digest', 'b/digest'])
        for (const written of [trick, encodeURIComponent(trick), encodeURIComponent(encodeURIComponent(trick))]) {
          const uri = `recall://${kind}/${written}`
          const answer = JSON.stringify(await client.readResource({ uri }).catch(String))
          expectNothing(answer, trick)
        }
  })

  test('a thousand inputs that nobody would write tell nothing of another, and it goes on', async () => {
    let state = 29
    const random = (most: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
      return state % most
    }
    const names = [...new Set(CALLS.map(([name]) => name))]
    const fields = [
      'query',
      'session',
      'around',
      'cursor',
      'project',
      'source',
      'since',
      'for',
      'text',
      'include',
      'name',
      'session_id',
      'group',
      'store',
      '__proto__',
    ]
    const all: readonly unknown[] = [
      ...tricks(),
      -1,
      0,
      1e300,
      null,
      true,
      [],
      {},
      [THEIRS],
      { id: THEIRS },
      'x'.repeat(5000),
      'error',
      'file',
    ]
    const pick = <T>(list: readonly T[]): T => list[random(list.length)]!
    for (let i = 0; i < 1000; i++) {
      const input = Object.fromEntries(fields.filter(() => random(3) === 0).map((field) => [field, pick(all)]))
      const answer = await ask(pick(names), input)
      expectNothing(answer, JSON.stringify(input))
    }
    expect(await ask('read_session', { session: 'last' })).toContain('the answer of mine')
  }, 300_000)

  test.skipIf(noContainer)('could not read it if it tried: its user may not', async () => {
    const { spawnSync } = await import('node:child_process')
    const script = path.join(tempDir(), 'look.cjs')
    writeFileSync(
      script,
      `for (const file of process.argv.slice(2)) try { require('fs').readFileSync(file); console.log('read', file) } catch (e) { console.log(e.code) }`,
    )
    chmodSync(path.dirname(script), 0o755)
    const files = [
      transcript('b', THEIRS),
      path.join(root, 'groups/b/recall.db'),
      path.join(root, 'recall.db'),
      path.join(root, 'groups.db'),
    ]
    const { stdout } = spawnSync(
      'setpriv',
      [`--reuid=${UID}`, `--regid=${UID}`, '--clear-groups', process.execPath, script, ...files],
      { encoding: 'utf8' },
    )
    expect(stdout.trim().split('\n')).toEqual(files.map(() => 'EACCES'))
  })
})
