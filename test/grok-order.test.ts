import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { dump, query } from './kit/dump.ts'
import { GrokEvents, GrokLog, jsonLines, laySession, sessionDir } from './kit/grok-log.ts'
import { productOn, stable } from './kit/grok-product.ts'
import { tempDir } from './kit/home.ts'

const ID = '019f0000-0000-7000-8000-000000000003'

/** A session in which the two accounts need each other: refused without words, cut off, failed, ended and not. */
function tangled(): { log: GrokLog; events: GrokEvents } {
  const log = new GrokLog(ID)
  const events = new GrokEvents(log)
  const tool = 'run_terminal_command'
  events.turn()
  log.prompt('first').call('c1', tool, { command: 'ls' })
  events.permission('allow', 1500)
  log.result('c1', 'x')
  events.completed('c1')
  log.say('hm').done()
  events.end().turn()
  log.prompt('second').call('c2', tool, { command: 'rm x' })
  events.permission('deny', 4000)
  log.update('tool_call_update', { toolCallId: 'c2', status: 'failed', content: [] })
  events.completed('c2', 'permission_rejected')
  log.done({ stop_reason: 'cancelled' })
  events.end('cancelled', 'permission_rejected').turn()
  log.prompt('third').say('at work').done({ stop_reason: 'cancelled' })
  events.end('cancelled', 'mid_turn_abort').turn()
  log.prompt('fourth').update('retry_state', { type: 'failed', message: 'boom' })
  events.event('error', { message: 'boom' })
  log.done({ stop_reason: 'error', usage: undefined })
  events.end('error').turn()
  log.prompt('fifth').call('c5', tool, { command: 'sleep 9' }).progress('c5', 'zz')
  events.turn()
  log.prompt('sixth').say('done').done()
  events.end().turn()
  log.prompt('seventh').call('c7', tool, { command: 'sleep 9' }).progress('c7', 'zzz')
  return { log, events }
}

const SUMMARY = JSON.stringify({ session_summary: 'tangled', session_kind: 'headless' })

describe('in whatever order the files of a session come', () => {
  const { log, events } = tangled()
  const texts = { updates: log.lines, events: events.lines }
  type Part = keyof typeof texts | 'summary'

  const grownBy = async (steps: readonly (readonly Part[])[]) => {
    const home = tempDir()
    const { recall, store } = productOn(home)
    const given = { updates: 0, events: 0 }
    for (const parts of steps) {
      for (const part of parts) {
        const line = part === 'summary' ? SUMMARY : `${JSON.stringify(texts[part][given[part]++])}\n`
        const file = path.join(sessionDir(path.join(home, '.grok'), ID), `${part}.json${part === 'summary' ? '' : 'l'}`)
        mkdirSync(path.dirname(file), { recursive: true })
        appendFileSync(file, line)
      }
      await recall.index()
    }
    const { sessions: _, ...rows } = dump(store)
    const { outcome } = await recall.find(`grok:${ID}`)
    await recall.close()
    return stable({ rows, outcome }, home)
  }

  const updates: Part[] = log.lines.map(() => 'updates')
  const timed: Part[] = events.lines.map(() => 'events')
  const apart = (parts: readonly Part[]) => parts.map((part) => [part])
  /** By turns, so many lines of one and so many of the other. */
  const mixed = (a: Part[], b: Part[], nth: number, of: number): Part[][] => {
    const steps: Part[][] = []
    for (let at = 0; at * nth < a.length || at * of < b.length; at++)
      steps.push(a.slice(at * nth, (at + 1) * nth), b.slice(at * of, (at + 1) * of))
    return steps.filter((step) => step.length > 0)
  }

  let atOnce: ReturnType<typeof grownBy> | null = null
  test.each<[string, Part[][]]>([
    ['the transcript, then the telemetry', [updates, timed, ['summary']]],
    ['the telemetry, then the transcript', [['summary'], timed, updates]],
    ['the transcript line by line, then the telemetry', [['summary'], ...apart(updates), timed]],
    ['the transcript, then the telemetry line by line', [updates, ['summary'], ...apart(timed)]],
    ['the telemetry line by line, then the transcript', [...apart(timed), updates, ['summary']]],
    ['the telemetry, then the transcript line by line', [timed, ...apart(updates), ['summary']]],
    ['line by line, the transcript ahead', [['summary'], ...mixed(updates, timed, 1, 1)]],
    ['line by line, the telemetry ahead', [...mixed(timed, updates, 1, 1), ['summary']]],
    ['the telemetry lagging', [['summary'], ...mixed(updates, timed, 3, 1)]],
    ['the transcript lagging', [...mixed(timed, updates, 3, 1), ['summary']]],
  ])('they end with the same rows: %s', async (_, steps) => {
    atOnce ??= grownBy([['summary', ...updates, ...timed]])
    expect(await grownBy(steps)).toEqual(await atOnce)
  })

  test('and each thing is told once', async () => {
    const home = tempDir()
    const { recall, store } = productOn(home)
    laySession(path.join(home, '.grok'), ID, { 'updates.jsonl': log.text(), 'events.jsonl': events.text() })
    await recall.index()
    const count = (what: string) => query(store, `SELECT 1 FROM event WHERE flags & 4 = 0 AND ${what}`).length
    expect({
      denied: count(`marks LIKE '%"denied"%'`),
      errors: count(`kind = 'error'`),
      stops: count(`kind = 'human_intervention'`),
      begun: count(`marks LIKE '%"turn":"started"%'`),
      ended: count(`marks LIKE '%"turn":%' AND marks NOT LIKE '%"started"%'`),
    }).toEqual({ denied: 1, errors: 1, stops: 3, begun: 7, ended: 7 })
    await recall.close()
  })
})

