import { appendFileSync, readFileSync, renameSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { grok } from '../src/sources/grok/grok.ts'
import { grokReader } from '../src/sources/grok/reader.ts'
import { IGNORED_TELEMETRY, IGNORED_UPDATES } from '../src/sources/grok/kinds.ts'
import { FLAG } from '../src/store/store.ts'
import { sourceConformance } from './conformance.ts'
import type { Item } from '../src/sources/source.ts'
import { GrokEvents, GrokLog, jsonLines, laySession, only, put, readAll, sessionDir } from './kit/grok-log.ts'
import { dump, query } from './kit/dump.ts'
import { productOn, stable } from './kit/grok-product.ts'
import { NOW, tempDir } from './kit/home.ts'

const ID = '019f0000-0000-7000-8000-000000000003'

/** A session with everything that makes numbering hard. */
function lively(): GrokLog {
  const log = new GrokLog(ID).update('hook_execution', { event_name: 'session_start', runs: [] })
  log.prompt('please fix the flaky test — über-flaky, 日本語 too').think('let me ').think('look').say('Looking.')
  log.call('c1', 'run_terminal_command', { command: 'npm test' }).progress('c1', 'a').progress('c1', 'ab')
  log.result('c1', 'boom', 1).call('c2', 'run_terminal_command', { command: 'npm test' }).progress('c2', 'so far')
  log
    .say('Still red.')
    .update('plan', { entries: [{ content: 'bisect', status: 'in_progress' }] })
    .done()
  log.prompt('wrong way').say('Oh.').done({ stop_reason: 'cancelled', usage: undefined }).rewind(1)
  log.prompt('bisect it').call('c3', 'grep', { pattern: 'x' }).result('c3', 'found').say('Found ').say('it.').done()
  log.prompt('and run it').call('c4', 'run_terminal_command', { command: 'npm start' }).progress('c4', 'listening')
  log.update('session_summary_generated', { session_summary: 'Fix the flaky test' }).prompt('thanks').say('Welcome')
  const [late] = log.lines.splice(-8, 1)
  if (late) log.lines.splice(-4, 0, late)
  return log
}

test('stopped before or after any newline, a reading goes on as if it had not', () => {
  const log = lively().update('thing_of_tomorrow').say('!')
  const text = log.text()
  const told = (items: readonly Item[]) =>
    items.flatMap((item) => (item.item === 'supersede' || item.item === 'problem' ? [JSON.stringify(item)] : []))
  const events = (items: readonly Item[]) => new Map(only(items, 'event').map((event) => [event.pos, event]))
  const whole = readAll(laySession(tempDir(), ID, { 'updates.jsonl': text }))
  const ends = [...text.matchAll(/\n/g)].flatMap(({ index }) => [index - 1, index, index + 1])
  for (const end of ends) {
    const unit = laySession(tempDir(), ID, { 'updates.jsonl': text.slice(0, end) })
    const first = grokReader.read(unit, null)
    const before = [...first].flat()
    appendFileSync(unit.path, text.slice(end))
    const after = [...grokReader.read(unit, JSON.parse(JSON.stringify(first.checkpoint())))].flat()
    expect([...new Map([...events(before), ...events(after)]).values()], `stopped at ${end}`).toEqual([
      ...events(whole).values(),
    ])
    expect([...told(before), ...told(after)]).toEqual(expect.arrayContaining(told(whole)))
    expect(only([...before, ...after], 'problem')).toHaveLength(1)
    const acknowledged = text.slice(0, text.lastIndexOf('\n', end - 1) + 1)
    expect(first.checkpoint().offset).toBeLessThanOrEqual(Buffer.byteLength(acknowledged))
  }
})

sourceConformance(grok, {
  lay() {
    const text = lively().text()
    const unit = laySession(tempDir(), ID, { 'updates.jsonl': text })
    return {
      unit,
      bytes: Buffer.from(text),
      append: (bytes) => appendFileSync(unit.path, bytes),
      truncate: (bytes) => truncateSync(unit.path, bytes),
    }
  },
})

/** A session with everything that is told twice: by the transcript and by the telemetry. */
function eventful(): { log: GrokLog; events: GrokEvents; steps: [updates: number, events: number][] } {
  const log = new GrokLog(ID)
  const events = new GrokEvents(log)
  const steps: [number, number][] = []
  const step = () => steps.push([log.lines.length, events.lines.length])
  const tool = 'run_terminal_command'
  const say = (text: string) => [{ type: 'content', content: { type: 'text', text } }]
  events.turn()
  log.prompt('copy it out')
  step()
  log.call('c1', tool, { command: 'cp a ..' })
  events.permission('deny', 3100)
  log.update('tool_call_update', { toolCallId: 'c1', status: 'failed', content: say('User rejected the execution') })
  step()
  events.end('cancelled', 'permission_rejected')
  log.done({ stop_reason: 'cancelled' })
  step()
  events.turn()
  log.prompt('then test it').call('c2', tool, { command: 'npm test' })
  events.permission('allow', 2000).event('first_token')
  step()
  log.result('c2', 'fail', 1)
  events.completed('c2', 'error').event('loop_started').event('loop_started')
  log.update('compaction_checkpoint', { prompt_index_at_compaction: 1 })
  log.update('auto_compact_completed', { tokens_before: 9, tokens_after: 3 })
  step()
  events.end()
  log.say('Red.').done()
  step()
  events.turn()
  log.prompt('a long story').say('Once')
  events.event('yolo_toggled', { enabled: true })
  step()
  events.end('cancelled', 'mid_turn_abort')
  log.done({ stop_reason: 'cancelled' })
  step()
  events.turn()
  log.prompt('and the last one').say('cut')
  step()
  return { log, events, steps }
}

describe.each(['updates.jsonl', 'events.jsonl'] as const)('both accounts: %s', (read) => {
  sourceConformance(grok, {
    lay() {
      const { log, events } = eventful()
      const texts = { 'updates.jsonl': log.text(), 'events.jsonl': events.text() }
      const { root, path: laid } = laySession(tempDir(), ID, texts)
      const unit = { root, path: path.join(path.dirname(laid), read) }
      return {
        unit,
        bytes: Buffer.from(texts[read]),
        append: (bytes) => appendFileSync(unit.path, bytes),
        truncate: (bytes) => truncateSync(unit.path, bytes),
      }
    },
  })
})

describe('the product', () => {
  test('a transcript indexed while it grows ends as one indexed at once', async () => {
    const text = lively().text()
    const lines = text.split('\n').length
    const once = tempDir()
    laySession(path.join(once, '.grok'), ID, { 'updates.jsonl': text })
    const whole = productOn(once)
    await whole.recall.index()
    const expected = stable(dump(whole.store), once)
    for (let cut = 1; cut < lines; cut += cut < lines - 8 ? 4 : 1) {
      const home = tempDir()
      const at = text.split('\n').slice(0, cut).join('\n').length + (cut % 2 === 0 ? 40 : 1)
      const unit = laySession(path.join(home, '.grok'), ID, { 'updates.jsonl': text.slice(0, at) })
      const { recall, store } = productOn(home)
      await recall.index()
      appendFileSync(unit.path, text.slice(at))
      await recall.index()
      expect(stable(dump(store), home), `cut at ${at}`).toEqual(expected)
    }
  })

  test('marks are the same however the two accounts of a session grew', async () => {
    const { log, events, steps } = eventful()
    const once = tempDir()
    laySession(path.join(once, '.grok'), ID, { 'updates.jsonl': log.text(), 'events.jsonl': events.text() })
    const whole = productOn(once)
    await whole.recall.index()
    const marks = (store: string) =>
      query(
        store,
        'SELECT kind, marks FROM event WHERE marks IS NOT NULL AND flags & 4 = 0 ORDER BY at, kind, marks',
      ).map(({ kind, marks: told }) => `${String(kind)} ${String(told)}`)
    expect(marks(whole.store)).toEqual([
      'lifecycle {"turn":"started"}',
      'tool_result {"denied":"person","asked":true,"waitedMs":3100}',
      'lifecycle {"turn":"interrupted"}',
      'lifecycle {"turn":"started"}',
      'error {"asked":true,"approved":true,"waitedMs":2000,"exitCode":1}',
      'lifecycle {"compacted":"auto"}',
      'lifecycle {"turn":"completed"}',
      'lifecycle {"turn":"started"}',
      'human_intervention {"interrupted":true,"turn":"interrupted"}',
      'lifecycle {"turn":"started"}',
      'human_intervention {"interrupted":true,"turn":"interrupted"}',
    ])
    const home = tempDir()
    const { recall, store } = productOn(home)
    for (const [lines, timed] of steps) {
      const grown = { 'updates.jsonl': log.text(log.lines.slice(0, lines)) }
      laySession(path.join(home, '.grok'), ID, {
        ...grown,
        'events.jsonl': events.lines
          .slice(0, timed)
          .map((line) => `${JSON.stringify(line)}\n`)
          .join(''),
      })
      await recall.index()
    }
    expect(marks(store)).toEqual(marks(whole.store))
    const { sessions: _, ...grown } = dump(store)
    const { sessions: __, ...expected } = dump(whole.store)
    expect(stable(grown, home)).toEqual(stable(expected, once))
    await recall.close()
    await whole.recall.close()
  })

  test('a session that only the log of prompts has is not taken for abandoned', async () => {
    const home = tempDir()
    const lines = ['one', '/compact'].map((prompt, at) => ({
      timestamp: new Date(NOW - 9e8 + at),
      session_id: ID,
      prompt,
    }))
    put(path.join(path.dirname(sessionDir(path.join(home, '.grok'), ID)), 'prompt_history.jsonl'), jsonLines(lines))
    const { recall } = productOn(home)
    await recall.index()
    const session = await recall.find(`grok:${ID}`)
    const prompts = (await recall.events(session, { sidechains: false })).filter(({ kind }) => kind === 'user_msg')
    expect(prompts.map(({ marks }) => marks)).toEqual([{ alone: true }, { alone: true, command: '/compact' }])
    await recall.close()
  })

  test('a turn that was cut off is an intervention until it goes on', async () => {
    const home = tempDir()
    const log = new GrokLog(ID)
    const events = new GrokEvents(log).turn()
    log.prompt('tell me').say('Once')
    const files = { 'updates.jsonl': log.text(), 'events.jsonl': events.text() }
    const unit = laySession(path.join(home, '.grok'), ID, files)
    const { recall, store } = productOn(home)
    await recall.index()
    const stops = () => query(store, `SELECT kind FROM event WHERE kind = 'human_intervention'`).length
    expect(stops()).toBe(1)
    const before = log.lines.length
    log.say(' upon a time').done()
    appendFileSync(unit.path, log.text(log.lines.slice(before)))
    await recall.index()
    expect(stops()).toBe(0)
    await recall.close()
  })

  test('a subagent’s tokens are counted once', async () => {
    const home = tempDir()
    const root = path.join(home, '.grok')
    const child = '019f0000-0000-7000-8000-00000000000d'
    const parent = new GrokLog(ID).prompt('delegate')
    const news = { subagent_id: child, child_session_id: child, parent_prompt_id: parent.promptId, status: 'completed' }
    parent.update('subagent_spawned', news)
    const own = new GrokLog(child, parent.clock).prompt('count').done()
    parent.clock = own.clock
    const usage = {
      inputTokens: 2500,
      outputTokens: 100,
      cachedReadTokens: 1500,
      cacheCreationTokens: 200,
      modelCalls: 5,
    }
    parent.update('subagent_finished', news).done({ usage: { ...usage, reasoningTokens: 30 } })
    laySession(root, ID, { 'updates.jsonl': parent.text() })
    laySession(root, child, { 'updates.jsonl': own.text(), 'summary.json': '{"session_kind":"subagent"}' })
    const { recall } = productOn(home)
    await recall.index()
    expect((await recall.status()).sources[0]?.totals.tokens).toMatchObject({
      input: 800,
      cacheRead: 1500,
      output: 100,
    })
    await recall.close()
  })

  test('a rewound branch is kept and marked, and its tokens stay counted', async () => {
    const home = tempDir()
    const log = new GrokLog(ID).prompt('keep').done().prompt('wrong zebra').done().rewind(1).prompt('right').done()
    laySession(path.join(home, '.grok'), ID, { 'updates.jsonl': log.text() })
    const { recall } = productOn(home)
    await recall.index()
    const session = await recall.find(`grok:${ID}`)
    const events = await recall.events(session, { sidechains: true })
    const superseded = events.filter(({ flags }) => flags & FLAG.superseded).map(({ text }) => text)
    expect(superseded).toEqual(['wrong zebra', 'turn ended after 5s'])
    expect(session.promptCount).toBe(2)
    expect((await recall.status()).sources[0]?.totals.tokens.input).toBe(900)
    await recall.close()
  })

  test('a fork neither counts nor finds twice what it copied', async () => {
    const home = tempDir()
    const root = path.join(home, '.grok')
    const parent = new GrokLog('019f0000-0000-7000-8000-00000000000a').prompt('shared okapi').say('words').done()
    const child = new GrokLog('019f0000-0000-7000-8000-00000000000b', parent.clock).prompt('own words').done()
    laySession(root, parent.session, { 'updates.jsonl': parent.text() })
    const summary = { info: { id: child.session }, parent_session_id: parent.session, session_kind: 'fork' }
    const files = { 'updates.jsonl': parent.text() + child.text(), 'summary.json': JSON.stringify(summary) }
    laySession(root, child.session, files)
    const { recall } = productOn(home)
    await recall.index()
    const { totals } = (await recall.status()).sources[0] ?? {}
    expect(totals).toMatchObject({ sessions: 2, prompts: 2, tokens: { input: 600, cacheRead: 1200 } })
    expect((await recall.search({ text: 'okapi', filter: { limit: 5 }, now: NOW })).hits).toHaveLength(1)
    expect((await recall.find(`grok:${child.session}`)).parentUid).toBe(`grok:${parent.session}`)
    await recall.close()
  })

  test('a directory that moved is the same session, and nothing of it is counted twice', async () => {
    const home = tempDir()
    const root = path.join(home, '.grok')
    const log = new GrokLog(ID).prompt('before').say('one').done()
    laySession(root, ID, { 'updates.jsonl': log.text() }, '/old')
    const { recall } = productOn(home)
    await recall.index()
    put(path.join(path.dirname(sessionDir(root, ID, '/new')), '.keep'), '')
    renameSync(sessionDir(root, ID, '/old'), sessionDir(root, ID, '/new'))
    appendFileSync(
      path.join(sessionDir(root, ID, '/new'), 'updates.jsonl'),
      new GrokLog(ID, log.clock).prompt('after').text(),
    )
    await recall.index()
    const session = await recall.find(`grok:${ID}`)
    expect(session).toMatchObject({ promptCount: 2, cwd: '/new' })
    expect((await recall.status()).sources[0]?.totals).toMatchObject({ sessions: 1, tokens: { input: 300 } })
    await recall.close()
  })

  test('a title that comes late is taken without reading the transcript again', async () => {
    const home = tempDir()
    const root = path.join(home, '.grok')
    laySession(root, ID, { 'updates.jsonl': lively().text(), 'summary.json': '{"session_summary":"first words"}' })
    const { recall } = productOn(home)
    await recall.index()
    laySession(root, ID, {
      'summary.json': '{"generated_title":"The late title","last_active_at":"2026-10-05T10:00:00Z"}',
    })
    const report = await recall.index()
    const session = await recall.find(`grok:${ID}`)
    expect(session).toMatchObject({ title: 'The late title', endedAt: Date.parse('2026-10-05T10:00:00Z') })
    expect(report.bytesRead).toBeLessThan(lively().text().length)
    await recall.close()
  })
})

describe('docs/formats/grok.md', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../docs/formats/grok.md'), 'utf8')
  test.each([...Object.keys(IGNORED_UPDATES), ...Object.keys(IGNORED_TELEMETRY)])('names %s', (kind) => {
    expect(page).toContain(`\`${kind}\``)
  })
})
