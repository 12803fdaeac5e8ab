import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../test/kit/home.ts'
import { drain, endedSessions, enqueue, forgetQueued, queued, queueLength, type QueueEntry } from './queue.ts'
import { sweepQueue } from './sweep-queue.ts'

const AT = Date.parse('2026-11-01T12:00:00Z')
const ENTRY: QueueEntry = {
  agent: 'claude',
  event: 'Stop',
  sessionId: 'abc',
  transcriptPath: '/logs/abc.jsonl',
  cwd: null,
  at: AT,
}

function newQueue(): string {
  return path.join(tempDir(), 'data', 'queue')
}

test('an entry is one private file that says what happened', () => {
  const dir = newQueue()
  expect(enqueue(dir, ENTRY)).toBe(true)
  const [name = '', ...others] = readdirSync(dir)
  expect(others).toEqual([])
  expect(name).toMatch(/^\d{14}-\d+-\w{8}\.json$/)
  expect(JSON.parse(readFileSync(path.join(dir, name), 'utf8'))).toEqual({
    agent: 'claude',
    event: 'Stop',
    session_id: 'abc',
    transcript_path: '/logs/abc.jsonl',
    cwd: null,
    at: '2026-11-01T12:00:00.000Z',
  })
  expect(statSync(path.join(dir, name)).mode & 0o777).toBe(0o600)
  expect(statSync(dir).mode & 0o777).toBe(0o700)
})

test('draining hands out the oldest first and removes only what it handed out, and only when that was used', () => {
  const dir = newQueue()
  enqueue(dir, { ...ENTRY, at: AT + 2000, event: 'SessionEnd' })
  enqueue(dir, ENTRY)
  const drained = drain(dir, AT)
  expect(drained.entries.map((entry) => entry.event)).toEqual(['Stop', 'SessionEnd'])
  expect(drained.entries[0]).toEqual(ENTRY)
  enqueue(dir, { ...ENTRY, at: AT + 9000, event: 'late' })
  expect(queueLength(dir)).toBe(3)
  drained.done()
  expect(drain(dir, AT).entries.map((entry) => entry.event)).toEqual(['late'])
})

test('what makes no sense is put aside and the rest is drained', () => {
  const dir = newQueue()
  enqueue(dir, ENTRY)
  for (const [name, text] of Object.entries({ a: '{"agent":', b: '[]', c: '{"agent":"x"}', d: 'null' }))
    writeFileSync(path.join(dir, `${name}.json`), text)
  mkdirSync(path.join(dir, 'e.json'))
  const drained = drain(dir, AT)
  expect(drained).toMatchObject({ broken: 5, entries: [ENTRY] })
  expect(readdirSync(path.join(dir, 'broken'))).toEqual(['a.json', 'b.json', 'c.json', 'd.json', 'e.json'])
  drained.done()
  expect(drain(dir, AT)).toMatchObject({ broken: 0, entries: [] })
})

test('a file that a power cut has emptied is no entry, and goes', () => {
  const dir = newQueue()
  enqueue(dir, ENTRY)
  writeFileSync(path.join(dir, 'cut.json'), '')
  const drained = drain(dir, AT)
  expect(drained).toMatchObject({ broken: 0, entries: [ENTRY] })
  drained.done()
  expect(readdirSync(dir)).toEqual([])
})

test('a queue that is not there is empty, and drafts of killed hooks are swept away in time', () => {
  const dir = newQueue()
  expect(drain(dir, AT).entries).toEqual([])
  enqueue(dir, ENTRY)
  const [old, young] = ['.old.tmp', '.young.tmp'].map((name) => path.join(dir, name))
  for (const file of [old!, young!]) writeFileSync(file, '{')
  utimesSync(old!, AT / 1000 - 7200, AT / 1000 - 7200)
  utimesSync(young!, AT / 1000, AT / 1000)
  drain(dir, AT)
  expect([existsSync(old!), existsSync(young!)]).toEqual([false, true])
})

test('a queue nobody drains stops growing', () => {
  const dir = newQueue()
  enqueue(dir, ENTRY)
  for (let i = 0; i < 10_000; i++) writeFileSync(path.join(dir, `${i}.json`), '')
  expect(enqueue(dir, ENTRY)).toBe(false)
  expect(queueLength(dir)).toBe(10_001)
})

test('a sweep covers what arrives while it runs, and ends even if hooks never stop', async () => {
  const dir = newQueue()
  enqueue(dir, ENTRY)
  let runs = 0
  const once = await sweepQueue(
    dir,
    () => AT,
    async () => {
      if (++runs === 1) enqueue(dir, ENTRY)
      return queueLength(dir)
    },
  )
  expect(once).toEqual([2, 1])
  expect(queueLength(dir)).toBe(0)
  const fed = await sweepQueue(
    dir,
    () => AT,
    async () => enqueue(dir, ENTRY),
  )
  expect(fed).toHaveLength(3)
})

test('a sweep that fails leaves its entries for the next', async () => {
  const dir = newQueue()
  enqueue(dir, ENTRY)
  const failing = sweepQueue(
    dir,
    () => AT,
    () => Promise.reject(new Error('disk full')),
  )
  await expect(failing).rejects.toThrow('disk full')
  expect(drain(dir, AT).entries).toEqual([ENTRY])
})

test('each agent says in its own words that a session is over', () => {
  const told = (event: string | null, sessionId: string | null = event) => ({ ...ENTRY, event, sessionId })
  const entries = ['SessionEnd', 'sessionEnd', 'session_end', 'session_ended', 'Stop', 'SessionStart', null].map(
    (event) => told(event),
  )
  expect(endedSessions([...entries, told('SessionEnd'), told('SessionEnd', null)])).toEqual([
    'claude:SessionEnd',
    'claude:sessionEnd',
    'claude:session_end',
    'claude:session_ended',
  ])
})

test('what is queued can be looked at, and taken out by session', () => {
  const dir = newQueue()
  expect(queued(dir)).toEqual([])
  for (const sessionId of ['abc', 'other', null]) enqueue(dir, { ...ENTRY, sessionId })
  writeFileSync(path.join(dir, '0.json'), '{')
  expect(queued(dir).map((entry) => entry.sessionId)).toHaveLength(3)
  forgetQueued(dir, new Set(['claude:abc', 'codex:other']))
  expect(queued(dir).map((entry) => entry.sessionId)).not.toContain('abc')
  expect(readdirSync(dir)).toHaveLength(3)
})
