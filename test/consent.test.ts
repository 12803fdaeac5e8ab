import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson, type Run } from './kit/cli.ts'
import { tempDir } from './kit/home.ts'
import { noPty, recallAsking } from './kit/pty.ts'

type Env = Record<string, string>

/** Something that writes into files which are not recall's own, and what must have been done before. */
interface Writer {
  readonly args: readonly string[]
  readonly after?: readonly (readonly string[])[]
  /** A word of the change as it is shown. */
  readonly shows: string
}

const APPLY = ['stats', 'bash', '--suggest', '--apply', '--scope', 'user']
const WRITERS: readonly Writer[] = [
  { args: ['hook', 'install', 'claude'], shows: '+ ' },
  { args: ['hook', 'uninstall', 'claude'], after: [['hook', 'install', 'claude']], shows: '- ' },
  { args: ['hook', 'remove', 'claude'], after: [['hook', 'install', 'claude']], shows: '- ' },
  { args: ['connect', 'claude', '--skill', '--brief'], shows: '+ ' },
  { args: ['connect', 'claude', '--remove'], after: [['connect', 'claude', '--hooks']], shows: '- ' },
  { args: APPLY, shows: '+ ' },
  { args: ['permissions', 'undo'], after: [APPLY], shows: '- ' },
  { args: ['schedule', 'install', '--with', 'cron'], shows: 'sweep --quiet # recall schedule' },
  {
    args: ['schedule', 'remove', '--with', 'cron'],
    after: [['schedule', 'install', '--with', 'cron']],
    shows: 'sweep --quiet # recall schedule',
  },
]

/** A home with an agent, a session that a rule can be made of, and a crontab. */
function place(after: Writer['after'] = []): Env {
  const home = tempDir()
  const log = new ClaudeLog(uuid('consent'), { cwd: home })
  for (let i = 0; i < 60; i++)
    log.call(`t${i}`, 'Bash', { command: 'cksum notes.txt' }).result(`t${i}`, '1 2 notes.txt')
  write(transcriptPath(home, log.session), log.text())
  writeFileSync(path.join(home, '.claude', 'settings.json'), '{\n  "model": "x"\n}\n')
  const bin = path.join(home, 'bin')
  mkdirSync(bin)
  const kept = path.join(home, 'crontab')
  writeFileSync(kept, '0 1 * * * backup\n')
  writeFileSync(path.join(bin, 'crontab'), `#!/bin/sh\n[ "$1" = -l ] && cat ${kept} || cat > ${kept}\n`, {
    mode: 0o755,
  })
  const env = cleanEnv(home)
  env['PATH'] = `${bin}:${env['PATH']}`
  recallCli(env, 'index')
  for (const args of after) expect(recallCli(env, ...args, '--yes').code, args.join(' ')).toBe(0)
  return env
}

/** Every file of the home, and what recall keeps about what it wrote there. */
function everything(env: Env): Record<string, string> {
  const home = env['HOME'] ?? ''
  const journal = path.join(env['XDG_DATA_HOME'] ?? '', 'recall', 'permissions.jsonl')
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).map((name) => path.join(home, name))
  const found = [...files, journal].filter((file) => existsSync(file) && statSync(file).isFile())
  return Object.fromEntries(found.map((file) => [file, readFileSync(file, 'utf8')]))
}

const refused = (run: Run) => expect(run).toMatchObject({ code: 2, err: expect.stringContaining('--yes') })

describe.each(WRITERS)('recall $args.0 $args.1', ({ args, after, shows }) => {
  test('shows the change off a terminal and makes it only with --yes', () => {
    const env = place(after)
    const before = everything(env)
    const asked = recallCli(env, ...args)
    refused(asked)
    expect(asked.out).toContain(shows)
    expect(recallJson(env, ...args)).toMatchObject({ code: 2, error: { code: 'USAGE' } })
    const dry = recallCli(env, ...args, '--dry-run', '--yes')
    expect(dry.code).toBe(0)
    expect(dry.out).toContain(shows)
    expect(recallJson(env, ...args, '--dry-run').code).toBe(0)
    expect(everything(env)).toEqual(before)
    expect(recallCli(env, ...args, '--yes').code).toBe(0)
    expect(everything(env)).not.toEqual(before)
  })

  test.skipIf(noPty)('asks on a terminal, and nothing but yes is a yes', async () => {
    const env = place(after)
    const before = everything(env)
    for (const typed of ['n\n', '\n', 'sure\n']) {
      const { code, shown } = await recallAsking(env, args, typed)
      expect(shown).toContain(shows)
      expect(shown).toContain('[y/N]')
      expect(shown).toContain('nothing was changed')
      expect(code).toBe(0)
    }
    expect(everything(env)).toEqual(before)
    expect((await recallAsking(env, args, 'y\n')).code).toBe(0)
    expect(everything(env)).not.toEqual(before)
  })
})

test('where nothing would change nobody need be asked', () => {
  const env = place([['hook', 'install', 'claude'], APPLY])
  expect(recallJson(env, 'hook', 'install', 'claude')).toMatchObject({ code: 0, changed: false })
  expect(recallJson(env, ...APPLY)).toMatchObject({ code: 0, applied: { changed: false } })
  expect(recallJson(env, 'schedule', 'remove')).toMatchObject({ code: 0, changed: false })
})

test.skipIf(noPty)('what others wrote while the question stood is not overwritten', async () => {
  const env = place()
  const file = path.join(env['HOME'] ?? '', '.claude', 'settings.json')
  const others = '{\n  "model": "y"\n}\n'
  const { code, shown } = await recallAsking(env, APPLY, 'y\n', () => writeFileSync(file, others))
  expect(shown).toContain('no longer what was shown')
  expect(code).toBe(2)
  expect(readFileSync(file, 'utf8')).toBe(others)
  expect((await recallAsking(env, APPLY, 'y\n')).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toContain('Bash(cksum')
})
