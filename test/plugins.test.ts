import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { loadPlugins } from '../src/plugins/load.ts'
import type { Job } from '../src/ingest/job.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { bin, cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { tempDir } from './kit/home.ts'

const PI = path.resolve(import.meta.dirname, '../examples/pi.mjs')
const entry = pathToFileURL(path.resolve(bin, '../../dist/plugin-thread.cjs'))

/** A home with one session of Claude Code and the plugins of this test. */
function homeWith(plugins: Readonly<Record<string, string>>) {
  const home = tempDir()
  const config = path.join(home, '.config/recall')
  mkdirSync(config, { recursive: true })
  const lines = Object.entries(plugins).map(([name, code]) => {
    const file = code.startsWith('/') ? code : path.join(home, `${name}.mjs`)
    if (file !== code) writeFileSync(file, code)
    return `${name} = ${JSON.stringify(file)}`
  })
  writeFileSync(path.join(config, 'config.toml'), `[sources.plugins]\n${lines.join('\n')}\n`)
  write(transcriptPath(home, uuid('own')), new ClaudeLog(uuid('own')).user('words of another agent').say('Yes.').text())
  return { home, env: cleanEnv(home) }
}

async function layPi(home: string): Promise<string> {
  const { sample } = (await import(PI)) as { sample: Record<string, string> }
  const [[name = '', text = ''] = []] = Object.entries(sample)
  const file = path.join(home, '.pi/agent', name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text.replace('Mend the test.', `Mend the test, with ghp_${'a1B2'.repeat(9)}.`))
  return file
}

/** A plugin of one transcript, whose reader does what is given. */
const plugin = (read: string, more = '') => `${more}
export default {
  name: 'x', longName: 'x', label: 'X', revision: 1,
  roots: (env) => [env.HOME + '/x'], owns: (file) => file.endsWith('.log'), skips: () => false,
  resume: () => null,
  reader: async () => ({ read(unit, from) { return {
    provisional: false, bytesRead: 0,
    checkpoint: () => ({ offset: 0, line: 1, state: null }),
    *[Symbol.iterator]() { const lane = { session: 's1', lane: '' }; ${read} },
  } } }),
}`

test('the example keeps every promise of a source', () => {
  const { env } = homeWith({})
  const { code, out } = recallCli(env, 'source', 'test', PI)
  expect(out).not.toContain('NO ')
  expect(code).toBe(0)
})

test('a source that breaks a promise is told which, and one that is none why', () => {
  const { home, env } = homeWith({})
  const bad = path.join(home, 'bad.mjs')
  writeFileSync(bad, readFileSync(PI, 'utf8').replace('const pos = state.pos++', 'const pos = (state.pos += 2)'))
  const run = recallCli(env, 'source', 'test', bad)
  expect([run.code, run.out]).toEqual([
    1,
    expect.stringContaining(
      'NO  announces a lane before it says anything of it, and numbers events without holes: an event has pos 2 where 0 comes next',
    ),
  ])
  writeFileSync(bad, 'export const nothing = 1')
  expect(recallJson(env, 'source', 'test', bad)).toMatchObject({
    passes: false,
    fault: 'its default export is no source',
    code: 1,
  })
  expect(recallCli(env, 'source', 'test', path.join(home, 'none.mjs')).code).toBe(1)
})

test("a plugin's sessions are read, redacted, found, read on and continued like any others", async () => {
  const { home, env } = homeWith({ pi: PI })
  const file = await layPi(home)
  expect(recallJson(env, 'index')).toMatchObject({ sessions: { new: 2 }, files: { failed: 0 } })
  const [session] = recallJson(env, 'list', '--source', 'pi')['sessions'] as Record<string, unknown>[]
  expect(session).toMatchObject({
    session_uid: 'pi:5b0f1c2a-0000-4000-8000-00000000c0de',
    title: 'Mending',
    cwd: '/home/sam/code',
  })
  const shown = recallCli(env, 'show', String(session?.['session_uid']), '--events').out
  expect(shown).toContain('[REDACTED:')
  expect(shown).not.toContain('ghp_a1B2')
  expect(recallCli(env, 'search', 'leave it').out).toContain('leave it')
  const line = {
    type: 'message',
    id: 'a9',
    parentId: 'a5',
    timestamp: '2026-11-02T09:00:09.000Z',
    message: { role: 'user', content: 'go on' },
  }
  appendFileSync(file, `${JSON.stringify(line)}\n`)
  expect(recallJson(env, 'index')).toMatchObject({ sessions: { new: 0, updated: 1 }, events: 1, files: { parsed: 1 } })
  expect(recallJson(env, 'index')).toMatchObject({ files: { parsed: 0 }, bytes_read: 0 })
  expect(recallJson(env, 'resume', 'pi:5b0f1c2a-0000-4000-8000-00000000c0de')['command']).toEqual([
    'pi',
    '--session',
    '5b0f1c2a-0000-4000-8000-00000000c0de',
  ])
  expect(recallCli(env, 'forget', 'pi:5b0f1c2a-0000-4000-8000-00000000c0de', '--yes').code).toBe(0)
  expect(recallJson(env, 'index', '--full')).toMatchObject({ sessions: { new: 0 } })
  expect(recallJson(env, 'list', '--source', 'pi')['sessions']).toEqual([])
})

