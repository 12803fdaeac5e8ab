import { describe, expect, test } from 'vitest'
import { CodexLog, layRollout, lines, readRollout, threadId, TURN, told, words } from '../../../test/kit/codex-log.ts'

const source = {
  subagent: {
    thread_spawn: { parent_thread_id: threadId(1), depth: 1, agent_path: '/root/count', agent_nickname: 'K' },
  },
}

/** A session and the agent it starts, whose rollout begins with all that its parent knew. */
function family() {
  const parent = new CodexLog(threadId(1))
    .start(TURN[0])
    .context()
    .prompt('let somebody count')
    .say('I delegate this.')
    .call('call_1', 'spawn_agent', { task_name: 'count', message: 'Count the files.' })
  const meta = { source, agent_path: '/root/count', forked_from_id: threadId(1), subagent_history_start_ordinal: 10 }
  const child = new CodexLog(threadId(2), meta)
  child.records.push(...parent.records)
  child
    .event('turn_aborted', { reason: 'interrupted', turn_id: TURN[0] })
    .start(TURN[1])
    .record('inter_agent_communication_metadata', { trigger_turn: true })
    .letter('/root', '/root/count', 'NEW_TASK', '', 'Count the files, please.')
    .say('Seven.')
    .tokens(50, 0, 5)
    .complete(TURN[1])
  const numbered = lines(child.records.map((record, ordinal) => ({ ...record, ordinal })))
  const { unit } = layRollout(numbered, threadId(2))
  return { parent, child: readRollout(unit.path, unit.root) }
}

describe('an agent that another agent started', () => {
  test('tells only what it did itself, and nobody broke it off', () => {
    const { child } = family()
    expect(child.events.map((event) => [event.kind, event.human ?? false, event.text])).toEqual([
      ['lifecycle', false, 'task started'],
      ['user_msg', false, '[/root → /root/count] Count the files, please.'],
      ['assistant_msg', false, 'Seven.'],
      ['lifecycle', false, 'task complete'],
    ])
    expect(child.problems).toEqual([])
  })

  test('has its task as title, a parent, and is folded away', () => {
    expect(family().child.facts).toMatchObject({
      firstPrompt: 'Count the files, please.',
      parent: `codex:${threadId(1)}`,
      hidden: true,
    })
  })

  test('says how it ended, and its order is asked for, not injected', () => {
    const marks = family().child.events.map((event) => event.marks ?? {})
    expect(marks).toEqual([
      { turn: 'started', subagent: 'started' },
      {},
      {},
      { turn: 'completed', subagent: 'completed' },
    ])
  })

  test('that is broken off was cancelled; the person’s stop is its parent’s to tell', () => {
    const { events } = told(
      new CodexLog(threadId(2), { source }).start(TURN[0]).event('turn_aborted', { reason: 'interrupted' }),
    )
    expect(events.at(-1)).toMatchObject({ kind: 'lifecycle', marks: { turn: 'aborted', subagent: 'cancelled' } })
  })

  test('has the name of its task as title where its orders are sealed', () => {
    const sealed = 'gAAAAABqx'.repeat(40)
    const { facts } = told(
      new CodexLog(threadId(2), { source }).letter('/root', '/root/count_files', 'NEW_TASK', '', sealed),
    )
    expect(facts.firstPrompt).toBe('count_files')
  })

  test('has long orders that nobody sealed', () => {
    const order = 'Count the files in every directory. '.repeat(20).trim()
    const { facts } = told(new CodexLog(threadId(2), { source }).letter('/root', '/root/count', 'NEW_TASK', '', order))
    expect(facts.firstPrompt).toBe(order)
  })

  test('answers its parent with what is put into the conversation', () => {
    const { events } = told(new CodexLog(threadId(1)).letter('/root/count', '/root', 'FINAL_ANSWER', 'Seven.'))
    expect(events).toMatchObject([{ text: '[/root/count → /root] Seven.', human: false, marks: { injected: true } }])
  })

  test('may be one that the client started by itself', () => {
    expect(told(new CodexLog(threadId(2), { source: { subagent: 'review' } })).facts.hidden).toBe(true)
  })
})

describe('a fork that copies nothing', () => {
  const meta = {
    forked_from_id: threadId(1),
    forked_from_ordinal_exclusive: 14,
    history_base: { thread_id: threadId(1), end_ordinal_exclusive: 14, end_byte_offset: 4000 },
  }

  test('says whose first records are its own, too', () => {
    const { facts } = told(new CodexLog(threadId(50), meta).start(TURN[3]).prompt('of stone, then').say('ok'))
    expect(facts).toMatchObject({
      parent: `codex:${threadId(1)}`,
      inherits: { uid: `codex:${threadId(1)}`, records: 14 },
      firstPrompt: 'of stone, then',
    })
    expect(facts.hidden).toBeUndefined()
  })

  test('has times and counts of its own from the first record on', () => {
    const forked = new CodexLog(threadId(50), meta).start(TURN[3]).prompt('of stone, then').say('ok')
    const usage = (input_tokens: number) => ({ input_tokens, output_tokens: 10, total_tokens: input_tokens + 10 })
    forked.event('token_count', { info: { total_token_usage: usage(5000), last_token_usage: usage(300) } })
    const { events, usage: counted } = told(forked)
    expect(events.every((event) => event.at !== null)).toBe(true)
    expect(counted).toMatchObject([{ input: 300, message: 1 }])
  })

  test('is one as well where only its own header counts the records', () => {
    const { facts } = told(
      new CodexLog(threadId(50), { forked_from_id: threadId(1), forked_from_ordinal_exclusive: 9 }),
    )
    expect(facts.inherits).toEqual({ uid: `codex:${threadId(1)}`, records: 9 })
  })
})

describe('what a header says', () => {
  test.each([
    [{ source: 'exec', originator: 'codex_exec' }, true],
    [{ source: 'mcp' }, true],
    [{ source: 'exec', originator: 'codex_sdk_ts' }, true],
    [{ source: 'cli', originator: 'codex-tui' }, undefined],
    [{ source: 'vscode', originator: 'codex_vscode' }, undefined],
  ])('%j: automated %s', (meta, automated) => {
    expect(told(new CodexLog(threadId(1), meta)).facts.automated).toBe(automated)
  })

  test('every branch is kept, in the order of the headers', () => {
    const log = new CodexLog(threadId(1))
      .prompt('one')
      .meta({ git: { branch: 'feature' } })
      .meta({ git: { branch: 'main' } })
    expect(told(log).facts).toMatchObject({ branch: 'main', branches: ['main', 'feature'] })
    expect(words(told(log).events)).toContain('session resumed')
  })
})