test('a chat history gets its times whenever the telemetry comes, and gives way to a transcript that comes late', async () => {
  const log = new GrokLog(ID)
  const events = new GrokEvents(log).turn()
  log.prompt('go').say('Gone.').done()
  events.event('loop_started').end()
  const rows = [
    { type: 'user', content: 'go', prompt_index: 0 },
    { type: 'assistant', content: 'Gone.' },
  ]
  const files = {
    'chat_history.jsonl': jsonLines(rows),
    'events.jsonl': events.text(),
    'updates.jsonl': log.text(),
  }
  const grownBy = async (steps: readonly (readonly (keyof typeof files)[])[]) => {
    const home = tempDir()
    const { recall, store } = productOn(home)
    for (const names of steps) {
      laySession(path.join(home, '.grok'), ID, Object.fromEntries(names.map((name) => [name, files[name]])))
      await recall.index()
    }
    const { sessions: _, ...told } = dump(store)
    await recall.close()
    return stable(told, home)
  }
  const [chat, timed, updates] = ['chat_history.jsonl', 'events.jsonl', 'updates.jsonl'] as const
  const untold = await grownBy([[chat, timed]])
  expect(await grownBy([[chat], [timed]])).toEqual(untold)
  expect(await grownBy([[timed], [chat]])).toEqual(untold)
  const whole = await grownBy([[chat, timed, updates]])
  for (const steps of [
    [[chat], [timed], [updates]],
    [[timed], [chat], [updates]],
    [[updates], [chat], [timed]],
  ])
    expect(await grownBy(steps), String(steps)).toEqual(whole)
})

test('how a subagent stands is told as it stands last', async () => {
  const child = '019f0000-0000-7000-8000-000000000004'
  const grownBy = async (states: readonly string[]) => {
    const home = tempDir()
    const { recall, store } = productOn(home)
    laySession(path.join(home, '.grok'), ID, { 'updates.jsonl': new GrokLog(ID).prompt('delegate').text() })
    const file = path.join(sessionDir(path.join(home, '.grok'), ID), 'subagents', child, 'meta.json')
    mkdirSync(path.dirname(file), { recursive: true })
    for (const status of states) {
      writeFileSync(file, JSON.stringify({ child_session_id: child, parent_session_id: ID, status }))
      await recall.index()
    }
    const { sessions: _, ...told } = dump(store)
    await recall.close()
    return stable(told, home)
  }
  expect(await grownBy(['running', 'cancelled'])).toEqual(await grownBy(['cancelled']))
})
