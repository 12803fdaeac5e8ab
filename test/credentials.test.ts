import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { write } from './kit/claude-log.ts'
import { bin, cleanEnv } from './kit/cli.ts'
import { demoHome, tempDir } from './kit/home.ts'
import { FLAT_LINES, jsonl, tracePath } from './kit/kei-trace.ts'

/** Names of files that hold keys, tokens or settings of an agent. */
const SECRETS = [
  '.credentials.json',
  'credentials.json',
  'auth.json',
  '.claude.json',
  'settings.json',
  'settings.local.json',
  'config.toml',
  'managed_config.toml',
  'mcp_credentials.json',
  'oauth_creds.json',
  '.env',
  '.netrc',
  'id_ed25519',
  'auth.json.bak',
  'auth.jsonl.gpg',
]
const AGENT_DIRS = ['.claude', '.codex', '.grok', '.config/claude']

/** A home with sessions of every agent of the demo, and a secret of every name in each of its directories. */
function homeWithSecrets(): { home: string; planted: string[] } {
  const home = demoHome()
  write(tracePath(home, 'walk'), jsonl(FLAT_LINES))
  for (const dir of AGENT_DIRS) write(path.join(home, dir, 'keep', 'x'), '')
  const inside = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory())
  const dirs = [home, ...inside.map((entry) => path.join(entry.parentPath, entry.name))]
  const planted = dirs.flatMap((dir) => SECRETS.map((name) => path.join(dir, name))).filter((file) => !existsSync(file))
  for (const file of planted) writeFileSync(file, 'token = "not-for-you"\n')
  return { home, planted }
}

type Tracer = (env: Record<string, string>, args: readonly string[]) => string[]

/** Every path the process and its threads asked the system to open. */
const bySystem: Tracer = (env, args) => {
  const log = path.join(tempDir(), 'opens')
  const traced = ['-f', '-qq', '-s', '4096', '-e', 'trace=open,openat', '-o', log, process.execPath, bin, ...args]
  expect(spawnSync('strace', traced, { env, encoding: 'utf8' })).toMatchObject({ status: 0 })
  return [...readFileSync(log, 'utf8').matchAll(/\bopen(?:at)?\([^"]*"((?:[^"\\]|\\.)*)"/g)].map(
    (match) => match[1] ?? '',
  )
}

/** Every path that the program gave to a function of `fs` which opens it. */
const byModule: Tracer = (env, args) => {
  const dir = tempDir()
  const log = path.join(dir, 'opens')
  const hook = write(path.join(dir, 'hook.cjs'), HOOK)
  const run = spawnSync(process.execPath, ['--require', hook, bin, ...args], {
    env: { ...env, OPENS: log },
    encoding: 'utf8',
  })
  expect(run).toMatchObject({ status: 0 })
  return readFileSync(log, 'utf8').split('\n')
}

const HOOK = `
const fs = require('node:fs')
const note = fs.appendFileSync
const log = process.env.OPENS
let noting = false
for (const [owner, names] of [
  [fs, ['open', 'openSync', 'readFile', 'readFileSync', 'createReadStream', 'copyFile', 'copyFileSync', 'cp', 'cpSync']],
  [fs.promises, ['open', 'readFile', 'copyFile', 'cp']],
]) {
  for (const name of names) {
    const real = owner[name]
    owner[name] = function (file, ...rest) {
      if (!noting && typeof file !== 'number') {
        noting = true
        note(log, String(file) + '\\n')
        noting = false
      }
      return real.call(this, file, ...rest)
    }
  }
}
require('node:module').syncBuiltinESMExports()
`

const TRACERS: readonly (readonly [string, Tracer, string | null])[] = [
  ['the functions that open files', byModule, null],
  ['the system', bySystem, whyNoStrace()],
]

function whyNoStrace(): string | null {
  const { status } = spawnSync('strace', ['-qq', '-e', 'trace=openat', process.execPath, '-e', '0'], {
    stdio: 'ignore',
  })
  return status === 0 ? null : 'strace is not installed, or may not trace here'
}

describe.each(TRACERS)('as %s tell', (_, opensOf, unfit) => {
  test('no file with credentials or settings of an agent is ever opened', ({ skip }) => {
    skip(unfit !== null, String(unfit))
    const { home, planted } = homeWithSecrets()
    const env = cleanEnv(home)
    const commands = [['index'], ['index', '--full'], ['status'], ['doctor'], ['list'], ['search', 'cargo']]
    const opened = new Set(commands.flatMap((args) => opensOf(env, args)))
    const transcripts = [...opened].filter((file) => file.startsWith(home) && file.endsWith('.jsonl'))
    expect(transcripts.length).toBeGreaterThan(20)
    expect(planted.length).toBeGreaterThan(100)
    expect(planted.filter((file) => opened.has(file))).toEqual([])
  })
})
