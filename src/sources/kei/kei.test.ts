import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { laneBase } from '../../model/event.ts'
import { claude } from '../claude/claude.ts'
import { claudeReader } from '../claude/reader.ts'
import { ORIGINALITY, ReadAgain, type Checkpoint, type EventItem, type Item } from '../source.ts'
import { keiTraces } from './kei.ts'

const kei = keiTraces(claude)
const reader = await kei.reader()
const dir = mkdtempSync(path.join(tmpdir(), 'recall-kei-'))
afterAll(() => rmSync(dir, { recursive: true }))

let traces = 0

function trace(...lines: readonly (object | string)[]): string {
  const file = path.join(dir, `t${traces++}.jsonl`)
  writeFileSync(file, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''))
  return file
}

function read(file: string, from: Checkpoint | null = null, hint?: unknown): Item[] {
  return [...reader.read({ path: file, root: dir }, from, hint)].flat()
}

function events(items: readonly Item[]): EventItem[] {
  return items.filter((item) => item.item === 'event')
}

const problems = (items: readonly Item[]) => items.filter((item) => item.item === 'problem')
const lanes = (items: readonly Item[]) => items.filter((item) => item.item === 'lane')

/** A line as Claude Code writes it. */
const line = (uuid: string, type: string, content: unknown, more: object = {}) => ({
  type,
  sessionId: 's1',
  uuid,
  timestamp: '2026-05-01T10:00:00Z',
  cwd: '/work',
  gitBranch: 'main',
  message: { role: type, content },
  ...more,
})

test('a trace is looked for where the original agent keeps its files', () => {
  expect(kei.roots({ CLAUDE_CONFIG_DIR: '/a,/b' })).toEqual(['/a/memory/traces', '/b/memory/traces'])
  expect(kei.roots({ HOME: '/h' })[0]).toBe('/h/.claude/memory/traces')
})

test('only a JSONL file right in the directory is a trace', () => {
  const names = ['x.jsonl', 'x.json', 'x.jsonl.bak', 'deep/x.jsonl', '.env', 'MEMORY.md']
  expect(names.filter((name) => kei.owns(name))).toEqual(['x.jsonl'])
  expect(kei.skips('deep')).toBe(true)
})

describe('a copied transcript', () => {
  const call = { type: 'tool_use', id: 'tu_1', name: 'Bash', input: { command: 'ls' } }
  const result = { type: 'tool_result', tool_use_id: 'tu_1', content: 'command not found', is_error: true }
  const usage = { input_tokens: 7, output_tokens: 5 }
  const file = trace(
    { type: 'permission-mode', permissionMode: 'default', sessionId: 's1' },
    line('u1', 'user', 'please run ls'),
    line('u2', 'assistant', [call], { requestId: 'r1', subtype: 'tool_use', parentUuid: 'u1' }),
    line('u3', 'user', [result], { subtype: 'tool_result', toolUseID: 'tu_1', toolUseResult: { stdout: '' } }),
    {
      ...line('u4', 'assistant', ''),
      message: { id: 'm1', role: 'assistant', content: 'done', usage },
      requestId: 'r2',
    },
  )

  test('is the session it names, below the transcript itself', () => {
    expect(lanes(read(file))).toEqual([
      {
        item: 'lane',
        session: 's1',
        lane: `~trace-${path.basename(file, '.jsonl')}`,
        originality: ORIGINALITY.copy,
        mainPath: file,
        flavor: 'claude',
      },
    ])
  })

  test('says what the original reader says of it, but for the lane', () => {
    const original = [...claudeReader.read({ path: file, root: dir }, null)].flat()
    const relabelled = original.map((item) =>
      'lane' in item ? { ...item, lane: `~trace-${item.lane}`, ...(item.item === 'lane' ? copied : {}) } : item,
    )
    expect(read(file)).toEqual(relabelled)
    expect(events(read(file)).map(({ kind }) => kind)).toEqual(['user_msg', 'tool_call', 'error', 'assistant_msg'])
    expect(read(file).filter((item) => item.item === 'usage')).toMatchObject([{ key: 'm1:r2', input: 7, output: 5 }])
  })
  const copied = { originality: ORIGINALITY.copy, flavor: 'claude' }

  test('named by its session keeps one name for its lane wherever it lies', () => {
    const named = path.join(dir, 's1.jsonl')
    writeFileSync(named, `${JSON.stringify(line('u1', 'user', 'hello'))}\n`)
    expect(lanes(read(named)).map(({ lane }) => lane)).toEqual(['~trace'])
  })

  test('may hold result and system lines of its own', () => {
    const items = read(
      trace(
        line('u1', 'user', 'go'),
        { type: 'system', sessionId: 's1', timestamp: '2026-05-01T10:00:01Z', content: 'told by the original' },
        {
          type: 'system',
          sessionId: 's1',
          message: { role: 'system', content: [{ type: 'text', text: 'in a message' }] },
        },
        { type: 'result', sessionId: 's1', subtype: 'success', result: 'all green' },
        { type: 'result', sessionId: 's1', subtype: 'error_max_turns', is_error: true },
      ),
    )
    expect(problems(items)).toEqual([])
    expect(events(items).map(({ kind, text }) => [kind, text])).toEqual([
      ['user_msg', 'go'],
      ['lifecycle', 'told by the original'],
      ['lifecycle', 'in a message'],
      ['lifecycle', 'all green'],
      ['error', 'error_max_turns'],
    ])
  })

  test('may hold flat lines, which belong to its session and yield to its transcript', () => {
    const flat = { ts: 1700000000, kind: 'tool_use', tool: 'Bash', event_class: 'x' }
    const items = read(trace(line('u1', 'user', 'go'), flat, line('u2', 'assistant', 'done'), flat))
    expect(problems(items)).toEqual([])
    expect(events(items).map(({ session, lane, pos }) => [session, lane.includes('-more'), pos])).toEqual([
      ['s1', false, 0],
      ['s1', true, 0],
      ['s1', false, 1],
      ['s1', true, 1],
    ])
    const [copied, more] = lanes(items).map(({ lane }) => laneBase(lane))
    expect(more).toBeGreaterThan(Number(copied))
    expect(lanes(items).at(-1)).toMatchObject({ flavor: 'claude', yieldsTo: '', originality: ORIGINALITY.copy })
  })

  test('with a record nobody knows tells it and goes on', () => {
    const items = read(
      trace(
        line('u1', 'user', 'go'),
        { type: 'novelty', sessionId: 's1' },
        { sessionId: 's1' },
        { type: 'system', subtype: 'novelty', sessionId: 's1' },
        line('u2', 'assistant', 'done'),
      ),
    )
    expect(problems(items)).toMatchObject([{ type: 'novelty' }, { level: 'info' }, { type: 'system/novelty' }])
    expect(events(items)).toHaveLength(2)
  })
})