test('its code runs where sessions are read, and at no other time', () => {
  const { home, env } = homeWith({ x: '' })
  const mark = path.join(home, 'was-here')
  writeFileSync(
    path.join(home, 'x.mjs'),
    plugin('', `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(mark)}, '')`),
  )
  for (const args of [['list'], ['search', 'words'], ['stats'], ['status'], ['--version']]) recallCli(env, ...args)
  expect(existsSync(mark)).toBe(false)
  recallCli(env, 'index')
  expect(existsSync(mark)).toBe(true)
})

const NONSENSE: readonly (readonly [what: string, code: string, said: RegExp])[] = [
  ['is not there', '/nowhere/x.mjs', /Cannot find module/],
  ['is no module', 'export default {', /Unexpected|SyntaxError/],
  ['throws when it is loaded', 'throw new Error("no luck")', /no luck/],
  ['ends its process', 'process.exit(3)', /ended its own thread|process\.exit/],
  ['is no source', 'export default { name: "x" }', /has no roots\(\)/],
  ['throws when it reads', plugin('throw new Error("torn")'), /torn/],
  ['gives what is no item', plugin('yield [{ item: "wonder" }]'), /makes no sense: there is no item "wonder"/],
  ['gives no list', plugin('yield 7'), /no list/],
  [
    'gives events before a lane',
    plugin(`yield [{ item: 'facts', ...lane, facts: { cwd: '/x' } }]`),
    /before announcing/,
  ],
  [
    'names another agent',
    plugin(`yield [{ item: 'lane', ...lane, originality: 0, mainPath: '/x', flavor: 'claude' }]`),
    /has no field "flavor"/,
  ],
  [
    'gives numbers that are none',
    plugin(`yield [{ item: 'lane', ...lane, originality: 0, mainPath: '/x' }, { item: 'event', ...lane, pos: -1 }]`),
    /event\.pos is -1/,
  ],
]

test.each(NONSENSE)('a plugin that %s is one message, and nothing else is lost', (_, code, said) => {
  const { home, env } = homeWith({ x: code })
  mkdirSync(path.join(home, 'x'))
  writeFileSync(path.join(home, 'x', 'a.log'), 'a\n')
  const run = recallCli(env, 'index')
  expect(`${run.out}${run.err}`).toMatch(said)
  expect(run.err.match(/^.*x(?:\.mjs|\/a\.log).*$/gm)?.length).toBe(1)
  expect(recallJson(env, 'list')['sessions']).toMatchObject([{ title: 'words of another agent' }])
  expect(recallCli(env, 'doctor').out + recallCli(env, 'doctor').err).not.toContain('bug')
})

test('a plugin that hangs, while it is loaded or while it reads, is stopped and told', async () => {
  const home = tempDir()
  mkdirSync(path.join(home, 'x'))
  writeFileSync(path.join(home, 'x', 'a.log'), 'a\n')
  const file = path.join(home, 'x.mjs')
  const host = { entry, env: { HOME: home }, rootsFor: () => null, patienceMs: 1500 }
  for (const code of ['for (;;) {}', 'await new Promise(() => setInterval(() => {}, 1000))']) {
    writeFileSync(file, code)
    const { failed } = await loadPlugins([{ name: 'x', file }], host)
    expect(failed).toMatchObject([{ name: 'x', message: 'it did nothing for 2 s' }])
  }
  writeFileSync(file, plugin(`yield [{ item: 'lane', ...lane, originality: 0, mainPath: '/x' }]; for (;;) {}`))
  const loaded = await loadPlugins([{ name: 'x', file }], host)
  const path_ = path.join(home, 'x', 'a.log')
  const stamp = { size: 2, mtimeMs: 0, stamp: 'x' }
  const job: Job = { source: 'x', path: path_, root: path.join(home, 'x'), stamp, what: 'transcript', from: null }
  const said = []
  for await (const word of loaded.read({
    jobs: [job, job],
    redaction: { rules: new Map(), allow: [] },
    key: new Uint8Array(32),
  }))
    said.push(word)
  expect(said).toMatchObject([{ failed: { path: path_ }, message: 'it did nothing for 2 s' }])
})

test('a plugin cannot take the name of an agent', () => {
  const { env } = homeWith({ claude: plugin('') })
  const { code, err } = recallCli(env, 'list')
  expect([code, err]).toEqual([2, expect.stringContaining('no plugin can be called "claude"')])
})
