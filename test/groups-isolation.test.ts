import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { serveOnce } from '../src/groups/host.ts'
import { taskText, type GroupTask } from '../src/groups/task.ts'
import { groupTools } from '../src/groups/tools.ts'
import { openRecall } from '../src/library.ts'
import { ClaudeLog, uuid, write } from './kit/claude-log.ts'
import { recallCli, recallJson } from './kit/cli.ts'
import { hostOn } from './kit/group-host.ts'
import { CANARY, MINE, THEIRS, type Place, place, transcript, tree, expectApart, stateOf } from './kit/two-groups.ts'

const CLEAR: GroupTask = { type: 'clear_session', name: 'Mine' }

/** Names that lead elsewhere, or look like another's. */
const NAMES = [
  '../b',
  'b/../b',
  './b',
  'b/',
  '/b',
  '..',
  '.',
  '',
  'B',
  'ｂ',
  'b\u0000',
  'b\u200b',
  'b ',
  ' b',
  'b\n',
  'b@1',
  '%62',
  'b\\..\\b',
  'global',
  'errors',
  '.begun',
  'a/../b',
  '*',
  '__proto__',
  'x'.repeat(65),
]

describe('names of groups', () => {
  const here = place()
  test.each(NAMES.map((name) => [name]))('%j is no group', async (name) => {
    const before = stateOf(here)
    const { groups, theirId, env, root } = here
    const tries: readonly (() => unknown)[] = [
      () => groups.get(name),
      () => groups.set(name, MINE),
      () => groups.clear(name, 'x'),
      () => groups.archive(name, 'x'),
      () => groups.restore(name, theirId),
      () => groups.resume(name, theirId, null),
      () => groups.history(name),
      () => groups.context(name),
      () => groups.remove(name),
      () => openRecall({ env, group: name, threads: 0 }),
    ]
    for (const attempt of tries)
      await expect((async () => attempt())(), String(attempt)).rejects.toMatchObject({
        code: expect.stringMatching(/^(USAGE|NOT_FOUND)$/),
      })
    if (name !== 'x') await expect(groups.add(name)).rejects.toMatchObject({ code: 'USAGE' })
    expect(existsSync(path.join(root, 'removed'))).toBe(false)
    expectApart(here, before)
  })

  test.each(['list', 'search', 'show', 'index', 'archive', 'session'])('recall %s says so', (command) => {
    for (const name of ['../b', 'B', '']) {
      const words = command === 'session' ? ['get'] : command === 'list' || command === 'index' ? [] : [CANARY]
      const { code, out, err } = recallCli(here.env, command, ...words, '--group', name)
      expect([1, 2]).toContain(code)
      expect(`${out}${err}`).not.toMatch(/claude:/)
    }
  })
})

