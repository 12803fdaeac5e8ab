import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { jsonLines, laySession, only, put, readAll, type Json } from '../../../test/kit/grok-log.ts'
import { corpus, tempDir } from '../../../test/kit/home.ts'
import type { EventItem } from '../source.ts'

const ID = '019f0000-0000-7000-8000-000000000004'

interface Line extends Json {
  readonly params: {
    readonly sessionId: string
    update: Json
    _meta: Json & { agentTimestampMs: number }
  }
}

const samples = path.join(corpus, 'grok')
const recorded = path.join(samples, '23blocks-OS__ai-maestro/tests/fixtures/grok')
const excerpt = path.join(samples, 'xcarbo__mempalace/tests/fixtures/grok')
const golden = path.join(samples, 'kenn-io__agentsview/internal/parser/testdata/grok-build')
const noSamples = existsSync(samples) ? false : 'no recorded logs beside the project'

describe.skipIf(noSamples)('recorded sessions', () => {
  const readLines = (file: string): Line[] =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
  const sample = noSamples ? [] : readLines(path.join(recorded, 'updates.jsonl'))
  const session = sample[0]?.params.sessionId ?? ID
  const summary = noSamples ? '' : readFileSync(path.join(recorded, 'summary.json'), 'utf8')
  const read = (lines: readonly Line[], files: Record<string, string> = {}, root = tempDir()) =>
    readAll(laySession(root, session, { 'updates.jsonl': jsonLines(lines), ...files }))
  const events = (lines: readonly Line[]) => only(read(lines), 'event')
  const shape = (all: readonly EventItem[]) => all.map(({ kind, text, body, pos }) => [kind, text ?? body, pos])
  const copyOf = (nth: number): Line => structuredClone(sample.at(nth)!)

  test('one is read whole: words, call, result, bill and facts', () => {
    const items = read(sample, { 'summary.json': summary })
    expect(only(items, 'event').map(({ kind }) => kind)).toEqual([
      'user_msg',
      'assistant_msg',
      'tool_call',
      'tool_result',
      'assistant_msg',
      'lifecycle',
    ])
    const last = sample.at(-1)?.params.update ?? {}
    const usage = last['usage'] as Record<string, number> & { modelUsage: object }
    const { inputTokens: input = 0, cachedReadTokens: cacheRead = 0, outputTokens: output, costUsdTicks = 0 } = usage
    const model = Object.keys(usage.modelUsage)[0]
    expect(only(items, 'usage')).toMatchObject([
      { key: last['prompt_id'], input: input - cacheRead, cacheRead, output, costUsd: costUsdTicks / 1e10, model },
    ])
    const told = JSON.parse(summary) as Record<string, string> & { info: { cwd: string } }
    expect(only(items, 'facts').at(-1)?.facts).toMatchObject({
      cwd: told.info.cwd,
      agentTitle: told['generated_title'],
      startedAt: Date.parse(told['created_at'] ?? ''),
      endedAt: Date.parse(told['last_active_at'] ?? ''),
      complete: true,
    })
    expect(only(items, 'problem')).toEqual([])
  })

  test('its lines in any order give the same events', () => {
    const expected = shape(events(sample))
    for (let turn = 1; turn < sample.length; turn++) {
      const turned = [...sample.slice(turn), ...sample.slice(0, turn)]
      expect(shape(events(turned)), `turned by ${turn}`).toEqual(expected)
    }
    expect(shape(events(sample.toReversed()))).toEqual(expected)
  })

  test('any line torn costs that line and no other', () => {
    const whole = jsonLines(sample).trimEnd().split('\n')
    for (const [i, line] of whole.entries()) {
      const text = whole.map((other, j) => (i === j ? line.slice(0, line.length >> 1) : other)).join('\n')
      const items = readAll(laySession(tempDir(), session, { 'updates.jsonl': `${text}\n` }))
      expect(only(items, 'problem').map(({ level, line: at }) => [level, at])).toEqual([['warn', i + 1]])
      const kept = new Set(only(items, 'event').map(({ line: at }) => at))
      expect(kept.has(i + 1)).toBe(false)
      expect(kept.size).toBeGreaterThanOrEqual(4)
    }
  })

  test('any field missing costs at most its own line', () => {
    const said = (lines: readonly Line[]) => events(lines).map(({ kind, text }) => `${kind} ${text}`)
    const places = [(line: Line) => line, ({ params }: Line) => params] as const
    const inner = [({ params }: Line) => params.update, ({ params }: Line) => params._meta] as const
    for (const i of sample.keys()) {
      const others = said(sample.toSpliced(i, 1))
      for (const place of [...places, ...inner]) {
        for (const field of Object.keys(place(copyOf(i)))) {
          const changed = copyOf(i)
          Reflect.deleteProperty(place(changed), field)
          const told = said(sample.with(i, changed))
          expect(
            others.filter((event) => !told.includes(event)),
            `line ${i + 1} without ${field}`,
          ).toEqual([])
        }
      }
    }
  })

  test('any kind that nobody knows is told', () => {
    for (const i of sample.keys()) {
      const changed = copyOf(i)
      changed.params.update['sessionUpdate'] = 'from_the_future'
      const told = only(read(sample.with(i, changed)), 'problem').filter(({ type }) => type === 'from_the_future')
      expect(told).toMatchObject([{ level: 'info', line: i + 1 }])
    }
  })

  test('a rewind to its beginning takes all of it back', () => {
    const marker = copyOf(-1)
    marker.params.update = { sessionUpdate: 'rewind_marker', target_prompt_index: 0, created_at: '' }
    marker.params._meta = { eventId: `${session}-99`, agentTimestampMs: marker.params._meta.agentTimestampMs + 1 }
    expect(only(read([...sample, marker]), 'supersede')).toMatchObject([{ from: 0, to: 5 }])
    expect(only(read([marker, ...sample]), 'supersede')).toEqual([])
  })

  test('without its bill, the log of calls stands in', () => {
    const root = tempDir()
    const prompt = sample[2]?.params._meta.agentTimestampMs as number
    const ctx = { loop_index: 0, prompt_tokens: 900, cached_prompt_tokens: 700, completion_tokens: 50 }
    const call = { ts: new Date(prompt + 9000).toISOString(), sid: session, msg: 'shell.turn.inference_done', ctx }
    put(path.join(root, 'logs/unified.jsonl'), jsonLines([call, { ...call, sid: 'another' }]))
    const unbilled = copyOf(-1)
    delete unbilled.params.update['usage']
    const { prompt_id: key } = unbilled.params.update
    expect(only(read([...sample.slice(0, -1), unbilled], {}, root), 'usage')).toMatchObject([
      { key, input: 200, cacheRead: 700 },
    ])
    expect(only(read(sample, {}, root), 'usage')).toMatchObject([{ key, input: 18203 }])
  })

  test('copied into a fork, its lines keep their names', () => {
    const root = tempDir()
    const original = read(sample, {}, root)
    const copied = sample.map((line) => ({ ...line, params: { ...line.params, sessionId: 'a-fork' } }))
    const fork = readAll(laySession(root, 'a-fork', { 'updates.jsonl': jsonLines(copied) }))
    const nativeIds = only(original, 'event').map(({ native }) => native)
    expect(only(fork, 'event').map(({ native }) => native)).toEqual(nativeIds)
    expect(only(fork, 'usage')).toMatchObject([{ leftOut: 'fork_copy', key: only(original, 'usage')[0]?.key }])
  })

  test('long output as an array of bytes is cut out before parsing and never kept', () => {
    const changed = copyOf(6)
    changed.params.update['rawOutput'] = {
      ...(changed.params.update['rawOutput'] as Json),
      output: Array.from({ length: 5000 }, (_, i) => i % 256),
    }
    const parse = vi.spyOn(JSON, 'parse')
    const items = read(sample.with(6, changed))
    expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(5000)
    parse.mockRestore()
    expect(shape(only(items, 'event'))).toEqual(shape(events(sample)))
  })

  test('an excerpt without counters is read in the order of its lines', () => {
    const lines = readLines(path.join(excerpt, 'updates.excerpt.jsonl'))
    const items = readAll(laySession(tempDir(), ID, { 'updates.jsonl': jsonLines(lines) }))
    expect(only(items, 'event').map(({ kind }) => kind)).toEqual([
      'user_msg',
      'thinking',
      'assistant_msg',
      'tool_call',
      'tool_result',
    ])
    expect(only(items, 'problem')).toEqual([])
    const halved = readAll(laySession(tempDir(), ID, { 'updates.jsonl': jsonLines(lines.slice(0, 3)) }))
    expect(only(halved, 'event')).toEqual(only(items, 'event').slice(0, 2))
  })

  test('a chat history tells two prompts from what was injected', () => {
    const text = readFileSync(path.join(excerpt, 'chat_history.first23.jsonl'), 'utf8')
    const items = readAll(laySession(tempDir(), ID, { 'chat_history.jsonl': text }))
    expect(only(items, 'event').filter(({ human }) => human)).toHaveLength(2)
    expect(only(items, 'event').filter(({ kind }) => kind === 'tool_call')).toHaveLength(5)
    expect(only(items, 'problem')).toEqual([])
    const torn = readAll(laySession(tempDir(), ID, { 'chat_history.jsonl': text.slice(0, -20) }))
    expect(only(torn, 'facts').at(-1)?.facts.complete).toBe(false)
  })

  test('both versions of a chat history say the same', () => {
    const version = (kind: string, group: string, id: string, name = 'chat_history.jsonl') =>
      readFileSync(path.join(golden, kind, group, id, name), 'utf8')
    const legacy = ['legacy', '%2Fworkspace%2Fagentsview', '019f6000-0000-7000-8000-000000000002'] as const
    const said = (text: string) =>
      only(readAll(laySession(tempDir(), ID, { 'chat_history.jsonl': text })), 'event').map(
        ({ kind, text: words, body, tool, human }) => [kind, words ?? body, tool, human],
      )
    expect(said(version(...legacy))).toEqual(said(version(...legacy, 'source-v1.jsonl')))
    const current = '%2Fworkspace%2Fgrok-worktrees%2Fparser-audit'
    const now = said(version('current', current, '019f6000-0000-7000-8000-000000000001'))
    expect(now.filter(([, , , human]) => human)).toHaveLength(2)
  })

  /** Every kind of update the format is known to have, with the fields it comes with. */
  const KINDS: Readonly<Record<string, Json>> = {
    plan: {
      entries: [
        { content: 'a', status: 'completed' },
        { content: 'b', status: 'pending' },
      ],
    },
    available_commands_update: { availableCommands: [] },
    diff_review: {},
    retry_state: { type: 'exhausted', reason: 'overloaded' },
    auto_compact_started: { reason: 'auto', tokens_used: 9 },
    auto_compact_completed: { tokens_before: 9, tokens_after: 3 },
    auto_compact_failed: { error: 'x' },
    auto_compact_cancelled: { reason: 'x' },
    memory_flush_started: {},
    memory_files: {},
    auto_continue_completed: {},
    feedback_request: {},
    relay_sync_status: {},
    auto_recovery_started: {},
    auto_recovery_exhausted: { attempts: 3, error: 'x' },
    hook_annotation: {},
    hook_execution: { event_name: 'stop', runs: [] },
    hooks_changed: {},
    plugins_changed: {},
    session_status: {},
    session_summary_generated: { session_summary: 'x' },
    session_recap: {},
    last_turn_summary: {},
    compaction_checkpoint: { checkpoint_id: 'c', prompt_index_at_compaction: 3, checkpoint_file: 'f' },
    rewind_marker: { target_prompt_index: 9 },
    task_backgrounded: { tool_call_id: 'c', task_id: 't', command: 'make' },
    task_completed: { task_snapshot: { command: 'make', exit_code: 0 } },
    subagent_spawned: { subagent_id: 'a', child_session_id: 'b', subagent_type: 'explore', description: 'look' },
    subagent_progress: {},
    subagent_finished: { subagent_id: 'a', status: 'completed', tool_calls: 2, turns: 1 },
    scheduled_task_created: { human_schedule: 'daily', prompt: 'p' },
    scheduled_task_fired: { prompt: 'p' },
    scheduled_task_deleted: { task_id: 't' },
    monitor_event: { description: 'd', event_text: 'e' },
    model_auto_switched: { new_model_id: 'm' },
    model_changed: { model_id: 'm' },
    tool_call_delta_chunk: {},
    image_compressed: {},
    image_dropped: {},
    workflow_updated: {},
    goal_updated: {},
    turn_completed: { prompt_id: 'p', stop_reason: 'end_turn' },
    response_started: {},
    response_completed: { message_id: 'm', usage: { ininPlacetokens: 1 } },
    user_message_chunk: { content: { type: 'text', text: 'x' } },
    agent_message_chunk: { content: { type: 'image', data: 'x' } },
    agent_thought_chunk: { content: { type: 'text', text: 'x' } },
    tool_call: { toolCallId: 'c9', title: 't' },
    tool_call_update: { toolCallId: 'c9', status: 'failed' },
  }
  const ESSENTIAL = new Set([
    'rewind_marker',
    'user_message_chunk',
    'agent_message_chunk',
    'agent_thought_chunk',
    'tool_call_update',
  ])

  test.each(Object.entries(KINDS))(
    'in its place a %s is read, and one that lacks everything costs nothing else',
    (kind, body) => {
      const inPlace = (update: Json) => {
        const line = copyOf(7)
        line.params.update = { sessionUpdate: kind, ...update }
        return read(sample.with(7, line))
      }
      expect(only(inPlace(body), 'problem')).toEqual([])
      const bare = inPlace({})
      expect(only(bare, 'problem').map(({ level }) => level)).toEqual(ESSENTIAL.has(kind) ? ['warn'] : [])
      const kept = only(bare, 'event').map(({ text }) => text)
      for (const { text } of events(sample.toSpliced(7, 1))) expect(kept).toContain(text)
    },
  )
})
