import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import { openRecall, SessionManager } from '../src/library.ts'
import { ClaudeLog, uuid, write } from './kit/claude-log.ts'
import { bin, cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { bundled, giveToContainer, inContainer, noContainer } from './kit/container.ts'
import { tempDir } from './kit/home.ts'

interface Place {
  readonly env: Record<string, string>
  readonly root: string
}

function place(...groups: string[]): Place {
  const env = cleanEnv(tempDir())
  const root = path.join(env['XDG_DATA_HOME'] ?? '', 'recall')
  for (const group of groups) expect(recallCli(env, 'group', 'add', group)).toMatchObject({ code: 0 })
  return { env, root }
}

const transcript = (root: string, group: string, id: string) =>
  path.join(root, 'data/sessions', group, '.claude/projects/-workspace-group', `${id}.jsonl`)

const talk = (id: string) =>
  new ClaudeLog(id, { cwd: '/workspace/group' }).user('plan a trip to Japan').say('here are some suggestions')

const jsonOf = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

describe('recall group add', () => {
  const { env, root } = place('main', 'dev')

  test('makes what the agent of a group needs', () => {
    const { env: flags } = jsonOf(path.join(root, 'data/sessions/dev/.claude/settings.json'))
    expect(flags).toEqual({
      CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1',
      CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: '1',
      CLAUDE_CODE_DISABLE_AUTO_MEMORY: '0',
    })
    expect(readFileSync(path.join(root, 'groups/dev/CLAUDE.md'), 'utf8')).toContain(
      'The `conversations/` folder contains searchable history of past conversations. Use this to recall context from previous sessions.',
    )
    for (const dir of ['groups/dev/conversations', 'data/ipc/dev/tasks', 'data/ipc/dev/input'])
      expect(readdirSync(path.join(root, dir))).toEqual([])
  })

  test('changes nothing that is there, and brings the skills of the host', () => {
    const settings = path.join(root, 'data/sessions/dev/.claude/settings.json')
    writeFileSync(settings, '{"mine":true}')
    write(path.join(root, 'container/skills/look/SKILL.md'), 'look around')
    expect(recallCli(env, 'group', 'add', 'dev').code).toBe(0)
    expect(jsonOf(settings)).toEqual({ mine: true })
    expect(readFileSync(path.join(root, 'data/sessions/dev/.claude/skills/look/SKILL.md'), 'utf8')).toBe('look around')
  })

  test('tells main of all groups, and no other of any', () => {
    const { groups } = jsonOf(path.join(root, 'data/ipc/main/available_groups.json'))
    expect(groups.map(({ name }: { name: string }) => name)).toEqual(['dev', 'main'])
    expect(jsonOf(path.join(root, 'data/ipc/dev/available_groups.json')).groups).toEqual([])
    expect(jsonOf(path.join(root, 'data/ipc/dev/current_tasks.json'))).toEqual([])
  })

  test('what the host program tells a group itself stays', () => {
    const [tasks, groups] = ['current_tasks.json', 'available_groups.json'].map((name) =>
      path.join(root, 'data/ipc/main', name),
    )
    const theirs = {
      groups: [{ jid: '123@g.us', name: 'x', lastActivity: null, isRegistered: false }],
      lastSync: 'then',
    }
    writeFileSync(tasks!, '[{"id":"t1"}]')
    writeFileSync(groups!, JSON.stringify(theirs))
    recallCli(env, 'group', 'serve', '--once')
    expect(jsonOf(tasks!)).toEqual([{ id: 't1' }])
    expect(jsonOf(groups!)).toEqual(theirs)
  })

  test('global memory is for all groups but the main one', () => {
    write(path.join(root, 'groups/global/CLAUDE.md'), 'Speak softly.\n')
    expect(recallCli(env, 'group', 'context', 'dev').out).toBe('Speak softly.\n')
    expect(recallCli(env, 'group', 'context', 'main').out).toBe('')
    expect(recallJson(env, 'group', 'list')['groups']).toHaveLength(2)
  })

  test('a group that is removed is put aside whole', () => {
    recallCli(env, 'group', 'add', 'old')
    recallCli(env, 'session', 'set', uuid('old'), '--group', 'old')
    expect(recallCli(env, 'group', 'remove', 'old')).toMatchObject({ code: 2 })
    const { aside } = recallJson(env, 'group', 'remove', 'old', '--yes') as { aside?: string }
    expect(existsSync(path.join(aside ?? '', 'groups/old/CLAUDE.md'))).toBe(true)
    expect(jsonOf(path.join(aside ?? '', 'pointers.json'))).toMatchObject({ session_id: uuid('old') })
    expect(recallJson(env, 'session', 'get', '--group', 'old')).toMatchObject({ error: { code: 'NOT_FOUND' }, code: 1 })
  })
})

test('SessionManager has the six methods, over the two tables as others expect them', () => {
  const { env, root } = place()
  const manager = new SessionManager({ env })
  const methods = Object.getOwnPropertyNames(SessionManager.prototype).filter((name) => name !== 'constructor')
  expect(methods.toSorted()).toEqual(['archive', 'delete', 'get', 'getHistory', 'restore', 'set'])
  expect(manager.get('main')).toBeUndefined()
  expect(manager.archive('main', 'nothing')).toBeUndefined()
  manager.set('main', 'a')
  manager.set('dev', 'b')
  const { id } = manager.archive('main', 'Tax') ?? {}
  manager.set('main', 'c')
  expect(manager.getHistory('main')).toMatchObject([{ id, group_folder: 'main', session_id: 'a', name: 'Tax' }])
  expect(manager.restore('dev', id ?? 0)).toBeUndefined()
  expect(manager.get('dev')).toBe('b')
  expect(manager.restore('main', id ?? 0)).toBe('a')
  expect([manager.get('main'), manager.getHistory('main')]).toEqual(['a', []])
  manager.delete('main')
  expect([manager.get('main'), manager.get('dev')]).toEqual([undefined, 'b'])

  const other = new SessionManager({ db: path.join(root, 'groups.db') })
  other.set('main', 'from another process')
  expect(manager.get('main')).toBe('from another process')

  const tables = new DatabaseSync(path.join(root, 'groups.db'))
    .prepare("SELECT sql FROM sqlite_master WHERE name IN ('sessions', 'session_history') ORDER BY name DESC")
    .all() as { sql: string }[]
  expect(tables.map(({ sql }) => sql)).toEqual([
    'CREATE TABLE sessions (\n  group_folder TEXT PRIMARY KEY,\n  session_id TEXT NOT NULL\n)',
    'CREATE TABLE session_history (\n  id INTEGER PRIMARY KEY AUTOINCREMENT,\n  group_folder TEXT NOT NULL,\n  session_id TEXT NOT NULL,\n  name TEXT NOT NULL,\n  created_at TEXT NOT NULL,\n  archived_at TEXT NOT NULL\n)',
  ])
})

test('SessionManager uses the database that the config file names', () => {
  const { env } = place()
  const db = path.join(tempDir(), 'messages.db')
  write(path.join(env['XDG_CONFIG_HOME'] ?? '', 'recall/config.toml'), `[groups]\ndb_path = "${db}"\n`)
  new SessionManager({ env }).set('main', 'a')
  expect(new SessionManager({ db }).get('main')).toBe('a')
})

describe.skipIf(noContainer)('an agent that sees only what its container mounts', () => {
  const { env, root } = place('main', 'dev')
  const [first, second] = [uuid('first'), uuid('second')]
  const sessions = new SessionManager({ env })
  let tools = ''
  beforeAll(async () => {
    tools = await bundled('src/groups/tools.ts')
    for (const group of ['main', 'dev']) giveToContainer(root, group)
  })

  /** What the script prints as JSON, having called tools by `call(name, input)`. */
  function agent(group: string, script: string): unknown {
    const body = `
      const fs = require('node:fs')
      const { groupTools } = require('./tools.cjs')
      const call = (name, input) => groupTools('workspace/ipc', 'elsewhere').find((tool) => tool.name === name).run(input)
      console.log(JSON.stringify((() => { ${script} })() ?? null))`
    const run = inContainer(root, group, tools, body)
    expect(run).toMatchObject({ code: 0, err: '' })
    return JSON.parse(run.out)
  }

  const writes = (id: string) => {
    const file = `home/.claude/projects/-workspace-group/${id}.jsonl`
    return `fs.writeFileSync(${JSON.stringify(file)}, ${JSON.stringify(talk(id).text())})`
  }

  test('new session: none is active, the agent makes one, the host remembers it', () => {
    expect(sessions.get('main')).toBeUndefined()
    agent('main', writes(first))
    sessions.set('main', first)
    expect(recallJson(env, 'session', 'get', '--group', 'main')).toMatchObject({ session_id: first })
  })

  test('active session: where the agent has last spoken is told', () => {
    const last = talk(first).records.at(-1)?.['uuid']
    expect(recallJson(env, 'session', 'get', '--group', 'main')).toMatchObject({ session_id: first, resumeAt: last })
  })

  test('clear session: archived, put into the history, no longer active, the container told to end', () => {
    expect(agent('main', `return call('clear_session', { name: 'Travel Planning' })`)).toMatchObject({ isError: false })
    expect(recallJson(env, 'group', 'serve', '--once')['handled']).toMatchObject([{ group: 'main', error: null }])
    expect(sessions.get('main')).toBeUndefined()
    expect(sessions.getHistory('main')).toMatchObject([{ session_id: first, name: 'Travel Planning' }])
    expect(existsSync(transcript(root, 'main', first))).toBe(true)
    const seen = agent(
      'main',
      `const dir = 'workspace/group/conversations'
       const [name] = fs.readdirSync(dir)
       const input = fs.readdirSync('workspace/ipc/input')
       return { name, text: fs.readFileSync(dir + '/' + name, 'utf8'), input, size: fs.statSync('workspace/ipc/input/_close').size, tasks: fs.readdirSync('workspace/ipc/tasks') }`,
    )
    expect(seen).toEqual({
      name: expect.stringMatching(/^\d{4}-\d\d-\d\d-travel-planning\.md$/),
      text: expect.stringMatching(
        /^# Travel Planning\n\nArchived: [A-Z][a-z]{2} \d+, \d+:\d\d [AP]M\n\n---\n\n\*\*User\*\*: plan a trip to Japan\n\n\*\*G2\*\*: here are some suggestions\n$/,
      ),
      input: ['_close'],
      size: 0,
      tasks: [],
    })
  })

  test('resume session: found in the list, active again, and no longer in the history', () => {
    rmSync(path.join(root, 'data/ipc/main/input/_close'))
    agent('main', writes(second))
    sessions.set('main', second)
    const { content } = agent('main', `return call('list_sessions', {})`) as { content: { sessions: { id: number }[] } }
    expect(content.sessions).toMatchObject([{ name: 'Travel Planning' }])
    const [{ id = 0 } = {}] = content.sessions
    agent('main', `return call('resume_session', { session_id: ${id}, save_current_as: 'Second' })`)
    expect(recallJson(env, 'group', 'serve', '--once')['handled']).toMatchObject([
      { type: 'resume_session', error: null },
    ])
    expect(sessions.get('main')).toBe(first)
    expect(sessions.getHistory('main')).toMatchObject([{ session_id: second, name: 'Second' }])
    expect(readdirSync(path.join(root, 'data/ipc/main/input'))).toEqual(['_close'])
    expect(agent('main', `return call('list_sessions', {}).text`)).toMatch(/^\d+\. \d{4}-\d\d-\d\d · Second$/)
  })

  test('isolation: of another group it sees nothing', () => {
    expect(agent('dev', `return call('list_sessions', {}).content`)).toEqual({ sessions: [] })
    const [{ id = 0 } = {}] = sessions.getHistory('main')
    expect(agent('dev', `return call('resume_session', { session_id: ${id} })`)).toMatchObject({ isError: true })
    expect(agent('dev', `try { return fs.readdirSync(process.env.ROOT) } catch ({ code }) { return code }`)).toBe(
      'EACCES',
    )
    expect(agent('dev', `return fs.readdirSync('workspace/group/conversations')`)).toEqual([])
  })
})

describe('the memory of a group', () => {
  const { env, root } = place('main', 'dev')
  beforeAll(() => {
    write(transcript(root, 'main', uuid('m')), talk(uuid('m')).text())
    write(transcript(root, 'dev', uuid('d')), new ClaudeLog(uuid('d')).user('the heron canary').say('flies').text())
    for (const group of ['main', 'dev']) expect(recallCli(env, 'index', '--group', group).code).toBe(0)
  })

  test('is its own store, fed from its own directory', async () => {
    for (const [group, name] of [
      ['main', 'm'],
      ['dev', 'd'],
    ] as const) {
      expect(existsSync(path.join(root, 'groups', group, 'recall.db'))).toBe(true)
      const recall = await openRecall({ env, group, threads: 0 })
      const { sessions } = await recall.list({ limit: 0 })
      expect(sessions).toMatchObject([{ session_uid: `claude:${uuid(name)}` }])
      const { hits } = await recall.search({ query: 'heron canary' })
      expect(hits).toHaveLength(group === 'dev' ? 1 : 0)
      await recall.close()
    }
    expect(recallJson(env, 'list')).toMatchObject({ error: { code: 'NO_STORE' } })
  })

  test('recall archive writes what clearing wrote, and the same when written again', () => {
    recallCli(env, 'session', 'set', uuid('m'), '--group', 'main')
    const { archive } = recallJson(env, 'session', 'clear', 'Trip', '--group', 'main') as { archive?: string }
    const conversations = path.join(root, 'groups/main/conversations')
    const before = readFileSync(path.join(conversations, archive ?? ''), 'utf8')
    expect(recallCli(env, 'archive', 'last', '--group', 'main')).toMatchObject({ code: 2 })
    expect(recallJson(env, 'archive', 'last', '--group', 'main', '--yes')).toMatchObject({ written: true })
    expect(readdirSync(conversations)).toEqual([archive])
    expect(readFileSync(path.join(conversations, archive ?? ''), 'utf8')).toBe(before)
    const [one, two] = [tempDir(), tempDir()]
    for (const dir of [one, two, two]) recallCli(env, 'archive', 'last', '--group', 'main', '--out', dir)
    expect(readdirSync(two)).toEqual(readdirSync(one))
    expect(readFileSync(path.join(two, archive ?? ''), 'utf8')).toBe(before)
    expect(recallCli(env, 'archive', 'last', '--group', 'main', '--out', one, '--dry-run').code).toBe(0)
  })

  test('a session that is archived without being cleared stays active', () => {
    recallCli(env, 'session', 'set', uuid('d'), '--group', 'dev')
    const { id } = recallJson(env, 'session', 'archive', '--group', 'dev') as { id?: number }
    expect(recallJson(env, 'session', 'history', '--group', 'dev')['sessions']).toMatchObject([
      { id, session_id: uuid('d'), name: 'the heron canary' },
    ])
    expect(recallJson(env, 'session', 'restore', String(id), '--group', 'dev')).toMatchObject({ session_id: uuid('d') })
    expect(recallJson(env, 'session', 'restore', String(id), '--group', 'dev')).toMatchObject({ code: 1 })
  })
})

describe('before a compaction', () => {
  const hook = (env: Record<string, string>, payload: object) =>
    spawnSync(process.execPath, [bin, 'hook', 'run', 'claude'], { env, input: JSON.stringify(payload) }).status

  function compact(group: string, log: ClaudeLog, more: object = {}): string[] {
    const { env, root } = place(group)
    const file = write(transcript(root, group, log.session), log.text())
    write(
      path.join(path.dirname(file), 'sessions-index.json'),
      JSON.stringify({ version: 1, entries: [{ sessionId: log.session, ...more }] }),
    )
    const payload = {
      hook_event_name: 'PreCompact',
      session_id: log.session,
      transcript_path: file,
      cwd: '/workspace/group',
    }
    expect(hook(env, payload)).toBe(0)
    expect(hook(env, { ...payload, hook_event_name: 'Stop' })).toBe(0)
    const dir = path.join(root, 'groups', group, 'conversations')
    return readdirSync(dir).map((name) => `${name}\n${readFileSync(path.join(dir, name), 'utf8')}`)
  }

  test('the conversation is archived by the name the agent gave it', () => {
    const [text, ...others] = compact('main', talk(uuid('c')), { summary: 'Trip: Kyoto!' })
    expect(others).toEqual([])
    expect(text).toMatch(
      /^\d{4}-\d\d-\d\d-trip-kyoto\.md\n# Trip: Kyoto!\n\nArchived: .+\n\n---\n\n\*\*User\*\*: plan a trip/,
    )
  })

  test('else by its title, else by the time', () => {
    expect(compact('main', talk(uuid('c')))[0]).toMatch(/^\d{4}-\d\d-\d\d-plan-a-trip-to-japan\.md\n/)
    expect(compact('main', new ClaudeLog(uuid('c')).say('hello'))[0]).toMatch(
      /^\d{4}-\d\d-\d\d-conversation-\d{4}\.md\n/,
    )
  })

  test('in a container it goes to where the agent works, if that is a group', () => {
    const { env, root } = place('dev')
    const [workspace, other] = [tempDir(), tempDir()]
    cpSync(path.join(root, 'groups/dev'), workspace, { recursive: true })
    mkdirSync(path.join(other, 'conversations'))
    writeFileSync(path.join(other, 'CLAUDE.md'), 'a project with a folder conversations/')
    const home = tempDir()
    const file = write(path.join(home, `projects/-workspace-group/${uuid('c')}.jsonl`), talk(uuid('c')).text())
    for (const cwd of [workspace, other])
      hook(env, { hook_event_name: 'PreCompact', session_id: uuid('c'), transcript_path: file, cwd })
    expect(readdirSync(path.join(workspace, 'conversations'))).toHaveLength(1)
    expect(readdirSync(path.join(other, 'conversations'))).toEqual([])
  })
})
