import { appendFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ClaudeLog, transcriptPath, write, type LogRecord } from './kit/claude-log.ts'
import { dump, query } from './kit/dump.ts'
import { NOW, productOn, tempDir } from './kit/home.ts'
import { ID, read, isHuman, texts } from './kit/claude-read.ts'

const queued = (operation: string, at: string, content?: string): LogRecord => ({
  type: 'queue-operation',
  operation,
  timestamp: `2026-10-01T09:00:${at}.000Z`,
  sessionId: ID,
  ...(content === undefined ? {} : { content }),
})

describe('what people typed while the agent worked', () => {
  const busy = () => new ClaudeLog(ID).user('fix the build').call('c1', 'Bash', { command: 'make' })

  test('and what was handed to it in the running turn is a prompt, in its place, found and counted', async () => {
    const log = busy()
      .bare(queued('enqueue', '02', 'and mind the linter'))
      .bare(queued('remove', '03'))
      .result('c1', 'ok')
      .say('Both are green.')
    const { recall, of } = await read(log)
    const events = await of()
    expect(texts(events.filter(isHuman))).toEqual(['fix the build', 'and mind the linter'])
    const at = events.findIndex(({ text }) => text === 'and mind the linter')
    expect(events[at]).toMatchObject({ kind: 'user_msg', role: 'user', marks: { midTurn: true }, exchange: 2 })
    expect(events[at - 1]?.kind).toBe('tool_result')
    expect(events[at + 1]?.text).toBe('Both are green.')
    expect((await recall.find(`claude:${ID}`)).promptCount).toBe(2)
    const { hits } = await recall.search({ text: 'mind the linter', filter: { limit: 5 }, now: NOW })
    expect(hits).toHaveLength(1)
  })

  test('is one prompt with the user record or the attachment that also tells it', async () => {
    const attachment = {
      type: 'attachment',
      attachment: { type: 'queued_command', prompt: 'b', commandMode: 'prompt' },
    }
    const log = busy()
      .bare(queued('enqueue', '01', 'a'))
      .bare(queued('dequeue', '02'))
      .result('c1', 'ok')
      .say('Done.')
      .user('a')
      .call('c2', 'Bash', { command: 'ls' })
      .bare(queued('enqueue', '03', 'b'))
      .bare(queued('remove', '04'))
      .result('c2', 'ok')
      .record(attachment)
      .say('Yes.')
    const before = busy()
      .result('c1', 'ok')
      .record(attachment)
      .bare(queued('enqueue', '03', 'b'))
      .bare(queued('remove', '04'))
    const { of } = await read(log)
    expect(texts((await of()).filter(isHuman))).toEqual(['fix the build', 'a', 'b'])
    const other = await read(before.say('Yes.'))
    expect(texts((await other.of()).filter(isHuman))).toEqual(['fix the build', 'b'])
  })

  test('was never sent if it was taken back or is still queued; a command without arguments is none', async () => {
    const log = busy()
      .bare(queued('enqueue', '01', 'taken back'))
      .bare(queued('popAll', '02'))
      .bare(queued('enqueue', '03', '/ide'))
      .bare(queued('remove', '04'))
      .bare(queued('enqueue', '05', '<task-notification>done</task-notification>'))
      .bare(queued('remove', '06'))
      .result('c1', 'ok')
      .say('Done.')
      .bare(queued('enqueue', '07', 'still queued'))
    const { of } = await read(log)
    expect(texts((await of()).filter(isHuman))).toEqual(['fix the build'])
  })

  test('is known where the log ends before its record, and once when the record comes', async () => {
    const log = new ClaudeLog(ID)
      .user('hi')
      .say('Hello.')
      .bare(queued('enqueue', '08', 'only here'))
      .bare(queued('dequeue', '09'))
    const { recall, home, of } = await read(log)
    expect(texts((await of()).filter(isHuman))).toEqual(['hi', 'only here'])
    const more = new ClaudeLog(ID, {}, Date.parse('2026-10-01T10:00:00Z')).user('x').user('only here').say('Sure.')
    appendFileSync(
      transcriptPath(home, ID),
      more.records
        .slice(1)
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    )
    await recall.index()
    expect(texts((await of()).filter(isHuman))).toEqual(['hi', 'only here'])
  })

  test('is what the record names, where it names it, and not what the person took out again', async () => {
    const removed = (content: string, reason?: string) => ({
      ...queued('remove', '06', content),
      ...(reason ? { reason } : {}),
    })
    const log = busy()
      .bare(queued('enqueue', '01', 'first'))
      .bare(queued('enqueue', '02', 'second'))
      .bare(queued('enqueue', '03', 'third'))
      .bare(removed('second', 'absorbed_mid_turn'))
      .bare(removed('third', 'user_removed'))
      .result('c1', 'ok')
      .say('Done.')
      .bare(queued('dequeue', '07'))
      .user('first')
      .say('That too.')
    const { of } = await read(log)
    expect(texts((await of()).filter(isHuman))).toEqual(['fix the build', 'second', 'first'])
  })

  test('is not what a program put into the queue before it', async () => {
    const log = busy()
      .bare(queued('enqueue', '01', '<task-notification>x</task-notification>'))
      .bare(queued('enqueue', '02', 'do B'))
      .bare(queued('remove', '03'))
      .result('c1', 'ok')
      .say('B.')
    const { of } = await read(log)
    expect(texts((await of()).filter(isHuman))).toEqual(['fix the build', 'do B'])
  })

  test('as an attachment is a person’s unless the attachment says otherwise', async () => {
    const attached = (more: LogRecord) => ({ type: 'attachment', attachment: { type: 'queued_command', ...more } })
    const log = busy()
      .result('c1', 'ok')
      .record(attached({ prompt: 'mine' }))
      .record(attached({ prompt: [{ type: 'image' }], commandMode: 'prompt' }))
      .record(attached({ prompt: 'not mine', commandMode: 'prompt', isMeta: true, origin: { kind: 'coordinator' } }))
      .record(attached({ prompt: 'a note', commandMode: 'task-notification' }))
      .say('Ok.')
    const { of } = await read(log)
    expect(texts((await of()).filter(isHuman))).toEqual(['fix the build', 'mine', '[image]'])
  })

  test('is read in pieces as in one go', async () => {
    const log = busy()
      .bare(queued('enqueue', '02', 'und der Linter'))
      .bare(queued('remove', '03'))
      .result('c1', 'ok')
      .say('Gut.')
    const text = log.text()
    const home = tempDir()
    const file = write(transcriptPath(home, ID), '')
    const pieces = productOn(home)
    for (const line of text.split('\n').slice(0, -1)) {
      appendFileSync(file, `${line}\n`)
      await pieces.recall.index()
    }
    const whole = productOn(home)
    await whole.recall.index()
    expect(dump(pieces.store)).toEqual(dump(whole.store))
  })
})

