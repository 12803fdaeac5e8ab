import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import type { Job } from './job.ts'
import { readInThreads } from './reader.ts'

const LARGE = 64 * 1024 * 1024

async function readWith(thread: string, jobs = 1, cores = 1): Promise<unknown[]> {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'recall-thread-')), 'thread.mjs')
  writeFileSync(file, `import { parentPort, workerData } from 'node:worker_threads'; ${thread}`)
  const items: unknown[] = []
  const stamp = { size: LARGE, mtimeMs: 0, stamp: '' }
  const job: Job = { source: 'claude', path: '', root: '', stamp, what: 'transcript', from: null }
  const task = { jobs: Array.from({ length: jobs }, () => job), redaction: { rules: new Map(), allow: [] } }
  const read = readInThreads(pathToFileURL(file), cores)
  for await (const item of read({ ...task, key: new Uint8Array() })) items.push(item)
  return items
}

const TELL = 'parentPort.postMessage({ job: 0, item: { failed: true } });'

test('a thread that ends without saying so has failed', async () => {
  await expect(readWith('process.exit(3)')).rejects.toThrow('ended with 3')
  await expect(readWith(TELL)).rejects.toThrow('ended with 0')
})

test('what it throws is thrown here', async () => {
  await expect(readWith("throw new Error('no such thing')")).rejects.toThrow('no such thing')
})

test('what it has read is taken, up to its end', async () => {
  const end = 'parentPort.postMessage({ job: 0, end: true }); parentPort.postMessage({ done: true })'
  expect(await readWith(`${TELL} ${end}`)).toEqual([{ failed: true }])
})

test('what several threads read comes in the order of the jobs', async () => {
  const last = `const { control, thread, jobs } = workerData
    for (let job = jobs.ends.length - 1 - thread; job >= 0; job -= 2) {
      for (const part of [1, 2]) parentPort.postMessage({ job, item: { failed: true, job, part } })
      parentPort.postMessage({ job, end: true })
    }
    parentPort.postMessage({ done: true })`
  const items = (await readWith(last, 9, 3)) as { job: number; part: number }[]
  expect(items.map(({ job, part }) => `${job}.${part}`)).toEqual(
    Array.from({ length: 18 }, (_, i) => `${i >> 1}.${1 + (i & 1)}`),
  )
})
