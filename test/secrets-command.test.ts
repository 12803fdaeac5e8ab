import { readdirSync, readFileSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { tempDir } from './kit/home.ts'
import { maker, whole } from './kit/secrets.ts'

const { alnum, password } = maker(4096)
const token = whole`gh|p_${alnum(36)}`
const word = password()

/** A home with a session that holds secrets on two of its lines, and one that holds none. */
function homeWithSecrets() {
  const home = tempDir()
  const [leaky, clean] = [uuid('leaky'), uuid('clean')]
  const log = new ClaudeLog(leaky).user('go').say(`I use ${token}`).call('t1', 'Bash', { command: 'cat users' })
  log.result('t1', `| user | password |\n|---|---|\n| sam | ${word} |\n`)
  write(transcriptPath(home, leaky), log.text())
  write(transcriptPath(home, clean), new ClaudeLog(clean).user('nothing here').say('nor here').text())
  return { home, leaky, file: transcriptPath(home, leaky), env: cleanEnv(home) }
}

test('says in which file and line which kind of secret lies, and never the secret', () => {
  const { env, file, leaky } = homeWithSecrets()
  const { code, secrets, total, files_read } = recallJson(env, 'secrets')
  expect({ code, total, files_read }).toEqual({ code: 0, total: 2, files_read: 2 })
  const at = expect.stringMatching(/^\d{4}-.*Z$/)
  const place = { file, source: 'claude', session_uid: `claude:${leaky}`, at, age_days: expect.any(Number) }
  expect(secrets).toEqual([
    { ...place, line: 2, rule: 'github-token' },
    { ...place, line: 4, rule: 'column-secret' },
  ])
  const { out, err } = recallCli(env, 'secrets')
  expect(out).toContain(`${file}:2`)
  expect(err).toContain('2 places in 1 of 2 files')
  for (const secret of [token, word]) {
    for (const told of [out, err, JSON.stringify(secrets)]) expect(told).not.toContain(secret.slice(4, 10))
  }
})

test('changes nothing: no store is made and no file touched', () => {
  const { env, home, file } = homeWithSecrets()
  const before = [statSync(file).mtimeMs, readFileSync(file, 'utf8'), readdirSync(home, { recursive: true }).length]
  expect(recallCli(env, 'secrets').code).toBe(0)
  expect([statSync(file).mtimeMs, readFileSync(file, 'utf8'), readdirSync(home, { recursive: true }).length]).toEqual(
    before,
  )
  expect(() => statSync(path.join(env['XDG_DATA_HOME'] ?? '', 'recall'))).toThrow('ENOENT')
})

test('looks only where it is asked to', () => {
  const { env, file } = homeWithSecrets()
  expect(recallJson(env, 'secrets', '--limit', '1')).toMatchObject({ total: 2, secrets: [{ line: 2 }] })
  expect(recallJson(env, 'secrets', '--source', 'codex')).toMatchObject({ total: 0, files_read: 0 })
  expect(recallJson(env, 'secrets', '--project', 'no-such-project')).toMatchObject({ total: 0, files_read: 2 })
  utimesSync(file, 1, 1)
  expect(recallJson(env, 'secrets', '--since', '7d')).toMatchObject({ total: 0, files_read: 1 })
  expect(recallCli(env, 'secrets', '--since', '7d').out).toBe('no secrets found in 1 file\n')
})

test('says so where there is nothing to read, no such project, or a file that cannot be read', () => {
  const empty = cleanEnv(tempDir())
  expect(recallCli(empty, 'secrets')).toMatchObject({ code: 0, out: 'no secrets found in 0 files\n' })
  const { env, file } = homeWithSecrets()
  const { code, out } = recallCli(env, 'secrets', '--project', 'nosuch')
  expect({ code, out }).toEqual({ code: 0, out: 'no secrets found in 2 files where the project contains "nosuch"\n' })
  const loop = path.join(path.dirname(file), 'loop.jsonl')
  symlinkSync(loop, loop)
  const told = recallCli(env, 'secrets')
  expect(told.code).toBe(0)
  expect(told.err).toContain(loop)
  expect(told.out).toContain(`${file}:2`)
})

test('a text that is allowed is no secret', () => {
  const { env, home } = homeWithSecrets()
  write(path.join(home, '.config/recall/config.toml'), `[redaction]\nallow = ["${token}"]\n`)
  expect(recallJson(env, 'secrets')).toMatchObject({ total: 1, secrets: [{ rule: 'column-secret' }] })
})
