import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDir } from '../../../test/kit/home.ts'
import {
  GrokEvents,
  GrokLog,
  jsonLines,
  laySession,
  only,
  put,
  readAll,
  type Json,
} from '../../../test/kit/grok-log.ts'
import type { Marks } from '../../model/marks.ts'
import type { Checkpoint, EventItem } from '../source.ts'
import { grokReader } from './reader.ts'

const ID = '019f0000-0000-7000-8000-00000000000a'
const RUN = 'run_terminal_command'

/** Both accounts of a session: the transcript and the telemetry. */
function readBoth(log: GrokLog, events: GrokEvents, files: Record<string, string> = {}) {
  const root = tempDir()
  const unit = laySession(root, ID, { 'updates.jsonl': log.text(), 'events.jsonl': events.text(), ...files })
  const telemetry = readAll({ root, path: path.join(path.dirname(unit.path), 'events.jsonl') })
  const [told, timed] = [only(readAll(unit), 'event'), only(telemetry, 'event')]
  return { root, unit, told, timed, all: [...told, ...timed] }
}

function begin(prompt = 'go') {
  const log = new GrokLog(ID)
  const events = new GrokEvents(log)
  log.prompt(prompt)
  events.turn()
  return { log, events }
}

function marksOf(events: readonly EventItem[], name: keyof Marks): unknown[] {
  return events.flatMap(({ kind, marks }) => (marks?.[name] === undefined ? [] : [[kind, marks[name]]]))
}

function refused(log: GrokLog, call: string, words: string): void {
  const content = [{ type: 'content', content: { type: 'text', text: words } }]
  log.update('tool_call_update', { toolCallId: call, status: 'failed', content })
}

describe('a denial', () => {
  test.each([
    ['nobody could be asked', 'cancelled', 0, 'permission_cancelled', 'rule'],
    ['a person said no', 'deny', 3100, 'permission_rejected', 'person'],
  ])('%s: told once, on the result, and nobody interrupted', (_, decision, wait, category, by) => {
    const { log, events } = begin()
    log.call('c1', RUN, { command: 'cp a ../b' })
    events.permission(decision, wait)
    refused(log, 'c1', `User cancelled the execution for tool \`${RUN}\``)
    log.done({ stop_reason: 'cancelled' })
    events.end('cancelled', category)
    const { told, all } = readBoth(log, events)
    expect(told.find(({ call, role }) => call === 'c1' && role === 'tool')).toMatchObject({
      kind: 'tool_result',
      marks: { denied: by, asked: true, waitedMs: wait },
    })
    expect(marksOf(all, 'denied')).toHaveLength(1)
    expect(marksOf(all, 'interrupted')).toEqual([])
    expect(all.filter(({ kind }) => kind === 'human_intervention' || kind === 'error')).toEqual([])
    expect(marksOf(all, 'turn')).toEqual([
      ['lifecycle', 'interrupted'],
      ['lifecycle', 'started'],
    ])
  })

  test.each([
    ['Denied by permission policy: deny rule on Bash', 'rule'],
    ["tool call denied by hook 'guard': no", 'hook'],
    ['User rejected the execution', 'person'],
  ])('without telemetry, by its words: %s', (words, by) => {
    const log = new GrokLog(ID).prompt('go').call('c1', RUN, { command: 'rm x' })
    refused(log, 'c1', words)
    const items = readAll(laySession(tempDir(), ID, { 'updates.jsonl': log.text() }))
    expect(marksOf(only(items, 'event'), 'denied')).toEqual([['tool_result', by]])
  })

  test('a call left out because another was refused was stopped, and a failed one stays an error', () => {
    const log = new GrokLog(ID).prompt('go').call('c1', RUN, {}).call('c2', RUN, {})
    refused(log, 'c1', `Tool execution cancelled due to earlier permission rejection for tool \`${RUN}\``)
    refused(log, 'c2', 'No such file')
    const results = only(readAll(laySession(tempDir(), ID, { 'updates.jsonl': log.text() })), 'event').slice(-2)
    expect(results.map(({ kind, marks }) => [kind, marks])).toEqual([
      ['tool_result', { stopped: true }],
      ['error', undefined],
    ])
  })

  test('without a result is told by the end of its turn', () => {
    const { log, events } = begin()
    log.call('c1', RUN, { command: 'rm x' }).done({ stop_reason: 'cancelled' })
    const { all } = readBoth(log, events.end('cancelled', 'hook_denied'))
    expect(marksOf(all, 'denied')).toEqual([['lifecycle', 'hook']])
    expect(marksOf(all, 'interrupted')).toEqual([])
  })

  test('is told by the telemetry itself where there is no transcript', () => {
    const events = new GrokEvents(new GrokLog(ID)).turn().permission('deny', 900).permission('allow', 4200)
    const items = readAll(laySession(tempDir(), ID, { 'events.jsonl': events.text() }))
    expect(only(items, 'event').map(({ marks }) => marks)).toEqual([
      { turn: 'started' },
      { denied: 'person', asked: true, waitedMs: 900 },
      { asked: true, approved: true, waitedMs: 4200 },
    ])
  })
})

