import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { codexFiles } from '../src/demo/codex.ts'
import { codexScripts } from '../src/demo/scripts/codex-index.ts'
import { codex } from '../src/sources/codex/codex.ts'
import { codexReader } from '../src/sources/codex/reader.ts'
import { IGNORED_EVENTS, IGNORED_ITEMS, IGNORED_RECORDS, IGNORED_TURN_ITEMS } from '../src/sources/codex/types.ts'
import { sourceConformance } from './conformance.ts'
import {
  aSession,
  CodexLog,
  layHistory,
  layRollout,
  lines,
  readRollout,
  threadId,
  told,
  TURN,
  write,
} from './kit/codex-log.ts'
import { aProgrammedSession } from './kit/codex-sessions.ts'
import { corpus, corpusHome, noCorpus, tempDir } from './kit/home.ts'

if (!noCorpus) process.env['RECALL_CORPUS_PRESENT'] = '1'

sourceConformance(codex, { lay: () => layRollout(aSession().text()) })

describe('with programs that call tools', () => {
  sourceConformance(codex, { lay: () => layRollout(aProgrammedSession().text()) })
})

describe('the log of all prompts', () => {
  const prompts = ['one', 'two', 'three'].map((text, n) => ({
    session_id: threadId(1),
    ts: 1_790_000_000 + n,
    text,
  }))
  sourceConformance(codex, { lay: () => layHistory(lines(prompts)) })
})

describe('a fork', () => {
  const parent = () => aSession()
  const child = () =>
    parent().fork(threadId(50)).start(TURN[3]).context('gpt-test-2').prompt('another way').say('ok').tokens(100, 40, 7)

  test('knows its parent by its own header, and is itself', () => {
    const { items, facts } = told(child())
    expect(items.find((item) => item.item === 'lane')).toMatchObject({ session: threadId(50), lane: '' })
    expect(facts).toMatchObject({ parent: `codex:${threadId(1)}`, firstPrompt: 'another way' })
  })

  test('gives what it copied the ids of the originals', () => {
    const originals = told(parent()).events.map((event) => event.native)
    const copies = told(child()).events.map((event) => event.native)
    expect(copies.slice(0, originals.length)).toEqual(originals)
    expect(new Set(copies).size).toBe(copies.length)
  })

  test.each([
    ['numbered turns', (log: CodexLog) => log.start('1').prompt('one').say('first').complete('1')],
    ['no turns', (log: CodexLog) => log.prompt('one').say('first')],
  ])('does so with %s, too', (_, play) => {
    const original = play(new CodexLog(threadId(1)))
    const originals = told(original).events.map((event) => event.native)
    const copies = told(original.fork(threadId(50)).prompt('two')).events.map((event) => event.native)
    expect(copies.slice(0, -1)).toEqual(originals)
    const stranger = told(play(new CodexLog(threadId(7)))).events.map((event) => event.native)
    expect(stranger.filter((native) => originals.includes(native))).toEqual([])
  })

  test('counts only what was spent after it parted', () => {
    const { usage } = told(child())
    const counted = usage.filter((item) => item.leftOut === undefined)
    expect(counted).toMatchObject([{ input: 60, cacheRead: 40, output: 7, model: 'gpt-test-2' }])
    expect(usage.filter((item) => item.leftOut === 'fork_copy')).toHaveLength(3)
  })

  test('without turn ids is known by the burst in which it was written', () => {
    const bare = new CodexLog(threadId(1)).prompt('one').say('first').tokens(100, 0, 10)
    const { events, usage } = told(bare.fork(threadId(50)).prompt('two').tokens(30, 0, 3))
    expect(events.map((event) => event.at === null)).toEqual([true, true, false])
    expect(usage.map((item) => [item.leftOut, item.input])).toEqual([
      ['fork_copy', 100],
      [undefined, 30],
    ])
  })

  test('of the paginated kind says where its own records begin', () => {
    const log = new CodexLog(threadId(50), { forked_from_id: threadId(1), subagent_history_start_ordinal: 3 })
    log.prompt('old').prompt('new')
    const numbered = log.records.map((record, ordinal) => ({ ...record, ordinal }))
    const { unit } = layRollout(lines(numbered), threadId(50))
    const { events } = readRollout(unit.path, unit.root)
    expect(events.map((event) => [event.text, event.at === null])).toEqual([
      ['old', true],
      ['new', false],
    ])
  })
})

describe('a subagent', () => {
  const source = { subagent: { thread_spawn: { parent_thread_id: threadId(1), depth: 1, agent_nickname: 'Kant' } } }

  test('has a parent, and its orders are no person’s', () => {
    const { events, facts } = told(new CodexLog(threadId(2), { source }).prompt('count the files').say('7'))
    expect(facts).toMatchObject({ parent: `codex:${threadId(1)}`, firstPrompt: 'count the files' })
    expect(events.map((event) => event.human ?? false)).toEqual([false, false])
  })

  test('may be spoken to by a person, out of an editor', () => {
    const request = '# Context from my IDE setup:\n\n## My request for Codex:\nstop that\n'
    const { events } = told(new CodexLog(threadId(2), { source }).prompt('count the files').prompt(request))
    expect(events.map((event) => [event.text, event.human])).toEqual([
      ['count the files', false],
      ['stop that', true],
    ])
  })
})

