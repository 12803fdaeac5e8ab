import { expect, test } from 'vitest'
import type { Job } from './job.ts'
import { sharedJob, shareJobs } from './shared-jobs.ts'

function jobOf(path: string): Job {
  const from = { offset: 12, line: 3, state: '{"a":"ä"}', head: 'h', tail: 't', provisional: false }
  const stamp = { size: 1, mtimeMs: 1_700_000_000_123, stamp: '1.2.3' }
  return { source: 'claude', path, root: '/r', stamp, what: 'transcript', from: path.length > 4 ? from : null }
}

test('each job comes back as it was, whatever its path is written in, on any thread', () => {
  const jobs = ['/r/a', '/r/größe/日本.jsonl', '/r/x\n"y"', '/r/🦊.jsonl'].map(jobOf)
  const shared = structuredClone(shareJobs(jobs))
  expect(jobs.map((_, i) => sharedJob(shared, i))).toEqual(jobs)
  expect(shared.bytes.buffer).toBeInstanceOf(SharedArrayBuffer)
})