describe('flat lines', () => {
  test('that name no session are one of their own, named by the file', () => {
    const file = trace({ ts: 1, kind: 'tool_use', tool: 'Bash' })
    const items = read(file)
    expect(lanes(items)).toEqual([
      { item: 'lane', session: path.basename(file, '.jsonl'), lane: '', mainPath: file, originality: ORIGINALITY.main },
    ])
    expect(items.at(-1)).toMatchObject({ item: 'facts', facts: { complete: true } })
  })

  test('that name a session belong to it', () => {
    const items = read(
      trace({ ts: 1, kind: 'other', message: 'a', session_id: 's9' }, { ts: 2, kind: 'other', message: 'b' }),
    )
    expect(lanes(items)).toMatchObject([{ session: 's9', flavor: 'claude', yieldsTo: '' }, { lane: '' }])
    expect(new Set(lanes(items).map(({ mainPath }) => mainPath)).size).toBe(2)
  })

  test('tell seconds; milliseconds and text are understood, nonsense is a time that cannot be', () => {
    const other = { kind: 'other', message: 'x' }
    const told = [{ ts: 1700000000 }, { ts: 1700000000123 }, { ts: '2023-11-14T22:13:20Z' }, { timestamp: 'x' }, {}]
    const items = read(trace(...told.map((time) => ({ ...other, ...time }))))
    expect(events(items).map(({ at }) => at)).toEqual([1700000000000, 1700000000123, 1700000000000, NaN, null])
  })

  test('join a result to the oldest open call of its tool', () => {
    const use = (tool: string) => ({ ts: 1, kind: 'tool_use', tool })
    const result = (tool: string, message: string) => ({ ts: 2, kind: 'tool_result', tool, message })
    const items = read(
      trace(use('Read'), use('Bash'), use('Read'), result('Read', 'a'), result('Read', 'b'), result('X', 'c')),
    )
    const [first, bash, second, a, b, c] = events(items)
    expect([a?.call, b?.call, c?.call]).toEqual([first?.call, second?.call, undefined])
    expect(new Set([first, bash, second].map((event) => event?.call)).size).toBe(3)
    expect([first, bash, second].map((event) => event?.callIdx)).toEqual([0, 1, 2])
  })

  test('hold a call and what came of it on one line', () => {
    const items = read(
      trace(
        { ts: 1, kind: 'tool_use', tool: 'Bash', message: 'ok' },
        { ts: 2, kind: 'tool_use', tool: 'Edit', file_path: '/a.rs', is_error: true },
      ),
    )
    const told = events(items)
    expect(told.map(({ kind, tool, body, input }) => ({ kind, tool, body, input }))).toEqual([
      { kind: 'tool_call', tool: 'Bash', body: undefined, input: undefined },
      { kind: 'tool_result', tool: 'Bash', body: 'ok', input: undefined },
      { kind: 'tool_call', tool: 'Edit', body: undefined, input: { file_path: '/a.rs' } },
      { kind: 'error', tool: 'Edit', body: '', input: undefined },
    ])
    expect([told[1]?.call, told[3]?.call]).toEqual([told[0]?.call, told[2]?.call])
  })

  test('keep the label they were given, once a line', () => {
    const labels = (lineTold: object) => events(read(trace(lineTold))).map(({ eventClass }) => eventClass)
    const use = { ts: 1, kind: 'tool_use', tool: 'Bash' }
    expect(labels({ ...use, event_class: 'anything' })).toEqual(['anything'])
    expect(labels({ ...use, event_class: 'tool_use:Bash', message: 'out' })).toEqual(['tool_use:Bash', undefined])
    expect(labels({ ...use, event_class: 'worktree_denied', is_error: true })).toEqual([undefined, 'worktree_denied'])
    expect(labels({ ts: 1, kind: 'tool_result', event_class: 'read_ok' })).toEqual(['read_ok'])
    expect(labels({ ts: 1, kind: 'other', event_class: 'user_correction' })).toEqual(['user_correction'])
    expect(labels(use)).toEqual([undefined])
  })

  test('of an unknown kind, broken or empty are told and passed over', () => {
    const items = read(trace({ ts: 1, kind: 'dream' }, '{"ts": 1, "ki', '   ', '[]', {}, { ts: 2, kind: 'other' }))
    expect(problems(items)).toMatchObject([
      { type: 'dream', level: 'info', line: 1 },
      { type: 'broken line', level: 'warn', line: 2 },
      { type: 'broken line', level: 'warn', line: 4 },
      { type: 'line of neither format', level: 'info', line: 5 },
    ])
    expect(events(items)).toHaveLength(1)
    expect(items.at(-1)).toMatchObject({ facts: { complete: false } })
  })

  test('that a copied transcript follows are read again as part of it', () => {
    const flat = { ts: 1, kind: 'tool_use', tool: 'Bash' }
    const file = trace(flat)
    const reading = reader.read({ path: file, root: dir }, null)
    expect([...reading].flat().filter((item) => item.item === 'event')).toHaveLength(1)
    const checkpoint = JSON.parse(JSON.stringify(reading.checkpoint())) as Checkpoint
    appendFileSync(file, `${JSON.stringify(line('u1', 'user', 'go'))}\n`)
    let hint: unknown
    try {
      read(file, checkpoint)
    } catch (error) {
      if (!(error instanceof ReadAgain)) throw error
      hint = error.hint
    }
    const items = read(file, null, hint)
    expect(events(items).map(({ session, kind }) => [session, kind])).toEqual([
      ['s1', 'tool_call'],
      ['s1', 'user_msg'],
    ])
    expect(problems(items)).toEqual([])
  })
})

