import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OperationThreads, Withdrawn } from '../src/operations/threads.ts'
import { cleanEnv, recallCli } from './kit/cli.ts'
import { demoHome } from './kit/home.ts'

let threads: OperationThreads

beforeAll(async () => {
  const env = cleanEnv(demoHome())
  expect(recallCli(env, 'index').code).toBe(0)
  const entry = pathToFileURL(path.resolve(import.meta.dirname, '../dist/operation-thread.cjs'))
  threads = new OperationThreads(entry, { env, cwd: '/', store: undefined }, 1)
  for (let time = 0; time < 8; time++) {
    await threads.run('search', { query: `nginx deploy fail ${time}` })
    await threads.run('status', {})
  }
})

afterAll(() => threads.close())

const SEARCHES = Array.from({ length: 12 }, (_, i) => ({
  query: `why did the deploy fail after change ${i}`,
  limit: 50,
}))

test('what is cheap does not wait for everything dear that was asked before', async () => {
  const order: string[] = []
  const searches = SEARCHES.map((input) => threads.run('search', input).then(() => order.push('search')))
  await threads.run('status', {}).then(() => order.push('status'))
  await Promise.all(searches)
  expect(order).toHaveLength(SEARCHES.length + 1)
  expect(order.indexOf('status')).toBeLessThan(SEARCHES.length - 1)
})

test('what was never asked goes behind what is known to be cheap', async () => {
  const order: string[] = []
  const asked = ['list', 'signals', 'patterns', 'budget', 'status'].map((name) =>
    threads.run(name, {}).then(() => order.push(name)),
  )
  await Promise.all(asked)
  expect(order.indexOf('status')).toBeLessThan(2)
})

test('nothing is worked on that nobody waits for any more', async () => {
  const leaving = SEARCHES.map(() => new AbortController())
  const first = threads.run('search', SEARCHES[0])
  const others = SEARCHES.map((input, i) => threads.run('search', input, leaving[i]?.signal))
  const ends = Promise.allSettled(others)
  expect(threads.waiting).toBe(SEARCHES.length)
  for (const one of leaving) one.abort()
  expect(threads.waiting).toBe(0)
  for (const end of await ends)
    expect(end).toMatchObject({ status: 'rejected', reason: expect.any(Withdrawn) as unknown })
  expect(await first).toHaveProperty('hits')
  expect(await threads.run('status', {})).toHaveProperty('totals')
})

test('an error is given back, and the thread goes on', async () => {
  await expect(threads.run('show', { id: 'claude:none-such-session' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await threads.run('status', {})).toHaveProperty('totals')
})

test('when the threads are closed, what is worked on is answered, and what still waits is told so', async () => {
  const own = SEARCHES.map((input) => threads.run('search', input))
  const ends = Promise.allSettled(own)
  await threads.close()
  const [first, ...others] = await ends
  expect(first).toMatchObject({ status: 'fulfilled', value: { hits: expect.any(Array) as unknown } })
  for (const { status } of others) expect(status).toBe('rejected')
})