describe('links that a group puts into its own directories', () => {
  /** What is put in whose place: a link, as seen from the host. */
  const LINKS: readonly (readonly [string, string])[] = [
    ['data/ipc/a/tasks', '../b/tasks'],
    ['data/ipc/a/tasks', '../../../data/ipc/b'],
    ['data/ipc/a/input', '../b/input'],
    ['data/ipc/a/session_history.json', '../b/session_history.json'],
    ['data/ipc/a/current_tasks.json', '../b/current_tasks.json'],
    ['data/ipc/a/available_groups.json', '../main/available_groups.json'],
    ['data/ipc/a/input/_close', '../../b/session_history.json'],
    ['groups/a/conversations', '../b/conversations'],
    ['groups/a/conversations/2026-02-21-mine.md', `../../b/conversations/2026-01-01-theirs.md`],
    ['groups/a/CLAUDE.md', '../b/CLAUDE.md'],
    [
      `data/sessions/a/.claude/projects/-workspace-group/${MINE}.jsonl`,
      `../../../../b/.claude/projects/-workspace-group/${THEIRS}.jsonl`,
    ],
    [
      `data/sessions/a/.claude/projects/-workspace-group/${THEIRS}.jsonl`,
      `../../../../b/.claude/projects/-workspace-group/${THEIRS}.jsonl`,
    ],
    ['data/sessions/a/.claude/projects/-workspace-group', '../../../b/.claude/projects/-workspace-group'],
    ['data/sessions/a/.claude/projects', '../../b/.claude/projects'],
    ['data/sessions/a/.claude/skills', '../../b/.claude/skills'],
    ['groups/a/recall.db', '../b/recall.db'],
    ['groups/a/blobs', '../b/blobs'],
  ]

  let here: Place
  beforeEach(() => {
    here = place()
    expect(recallCli(here.env, 'index', '--group', 'b').code).toBe(0)
    write(path.join(here.root, 'container/skills/look/SKILL.md'), 'look around')
  })

  test.each(LINKS)('%s to %s', async (link, target) => {
    const { root, host, env, groups } = here
    const before = stateOf(here)
    const file = path.join(root, link)
    const isTasks = link === 'data/ipc/a/tasks'
    if (!isTasks) write(path.join(root, 'data/ipc/a/tasks/1-x.json'), taskText(CLEAR, 'b', 0))
    if (existsSync(file)) rmSync(file, { recursive: true })
    symlinkSync(target, file)
    if (link.includes(THEIRS)) host.pointers.set('a', THEIRS)
    serveOnce(host)
    for (const work of [
      () => groups.get('a'),
      () => groups.set('a', MINE),
      () => groups.clear('a', 'Mine'),
      () => groups.list(),
      () => groups.history('a'),
      () => groups.add('a'),
    ])
      await (async () => work())().catch(refused)
    const recall = await openRecall({ env, group: 'a', threads: 0 }).catch(refused)
    if (recall) {
      const answers = [
        () => recall.index(),
        () => recall.list({ limit: 0 }),
        () => recall.search({ query: CANARY }),
        () => recall.archive({ id: 'last', yes: true }),
        () => recall.show({ id: THEIRS }),
        () => recall.show({ id: 'last' }),
      ]
      for (const ask of answers) expect(withoutQuery(await ask().catch(refused))).not.toContain(CANARY)
      await recall.close()
    }
    expectApart(here, before)
  })

  const refused = (error: unknown): undefined => {
    expect(error).toMatchObject({ code: expect.stringMatching(/^(BAD_CONFIG|NOT_FOUND|USAGE|NO_STORE)$/) })
  }

  const withoutQuery = (answer: object | undefined) => JSON.stringify({ ...answer, query: '' })

  test('an output of a tool is not read through a link, nor a repository where a transcript says it is', () => {
    const { root, env } = here
    const log = new ClaudeLog(uuid('spill'), { cwd: path.join(root, 'groups/b') })
    const saved = '<persisted-output>Output too large. Full output saved to: /x/out.txt\n</persisted-output>'
    const file = transcript(root, 'a', log.session)
    write(file, log.user('run').call('t1', 'Bash', { command: 'x' }).result('t1', saved).text())
    const dir = path.join(path.dirname(file), log.session, 'tool-results')
    mkdirSync(dir, { recursive: true })
    symlinkSync(transcript(root, 'b', THEIRS), path.join(dir, 'out.txt'))
    write(path.join(root, 'groups/b/.git/config'), `[remote "origin"]\n\turl = git@example.com:${CANARY}.git\n`)
    expect(recallCli(env, 'index', '--group', 'a').code).toBe(0)
    const shown = recallCli(env, 'show', log.session, '--group', 'a', '--json').out
    expect(shown).toContain('persisted-output')
    expect(shown).not.toContain(CANARY)
    const leaked = [...tree(root, 'a')].filter(([, text]) => text.includes(CANARY))
    expect(leaked).toEqual([])
  })
})