test.each([
  ['an empty trace', ''],
  ['a trace of one broken line', '{"ts"\n'],
])('%s tells no format, and is read on in any', (_, start) => {
  const flat = { ts: 1, kind: 'other', message: 'x' }
  for (const next of [flat, line('u1', 'user', 'go')]) {
    const file = trace()
    appendFileSync(file, start)
    const reading = reader.read({ path: file, root: dir }, null)
    expect(events([...reading].flat())).toEqual([])
    appendFileSync(file, `${JSON.stringify(next)}\n`)
    expect(events(read(file, reading.checkpoint()))).toHaveLength(1)
  }
})

test('a last line without its newline is told, and told again the same when it goes on', () => {
  const flat = { ts: 1, kind: 'tool_use', tool: 'Bash' }
  const result = { type: 'result', sessionId: 's1', result: 'ok' }
  for (const lines of [
    [flat, flat, flat],
    [line('u1', 'user', 'go'), flat, result, flat],
    [line('u1', 'user', 'go')],
  ]) {
    const whole = trace(...lines)
    const texts = lines.map((told) => JSON.stringify(told))
    for (const [last] of texts.entries()) {
      const file = trace()
      appendFileSync(file, texts.slice(0, last + 1).join('\n'))
      const reading = reader.read({ path: file, root: dir }, null)
      const early = events([...reading].flat())
      expect([early.length, reading.provisional]).toEqual([last + 1, true])
      const checkpoint = JSON.parse(JSON.stringify(reading.checkpoint())) as Checkpoint
      appendFileSync(file, ['', ...texts.slice(last + 1), ''].join('\n'))
      const late = [...early.slice(0, last), ...events(read(file, checkpoint))]
      expect(late.map(({ pos, kind }) => [pos, kind])).toEqual(events(read(whole)).map(({ pos, kind }) => [pos, kind]))
    }
  }
})
