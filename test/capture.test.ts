import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { bin, recallCli, recallJson } from './kit/cli.ts'
import { type Place, newPlace, setCadence } from './kit/hook-place.ts'

function queued({ queue }: Place): Record<string, unknown>[] {
  if (!existsSync(queue)) return []
  const files = readdirSync(queue).filter((name) => name.endsWith('.json'))
  return files.sort().map((name) => JSON.parse(readFileSync(path.join(queue, name), 'utf8')))
}

function writeSession({ home }: Place): void {
  const id = uuid('session')
  write(transcriptPath(home, id), new ClaudeLog(id).user('find me').text())
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function until(claim: () => boolean, patienceMs = 10_000): Promise<boolean> {
  for (let waited = 0; !claim() && waited < patienceMs; waited += 50) await sleep(50)
  return claim()
}

describe('hook run', () => {
  const run = (place: Place, args: string[], input: string | undefined, env = {}) =>
    spawnSync(process.execPath, [bin, 'hook', 'run', ...args], {
      env: { ...place.env, ...env },
      encoding: 'utf8',
      ...(input === undefined ? { stdio: ['ignore', 'pipe', 'pipe'] as const } : { input }),
    })

  test.each([
    [
      ['claude'],
      { hook_event_name: 'Stop', session_id: 's1', transcript_path: '/h/.claude/p/s1.jsonl', cwd: '/w', last: 'words' },
      { agent: 'claude', event: 'Stop', session_id: 's1', transcript_path: '/h/.claude/p/s1.jsonl', cwd: '/w' },
    ],
    [
      ['claude'],
      { hookEventName: 'session_end', sessionId: 's2', workspaceRoot: '/w' },
      { agent: 'grok', event: 'session_end', session_id: 's2', transcript_path: null, cwd: '/w' },
    ],
    [
      ['grok'],
      {
        jsonrpc: '2.0',
        method: '_x.ai/session/update',
        params: { sessionId: 's3', update: { sessionUpdate: 'ended' } },
      },
      { agent: 'grok', event: 'ended', session_id: 's3', transcript_path: null, cwd: null },
    ],
  ])('notes what the agent says and nothing more: %j %j', (args, payload, expected) => {
    const place = newPlace()
    const { status, stdout, stderr } = run(place, args, JSON.stringify(payload))
    expect([status, stdout, stderr]).toEqual([0, '', ''])
    const [entry, ...others] = queued(place)
    expect(others).toEqual([])
    expect(entry).toEqual({ ...expected, at: expect.stringMatching(/^\d{4}-.*Z$/) })
  })

  test('takes the payload as an argument, as Codex gives it', () => {
    const place = newPlace()
    const payload = { type: 'agent-turn-complete', 'thread-id': 't1', cwd: '/w', 'input-messages': ['hello'] }
    expect(run(place, ['codex', JSON.stringify(payload)], undefined).status).toBe(0)
    expect(queued(place)).toMatchObject([{ agent: 'codex', event: 'agent-turn-complete', session_id: 't1' }])
    expect(JSON.stringify(queued(place))).not.toContain('hello')
  })

  test('an agent with hooks of its own is not told twice by those of another', () => {
    const place = newPlace()
    const payload = JSON.stringify({ hookEventName: 'stop', sessionId: 's4', hook_event_name: 'Stop' })
    run(place, ['claude'], payload)
    expect(queued(place)).toMatchObject([{ agent: 'grok', session_id: 's4' }])
    write(path.join(place.home, '.grok/hooks/recall.json'), '{}')
    run(place, ['claude'], payload)
    expect(queued(place)).toHaveLength(1)
    run(place, ['grok'], payload)
    expect(queued(place)).toHaveLength(2)
  })

  test('succeeds in silence whatever happens', () => {
    const place = newPlace()
    const file = path.join(place.home, 'file')
    writeFileSync(file, '')
    for (const [args, input, env] of [
      [['claude'], 'no json', {}],
      [['claude'], '[1]', {}],
      [['claude'], undefined, {}],
      [[], '{}', {}],
      [['../../etc'], '{}', {}],
      [['claude'], '{}', { XDG_DATA_HOME: file }],
      [['claude'], '{}', { XDG_DATA_HOME: '/proc/none' }],
      [['claude'], '{}', { XDG_DATA_HOME: '/dev/full' }],
    ] as const) {
      const { status, stdout, stderr } = run(place, [...args], input, env)
      expect([args, status, stdout, stderr]).toEqual([args, 0, '', ''])
    }
    expect(queued(place).map((entry) => entry['agent'])).toEqual(['claude', 'claude', 'claude', 'unknown', 'unknown'])
  })

  test('does not wait for an agent that never closes its end', async () => {
    for (const said of ['', '{"session_id":"open"}', '{"session_id":']) {
      const place = newPlace()
      const child = spawn(process.execPath, [bin, 'hook', 'run', 'claude'], {
        env: place.env,
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      child.stdin.write(said)
      expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0)
      child.stdin.destroy()
      expect(queued(place)).toHaveLength(1)
      if (said.endsWith('}')) expect(queued(place)[0]).toMatchObject({ session_id: 'open' })
    }
  })

  test('reads pipes and files of a shell, also one that stays open', () => {
    const place = newPlace()
    const file = path.join(place.home, 'payload')
    writeFileSync(file, '{"session_id":"file"}')
    const log = path.join(place.home, 'log')
    const hook = `"${process.execPath}" "${bin}" hook run claude`
    for (const script of [
      `echo '{"session_id":"pipe"}' | ${hook}`,
      `{ printf '{"session_id":'; sleep 0.1; echo '"slow"}'; } | ${hook}`,
      `{ echo '{"session_id":"open"}'; sleep 2; echo slept >> ${log}; } | { ${hook}; echo hooked >> ${log}; }`,
      `${hook} < ${file}`,
      `${hook} <&-`,
    ])
      spawnSync('sh', ['-c', script], { env: place.env })
    expect(queued(place).map((entry) => entry['session_id'])).toEqual(['pipe', 'slow', 'open', 'file', null])
    expect(readFileSync(log, 'utf8')).toBe('hooked\nslept\n')
  })

  test('loads nothing but what writes one file', () => {
    const place = newPlace()
    const probe = path.join(place.home, 'probe.cjs')
    const report = path.join(place.home, 'loaded.json')
    writeFileSync(
      probe,
      `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(report)}, JSON.stringify(
        [Object.keys(require.cache), process.moduleLoadList])))`,
    )
    const env = { ...place.env, NODE_OPTIONS: `--require ${probe}` }
    spawnSync(process.execPath, [bin, 'hook', 'run', 'claude'], { env, input: '{"session_id":"x"}' })
    const [files, builtins] = JSON.parse(readFileSync(report, 'utf8'))
    const names = files.map((file: string) => path.basename(file)).sort()
    expect(names).toEqual(['hook.cjs', 'probe.cjs', 'recall.js'])
    const heavy = ['child_process', 'worker_threads', 'crypto', 'http', 'readline', 'zlib', 'module']
    expect(heavy.filter((name) => builtins.includes(`NativeModule ${name}`))).toEqual([])
    expect(statSync(path.join(path.dirname(bin), '../dist/hook.cjs')).size).toBeLessThan(32_000)
  })

  test('starts one sweep that outlives it, if the cadence says so and nobody is writing', async () => {
    const place = newPlace()
    setCadence(place, 'on-hook')
    writeSession(place)
    expect(recallCli(place.env, 'hook', 'install', 'claude', '--yes').code).toBe(0)
    const lock = path.join(path.dirname(place.queue), 'recall.lock')
    writeFileSync(lock, `${process.pid}\n`)
    run(place, ['claude'], '{}')
    await sleep(1500)
    expect(existsSync(path.join(path.dirname(place.queue), 'recall.db'))).toBe(false)
    writeFileSync(lock, '999999999\n')
    run(place, ['claude'], '{}')
    expect(await until(() => queued(place).length === 0 && !existsSync(lock))).toBe(true)
    expect(recallJson(place.env, 'list')['total']).toBe(1)
  })
})

describe('hook install', () => {
  const SETTINGS = '{\n  "model": "opus", "n": 1.0\n}'

  test('shows the change, makes it, keeps the old file and its mode, and uninstall gives back every byte', () => {
    const place = newPlace()
    const file = path.join(place.home, '.claude/settings.json')
    writeFileSync(file, SETTINGS, { mode: 0o640 })
    chmodSync(file, 0o640)
    const dry = recallCli(place.env, 'hook', 'install', 'claude', '--dry-run')
    expect(dry.out).toMatch(/^\+ .*"SessionEnd"/m)
    expect(readdirSync(path.dirname(file))).toEqual(['settings.json'])
    expect(readFileSync(file, 'utf8')).toBe(SETTINGS)
    expect(recallCli(place.env, 'hook', 'install', 'claude', '--yes')).toMatchObject({ code: 0 })
    expect(readFileSync(`${file}.recall-backup`, 'utf8')).toBe(SETTINGS)
    expect(statSync(file).mode & 0o777).toBe(0o640)
    const installed = readFileSync(file, 'utf8')
    expect(recallJson(place.env, 'hook', 'install', 'claude', '--yes')).toMatchObject({
      code: 0,
      changed: false,
      diff: [],
    })
    expect(readFileSync(file, 'utf8')).toBe(installed)
    expect(recallJson(place.env, 'hook', 'status', 'claude')['hooks']).toMatchObject([{ installed: true, file }])
    expect(recallCli(place.env, 'hook', 'uninstall', 'claude', '--yes').code).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(SETTINGS)
    expect(readdirSync(path.dirname(file))).toEqual(['settings.json'])
    expect(recallJson(place.env, 'hook', 'uninstall', 'claude', '--yes')).toMatchObject({ code: 0, changed: false })
  })

  test('the installed command is one that the agent can run', () => {
    const place = newPlace()
    recallCli(place.env, 'hook', 'install', 'grok', '--yes')
    const file = path.join(place.home, '.grok/hooks/recall.json')
    const { command } = JSON.parse(readFileSync(file, 'utf8')).hooks.SessionEnd[0].hooks[0]
    spawnSync('sh', ['-c', command], { env: place.env, input: '{"hookEventName":"session_end","sessionId":"g"}' })
    expect(queued(place)).toMatchObject([{ agent: 'grok', session_id: 'g' }])
    recallCli(place.env, 'hook', 'uninstall', 'grok', '--yes')
    expect(existsSync(file)).toBe(false)
  })

  test('what others add later stays when ours goes', () => {
    const place = newPlace()
    const file = path.join(place.home, '.claude/settings.json')
    recallCli(place.env, 'hook', 'install', 'claude', '--yes')
    const settings = JSON.parse(readFileSync(file, 'utf8'))
    settings.hooks.Stop.push({ hooks: [{ type: 'command', command: 'beep' }] })
    writeFileSync(file, JSON.stringify(settings))
    recallCli(place.env, 'hook', 'uninstall', 'claude', '--yes')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'beep' }] }] },
    })
  })

  test('writes through a link', () => {
    const place = newPlace()
    const real = path.join(place.home, 'dotfiles.json')
    writeFileSync(real, '{}')
    const link = path.join(place.home, '.claude/settings.json')
    symlinkSync(real, link)
    recallCli(place.env, 'hook', 'install', 'claude', '--yes')
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(readFileSync(real, 'utf8')).toContain('hook run claude')
  })

  test.each([
    ['claude', '.claude/settings.json', '{ // mine\n}', 0o600, 2, /is not JSON/],
    ['claude', '.claude/settings.json', '{}', 0o400, 2, /read-only/],
    ['codex', '.codex/hooks.json', '{ // mine\n}', 0o600, 2, /is not JSON/],
    ['codex', '.codex/config.toml', 'model =', 0o600, 2, /is not TOML/],
    ['claude', '.claude/settings.json', '{"x":"f\xfcr mich"}', 0o600, 2, /not UTF-8/],
  ])('refuses and changes nothing: %s %s %j', (agent, name, text, mode, code, why) => {
    const place = newPlace()
    const file = path.join(place.home, name)
    writeFileSync(file, text, 'latin1')
    chmodSync(file, mode)
    const answer = recallCli(place.env, 'hook', 'install', agent, '--yes')
    expect(answer.code).toBe(code)
    expect(answer.err).toMatch(why)
    expect(answer.err).toContain(file)
    expect(readFileSync(file, 'latin1')).toBe(text)
    expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)])
  })

  test('Codex gets hooks, beside the notify that needs no trust, and says what it asks', () => {
    const place = newPlace()
    const [hooks, config] = ['hooks.json', 'config.toml'].map((name) => path.join(place.home, '.codex', name)) as [
      string,
      string,
    ]
    writeFileSync(config, 'model = "x"')
    const { code, err } = recallCli(place.env, 'hook', 'install', 'codex', '--yes')
    expect(code).toBe(0)
    expect(err).toMatch(/trusted.*\/hooks/s)
    const events = Object.keys(JSON.parse(readFileSync(hooks, 'utf8')).hooks)
    expect(events.toSorted()).toEqual(['PreCompact', 'SessionEnd', 'SessionStart', 'Stop', 'SubagentStop'])
    expect(readFileSync(config, 'utf8')).toMatch(/^notify = \[.*"hook", "run", "codex"\]/)
    expect(recallCli(place.env, 'hook', 'uninstall', 'codex', '--yes').code).toBe(0)
    expect(existsSync(hooks)).toBe(false)
    expect(readFileSync(config, 'utf8')).toBe('model = "x"')
  })

  test('a notify of somebody else stays, and hooks are enough', () => {
    const place = newPlace()
    const config = path.join(place.home, '.codex/config.toml')
    writeFileSync(config, 'notify = ["bell"]\n')
    expect(recallJson(place.env, 'hook', 'install', 'codex', '--yes')).toMatchObject({
      code: 0,
      changed: true,
      files: [path.join(place.home, '.codex/hooks.json')],
    })
    expect(readFileSync(config, 'utf8')).toBe('notify = ["bell"]\n')
    expect(recallJson(place.env, 'hook', 'status', 'codex')['hooks']).toMatchObject([{ installed: true }])
  })

  test('makes no directory for an agent that is not there', () => {
    const place = newPlace()
    const env = { ...place.env, GROK_HOME: path.join(place.home, 'none') }
    expect(recallJson(env, 'hook', 'install', 'grok', '--yes')).toMatchObject({ code: 1, error: { code: 'NOT_FOUND' } })
    expect(existsSync(env.GROK_HOME)).toBe(false)
  })
})

