import * as fc from 'fast-check'
import { appendFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { GrokLog, laySession, only, readAll } from '../../../test/kit/grok-log.ts'
import { tempDir } from '../../../test/kit/home.ts'
import type { Checkpoint, EventItem, Item } from '../source.ts'
import { grokReader } from './reader.ts'

const ID = 'steps'

/** What may come next in a transcript; `n` picks among open calls, prompts and the like. */
const HAPPENINGS: readonly ((log: GrokLog, n: number, open: string[]) => unknown)[] = [
  (log, n) => log.prompt(`prompt ${n}`),
  (log, n) => log.say(`word ${n} `),
  (log, n) => log.think(`thought ${n} `),
  (log, n, open) => log.call(open[open.push(`call-${log.lines.length}`) - 1] ?? '', 'grep', n % 2 ? { n } : undefined),
  (log, n, open) => log.progress(open[n % open.length] ?? 'nobody', 'so far '.repeat(n % 9)),
  (log, n, open) => log.result(open.splice(n % (open.length || 1), 1)[0] ?? 'nobody', 'output', n % 2),
  (log) => log.done(),
  (log) => log.done({ stop_reason: 'cancelled', usage: undefined }),
  (log, n) => log.rewind(n % 3),
  (log) => log.update('kind_of_tomorrow'),
  (log) => log.update('hook_execution'),
]

const transcript = fc
  .record({
    steps: fc.array(fc.tuple(fc.nat(HAPPENINGS.length - 1), fc.nat(20)), { minLength: 3, maxLength: 40 }),
    moves: fc.array(fc.tuple(fc.nat(100), fc.nat(100)), { maxLength: 6 }),
    tears: fc.array(fc.nat(20_000), { maxLength: 2 }),
  })
  .map(({ steps, moves, tears }) => {
    const log = new GrokLog(ID)
    const open: string[] = []
    for (const [which, n] of steps) HAPPENINGS[which]?.(log, n, open)
    const lines = [...log.lines]
    for (const [from, to] of moves) lines.splice(to % lines.length, 0, ...lines.splice(from % lines.length, 1))
    const tear = (text: string, at: number) => `${text.slice(0, at % text.length)}\n${text.slice(at % text.length)}`
    return tears.reduce(tear, log.text(lines))
  })

function events(items: readonly Item[]): EventItem[] {
  return only(items, 'event')
}

test('whatever a transcript holds, in whatever order, events are numbered and named without doubles', () => {
  fc.assert(
    fc.property(transcript, (text) => {
      const all = events(readAll(laySession(tempDir(), ID, { 'updates.jsonl': text })))
      expect(all.map(({ pos }) => pos)).toEqual(all.map((_, i) => i))
      expect(new Set(all.map(({ native, block }) => `${native} ${block}`)).size).toBe(all.length)
    }),
    { numRuns: 150 },
  )
})

test('read in any number of steps, it says what it says when read at once, and tells each problem once', () => {
  fc.assert(
    fc.property(transcript, fc.array(fc.nat(20_000), { maxLength: 4 }), (text, cuts) => {
      const whole = readAll(laySession(tempDir(), ID, { 'updates.jsonl': text }))
      const unit = laySession(tempDir(), ID, { 'updates.jsonl': '' })
      const stops = [...cuts.map((cut) => cut % text.length), text.length].sort((a, b) => a - b)
      const rows = new Map<number, EventItem>()
      const told: Item[] = []
      let from: Checkpoint | null = null
      let written = 0
      for (const stop of stops) {
        appendFileSync(unit.path, text.slice(written, stop))
        written = stop
        for (const { pos, line } of rows.values()) if (line > (from?.line ?? 0)) rows.delete(pos)
        const reading = grokReader.read(unit, from)
        const items = [...reading].flat()
        for (const event of events(items)) rows.set(event.pos, event)
        told.push(...items)
        from = JSON.parse(JSON.stringify(reading.checkpoint())) as Checkpoint
      }
      expect([...rows.values()].sort((a, b) => a.pos - b.pos)).toEqual(events(whole))
      expect(only(told, 'problem')).toEqual(only(whole, 'problem'))
      const spans = (items: readonly Item[]) => [
        ...new Set(only(items, 'supersede').map(({ from, to }) => `${from}-${to}`)),
      ]
      expect(spans(told)).toEqual(spans(whole))
    }),
    { numRuns: 150 },
  )
})