describe('what a task file says', () => {
  test('the group is the directory that it lies in', () => {
    const here = place()
    const before = stateOf(here)
    const text = JSON.stringify({
      type: 'clear_session',
      name: 'Mine',
      groupFolder: 'b',
      group: 'b',
      __proto__: { group: 'b' },
    })
    write(path.join(here.root, 'data/ipc/a/tasks/1-x.json'), text)
    expect(serveOnce(here.host)).toMatchObject([{ group: 'a', error: null }])
    expect(here.host.pointers.get('a')).toBeUndefined()
    expectApart(here, before)
  })

  test('a number in the history of another group does not exist', async () => {
    const here = place()
    const before = stateOf(here)
    const { theirId, groups, root, host } = here
    for (const task of [null, 'Saved'] as const) {
      const resume: GroupTask = { type: 'resume_session', sessionHistoryId: theirId, saveName: task }
      write(path.join(root, 'data/ipc/a/tasks/1-x.json'), taskText(resume, 'b', 0))
      expect(serveOnce(host)).toMatchObject([{ group: 'a', error: expect.stringContaining('there is no session') }])
    }
    await expect(groups.resume('a', theirId, 'x')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(groups.restore('a', theirId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(recallJson(here.env, 'session', 'resume', String(theirId), '--group', 'a')).toMatchObject({ code: 1 })
    expect(host.pointers.get('a')).toBe(MINE)
    const [, , resume] = groupTools(path.join(root, 'data/ipc/a'), 'b')
    expect(resume?.run({ session_id: theirId })).toMatchObject({ isError: true })
    expectApart(here, before)
  })

  test('the id of a session of another group tells nothing of it', async () => {
    const here = place()
    const before = stateOf(here)
    const { groups, host, root } = here
    await groups.set('a', THEIRS)
    expect(await groups.get('a')).toMatchObject({ resumeAt: null })
    expect(await groups.clear('a', 'x')).toMatchObject({ archive: null })
    host.pointers.set('a', `../../../b/.claude/projects/-workspace-group/${THEIRS}`)
    write(path.join(root, 'data/ipc/a/tasks/1-x.json'), taskText(CLEAR, 'a', 0))
    expect(serveOnce(host)).toMatchObject([{ archive: null }])
    await expect((async () => groups.set('a', `../b/${THEIRS}`))()).rejects.toMatchObject({ code: 'USAGE' })
    expect(readdirSync(path.join(root, 'groups/a/conversations'))).toEqual([])
    expectApart(here, before)
  })
})

describe('a thousand things that nobody would write', () => {
  const SEED = 17
  let state = SEED
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state % below
  }
  const pick = <T>(all: readonly T[]): T => all[random(all.length)]!
  const PATHS = [
    ...NAMES,
    `../b/conversations/2026-01-01-theirs`,
    '../../groups/b/x',
    '/etc/passwd',
    THEIRS,
    `${'../'.repeat(9)}tmp/x`,
  ]
  const values = (theirId: number): readonly unknown[] => [
    theirId,
    -1,
    0,
    1e300,
    1.5,
    '1',
    null,
    true,
    [],
    {},
    [theirId],
    { toString: 1 },
    ...PATHS,
    '\u202eevil\u0000\u001b[2J',
    'x'.repeat(3000),
    '💥',
  ]

  test('as task files, whatever they are called', () => {
    const here = place()
    const before = stateOf(here)
    const { root, host, theirId } = here
    const tasks = path.join(root, 'data/ipc/a/tasks')
    const all = values(theirId)
    for (let i = 0; i < 1000; i++) {
      const task: Record<string, unknown> = {
        type: pick(['clear_session', 'resume_session', 'resume_session', pick(all)]),
      }
      for (const field of ['name', 'saveName', 'groupFolder', 'sessionHistoryId', 'group', 'file', 'path', '__proto__'])
        if (random(3) > 0) task[field] = pick(all)
      const text = JSON.stringify(task)
      const name = `${pick(['1', '-', '..', '9'.repeat(20), 'é', '\\..\\b', 'b@', '%2e%2e', 'x'.repeat(240)])}${i}.json`
      writeFileSync(path.join(tasks, name), random(10) === 0 ? text.slice(0, random(text.length)) : text)
      if (random(20) === 0) host.pointers.set('a', String(pick(PATHS)))
      if (i % 50 === 49) serveOnce(host)
    }
    const left = readdirSync(tasks).map((name) => JSON.parse(readFileSync(path.join(tasks, name), 'utf8')).type)
    expect(left.filter((type) => typeof type !== 'string' || /^(clear|resume)_session$/.test(type))).toEqual([])
    expect(readdirSync(path.join(root, 'data/ipc/.begun'))).toEqual([])
    expect(readdirSync(path.join(root, 'data/ipc')).toSorted()).toEqual(['.begun', 'a', 'b', 'errors', 'main'])
    expect(readdirSync(path.join(root, 'groups')).toSorted()).toEqual(['a', 'b', 'main'])
    expectApart(here, before)
  })

  test('as inputs of the tools', () => {
    const here = place()
    const before = stateOf(here)
    const { root, host, theirId } = here
    const tools = groupTools(path.join(root, 'data/ipc/a'), 'b')
    const all = values(theirId)
    for (let i = 0; i < 1000; i++) {
      const input: Record<string, unknown> = {}
      for (const field of ['name', 'session_id', 'save_current_as', 'group', 'ipcDir', '__proto__'])
        if (random(3) > 0) input[field] = pick(all)
      const answer = pick(tools).run(random(20) === 0 ? pick(all) : input)
      expect(JSON.stringify(answer)).not.toContain(CANARY)
      if (i % 100 === 99) serveOnce(host)
    }
    expectApart(here, before)
  })
})

test('a directory that becomes a link while a host is at work leads nowhere', () => {
  const here = place()
  const before = stateOf(here)
  const { root } = here
  write(path.join(root, 'data/ipc/a/tasks/1-x.json'), taskText(CLEAR, 'a', 0))
  const swapped = new Set<string>()
  const host = hostOn(root, (step) => {
    const link = { taken: 'groups/a/conversations', archived: 'data/ipc/a/input' }[step]
    if (link === undefined) return
    swapped.add(step)
    renameSync(path.join(root, link), path.join(root, `${link}-gone`))
    symlinkSync(path.join(root, link.replace('/a/', '/b/')), path.join(root, link))
  })
  serveOnce(host)
  expect([...swapped]).toEqual(['taken', 'archived'])
  expectApart(here, before)
})
