import { describe, expect, test } from 'vitest'
import type { DigestEvent } from '../model/digest.ts'
import { play } from '../../test/outcomes/script.ts'
import { spansOf, sumSpans, type Span } from './spans.ts'
import { inTime } from './timeline.ts'

const MINUTE = 60_000
const span = (from: number, to: number, what: Span['what']): Span => ({ from: from * MINUTE, to: to * MINUTE, what })

function lengths(events: readonly DigestEvent[]): [what: string, minutes: number][] {
  return spansOf(events).map(({ from, to, what }) => [what, Math.round(((to - from) / MINUTE) * 100) / 100])
}

describe('spans', () => {
  test('a short break before a prompt is the person at work', () => {
    const script = 'you: a\nsays: b\ngap 1m\nyou: c\nsays: d'
    expect(lengths(play(script, 'claude'))).toEqual([
      ['agent', 0.33],
      ['active', 1.33],
      ['agent', 0.33],
    ])
  })

  test('a long one is idle, then waiting, then active', () => {
    const spent = lengths(play('you: a\nsays: b\ngap 60m\nyou: c\nsays: d', 'claude'))
    expect(spent.map(([what]) => what)).toEqual(['agent', 'idle', 'waiting', 'active', 'agent'])
    expect(spent.slice(2, 4)).toEqual([
      ['waiting', 13],
      ['active', 2],
    ])
  })

  test('notes of the client before a prompt do not make the break the agent’s', () => {
    for (const shape of ['codex', 'grok'] as const) {
      const spent = sumSpans(spansOf(play('you: a\nsays: b\ngap 60m\nyou: c\nsays: d', shape)))
      expect(spent.agent_s).toBeLessThan(120)
      expect(spent.active_s).toBe(120)
    }
  })

  test('a step of the agent longer than half an hour is idle from then on', () => {
    const spent = sumSpans(spansOf(play('you: a\nrun make => ok\ngap 90m\nsays: d', 'claude')))
    expect(spent).toEqual({ active_s: 0, agent_s: 40 + 1800, waiting_s: 0, idle_s: 20 + 3600 })
  })

  test('cover the time from the first event to the last without gaps', () => {
    const events = play('you: a\nread x\ngap 3h\nyou: c\nsub edit y\ngap 1h\nsays: d\ngap 20m\nyou: e\nstop', 'grok')
    const spans = spansOf(events)
    for (const [i, { from }] of spans.entries()) if (i > 0) expect(from).toBe(spans[i - 1]?.to)
    const times = events.flatMap(({ at }) => (at === null ? [] : [at]))
    const { active_s, agent_s, waiting_s, idle_s } = sumSpans(spans)
    expect(active_s + agent_s + waiting_s + idle_s).toBe((Math.max(...times) - Math.min(...times)) / 1000)
  })

  test('cover the time from the start that the agent tells to the end that it tells', () => {
    const events = play('you: a\nsays: b', 'codex')
    const times = events.flatMap(({ at }) => (at === null ? [] : [at]))
    const [first, last] = [Math.min(...times), Math.max(...times)]
    const bounds = { startedAt: first - 10 * MINUTE, endedAt: last + 5 * MINUTE }
    expect(spansOf(events, bounds).map(({ from, to, what }) => [what, (to - from) / MINUTE])).toEqual([
      ['waiting', 8],
      ['active', 2],
      ['agent', (last - first) / MINUTE],
      ['idle', 5],
    ])
    const within = spansOf(events, { startedAt: first + 1000, endedAt: last - 1000 })
    expect([within[0]?.from, within.at(-1)?.to]).toEqual([first + 1000, last - 1000])
  })

  test('cover what a log tells that does not begin with its earliest event', () => {
    const events = play('you: a\nsays: b\ngap 60m\nyou: c\nsays: d', 'claude')
    const late = events.map((event, i) => (i < 2 ? { ...event, at: events.at(-1)?.at ?? null } : event))
    const times = late.flatMap(({ at }) => (at === null ? [] : [at]))
    const spans = spansOf(late)
    expect([spans[0]?.from, spans.at(-1)?.to]).toEqual([Math.min(...times), Math.max(...times)])
  })

  test('of sessions side by side are counted once, the weightier first', () => {
    const sum = sumSpans([span(0, 10, 'agent'), span(5, 15, 'idle'), span(8, 12, 'active'), span(20, 21, 'waiting')])
    expect(sum).toEqual({ active_s: 240, agent_s: 480, waiting_s: 60, idle_s: 180 })
  })

  test('rounding loses no second', () => {
    const spans: Span[] = [
      { from: 0, to: 600, what: 'agent' },
      { from: 600, to: 1200, what: 'active' },
      { from: 1200, to: 1800, what: 'idle' },
    ]
    const { active_s, agent_s, waiting_s, idle_s } = sumSpans(spans)
    expect(active_s + agent_s + waiting_s + idle_s).toBe(2)
    expect(sumSpans([])).toEqual({ active_s: 0, agent_s: 0, waiting_s: 0, idle_s: 0 })
  })
})

describe('the order of time', () => {
  const events = play('you: a\nsub edit x\nread y\nsub says: z\nsays: b', 'claude')

  test('puts lanes together', () => {
    expect(inTime(events).map(({ kind, sidechain }) => (sidechain ? `sub ${kind}` : kind))).toEqual([
      'lifecycle',
      'user_msg',
      'sub edit',
      'sub tool_result',
      'tool_call',
      'tool_result',
      'sub assistant_msg',
      'assistant_msg',
      'completion',
    ])
  })

  test('leaves out what was taken back', () => {
    const taken = events.map((event) => ({ ...event, superseded: event.sidechain }))
    expect(inTime(taken).map(({ sidechain }) => sidechain)).not.toContain(true)
  })

  test('keeps the order of a lane whose clock goes back or stands still', () => {
    const main = events.filter(({ sidechain, kind }) => !sidechain && kind !== 'completion')
    const back = main.map((event, i) => ({ ...event, at: i === 2 ? 0 : i === 3 ? null : event.at }))
    expect(inTime(back).map(({ seq }) => seq)).toEqual(main.map(({ seq }) => seq))
  })
})