test('a question that a person answered is marked on the result; what no person can have answered is none', () => {
  const { log, events } = begin()
  for (const [call, wait] of [
    ['c1', 4200],
    ['c2', 0],
  ] as const) {
    log.call(call, RUN, { command: 'touch x' })
    events.permission('allow', wait)
    log.result(call, '')
    events.completed(call)
  }
  const { told, timed } = readBoth(log.done(), events.end())
  expect(told.filter(({ role }) => role === 'tool').map(({ marks }) => marks)).toEqual([
    { asked: true, approved: true, waitedMs: 4200, exitCode: 0 },
    { exitCode: 0 },
  ])
  expect(marksOf(timed, 'approved')).toEqual([])
  const unasked = begin()
  unasked.events.event('yolo_toggled', { enabled: true })
  unasked.log.call('c1', RUN, {})
  unasked.events.permission('allow', 900).completed('c1')
  unasked.log.result('c1', '')
  expect(marksOf(readBoth(unasked.log, unasked.events).all, 'asked')).toEqual([])
})

describe('what a person said when they turned a call down', () => {
  const NO = `The user elected to avoid running the ${RUN} tool. The tool was not executed.`

  /** The words are written twice, and without a number. */
  function turnedDown() {
    const { log, events } = begin('copy it')
    log.call('c1', RUN, { command: 'cp a b' })
    events.permission('followup', 8000)
    refused(log, 'c1', NO)
    const said = { content: { type: 'text', text: 'into the barn instead' }, _meta: { modelId: 'grok-4.7' } }
    log.update('user_message_chunk', said).update('user_message_chunk', said, { agentTimestampMs: log.clock })
    log.say('As you wish.').done()
    events.end()
    return { log, events }
  }

  test('is a turn of their own, once, that points at the call', () => {
    const { log, events } = turnedDown()
    const { told } = readBoth(log, events)
    const [, call, result, comment, answer] = told
    expect(result).toMatchObject({ kind: 'tool_result', marks: { denied: 'person', asked: true } })
    expect(comment).toMatchObject({ kind: 'user_msg', text: 'into the barn instead', human: true, parent: call?.pos })
    expect(comment?.marks).toEqual({ onDenial: true })
    expect(answer).toMatchObject({ kind: 'assistant_msg', text: 'As you wish.' })
  })

  test('also where nothing but the chat history tells it', () => {
    const { events } = turnedDown()
    const rows = [
      { type: 'user', content: [{ type: 'text', text: 'copy it' }], prompt_index: 0 },
      { type: 'assistant', content: '', tool_calls: [{ id: 'c1', name: RUN, arguments: '{}' }] },
      { type: 'tool_result', tool_call_id: 'c1', content: NO },
      { type: 'user', content: [{ type: 'text', text: 'into the barn instead' }] },
      { type: 'assistant', content: 'As you wish.' },
      { type: 'user', content: [{ type: 'text', text: 'a reminder of nobody' }] },
    ]
    const files = { 'chat_history.jsonl': jsonLines(rows), 'events.jsonl': events.text() }
    const told = only(readAll(laySession(tempDir(), ID, files)), 'event')
    const comments = told.filter(({ marks }) => marks?.onDenial)
    expect(comments).toMatchObject([{ text: 'into the barn instead', human: true, parent: 1 }])
    expect(told.at(-1)).toMatchObject({ human: false, marks: { injected: true } })
  })
})

