import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Marks } from '../src/model/marks.ts'
import { sources } from '../src/sources/index.ts'
import type { EventItem, FactsItem, Unit } from '../src/sources/source.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { eventfulLog, laySession as layCopilot } from './kit/copilot-log.ts'
import { CodexLog, layRollout, threadId } from './kit/codex-log.ts'
import { GrokEvents, GrokLog, laySession } from './kit/grok-log.ts'
import { tempDir } from './kit/home.ts'
import { layEventful } from './kit/opencode-home.ts'
import { tracePath } from './kit/kei-trace.ts'

type Mark = keyof Marks

/** A log in which all happens that a source may know of, and what it knows. */
interface Eventful {
  readonly has: readonly Mark[]
  lay(): readonly Unit[]
}

const REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected."

function claudeLog(): ClaudeLog {
  const stopped = { is_error: true, toolUseResult: 'User rejected tool use' }
  return new ClaudeLog(uuid('eventful'))
    .user('<system-reminder>be kind</system-reminder>')
    .user('<command-name>/compact</command-name><command-args></command-args>')
    .user('tidy up')
    .call('c1', 'Bash', { command: 'rm x' })
    .result('c1', `${REJECTED} To tell you how to proceed, the user said:\nkeep x`, { is_error: true })
    .say('Right.')
    .call('c2', 'Bash', { command: 'make' })
    .bare({ type: 'queue-operation', operation: 'enqueue', content: 'and test', timestamp: '2026-10-01T09:00:09Z' })
    .bare({ type: 'queue-operation', operation: 'remove', timestamp: '2026-10-01T09:00:10Z' })
    .result('c2', 'Exit code 2\nboom', { is_error: true })
    .say('Red.')
    .call('c4', 'Bash', { command: 'make clean' })
    .user(
      [
        { type: 'tool_result', tool_use_id: 'c4', content: 'clean', is_error: false },
        { type: 'text', text: 'only this once' },
      ],
      { permissionDecision: { decision: 'accept', source: 'user_temporary' } },
    )
    .record({ type: 'system', subtype: 'turn_duration', durationMs: 1000 })
    .record({ type: 'system', subtype: 'compact_boundary', compactMetadata: { trigger: 'auto' } })
    .record({ type: 'pr-link', prUrl: 'https://example.com/a/b/pull/1' })
    .call('c3', 'Bash', { command: 'sleep 60' })
    .result('c3', REJECTED, stopped)
    .user([{ type: 'text', text: '[Request interrupted by user for tool use]' }])
}

