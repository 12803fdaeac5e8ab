import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { readInWorker } from './reader.ts'

async function readWith(thread: string): Promise<unknown[]> {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'recall-thread-')), 'thread.mjs')
  writeFileSync(file, thread)
  const items: unknown[] = []
  const task = { jobs: [], redaction: { rules: new Map(), allow: [] }, key: new Uint8Array() }
  for await (const item of readInWorker(pathToFileURL(file))(task)) items.push(item)
  return items
}

const TELL = "import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ item: { failed: true } });"

test('a thread that ends without saying so has failed', async () => {
  await expect(readWith('process.exit(3)')).rejects.toThrow('ended with 3')
  await expect(readWith(TELL)).rejects.toThrow('ended with 0')
})

test('what it throws is thrown here', async () => {
  await expect(readWith("throw new Error('no such thing')")).rejects.toThrow('no such thing')
})

test('what it has read is taken, up to its end', async () => {
  const end = "parentPort.on('message', () => { parentPort.postMessage({ end: true }); parentPort.close() })"
  expect(await readWith(`${TELL} ${end}`)).toEqual([{ failed: true }])
})