test('the page on Codex names every type that is not kept', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../docs/formats/codex.md'), 'utf8')
  const ignored = [IGNORED_RECORDS, IGNORED_ITEMS, IGNORED_EVENTS, IGNORED_TURN_ITEMS].flatMap(Object.keys)
  expect(ignored.filter((type) => !page.includes(`\`${type}\``))).toEqual([])
})

describe('the demo', () => {
  const start = Date.parse('2026-03-02T09:00:00Z')
  const rollouts = codexScripts().flatMap((script) => codexFiles(script, start))

  test('has rollouts that are read without a question, and two sessions for the one that had a helper', () => {
    const root = path.join(tempDir(), '.codex')
    const all = rollouts.map((file) => {
      const target = write(path.join(path.dirname(root), file.path), lines(file.lines))
      expect(codex.owns(path.relative(root, target))).toBe(true)
      return readRollout(target, root)
    })
    expect(codexScripts()).toHaveLength(6)
    expect(all).toHaveLength(7)
    expect(all.flatMap((rollout) => rollout.problems)).toEqual([])
    expect(all.filter((rollout) => rollout.facts.parent !== undefined)).toHaveLength(1)
    expect(all.filter((rollout) => rollout.facts.agentTitle !== undefined)).toHaveLength(6)
    expect(all.every((rollout) => rollout.usage.some((item) => item.leftOut === undefined))).toBe(true)
    const kinds = new Set(all.flatMap((rollout) => rollout.events.map((event) => event.kind)))
    expect([...kinds]).toEqual(expect.arrayContaining(['thinking', 'error', 'human_intervention', 'lifecycle']))
  })

  test('is the same for the same time', () => {
    expect(codexScripts().flatMap((script) => codexFiles(script, start))).toEqual(rollouts)
  })
})

describe('beside the rollouts', () => {
  test('the last name a thread was given is its title', () => {
    const { unit } = layRollout(aSession().text())
    expect(codexReader.readSidecars?.(unit)).toEqual([])
    const [index = ''] = codex.sidecars?.(unit) ?? []
    const name = (id: string, thread_name: string) => ({ id, thread_name, updated_at: '2026-10-02T00:00:00Z' })
    write(index, lines([name(threadId(1), 'old'), name(threadId(1), 'Fix the build'), name(threadId(9), 'other')]))
    appendFileSync(index, `{"id":"${threadId(1)}","thread_name":"to`)
    expect(codexReader.readSidecars?.(unit)).toMatchObject([
      { item: 'lane', session: threadId(1), lane: '' },
      { item: 'facts', facts: { agentTitle: 'Fix the build' } },
    ])
  })
})

describe('recorded rollouts', () => {
  const root = path.join(corpusHome, '.codex')
  const all = () => readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => codex.owns(file))
  const rollouts = () => all().filter((file) => file !== 'history.jsonl')

  test('sessions, calls and tokens agree with an independent count, and nothing is unknown', ({ skip }) => {
    skip(noCorpus !== false, String(noCorpus))
    const files = rollouts()
    const sum = { input: 0, cacheRead: 0, output: 0, reasoning: 0 }
    const sessions = new Set<string>()
    let calls = 0
    for (const file of files) {
      const { items, events, usage, problems } = readRollout(path.join(root, file), root)
      expect(problems).toEqual([])
      for (const item of items) if (item.item === 'lane') sessions.add(item.session)
      calls += events.filter((event) => event.kind === 'tool_call').length
      for (const item of usage) {
        if (item.leftOut !== undefined) continue
        for (const field of ['input', 'cacheRead', 'output', 'reasoning'] as const) sum[field] += item[field]
      }
      expect(new Set(events.map((event) => event.native)).size).toBe(events.length)
    }
    expect([files.length, sessions.size, calls]).toEqual([49, 49, 1212])
    expect(sum).toEqual({ input: 1_646_343, cacheRead: 40_859_080, output: 505_273, reasoning: 281_813 })
  })

  test('a shortened paginated rollout is a conversation', ({ skip }) => {
    skip(noCorpus !== false, String(noCorpus))
    const dir = path.join(corpus, 'excerpts', 'codex-0.152')
    const file = path.join(dir, readdirSync(dir)[0] ?? '')
    const { events, usage, problems } = readRollout(file, dir)
    const said = events.filter((event) => event.message !== undefined && event.role !== 'system')
    expect(said.map((event) => [event.kind, event.human ?? false])).toEqual([
      ['user_msg', false],
      ['user_msg', true],
      ['assistant_msg', false],
    ])
    expect(usage).toHaveLength(1)
    expect(problems).toEqual([])
  })
})
