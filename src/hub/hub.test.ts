import { createServer } from 'node:http'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Hub } from './hub.ts'

const dir = mkdtempSync(path.join(tmpdir(), 'recall-hub-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** A server that refuses the first `failures` requests. */
async function server(failures: number) {
  const got: string[] = []
  let left = failures
  const http = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      response.statusCode = left-- > 0 ? 503 : 204
      if (response.statusCode === 204) got.push(`${request.url} ${body}`)
      response.end()
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { got, url: `http://127.0.0.1:${port}/api/`, close: () => http.close() }
}

test('lines are kept in files, private ones', async () => {
  const hub = new Hub(path.join(dir, 'files'), null)
  hub.tell('notes', { text: 'one' })
  hub.tell('notes', { text: 'two' })
  expect(readFileSync(path.join(dir, 'files', 'notes.jsonl'), 'utf8')).toBe('{"text":"one"}\n{"text":"two"}\n')
  expect(statSync(path.join(dir, 'files', 'notes.jsonl')).mode & 0o777).toBe(0o600)
  expect(await hub.deliver()).toEqual({ posted: 0, failure: null })
})

test('what a crash has torn off a line goes with the next one', () => {
  const file = path.join(dir, 'torn', 'notes.jsonl')
  const hub = new Hub(path.dirname(file), null)
  hub.tell('notes', { text: 'one' }, { text: 'two' })
  writeFileSync(file, `${readFileSync(file, 'utf8')}{"text":"thr`)
  hub.tell('notes', { text: 'four' })
  expect(readFileSync(file, 'utf8')).toBe('{"text":"one"}\n{"text":"two"}\n{"text":"four"}\n')
})

test('a server gets each line once, after retries too', async () => {
  const { got, url, close } = await server(2)
  const hub = new Hub(path.join(dir, 'posted'), url)
  hub.tell('decisions', { text: 'use WAL' })
  hub.tell('notes', { text: 'done' })
  expect(await hub.deliver()).toEqual({ posted: 2, failure: null })
  hub.tell('notes', { text: 'more' })
  expect(await hub.deliver()).toEqual({ posted: 1, failure: null })
  expect(got).toEqual(['/api/notes {"text":"done"}', '/api/decisions {"text":"use WAL"}', '/api/notes {"text":"more"}'])
  close()
})

test('a server that is not there is told, and nothing is lost', async () => {
  const { url, close } = await server(0)
  close()
  const hub = new Hub(path.join(dir, 'down'), url)
  hub.tell('notes', { text: 'wait for me' })
  expect(await hub.deliver()).toMatchObject({ posted: 0, failure: expect.stringContaining('cannot be reached') })
  const up = await server(0)
  expect(await new Hub(path.join(dir, 'down'), up.url).deliver()).toEqual({ posted: 1, failure: null })
  up.close()
})

test('a slow server does not hold up a run for long: what it did not get waits', async () => {
  const { got, url, close } = await server(0)
  const hub = new Hub(path.join(dir, 'slow'), url, -1)
  for (const text of ['one', 'two']) hub.tell('notes', { text })
  expect(await hub.deliver()).toMatchObject({ posted: 1, failure: expect.stringContaining('slow') })
  expect(await hub.deliver()).toMatchObject({ posted: 1 })
  expect(got).toEqual(['/api/notes {"text":"one"}', '/api/notes {"text":"two"}'])
  close()
})

test('what was posted is forgotten rather than fatal where its note is broken', async () => {
  const { got, url, close } = await server(0)
  const hub = new Hub(path.join(dir, 'broken'), url)
  hub.tell('notes', { text: 'once' })
  for (const broken of ['', '{"no', 'null']) {
    writeFileSync(path.join(dir, 'broken', 'posted.json'), broken)
    expect(await hub.deliver()).toEqual({ posted: 1, failure: null })
  }
  expect(got).toHaveLength(3)
  close()
})