test('the arguments of a slash command are a prompt and a title; a command alone is none', async () => {
  const command = (name: string, args: string) =>
    `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`
  const log = new ClaudeLog(ID)
    .user(command('clear', ''))
    .user(command('debug', 'the stop hooks are slow'))
    .say('I look at them.')
  const { recall, of } = await read(log)
  const session = await recall.find(`claude:${ID}`)
  expect(session).toMatchObject({ promptCount: 1, title: '/debug the stop hooks are slow' })
  const [clear, debug] = await of()
  expect(clear).toMatchObject({ text: '/clear', marks: { command: '/clear' } })
  expect(isHuman(clear!)).toBe(false)
  expect(debug).toMatchObject({ text: '/debug the stop hooks are slow', marks: { command: '/debug' } })
  expect(isHuman(debug!)).toBe(true)
})

test('words about the client’s markup are words', async () => {
  const asked = 'Explain what <command-name>/foo</command-name> markup does in this log'
  const { of } = await read(new ClaudeLog(ID).user(asked).say('It names a command.'))
  expect(texts((await of()).filter(isHuman))).toEqual([asked])
})

test('words that no person typed are told so', async () => {
  const log = new ClaudeLog(ID)
    .user('Operation stopped by hook: another session is active')
    .user('Unknown skill: foo')
    .user('<ide_opened_file>The user opened a file that was cut')
    .user('[Request interrupted by user')
    .user('<task-notification>x</task-notification>')
    .user('go on')
  const { recall, of } = await read(log)
  expect((await recall.find(`claude:${ID}`)).promptCount).toBe(1)
  expect((await of()).map(({ marks }) => marks.injected ?? false)).toEqual([true, true, true, true, true, false])
})

test('messages that only a log of prompts tells count from 0, and give way when the transcript comes', async () => {
  const home = tempDir()
  const line = (text: string, second: number) =>
    JSON.stringify({
      display: text,
      timestamp: Date.parse('2026-10-01T09:00:00Z') + second * 1000,
      sessionId: ID,
      project: '/w',
    })
  write(`${home}/.claude/history.jsonl`, `${line('first', 1)}\n${line('second', 2)}\n`)
  const { recall, store } = productOn(home)
  await recall.index()
  const told = () => query(store, 'SELECT idx, content FROM messages ORDER BY idx')
  expect(told()).toEqual([
    { idx: 0, content: 'first' },
    { idx: 1, content: 'second' },
  ])
  write(transcriptPath(home, ID), new ClaudeLog(ID).user('first').say('Yes.').text())
  await recall.index()
  expect(told().slice(0, 2)).toEqual([
    { idx: 0, content: 'first' },
    { idx: 1, content: 'Yes.' },
  ])
})
