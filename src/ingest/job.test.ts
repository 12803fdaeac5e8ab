import { expect, test } from 'vitest'
import { newestFirst, type Job } from './job.ts'

function jobOf(path: string, mtimeMs: number): Job {
  return { source: 'claude', path, root: '/r', stamp: { size: 1, mtimeMs, stamp: '' }, what: 'transcript', from: null }
}

test('the newest session is read first, all of its files together', () => {
  const jobs = [
    jobOf('/r/p/a/subagents/agent-1.jsonl', 1),
    jobOf('/r/p/a.jsonl', 5),
    jobOf('/r/p/b/subagents/agent-2.jsonl', 6),
    jobOf('/r/p/b.jsonl', 3),
    jobOf('/r/p/c.jsonl', 4),
  ]
  expect(newestFirst(jobs).map((group) => group.map(({ path }) => path))).toEqual([
    ['/r/p/b/subagents/agent-2.jsonl', '/r/p/b.jsonl'],
    ['/r/p/a/subagents/agent-1.jsonl', '/r/p/a.jsonl'],
    ['/r/p/c.jsonl'],
  ])
})

test('jobs that need each other stay together, in the order in which they were found', () => {
  const files = ['/r/a/chat.jsonl', '/r/a/updates.jsonl', '/r/b.jsonl']
  const jobs = files.map((path, i) => jobOf(path, i === 1 ? 30 : i === 2 ? 20 : 10))
  const needs: Record<string, string[]> = {
    '/r/a/updates.jsonl': ['/r/a/chat.jsonl'],
    '/r/a/chat.jsonl': ['/r/a/updates.jsonl'],
  }
  const order = newestFirst(jobs, ({ path }) => needs[path] ?? []).flat()
  expect(order.map(({ path }) => path)).toEqual(files)
})
