import path from 'node:path'
import { expect, test } from 'vitest'
import { codex } from './codex.ts'
import { placeOf } from './place.ts'

const ID = '019d0001-0000-7000-8000-000000000001'
const OTHER = '019d0002-0000-7000-8000-000000000002'

test.each([
  [`sessions/2026/10/01/rollout-2026-10-01T11-00-00-${ID}.jsonl`, ID, ''],
  [`sessions/2026/10/01/rollout-2026-10-01T11-00-00-${ID}.jsonl.zst`, ID, ''],
  [`archived_sessions/rollout-2026-10-01T11-00-00-${ID}.jsonl`, ID, ''],
  [`sessions/2026/10/01/rollout-2026-10-01T11-00-00-${ID}_${OTHER}.jsonl`, ID, OTHER],
  ['sessions/abc123/rollout.jsonl', 'abc123', ''],
  [`sessions/rollout-2025-05-01-${ID}.json`, ID, ''],
  ['sessions/rollout-2025-05-01-abc123.json', 'abc123', ''],
])('%s is known by its name', (file, session, lane) => {
  expect(codex.owns(file)).toBe(true)
  expect(placeOf(path.join('/home/sam/.codex', file))).toEqual({ session, lane })
})

test.each([
  'auth.json',
  'config.toml',
  'version.json',
  'session_index.jsonl',
  'state_5.sqlite',
  'log/rollout-x.jsonl',
  'sessions/notes.jsonl',
  'sessions/2026/10/01/rollout-2026-10-01.json',
  'sessions/2026/10/01/rollout-2026-10-01.jsonl.zst.tmp',
])('%s is never opened', (file) => {
  expect(codex.owns(file)).toBe(false)
})

test('only the directories of sessions are walked', () => {
  const walked = ['sessions', 'sessions/2026/10/01', 'sessions/abc123', 'archived_sessions', 'log', 'memories', '.tmp']
  expect(walked.filter((dir) => !codex.skips(dir))).toEqual(walked.slice(0, 4))
})

test('CODEX_HOME goes before the home', () => {
  expect(codex.roots({ HOME: '/home/sam' })).toEqual(['/home/sam/.codex'])
  expect(codex.roots({ HOME: '/home/sam', CODEX_HOME: '/data/codex' })).toEqual(['/data/codex'])
})
