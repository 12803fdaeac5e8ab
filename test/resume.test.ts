import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { demoHome, tempDir } from './kit/home.ts'

const id = uuid('resumed')

interface Place {
  readonly home: string
  readonly project: string
  readonly transcript: string
  readonly env: Record<string, string>
}

/** A session in a repository, and an agent that says where and how it was called. */
function place(): Place {
  const home = realpathSync(tempDir())
  const project = path.join(home, 'code', 'api')
  mkdirSync(path.join(project, 'deep'), { recursive: true })
  execFileSync('git', ['init', '-q', project])
  execFileSync('git', ['-C', project, 'remote', 'add', 'origin', 'https://example.com/team/api.git'])
  const transcript = transcriptPath(home, id)
  const log = new ClaudeLog(id, { cwd: path.join(project, 'deep') })
  write(transcript, log.user('mend the heron gateway').say('Mended the heron gateway.').text())
  const bin = path.join(home, 'bin')
  mkdirSync(bin)
  writeFileSync(path.join(bin, 'claude'), '#!/bin/sh\necho "ran in $(pwd): $*"\nexit 7\n', { mode: 0o755 })
  const env = cleanEnv(home)
  env['PATH'] = `${bin}:/usr/bin:/bin`
  expect(recallCli(env, 'index').code).toBe(0)
  return { home, project, transcript, env }
}

test('runs the agent’s own command where the session ran, and ends as it ends', () => {
  const { env, project } = place()
  const { code, out } = recallCli(env, 'resume', 'last')
  expect(out).toBe(`ran in ${project}/deep: --resume ${id}\n`)
  expect(code).toBe(7)
})

test('transcripts that are directories are there, too', () => {
  const home = demoHome()
  const env = cleanEnv(home)
  expect(recallCli(env, 'index').code).toBe(0)
  const grok = (JSON.parse(recallCli(env, 'list', '--source', 'grok', '--json').out) as { sessions: { id: string }[] })
    .sessions[0]?.id
  const { obstacles } = JSON.parse(recallCli(env, 'resume', String(grok), '--json').out) as {
    obstacles: { reason: string }[]
  }
  expect(obstacles.map(({ reason }) => reason)).not.toContain('transcript_gone')
})

test('--print only prints it, for a shell', () => {
  const { env, project } = place()
  const { code, out, err } = recallCli(env, 'resume', `claude:${id}`, '--print')
  expect([code, out, err]).toEqual([0, `cd ${project}/deep && claude --resume ${id}\n`, ''])
})

test('words mean the session that is about them, and it says which', () => {
  const { env } = place()
  const { out, err } = recallCli(env, 'resume', 'mend', 'the', 'heron', 'gateway', '--print')
  expect(out).toContain(id)
  expect(err).toContain(`claude:${id}`)
  expect(recallCli(env, 'resume', 'zebra crossing', '--print').code).toBe(1)
})

test.each([
  ['beside where it was', 'code/api-v2', ''],
  ['where the caller stands', 'elsewhere/api', 'elsewhere/api'],
])('a repository that was moved is found %s', (_, to, from) => {
  const { env, home, project } = place()
  const moved = path.join(home, to)
  mkdirSync(path.dirname(moved), { recursive: true })
  renameSync(project, moved)
  const stand = process.cwd()
  process.chdir(path.join(home, from))
  try {
    const { code, out, err } = recallCli(env, 'resume', 'last')
    expect(err).toContain(`${project}/deep is now ${moved}/deep`)
    expect([code, out]).toEqual([7, `ran in ${moved}/deep: --resume ${id}\n`])
    expect(recallJson(env, 'resume', 'last')).toMatchObject({
      directory: `${moved}/deep`,
      moved_from: `${project}/deep`,
      ready: true,
      command: ['claude', '--resume', id],
    })
  } finally {
    process.chdir(stand)
  }
})

test.each([
  ['transcript_gone', 'transcript is gone', ({ transcript }: Place) => rmSync(transcript)],
  ['directory_gone', 'directory is gone', ({ project }: Place) => rmSync(project, { recursive: true })],
  ['not_installed', 'claude is not installed', ({ home }: Place) => rmSync(path.join(home, 'bin/claude'))],
])('says what is in the way and runs nothing: %s', (reason, words, break_) => {
  const there = place()
  break_(there)
  const { code, out, err } = recallCli(there.env, 'resume', 'last')
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain(words)
  expect(recallJson(there.env, 'resume', 'last')).toMatchObject({ code: 1, ready: false, obstacles: [{ reason }] })
})