test('a turn that a person stopped is one intervention, and the call it stopped is no error', () => {
  const { log, events } = begin()
  log.call('c1', RUN, { command: 'sleep 100' })
  events.completed('c1', 'cancelled')
  refused(log, 'c1', `Tool execution was cancelled by the user (tool \`${RUN}\`)`)
  log.done({ stop_reason: 'cancelled' })
  events.end('cancelled', 'mid_turn_abort')
  const { all } = readBoth(log, events)
  expect(marksOf(all, 'interrupted')).toEqual([['human_intervention', true]])
  expect(marksOf(all, 'stopped')).toEqual([['tool_result', true]])
  expect(all.filter(({ kind }) => kind === 'error')).toEqual([])
  expect(marksOf(all, 'turn')).toContainEqual(['human_intervention', 'interrupted'])
})

describe('a client that was killed', () => {
  const announce = (log: GrokLog, call: string, command: string) => {
    const rawInput = { variant: 'Bash', command, description: 'What it is for' }
    const content = [{ type: 'content', content: { type: 'text', text: 'What it is for' } }]
    return log.call(call, RUN, rawInput).update('tool_call_update', { toolCallId: call, content, rawInput })
  }
  const row = (call: string, content: string) =>
    `${JSON.stringify({ type: 'tool_result', tool_call_id: call, content })}\n`

  /** The ends of three calls, of which two were over; the transcript has none of them. */
  function killed(chat: string) {
    const { log, events } = begin()
    for (const [call, command] of Object.entries({ c1: 'echo one', c2: 'exit 3', c3: 'sleep 60' })) {
      announce(log, call, command)
    }
    events.completed('c1').completed('c2', 'error')
    const { told } = readBoth(log, events, { 'chat_history.jsonl': chat })
    return told.flatMap(({ role, call, kind, body, marks }) => (role === 'tool' ? [[call, kind, body, marks]] : []))
  }

  test('has told of the calls that were over elsewhere: they are no stopped ones', () => {
    expect(killed(row('c1', 'exit: 0\none\n') + row('c2', 'exit: 3\n'))).toEqual([
      ['c1', 'tool_result', 'exit: 0\none\n', { exitCode: 0 }],
      ['c2', 'error', 'exit: 3\n', { exitCode: 3 }],
      ['c3', 'tool_result', '', { stopped: true }],
    ])
  })

  test('and what a call was for is not what it put out', () => {
    expect(killed('')).toEqual([
      ['c1', 'tool_result', '', undefined],
      ['c2', 'error', '', undefined],
      ['c3', 'tool_result', '', { stopped: true }],
    ])
  })
})

