import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDir } from '../../../test/kit/home.ts'
import { GrokLog, jsonLines, laySession, only, put, readAll } from '../../../test/kit/grok-log.ts'
import { START, USAGE, type Json } from '../../../test/kit/grok-log.ts'
import { grokReader } from './reader.ts'

const ID = '019f0000-0000-7000-8000-000000000005'

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

describe('logs/unified.jsonl', () => {
  const call = (sid: string, at: number, more: Json = {}) => ({
    ts: iso(at),
    src: 'shell',
    sid,
    msg: 'shell.turn.inference_done',
    ctx: {
      loop_index: 0,
      prompt_tokens: 500,
      cached_prompt_tokens: 400,
      completion_tokens: 30,
      reasoning_tokens: 10,
      ...more,
    },
  })
  const layLog = (root: string, lines: readonly Json[], tail = '') =>
    put(path.join(root, 'logs', 'unified.jsonl'), `${jsonLines(lines)}${tail}`)

  test('bills turns that ended without a bill, of this session only, one row a turn', () => {
    const root = tempDir()
    const log = new GrokLog(ID).prompt('billed').say('a').done().prompt('cancelled').say('b')
    const [billed, cancelled] = [START + 2500, log.clock + 10]
    log.done({ stop_reason: 'cancelled', usage: undefined }).prompt('next').say('c').done()
    const secret = { ts: iso(START), msg: 'auth.token', ctx: { token: 'hush' } }
    const calls = [call(ID, billed), call(ID, cancelled), call(ID, cancelled + 1), call('other', cancelled)]
    layLog(root, [secret, ...calls], '{"ts":"torn')
    const bills = only(readAll(laySession(root, ID, { 'updates.jsonl': log.text() })), 'usage')
    expect(
      bills.map(({ key, input, cacheRead, output, reasoning }) => [key, input, cacheRead, output, reasoning]),
    ).toEqual([
      [`prompt-${ID}-1`, 300, 600, 40, 15],
      [`prompt-${ID}-2`, 200, 800, 60, 20],
      [`prompt-${ID}-3`, 300, 600, 40, 15],
    ])
  })

  test('of a turn that is still open tells so far under the name its bill will have', () => {
    const root = tempDir()
    const log = new GrokLog(ID).prompt('go').say('working')
    layLog(root, [call(ID, log.clock + 10)])
    const open = only(readAll(laySession(root, ID, { 'updates.jsonl': log.text() })), 'usage')
    expect(open).toMatchObject([{ key: log.promptId, input: 100, output: 30, model: 'grok-4.7' }])
    const closed = only(readAll(laySession(root, ID, { 'updates.jsonl': log.done().text() })), 'usage')
    expect(closed).toMatchObject([{ key: log.promptId, input: 300, output: 40 }])
  })

  test('is all the usage there is beside a chat history', () => {
    const root = tempDir()
    layLog(root, [
      call(ID, START),
      call(ID, START, { loop_index: 1 }),
      call(ID, START, { prompt_tokens: 0, completion_tokens: 0, cached_prompt_tokens: 0 }),
    ])
    const files = {
      'chat_history.jsonl': jsonLines([{ type: 'user', content: 'hi' }]),
      'summary.json': '{"current_model_id":"m"}',
    }
    const bills = only(readAll(laySession(root, ID, files)), 'usage')
    expect(bills.map(({ input, model }) => [input, model])).toEqual([
      [100, 'm'],
      [100, 'm'],
    ])
    expect(new Set(bills.map(({ key }) => key)).size).toBe(2)
  })

  test('is not asked about turns from before it begins', () => {
    const root = tempDir()
    const log = new GrokLog(ID).prompt('old').say('x').prompt('new')
    layLog(root, [call(ID, log.clock + 3_600_000)])
    expect(only(readAll(laySession(root, ID, { 'updates.jsonl': log.text() })), 'usage')).toEqual([])
  })
})

describe('copies', () => {
  test('a fork’s copied lines bear their own names, and their bill is left out while the original is there', () => {
    const root = tempDir()
    const parent = new GrokLog('parent').prompt('shared').say('words').done()
    const fork = new GrokLog(ID, parent.clock).prompt('own').done()
    const copied = parent.lines.map((line) => ({ ...line, params: { ...(line['params'] as Json), sessionId: ID } }))
    const lines = [...copied, ...fork.lines]
    const alone = readAll(laySession(tempDir(), ID, { 'updates.jsonl': parent.text(lines) }))
    expect(only(alone, 'usage').map(({ leftOut }) => leftOut)).toEqual([undefined, undefined])
    const original = readAll(laySession(root, 'parent', { 'updates.jsonl': parent.text() }))
    const both = readAll(laySession(root, ID, { 'updates.jsonl': parent.text(lines) }))
    expect(only(both, 'usage').map(({ key, leftOut }) => [key, leftOut])).toEqual([
      [parent.promptId, 'fork_copy'],
      [fork.promptId, undefined],
    ])
    const nativeIds = only(original, 'event').map(({ native }) => native)
    expect(only(both, 'event').map(({ native }) => nativeIds.includes(native))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
    expect(only(both, 'usage')[1]).toMatchObject({ input: USAGE.inputTokens - 700 })
  })

  test('while a directory is being moved, the newer one is the session and the other a copy', () => {
    const root = tempDir()
    const log = new GrokLog(ID).prompt('x')
    const old = laySession(root, ID, { 'updates.jsonl': log.text(), 'summary.json': '{}' }, '/a')
    const moved = laySession(root, ID, { 'updates.jsonl': log.text(), 'summary.json': '{"cwd_generation":1}' }, '/b')
    const lanes = () =>
      [old, moved].map((unit) => only(readAll(unit), 'lane')[0]).map((lane) => [lane?.lane, lane?.originality])
    put(path.join(root, 'relocations', `${ID}.json`), '{}')
    expect(lanes()).toEqual([
      ['~left-behind', 2],
      ['', 0],
    ])
    expect(only(grokReader.readSidecars?.(old) ?? [], 'lane')[0]?.lane).toBe('~left-behind')
  })
})
