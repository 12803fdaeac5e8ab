import { appendFileSync, readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { grokReader } from '../src/sources/grok/reader.ts'
import { GrokLog, laySession, only } from './kit/grok-log.ts'
import { tempDir } from './kit/home.ts'

const ID = '019f0000-0000-7000-8000-000000000003'

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