describe('a turn that never ended', () => {
  const cut = (files: Record<string, string> = {}, prompt: Json = {}) => {
    const log = new GrokLog(ID).prompt('tell me', prompt)
    const events = new GrokEvents(log).turn()
    return { log, events, ...readBoth(log.say('Once upon'), events, files) }
  }

  test('was interrupted; the marker stands after all there is', () => {
    const { told } = cut()
    expect(marksOf(told, 'interrupted')).toEqual([['human_intervention', true]])
    expect(told.at(-1)).toMatchObject({ kind: 'human_intervention', pos: 2, marks: { turn: 'interrupted' } })
  })

  test('has no marker where a window has the session open, where the client began it, or where nothing timed it', () => {
    const { root, unit } = cut()
    expect(marksOf(cut({}, { hideFromScrollback: true }).told, 'interrupted')).toEqual([])
    put(path.join(root, 'active_sessions.json'), JSON.stringify([{ session_id: ID, pid: 1 }]))
    expect(marksOf(only(readAll(unit), 'event'), 'interrupted')).toEqual([])
    const log = new GrokLog(ID).prompt('x').say('y')
    expect(
      marksOf(only(readAll(laySession(tempDir(), ID, { 'updates.jsonl': log.text() })), 'event'), 'interrupted'),
    ).toEqual([])
  })

  test('leaves no marker once it goes on', () => {
    const { log, unit } = cut()
    const first = grokReader.read(unit, null)
    expect(marksOf(only([...first].flat(), 'event'), 'interrupted')).toHaveLength(1)
    expect(first.provisional).toBe(true)
    const before = log.lines.length
    log.say(' a time').done()
    appendFileSync(unit.path, log.text(log.lines.slice(before)))
    const checkpoint = JSON.parse(JSON.stringify(first.checkpoint())) as Checkpoint
    const rest = only([...grokReader.read(unit, checkpoint)].flat(), 'event')
    expect(marksOf(rest, 'interrupted')).toEqual([])
    expect(rest.map(({ pos }) => pos)).toEqual([0, 1, 2])
  })

  test('keeps its marker before the prompt that comes next, and has one where the client tells it later', () => {
    const { log, events } = cut()
    const resumed = log.text()
    events.turn()
    log.prompt('go on').done()
    events.end()
    const kinds = readBoth(log, events).told.map(({ kind }) => kind)
    expect(kinds).toEqual(['user_msg', 'assistant_msg', 'human_intervention', 'user_msg', 'lifecycle'])
    const again = new GrokLog(ID, log.clock + 60_000)
    again.update(
      'turn_completed',
      { prompt_id: 'p', stop_reason: 'interrupted', agent_result: 'Grok stopped' },
      { eventId: `${ID}-0` },
    )
    const told = only(readAll(laySession(tempDir(), ID, { 'updates.jsonl': resumed + again.text() })), 'event')
    expect(told.map(({ kind }) => kind)).toEqual(['user_msg', 'assistant_msg', 'human_intervention'])
    expect(marksOf(told, 'interrupted')).toHaveLength(1)
  })
})

describe('turns', () => {
  test('begin in the telemetry and end in the transcript, once', () => {
    const { log, events } = begin()
    log.say('done').done()
    const { told, timed } = readBoth(log, events.end())
    expect(marksOf(told, 'turn')).toEqual([['lifecycle', 'completed']])
    expect(marksOf(timed, 'turn')).toEqual([['lifecycle', 'started']])
    expect(timed.every(({ at }) => at !== null)).toBe(true)
  })

  test('end in the telemetry where the transcript does not tell it', () => {
    const { log, events } = begin()
    log.say('done')
    events.end().turn()
    log.prompt('more').say('done')
    expect(marksOf(readBoth(log, events.end()).timed, 'turn').at(-1)).toEqual(['lifecycle', 'completed'])
    const rows = {
      'events.jsonl': new GrokEvents(log).turn().end().text(),
      'chat_history.jsonl': '{"type":"system"}\n',
    }
    expect(marksOf(only(readAll(laySession(tempDir(), ID, rows)), 'event'), 'turn')).toEqual([
      ['lifecycle', 'started'],
      ['lifecycle', 'completed'],
    ])
  })

  test('an error is told once, and the turn failed', () => {
    const { log, events } = begin()
    log.update('retry_state', { type: 'failed', error_type: 'api', message: 'API error (status 400): no' })
    log.done({ stop_reason: 'error', agent_result: 'API error (status 400): no', usage: undefined })
    const { all } = readBoth(log, events.end('error'))
    expect(all.filter(({ kind }) => kind === 'error').map(({ text }) => text)).toEqual(['API error (status 400): no'])
    expect(marksOf(all, 'turn')).toContainEqual(['lifecycle', 'failed'])
    const silent = begin()
    silent.log.done({ stop_reason: 'error', usage: undefined })
    expect(marksOf(readBoth(silent.log, silent.events.end('error')).all, 'turn')).toContainEqual(['error', 'failed'])
  })

  test('a step that got no answer and is taken again is told; errors of the telemetry too, and no other name moves', () => {
    const plain = new GrokEvents(new GrokLog(ID)).turn().event('first_token').end()
    const odd = new GrokEvents(new GrokLog(ID)).turn().event('loop_started').event('first_token')
    odd.event('error', { message: 'disk full' }).event('retry', { reason: 'once more' }).end()
    const read = (events: GrokEvents) =>
      only(readAll(laySession(tempDir(), ID, { 'events.jsonl': events.text() })), 'event')
    expect(read(odd).map(({ kind, text }) => [kind, text])).toEqual([
      ['lifecycle', 'turn 0 started on grok-4.7'],
      ['lifecycle', 'the model was asked again'],
      ['error', 'error: disk full'],
      ['lifecycle', 'retry: once more'],
      ['lifecycle', 'turn ended: completed'],
    ])
    const names = read(odd).map(({ native }) => native)
    expect(
      read(plain)
        .map(({ native }) => native)
        .every((native) => names.includes(native)),
    ).toBe(true)
  })
})

