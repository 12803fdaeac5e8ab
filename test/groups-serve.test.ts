import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { addGroup } from '../src/groups/groups.ts'
import { serveOnce } from '../src/groups/host.ts'
import { taskText, type GroupTask } from '../src/groups/task.ts'
import { ClaudeLog, uuid, write } from './kit/claude-log.ts'
import { bin, cleanEnv } from './kit/cli.ts'
import { bundled, MODULES } from './kit/container.ts'
import { hostOn } from './kit/group-host.ts'
import { tempDir } from './kit/home.ts'

const NOW = Date.parse('2026-02-21T03:39:00Z')
const STEPS = ['taken', 'planned', 'archived', 'pointed', 'told', 'closed', 'removed']

/** A group with one active session and another in its history. */
function rootWithGroup(): string {
  const root = tempDir()
  const host = hostOn(root, undefined, () => NOW)
  addGroup(host, host.pointers, 'main')
  for (const name of ['active', 'past']) {
    const log = new ClaudeLog(uuid(name)).user(`about ${name}`).say('yes')
    const file = path.join(root, `data/sessions/main/.claude/projects/-workspace-group/${uuid(name)}.jsonl`)
    utimesSync(write(file, log.text()), NOW / 1000, NOW / 1000)
  }
  host.pointers.set('main', uuid('active'))
  const at = '2026-01-01T00:00:00.000Z'
  host.pointers.bookmark('main', { sessionId: uuid('past'), name: 'Past', createdAt: at, archivedAt: at })
  host.pointers.close()
  return root
}

function ask(root: string, task: GroupTask, name = '1-a.json', group = 'main'): void {
  writeFileSync(path.join(root, 'data/ipc', group, 'tasks', name), taskText(task, group, NOW))
}

/** Everything that can be seen of the groups. */
function state(root: string): unknown {
  const { pointers } = hostOn(root)
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(data\/ipc|groups)\//.test(file) && statSync(path.join(root, file)).isFile())
    .toSorted()
    .map((file) => [file, readFileSync(path.join(root, file), 'utf8')])
  const told = { active: pointers.get('main'), history: pointers.history('main'), files }
  pointers.close()
  return told
}

const TASKS: readonly GroupTask[] = [
  { type: 'clear_session', name: 'Active' },
  { type: 'resume_session', sessionHistoryId: 1, saveName: 'Active' },
  { type: 'resume_session', sessionHistoryId: 1, saveName: null },
]

describe.each(TASKS)('a host that is killed while it does $type $saveName', (task) => {
  let driver = ''
  beforeAll(async () => {
    driver = await bundled('test/kit/group-host.ts')
  })

  test('is completed by the next one, and nothing is done twice', () => {
    const whole = rootWithGroup()
    ask(whole, task)
    const steps: string[] = []
    const host = hostOn(
      whole,
      (step) => steps.push(step),
      () => NOW,
    )
    expect(serveOnce(host)).toMatchObject([{ error: null }])
    host.pointers.close()
    expect(steps).toEqual(task.type === 'clear_session' ? STEPS : STEPS.filter((step) => step !== 'archived'))
    const expected = state(whole)

    const template = rootWithGroup()
    ask(template, task)
    for (let step = 0; step < steps.length; step++) {
      const root = path.join(tempDir(), 'root')
      cpSync(template, root, { recursive: true, preserveTimestamps: true })
      const script = `require(${JSON.stringify(driver)}).serveAndDie(${JSON.stringify(root)}, ${step}, ${NOW})`
      expect(spawnSync(process.execPath, ['-e', script], { env: { ...process.env, ...MODULES } }).signal).toBe(
        'SIGKILL',
      )
      // An hour later.
      const next = hostOn(root, undefined, () => NOW + (step >= 1 ? 3_600_000 : 0))
      serveOnce(next)
      serveOnce(next)
      next.pointers.close()
      expect(state(root), `killed at ${steps[step]}`).toEqual(expected)
    }
  }, 60_000)
})

