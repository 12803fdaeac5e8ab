import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { repoOf } from './repo.ts'

const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'recall-repo-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const git = (dir: string, ...args: string[]) => {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b.c']
  return execFileSync('git', ['-C', dir, ...who, ...args], { encoding: 'utf8', env, stdio: 'pipe' }).trim()
}

function repository(name: string, remote?: string): string {
  const dir = path.join(root, name)
  mkdirSync(path.join(dir, 'src', 'deep'), { recursive: true })
  git(dir, 'init', '-q')
  writeFileSync(path.join(dir, 'a'), name)
  git(dir, 'add', 'a')
  git(dir, 'commit', '-qm', 'first')
  if (remote !== undefined) git(dir, 'remote', 'add', 'origin', remote)
  return dir
}

test('a directory lies in the repository above it, also when it is gone itself', () => {
  const dir = repository('plain', 'https://user:secret@example.com/team/app.git')
  expect(repoOf(path.join(dir, 'src', 'deep'))).toEqual({ root: dir, identity: 'example.com/team/app' })
  expect(repoOf(path.join(dir, '.worktrees', 'gone'))?.root).toBe(dir)
  expect(repoOf(root)).toBeNull()
  expect(repoOf('C:\\work\\app')).toBeNull()
})

test('a worktree that is gone belongs to the repository that its path names', () => {
  expect(repoOf('/nowhere/app/.worktrees/2')).toEqual({ root: '/nowhere/app', identity: null })
  expect(repoOf('/nowhere/app/.claude/worktrees/fix/src')?.root).toBe('/nowhere/app')
  expect(repoOf('C:\\code\\app\\.claude\\worktrees\\fix')?.root).toBe('C:\\code\\app')
  expect(repoOf('/nowhere/sam/.codex/worktrees/a1b2/app/src')?.root).toBe('/nowhere/sam/.codex/worktrees/a1b2/app')
  expect(repoOf('/nowhere/worktrees')).toBeNull()
})

test('two ways to write one remote are one identity', () => {
  const ssh = repository('ssh', 'git@example.com:team/app.git')
  expect(repoOf(ssh)?.identity).toBe('example.com/team/app')
  expect(repoOf(repository('scheme', 'ssh://git@example.com/team/app'))?.identity).toBe('example.com/team/app')
})

test('a linked worktree belongs to its repository', () => {
  const dir = repository('main-tree')
  const tree = path.join(root, 'elsewhere')
  git(dir, 'worktree', 'add', '-q', tree)
  expect(repoOf(path.join(tree, 'src'))).toEqual({ root: dir, identity: `commit ${git(dir, 'rev-parse', 'HEAD')}` })
})