describe('a compaction', () => {
  const compact = (log: GrokLog) =>
    log
      .update('compaction_checkpoint', { prompt_index_at_compaction: 1 })
      .update('auto_compact_completed', { tokens_before: 9, tokens_after: 3 })

  test('is marked once for each time, by the client or by a person', () => {
    const log = compact(compact(new GrokLog(ID).prompt('x'))).done()
    log.update('user_message_chunk', { content: { type: 'text', text: '/compact now' }, _meta: { hostTurn: true } })
    compact(log).done({ usage: undefined })
    const told = only(readAll(laySession(tempDir(), ID, { 'updates.jsonl': log.text() })), 'event')
    expect(marksOf(told, 'compacted').map((mark) => (mark as unknown[])[1])).toEqual(['auto', 'auto', 'manual'])
    expect(marksOf(told, 'command')).toEqual([['user_msg', '/compact']])
    expect(told.find(({ marks }) => marks?.command)).toMatchObject({ text: '/compact now', human: true })
  })

  test('is asked for by a prompt if more than its name was typed', () => {
    const host = (text: string) => ({ content: { type: 'text', text }, _meta: { hostTurn: true } })
    const log = new GrokLog(ID).prompt('x').done()
    log.update('user_message_chunk', host('/compact'))
    compact(log).done({ usage: undefined }).update('user_message_chunk', host('/compact keep the names'))
    compact(log).done({ usage: undefined })
    const told = only(readAll(laySession(tempDir(), ID, { 'updates.jsonl': log.text() })), 'event')
    const said = told.filter(({ kind }) => kind === 'user_msg').map(({ text, human }) => [text, human])
    expect(said).toEqual([
      ['x', true],
      ['/compact', false],
      ['/compact keep the names', true],
    ])
  })

  test('in a chat history is its summary', () => {
    const rows = [
      { type: 'user', content: '<user_info>\nx\n</user_info>', synthetic_reason: 'compaction_meta' },
      {
        type: 'user',
        content: 'This session is being continued from a previous conversation that …',
        synthetic_reason: 'compaction_meta',
      },
      { type: 'user', content: 'next', prompt_index: 1 },
    ]
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
    const told = only(readAll(laySession(tempDir(), ID, { 'chat_history.jsonl': text })), 'event')
    expect(told.map(({ marks, human }) => [human, marks])).toEqual([
      [false, { injected: true }],
      [false, { injected: true, compacted: 'unknown' }],
      [true, undefined],
    ])
  })
})

test('who said what: the client, a person in between, a command; and what was taken back', () => {
  const log = new GrokLog(ID).prompt('start')
  log.update('user_message_chunk', { content: { type: 'text', text: 'no, the other' }, _meta: { interjection: true } })
  log.update('user_message_chunk', {
    content: { type: 'text', text: 'drained' },
    _meta: { syntheticReason: 'notification_drain' },
  })
  log.update('user_message_chunk', { content: { type: 'text', text: '', _meta: { bash_command: 'ls' } } })
  log.done().prompt('wrong').done().prompt('worse').done().rewind(1)
  const told = only(readAll(laySession(tempDir(), ID, { 'updates.jsonl': log.text() })), 'event')
  expect(told.filter(({ kind }) => kind === 'user_msg').map(({ text, human, marks }) => [text, human, marks])).toEqual([
    ['start', true, undefined],
    ['no, the other', true, { midTurn: true }],
    ['drained', false, { injected: true }],
    ['!ls', true, { command: '!' }],
    ['wrong', true, undefined],
    ['worse', true, undefined],
  ])
  expect(marksOf(told, 'takenBack')).toEqual([['lifecycle', 2]])
})