describe('exec', () => {
  const run = (place: Place, args: string[]) =>
    spawnSync(process.execPath, [bin, 'exec', '--', ...args], { env: place.env, encoding: 'utf8', input: 'in' })

  test('passes streams, arguments and the exit code through, and notes the run', () => {
    const place = newPlace()
    const agent = path.join(place.home, 'codex')
    writeFileSync(agent, '#!/bin/sh\ncat\necho "$@" >&2\nexit 7\n', { mode: 0o755 })
    expect(run(place, [agent, 'exec', '--json', 'a b'])).toMatchObject({
      status: 7,
      stdout: 'in',
      stderr: 'exec --json a b\n',
    })
    expect(queued(place)).toMatchObject([{ agent: 'codex', event: 'exec', session_id: null }])
  })

  test('ends by the signal that ended the command, and hands on the one it gets', async () => {
    const place = newPlace()
    expect(run(place, ['sh', '-c', 'kill -9 $$'])).toMatchObject({ status: null, signal: 'SIGKILL' })
    const ready = path.join(place.home, 'ready')
    const script = `trap 'exit 9' TERM; touch ${ready}; while :; do sleep 0.05; done`
    const child = spawn(process.execPath, [bin, 'exec', '--', 'sh', '-c', script], { env: place.env, stdio: 'ignore' })
    const ended = new Promise((resolve) => child.on('exit', resolve))
    expect(await until(() => existsSync(ready))).toBe(true)
    child.kill('SIGTERM')
    expect(await ended).toBe(9)
    expect(queued(place)).toHaveLength(2)
  })

  test('says so when there is no such command', () => {
    const place = newPlace()
    expect(run(place, ['no-such-agent'])).toMatchObject({
      status: 127,
      stderr: expect.stringContaining('no-such-agent'),
    })
    expect(queued(place)).toEqual([])
  })
})

test('watch makes a new session visible, drains the queue, and ends when asked', async () => {
  const place = newPlace()
  const child = spawn(process.execPath, [bin, 'watch'], { env: place.env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const ended = new Promise((resolve) => child.on('exit', resolve))
  expect(await until(() => said.includes('watching'))).toBe(true)
  writeSession(place)
  expect(await until(() => said.includes('1 new session'))).toBe(true)
  expect(recallJson(place.env, 'list')['total']).toBe(1)
  spawnSync(process.execPath, [bin, 'hook', 'run', 'claude'], { env: place.env, input: '{}' })
  expect(await until(() => queued(place).length === 0)).toBe(true)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})
