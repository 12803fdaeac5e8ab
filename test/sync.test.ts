import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { tempDir } from './kit/home.ts'

/** A machine with a transcript of its own. */
function machine(...names: readonly string[]) {
  const home = tempDir()
  const env = cleanEnv(home)
  const run = (...args: string[]) => {
    const done = recallCli(env, ...args)
    if (done.code !== 0) throw new Error(`recall ${args.join(' ')}: exit ${done.code}: ${done.err}`)
    return done.out
  }
  const lay = (name: string) => {
    write(transcriptPath(home, uuid(name)), new ClaudeLog(uuid(name)).user(`about ${name}`).say('ok').text())
    run('index')
  }
  for (const name of names) lay(name)
  const list = () => {
    const { sessions } = recallJson(env, 'list', '--all', '--limit', '0') as unknown as {
      sessions: { title: string; tags: string[] }[]
    }
    return sessions.map(({ title, tags }) => [title, ...tags].join(' #')).sort()
  }
  const sync = (dir: string) => recallJson(env, 'sync', dir)
  return { home, env, run, lay, list, sync }
}

test('two machines come to know the same, in any order, and nothing twice', () => {
  const shared = path.join(tempDir(), 'shared')
  const [a, b] = [machine('badgers'), machine('otters')]
  a.sync(shared)
  b.sync(shared)
  a.sync(shared)
  expect([a.list(), b.list()]).toEqual([
    ['about badgers', 'about otters'],
    ['about badgers', 'about otters'],
  ])
  expect(readdirSync(shared)).toHaveLength(2)
  const totals = recallJson(b.env, 'status')['totals']
  expect(b.sync(shared)).toMatchObject({
    taken: { sessions: { kept: 0, same: 1 }, bad: 0 },
    written: { written: 0, unchanged: 1 },
  })
  expect(recallJson(b.env, 'status')['totals']).toEqual(totals)
  a.lay('stoats')
  a.sync(shared)
  b.sync(shared)
  expect(b.list()).toContain('about stoats')
}, 120_000)

test('tags and titles travel both ways, also when they are taken back; the later word holds', () => {
  const shared = path.join(tempDir(), 'shared')
  const [a, b] = [machine('badgers'), machine('otters')]
  const round = () => [a, b, a].forEach(({ sync }) => sync(shared))
  round()
  b.run('tag', uuid('badgers'), 'zoo', 'old')
  b.run('title', uuid('badgers'), 'stripes')
  round()
  expect(a.list()).toEqual(['about otters', 'stripes #old #zoo'])
  a.run('untag', uuid('badgers'), 'old')
  a.run('title', uuid('badgers'), 'setts')
  round()
  expect(b.list()).toEqual(['about otters', 'setts #zoo'])
  expect(a.list()).toEqual(b.list())
}, 120_000)

test('what is forgotten on one machine is forgotten on all, and does not come back', () => {
  const shared = path.join(tempDir(), 'shared')
  const [a, b] = [machine('badgers'), machine('otters')]
  const round = () => [a, b, a, b].forEach(({ sync }) => sync(shared))
  round()
  b.run('forget', `claude:${uuid('badgers')}`, '--yes')
  round()
  expect([a.list(), b.list()]).toEqual([['about otters'], ['about otters']])
  a.run('index')
  round()
  expect([a.list(), b.list()]).toEqual([['about otters'], ['about otters']])
  const files = readdirSync(shared, { recursive: true, encoding: 'utf8' })
  expect(files.filter((name) => name.includes(uuid('badgers')))).toEqual([])
}, 120_000)

test('what an interrupted machine has left does no harm, and neither does what somebody else put there', () => {
  const shared = path.join(tempDir(), 'shared')
  const [a, b] = [machine('badgers', 'stoats'), machine('otters')]
  a.sync(shared)
  const [own = ''] = readdirSync(shared)
  const traces = path.join(shared, own, 'traces')
  // Begun and not done: a draft, a file that is not in the manifest, a directory without one.
  writeFileSync(path.join(traces, 'x.jsonl.tmp'), '{"ty')
  writeFileSync(path.join(traces, 'loose.jsonl'), '{}')
  mkdirSync(path.join(shared, 'half-1', 'traces'), { recursive: true })
  rmSync(path.join(traces, `${uuid('stoats')}.jsonl`))
  appendFileSync(path.join(traces, `${uuid('badgers')}.jsonl`), 'garbage\n')
  symlinkSync('/etc', path.join(shared, 'linked'))
  writeFileSync(path.join(shared, 'a-file'), 'x')
  const { taken } = b.sync(shared) as unknown as { taken: { bad: number; sessions: { kept: number } } }
  expect([taken.bad, taken.sessions.kept]).toEqual([2, 2])
  expect(b.list()).toContain('about badgers')
  writeFileSync(path.join(shared, own, 'manifest.json'), 'not JSON')
  a.sync(shared)
  expect(existsSync(path.join(traces, `${uuid('stoats')}.jsonl`))).toBe(true)
  expect(existsSync(path.join(traces, 'x.jsonl.tmp'))).toBe(false)
  b.sync(shared)
  expect(b.list()).toEqual(['about badgers', 'about otters', 'about stoats'])
  expect(recallJson(b.env, 'search', 'stoats')['hits']).toHaveLength(1)
  expect(b.sync(shared)).toMatchObject({ taken: { bad: 0, sessions: { same: 2 } } })
}, 120_000)

test('decisions travel, also those about a session of another machine, and each once', () => {
  const shared = path.join(tempDir(), 'shared')
  const [a, b, c] = [machine('badgers'), machine('otters'), machine('stoats')]
  const round = () => [a, b, c].forEach(({ sync }) => sync(shared))
  const decided = ({ run }: typeof a) => run('show', uuid('otters')).match(/(?:we|they) swim/g) ?? []
  round()
  round()
  b.run('decide', uuid('otters'), 'we swim')
  a.run('decide', uuid('otters'), 'they swim')
  // The directory of one is read before that of the other, and it knows the session only from there.
  a.sync(shared)
  b.sync(shared)
  const late = machine()
  late.sync(shared)
  expect(decided(late).sort()).toEqual(['they swim', 'we swim'])
  round()
  round()
  for (const one of [a, b, c, late]) {
    one.sync(shared)
    expect(decided(one).sort()).toEqual(['they swim', 'we swim'])
  }
  expect(recallJson(c.env, 'search', 'swim')['hits']).toHaveLength(2)
  b.run('forget', uuid('otters'), '--yes')
  round()
  round()
  expect(recallJson(c.env, 'search', 'swim')['hits']).toEqual([])
}, 120_000)
