import { beforeAll, describe, expect, test } from 'vitest'
import type { Checkpoint, EventItem, Item, Source, TranscriptReader, Unit } from '../src/sources/source.ts'

export interface SourceFixture {
  /** Lays one ordinary transcript down and says where. Called anew for each test. */
  lay(): { unit: Unit; append(bytes: Uint8Array): void; truncate(bytes: number): void; bytes: Buffer }
}

/** What every source promises. A new source joins with one line. */
export function sourceConformance(source: Source, fixture: SourceFixture): void {
  describe(`source: ${source.name}`, () => {
    let reader: TranscriptReader
    beforeAll(async () => {
      reader = await source.reader()
    })

    test('claims its own transcripts by name and nothing that holds credentials', () => {
      const { unit } = fixture.lay()
      expect(source.owns(unit.path.slice(unit.root.length + 1))).toBe(true)
      for (const secret of ['auth.json', '.credentials.json', 'credentials.json', 'config.toml', 'settings.json']) {
        expect(source.owns(secret)).toBe(false)
      }
    })

    test('announces a lane before it says anything of it, and numbers events without holes', () => {
      const items = readAll(reader, fixture.lay().unit)
      const lanes = new Map<string, number>()
      for (const item of items) {
        if (item.item === 'lane')
          lanes.set(`${item.session} ${item.lane}`, lanes.get(`${item.session} ${item.lane}`) ?? 0)
        if (item.item !== 'event') continue
        const key = `${item.session} ${item.lane}`
        expect(lanes.get(key), `${key} was not announced`).toBeDefined()
        expect(item.pos).toBe(lanes.get(key))
        lanes.set(key, item.pos + 1)
      }
      expect(items.some((item) => item.item === 'event')).toBe(true)
    })

    test('reading in two steps, at any byte, ends with the events of one step', () => {
      const { bytes } = fixture.lay()
      const whole = events(readAll(reader, fixture.lay().unit))
      const step = Math.max(1, Math.floor(bytes.length / 60))
      for (let cut = 1; cut < bytes.length; cut += step) {
        const laid = fixture.lay()
        laid.truncate(cut)
        const first = reader.read(laid.unit, null)
        const rows = new Map<string, EventItem>()
        for (const items of first)
          for (const item of items) if (item.item === 'event') rows.set(`${item.lane} ${item.pos}`, item)
        const checkpoint = JSON.parse(JSON.stringify(first.checkpoint())) as Checkpoint
        laid.append(bytes.subarray(cut))
        for (const items of reader.read(laid.unit, checkpoint)) {
          for (const item of items) if (item.item === 'event') rows.set(`${item.lane} ${item.pos}`, item)
        }
        expect([...rows.values()].map(withoutParent)).toEqual(whole.map(withoutParent))
      }
    })

    test('a torn last line waits; a broken line is told and the rest is read', () => {
      const laid = fixture.lay()
      const whole = events(readAll(reader, laid.unit)).length
      laid.append(Buffer.from('{"type": "user", "mess'))
      const torn = readAll(reader, laid.unit)
      expect(torn.filter((item) => item.item === 'problem')).toEqual([])
      expect(events(torn).length).toBe(whole)
      laid.append(Buffer.from('\n'))
      expect(readAll(reader, laid.unit).filter((item) => item.item === 'problem')).toMatchObject([{ level: 'warn' }])
    })
  })
}

function readAll(reader: TranscriptReader, unit: Unit): Item[] {
  return [...reader.read(unit, null)].flat()
}

function events(items: readonly Item[]): EventItem[] {
  return items.filter((item) => item.item === 'event')
}

/** A parent before the cut is told by its id, which the store resolves. */
function withoutParent(event: EventItem): Omit<EventItem, 'parent'> {
  const { parent: _, ...rest } = event
  return rest
}