const EVENTFUL: Readonly<Record<string, Eventful>> = {
  claude: {
    has: [
      'approved',
      'asked',
      'command',
      'compacted',
      'denied',
      'exitCode',
      'injected',
      'interrupted',
      'made',
      'midTurn',
      'onApproval',
      'onDenial',
      'stopped',
      'turn',
    ],
    lay: () => {
      const home = tempDir()
      const log = claudeLog()
      return [{ path: write(transcriptPath(home, log.session), log.text()), root: path.join(home, '.claude') }]
    },
  },
  codex: {
    has: [
      'asked',
      'compacted',
      'denied',
      'exitCode',
      'injected',
      'interrupted',
      'midTurn',
      'stopped',
      'takenBack',
      'turn',
      'waitedMs',
    ],
    lay: () => {
      const turns = [1, 2, 3].map((n) => threadId(900 + n))
      const log = new CodexLog(threadId(1))
        .injected('<environment_context><cwd>/w</cwd></environment_context>')
        .start(turns[0]!)
        .prompt('test it')
        .call('c1', 'exec_command', { cmd: 'npm test' })
        .prompt('and lint it')
        .output('c1', 'Exit code: 1\nWall time: 0.1 seconds\nOutput:\nfail')
        .call('c2', 'exec_command', { cmd: 'rm x' })
        .output('c2', 'exec command rejected by user')
        .say('Red.')
        .complete(turns[0]!)
        .record('compacted', { message: '' })
        .start(turns[1]!)
        .prompt('wrong way')
        .say('Oh.')
        .complete(turns[1]!)
        .event('thread_rolled_back', { num_turns: 1 })
        .start(turns[2]!)
        .prompt('wait for it')
        .call('c3', 'exec_command', { cmd: 'sleep 60' })
        .output('c3', 'aborted by user after 2.5s')
        .event('turn_aborted', { turn_id: turns[2], reason: 'interrupted' })
      return [layRollout(log.text()).unit]
    },
  },
  grok: {
    has: ['approved', 'asked', 'compacted', 'denied', 'exitCode', 'interrupted', 'takenBack', 'turn', 'waitedMs'],
    lay: () => {
      const id = '019f0000-0000-7000-8000-00000000000b'
      const log = new GrokLog(id)
      const events = new GrokEvents(log)
      const tool = 'run_terminal_command'
      const no = [{ type: 'content', content: { type: 'text', text: 'User rejected the execution' } }]
      events.turn()
      log.prompt('copy it out').call('c1', tool, { command: 'cp a ..' })
      events.permission('deny', 3100)
      log.update('tool_call_update', { toolCallId: 'c1', status: 'failed', content: no })
      events.end('cancelled', 'permission_rejected')
      log.done({ stop_reason: 'cancelled' })
      events.turn()
      log.prompt('test it').call('c2', tool, { command: 'npm test' })
      events.permission('allow', 2000)
      log.result('c2', 'fail', 1).say('Red.').update('auto_compact_completed', { tokens_before: 9, tokens_after: 3 })
      events.end()
      log.done()
      events.turn()
      log.prompt('wrong way').say('Oh.').done().rewind(2)
      events.end()
      events.turn()
      log.prompt('a long story').say('Once')
      events.end('cancelled', 'mid_turn_abort')
      log.done({ stop_reason: 'cancelled' })
      const unit = laySession(tempDir(), id, { 'updates.jsonl': log.text(), 'events.jsonl': events.text() })
      return [unit, { root: unit.root, path: path.join(path.dirname(unit.path), 'events.jsonl') }]
    },
  },
  opencode: {
    has: [
      'asked',
      'command',
      'compacted',
      'denied',
      'exitCode',
      'injected',
      'interrupted',
      'midTurn',
      'onDenial',
      'stopped',
      'subagent',
      'takenBack',
      'turn',
    ],
    lay: () => layEventful(tempDir()),
  },
  copilot: {
    has: [
      'approved',
      'asked',
      'compacted',
      'denied',
      'exitCode',
      'injected',
      'interrupted',
      'midTurn',
      'onDenial',
      'takenBack',
      'turn',
      'waitedMs',
    ],
    lay: () => [layCopilot(tempDir(), eventfulLog())],
  },
  // A trace is a copy of what Claude Code writes, and tells what that tells.
  kei: {
    has: [
      'approved',
      'asked',
      'command',
      'compacted',
      'denied',
      'exitCode',
      'injected',
      'interrupted',
      'made',
      'midTurn',
      'onApproval',
      'onDenial',
      'stopped',
      'turn',
    ],
    lay: () => {
      const log = claudeLog()
      const file = write(tracePath(tempDir(), log.session), log.text())
      return [{ path: file, root: path.dirname(file) }]
    },
  },
}

/** What happened once is marked once. */
const ONCE: readonly Mark[] = ['compacted', 'interrupted', 'denied', 'takenBack', 'onDenial', 'made']

describe.each(sources.map((source) => [source.name, source] as const))('%s', (name, source) => {
  test('tells in types what its log knows, each thing once', async () => {
    const eventful = EVENTFUL[name]
    if (eventful === undefined) throw new Error(`${name} has no log here in which something happens`)
    const reader = await source.reader()
    const events = eventful
      .lay()
      .flatMap((unit) => [...reader.read(unit, null)].flat())
      .filter((item): item is EventItem => item.item === 'event')
    const marks = events.flatMap((event) => Object.keys(event.marks ?? {}) as Mark[])
    expect([...new Set(marks)].sort()).toEqual([...eventful.has].sort())
    for (const once of ONCE.filter((mark) => eventful.has.includes(mark)))
      expect([once, marks.filter((mark) => mark === once).length]).toEqual([once, 1])
    for (const { kind, marks: of = {} } of events) {
      if (of.denied !== undefined || of.stopped) expect(kind).not.toBe('error')
      if (of.interrupted) expect(kind).toBe('human_intervention')
    }
  })
})

/** Claude Code's `questions`: whether its log tells of every question, or none are asked. Without either, it is not known. */
test.each([
  ['a result with its decision', { permissionDecision: { decision: 'accept', source: 'user_temporary' } }, 'told'],
  ['a mode in which nothing is asked', { permissionMode: 'bypassPermissions' }, 'none'],
  ['a mode in which it asks', { permissionMode: 'default' }, undefined],
] as const)('claude: %s makes it known whether questions are told', async (_, more, questions) => {
  const home = tempDir()
  const log = new ClaudeLog(uuid('questions')).user('go').call('c1', 'Bash', { command: 'make' })
  log.user([{ type: 'tool_result', tool_use_id: 'c1', content: 'made', is_error: false }], more)
  const unit = { path: write(transcriptPath(home, log.session), log.text()), root: path.join(home, '.claude') }
  const claude = sources.find(({ name }) => name === 'claude')!
  const items = [...(await claude.reader()).read(unit, null)].flat()
  const facts = items.filter((item): item is FactsItem => item.item === 'facts')
  expect(Object.assign({}, ...facts.map((item) => item.facts))['questions']).toBe(questions)
})
