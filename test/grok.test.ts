import { appendFileSync, readFileSync, renameSync, truncateSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { createRecall } from '../src/recall.ts'
import { resolveSettings } from '../src/settings/settings.ts'
import { grok } from '../src/sources/grok/grok.ts'
import { grokReader } from '../src/sources/grok/reader.ts'
import { IGNORED_TELEMETRY, IGNORED_UPDATES } from '../src/sources/grok/kinds.ts'
import { FLAG } from '../src/store/store.ts'
import { openForReading, openForWriting } from '../src/store/open.ts'
import { sourceConformance } from './conformance.ts'
import type { Item } from '../src/sources/source.ts'
import { GrokLog, laySession, only, put, readAll, sessionDir } from './kit/grok-log.ts'
import { dump } from './kit/dump.ts'
import { NOW, tempDir } from './kit/home.ts'

const ID = '019f0000-0000-7000-8000-000000000003'

/** A session with everything that makes numbering hard. */
function lively(): GrokLog {
  const log = new GrokLog(ID).update('hook_execution', { event_name: 'session_start', runs: [] })
  log.prompt('please fix the flaky test — über-flaky, 日本語 too').think('let me ').think('look').say('Looking.')
  log.call('c1', 'run_terminal_command', { command: 'npm test' }).progress('c1', 'a').progress('c1', 'ab')
  log.result('c1', 'boom', 1).call('c2', 'run_terminal_command', { command: 'npm test' }).progress('c2', 'so far')
  log
    .say('Still red.')
    .update('plan', { entries: [{ content: 'bisect', status: 'in_progress' }] })
    .done()
  log.prompt('wrong way').say('Oh.').done({ stop_reason: 'cancelled', usage: undefined }).rewind(1)
  log.prompt('bisect it').call('c3', 'grep', { pattern: 'x' }).result('c3', 'found').say('Found ').say('it.').done()
  log.prompt('and run it').call('c4', 'run_terminal_command', { command: 'npm start' }).progress('c4', 'listening')
  log.update('session_summary_generated', { session_summary: 'Fix the flaky test' }).prompt('thanks').say('Welcome')
  const [late] = log.lines.splice(-8, 1)
  if (late) log.lines.splice(-4, 0, late)
  return log
}

test('stopped before or after any newline, a reading goes on as if it had not', () => {
  const log = lively().update('thing_of_tomorrow').say('!')
  const text = log.text()
  const told = (items: readonly Item[]) =>
    items.flatMap((item) => (item.item === 'supersede' || item.item === 'problem' ? [JSON.stringify(item)] : []))
  const events = (items: readonly Item[]) => new Map(only(items, 'event').map((event) => [event.pos, event]))
  const whole = readAll(laySession(tempDir(), ID, { 'updates.jsonl': text }))
  const ends = [...text.matchAll(/\n/g)].flatMap(({ index }) => [index - 1, index, index + 1])
  for (const end of ends) {
    const unit = laySession(tempDir(), ID, { 'updates.jsonl': text.slice(0, end) })
    const first = grokReader.read(unit, null)
    const before = [...first].flat()
    appendFileSync(unit.path, text.slice(end))
    const after = [...grokReader.read(unit, JSON.parse(JSON.stringify(first.checkpoint())))].flat()
    expect([...new Map([...events(before), ...events(after)]).values()], `stopped at ${end}`).toEqual([
      ...events(whole).values(),
    ])
    expect([...told(before), ...told(after)]).toEqual(expect.arrayContaining(told(whole)))
    expect(only([...before, ...after], 'problem')).toHaveLength(1)
    const acknowledged = text.slice(0, text.lastIndexOf('\n', end - 1) + 1)
    expect(first.checkpoint().offset).toBeLessThanOrEqual(Buffer.byteLength(acknowledged))
  }
})

sourceConformance(grok, {
  lay() {
    const text = lively().text()
    const unit = laySession(tempDir(), ID, { 'updates.jsonl': text })
    return {
      unit,
      bytes: Buffer.from(text),
      append: (bytes) => appendFileSync(unit.path, bytes),
      truncate: (bytes) => truncateSync(unit.path, bytes),
    }
  },
})

function productOn(home: string, store = path.join(tempDir(), 'recall.db')) {
  const settings = resolveSettings({
    env: {},
    config: null,
    configPath: '',
    sourceNames: ['grok'],
    flags: { '--store': store },
  })
  const parts = { settings, sources: [grok], env: { HOME: home }, now: () => NOW, openForReading, openForWriting }
  return { store, recall: createRecall(parts) }
}

/** Ids derive from where a file lies; homes differ between runs. */
function stable(dumped: object, home: string): object {
  const text = JSON.stringify(dumped).replaceAll(home, '~')
  return JSON.parse(text, (key, value) => (['short_id', 'message_id', 'call_id'].includes(key) ? 'id' : value))
}

describe('the product', () => {
  test('a transcript indexed while it grows ends as one indexed at once', async () => {
    const text = lively().text()
    const lines = text.split('\n').length
    const once = tempDir()
    laySession(path.join(once, '.grok'), ID, { 'updates.jsonl': text })
    const whole = productOn(once)
    await whole.recall.index()
    const expected = stable(dump(whole.store), once)
    for (let cut = 1; cut < lines; cut += cut < lines - 8 ? 4 : 1) {
      const home = tempDir()
      const at = text.split('\n').slice(0, cut).join('\n').length + (cut % 2 === 0 ? 40 : 1)
      const unit = laySession(path.join(home, '.grok'), ID, { 'updates.jsonl': text.slice(0, at) })
      const { recall, store } = productOn(home)
      await recall.index()
      appendFileSync(unit.path, text.slice(at))
      await recall.index()
      expect(stable(dump(store), home), `cut at ${at}`).toEqual(expected)
    }
  })

  test('a rewound branch is kept and marked, and its tokens stay counted', async () => {
    const home = tempDir()
    const log = new GrokLog(ID).prompt('keep').done().prompt('wrong zebra').done().rewind(1).prompt('right').done()
    laySession(path.join(home, '.grok'), ID, { 'updates.jsonl': log.text() })
    const { recall } = productOn(home)
    await recall.index()
    const session = await recall.find(`grok:${ID}`)
    const events = await recall.events(session, { sidechains: true })
    const superseded = events.filter(({ flags }) => flags & FLAG.superseded).map(({ text }) => text)
    expect(superseded).toEqual(['wrong zebra', 'turn ended after 5s'])
    expect(session.promptCount).toBe(2)
    expect((await recall.status()).sources[0]?.totals.tokens.input).toBe(900)
    await recall.close()
  })

  test('a fork neither counts nor finds twice what it copied', async () => {
    const home = tempDir()
    const root = path.join(home, '.grok')
    const parent = new GrokLog('019f0000-0000-7000-8000-00000000000a').prompt('shared okapi').say('words').done()
    const child = new GrokLog('019f0000-0000-7000-8000-00000000000b', parent.clock).prompt('own words').done()
    laySession(root, parent.session, { 'updates.jsonl': parent.text() })
    const summary = { info: { id: child.session }, parent_session_id: parent.session, session_kind: 'fork' }
    const files = { 'updates.jsonl': parent.text() + child.text(), 'summary.json': JSON.stringify(summary) }
    laySession(root, child.session, files)
    const { recall } = productOn(home)
    await recall.index()
    const { totals } = (await recall.status()).sources[0] ?? {}
    expect(totals).toMatchObject({ sessions: 2, prompts: 2, tokens: { input: 600, cacheRead: 1200 } })
    expect((await recall.search({ text: 'okapi', filter: { limit: 5 }, now: NOW })).hits).toHaveLength(1)
    expect((await recall.find(`grok:${child.session}`)).parentUid).toBe(`grok:${parent.session}`)
    await recall.close()
  })

  test('a directory that moved is the same session, and nothing of it is counted twice', async () => {
    const home = tempDir()
    const root = path.join(home, '.grok')
    const log = new GrokLog(ID).prompt('before').say('one').done()
    laySession(root, ID, { 'updates.jsonl': log.text() }, '/old')
    const { recall } = productOn(home)
    await recall.index()
    put(path.join(path.dirname(sessionDir(root, ID, '/new')), '.keep'), '')
    renameSync(sessionDir(root, ID, '/old'), sessionDir(root, ID, '/new'))
    appendFileSync(
      path.join(sessionDir(root, ID, '/new'), 'updates.jsonl'),
      new GrokLog(ID, log.clock).prompt('after').text(),
    )
    await recall.index()
    const session = await recall.find(`grok:${ID}`)
    expect(session).toMatchObject({ promptCount: 2, cwd: '/new' })
    expect((await recall.status()).sources[0]?.totals).toMatchObject({ sessions: 1, tokens: { input: 300 } })
    await recall.close()
  })

  test('a title that comes late is taken without reading the transcript again', async () => {
    const home = tempDir()
    const root = path.join(home, '.grok')
    laySession(root, ID, { 'updates.jsonl': lively().text(), 'summary.json': '{"session_summary":"first words"}' })
    const { recall } = productOn(home)
    await recall.index()
    laySession(root, ID, {
      'summary.json': '{"generated_title":"The late title","last_active_at":"2026-10-05T10:00:00Z"}',
    })
    const report = await recall.index()
    const session = await recall.find(`grok:${ID}`)
    expect(session).toMatchObject({ title: 'The late title', endedAt: Date.parse('2026-10-05T10:00:00Z') })
    expect(report.bytesRead).toBeLessThan(lively().text().length)
    await recall.close()
  })
})

/** Bundles the source with a few lines that read one file, and runs them in a process of their own. */
async function readApart(file: string, root: string) {
  const esbuild = await import('esbuild')
  const outfile = path.join(tempDir(), 'reader.cjs')
  const contents = `
    import { grokReader } from './src/sources/grok/reader.ts'
    let parsed = 0, events = 0
    const parse = JSON.parse
    JSON.parse = (text) => (parsed++, parse(text))
    const reading = grokReader.read({ path: process.argv[2], root: process.argv[3] }, null)
    let state = 0
    for (const items of reading) {
      for (const item of items) if (item.item === 'event') events++
      state = Math.max(state, JSON.stringify(reading.checkpoint()).length)
    }
    console.log(JSON.stringify({ parsed, events, state, rssMb: process.resourceUsage().maxRSS / 1024 }))`
  const root_ = path.resolve(import.meta.dirname, '..')
  await esbuild.build({
    stdin: { contents, resolveDir: root_, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['@photostructure/sqlite'],
    outfile,
    logLevel: 'error',
  })
  const env = { PATH: process.env['PATH'] ?? '', NODE_PATH: path.join(root_, 'node_modules') }
  const run = spawnSync(process.execPath, [outfile, file, root], { env, encoding: 'utf8' })
  expect(run.stderr).toBe('')
  return JSON.parse(run.stdout) as { parsed: number; events: number; state: number; rssMb: number }
}

/** The benchmark's generator, run as its own program. */
function writeHuge(out: string, bytes: number): { path: string; commands: number } {
  const homes = path.resolve(import.meta.dirname, '../bench/homes')
  const script = `
    import { createVocabulary } from '${homes}/words.mjs'
    import { createProject } from '${homes}/project.mjs'
    import { createProse } from '${homes}/prose.mjs'
    import { createOutput } from '${homes}/output.mjs'
    import { createSink } from '${homes}/sink.mjs'
    import { writeHugeGrokSession } from '${homes}/grok.mjs'
    const words = createVocabulary('test')
    const project = createProject(words, { seed: 'test', index: 0 })
    const scene = { prose: createProse(words), output: createOutput(words) }
    console.log(JSON.stringify(writeHugeGrokSession({ sink: createSink('${out}'), seed: 'test', project, bytes: ${bytes}, scene })))`
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(run.stderr).toBe('')
  return JSON.parse(run.stdout) as { path: string; commands: number }
}

test('a huge transcript costs little memory, and repeated news of a call are not parsed', async () => {
  const home = tempDir()
  const { path: file, commands } = writeHuge(home, Number(process.env['RECALL_TEST_HUGE_MB'] ?? 20) * 1e6)
  const whole = path.join(home, file)
  const lines = readFileSync(whole).reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0)
  const read = await readApart(whole, path.join(home, '.grok'))
  expect(lines).toBeGreaterThan(commands * 80)
  expect(read.events).toBeGreaterThan(commands * 2)
  expect(read.parsed).toBeLessThan(lines / 10)
  expect(read.state).toBeLessThan(10_000)
  expect(read.rssMb).toBeLessThan(300)
})

test('a turn that spans very much of the file does not have to be read again from its start', () => {
  const log = new GrokLog(ID).prompt('x').call('c1', 'run_terminal_command', { command: 'yes' })
  const line = log.progress('c1', 'y\n'.repeat(2_000_000)).text(log.lines.splice(-1))
  const unit = laySession(tempDir(), ID, { 'updates.jsonl': log.text() + line.repeat(10) + log.text([]) })
  const parse = vi.spyOn(JSON, 'parse')
  const reading = grokReader.read(unit, null)
  expect([...reading].flat().filter(({ item }) => item === 'event')).toHaveLength(2)
  expect(parse.mock.calls.length).toBeLessThan(10)
  parse.mockRestore()
  expect(reading.checkpoint().offset).toBeGreaterThan(30_000_000)
  appendFileSync(unit.path, log.result('c1', 'killed', 137).text(log.lines.slice(-1)))
  const more = only([...grokReader.read(unit, JSON.parse(JSON.stringify(reading.checkpoint())))].flat(), 'event')
  expect(more.map(({ kind, pos, tool }) => [kind, pos, tool])).toEqual([['error', 2, 'run_terminal_command']])
})

describe('docs/formats/grok.md', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../docs/formats/grok.md'), 'utf8')
  test.each([...Object.keys(IGNORED_UPDATES), ...Object.keys(IGNORED_TELEMETRY)])('names %s', (kind) => {
    expect(page).toContain(`\`${kind}\``)
  })
})