test('tasks are done oldest first; foreign and broken ones are not', () => {
  const root = rootWithGroup()
  const tasks = path.join(root, 'data/ipc/main/tasks')
  const seen: string[] = []
  ask(root, { type: 'resume_session', sessionHistoryId: 1, saveName: 'Saved' }, '900-z.json')
  ask(root, { type: 'clear_session', name: 'Later' }, '1000-a.json')
  writeFileSync(path.join(tasks, '1-f.json'), '{"type":"schedule_task","prompt":"x"}')
  writeFileSync(path.join(tasks, '2-b.json'), '{"type":')
  writeFileSync(path.join(tasks, '3-c.json'), '{"type":"clear_session"}')
  writeFileSync(path.join(tasks, '4-d.json'), '{"type":"resume_session","sessionHistoryId":"1"}')
  writeFileSync(path.join(tasks, '5-e.json.tmp'), 'half')
  const host = hostOn(
    root,
    (step) => seen.push(step),
    () => NOW,
  )
  const handled = serveOnce(host)
  expect(handled.map(({ file, error }) => [file, error === null])).toEqual([
    ['2-b.json', false],
    ['3-c.json', false],
    ['4-d.json', false],
    ['900-z.json', true],
    ['1000-a.json', true],
  ])
  expect(readdirSync(tasks).toSorted()).toEqual(['1-f.json', '5-e.json.tmp'])
  expect(readdirSync(path.join(root, 'data/ipc/errors')).toSorted()).toEqual([
    'main-2-b.json',
    'main-3-c.json',
    'main-4-d.json',
  ])
  expect(host.pointers.history('main').map(({ name, session_id: id }) => [name, id])).toEqual([
    ['Later', uuid('past')],
    ['Saved', uuid('active')],
  ])
  host.pointers.close()
})

test('to resume what is not there archives nothing and ends nothing', () => {
  const root = rootWithGroup()
  ask(root, { type: 'resume_session', sessionHistoryId: 99, saveName: 'Saved' })
  const host = hostOn(root)
  const before = host.pointers.history('main')
  expect(serveOnce(host)).toMatchObject([{ error: 'there is no session 99 in the history of main' }])
  expect([host.pointers.get('main'), host.pointers.history('main')]).toEqual([uuid('active'), before])
  expect(existsSync(path.join(root, 'data/ipc/main/input/_close'))).toBe(false)
  expect(readdirSync(path.join(root, 'groups/main/conversations'))).toEqual([])
  host.pointers.close()
})

test('a host that is at work keeps others out', () => {
  const root = rootWithGroup()
  const [one, two] = [hostOn(root), hostOn(root)]
  const claim = one.claim()
  expect(() => serveOnce(two)).toThrow(/another recall serves these groups/)
  claim?.release()
  expect(serveOnce(two)).toEqual([])
})

test('three hosts on one directory do each task once', async () => {
  const env = cleanEnv(tempDir())
  const root = path.join(env['XDG_DATA_HOME'] ?? '', 'recall')
  const host = hostOn(root)
  addGroup(host, host.pointers, 'main')
  host.pointers.set('main', 's0')
  const count = 30
  for (let i = 1; i <= count; i++)
    host.pointers.bookmark('main', { sessionId: `s${i}`, name: `n${i}`, createdAt: 'x', archivedAt: String(i) })
  const hosts = [1, 2, 3].map(() =>
    spawn(process.execPath, [bin, 'group', 'serve', '--every', '10'], { env, stdio: 'ignore' }),
  )
  const ended = Promise.all(hosts.map((child) => new Promise((resolve) => child.on('exit', resolve))))
  for (let i = 1; i <= count; i++) {
    ask(root, { type: 'resume_session', sessionHistoryId: i, saveName: `saved ${i}` }, `${i}-x.json.tmp`)
    const draft = path.join(root, 'data/ipc/main/tasks', `${i}-x.json.tmp`)
    cpSync(draft, draft.slice(0, -'.tmp'.length))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const waits = () =>
    readdirSync(path.join(root, 'data/ipc/main/tasks')).filter((name) => name.endsWith('.json')).length
  for (let tried = 0; tried < 300 && (waits() > 0 || host.pointers.get('main') !== `s${count}`); tried++)
    await new Promise((resolve) => setTimeout(resolve, 100))
  for (const child of hosts) child.kill('SIGTERM')
  expect(await ended).toEqual([0, 0, 0])
  expect(existsSync(path.join(root, 'data/ipc/errors'))).toBe(false)
  expect(host.pointers.get('main')).toBe(`s${count}`)
  const names = host.pointers.history('main').map(({ name, session_id: id }) => `${name} is ${id}`)
  expect(names.toSorted()).toEqual(Array.from({ length: count }, (_, i) => `saved ${i + 1} is s${i}`).toSorted())
  host.pointers.close()
}, 60_000)
