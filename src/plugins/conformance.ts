import { faultOf } from './item-shape.ts'
import {
  isReadAgain,
  type Checkpoint,
  type EventItem,
  type Item,
  type Source,
  type TranscriptReader,
  type Unit,
} from '../sources/source.ts'

/** One ordinary transcript on disk, laid down anew for each check. */
export interface Laid {
  readonly unit: Unit
  readonly bytes: Uint8Array
  append(bytes: Uint8Array): void
  truncate(bytes: number): void
}

export interface ConformanceCheck {
  readonly name: string
  /** Only for transcripts that are lines in a file. */
  readonly ofLines?: true
  /** Throws an error that says what is wrong. */
  run(source: Source, reader: TranscriptReader, lay: () => Laid): void
}

const CREDENTIALS = [
  'auth.json',
  '.credentials.json',
  'credentials.json',
  'config.toml',
  'settings.json',
  '.env',
  'config.json',
]
const CUTS = 60
const HOSTILE = [
  `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  '{"type":"user","timestamp":1e999,"message":{"content":[null,{"type":[]}]}}',
  '{"type":null,"id":{},"timestamp":"tomorrow","content":-1}',
  '\u0000\u0000\u0000',
  '[]',
  '"text"',
  '{"__proto__":{"x":1},"constructor":"x","type":"toString"}',
]

/** What every source promises. */
export const conformanceChecks: readonly ConformanceCheck[] = [
  {
    name: 'claims its own transcripts by name, and nothing that holds credentials',
    run(source, _, lay) {
      const { unit } = lay()
      const relative = unit.path.slice(unit.root.length + 1)
      if (!source.owns(relative)) throw new Error(`owns(${JSON.stringify(relative)}) is false`)
      for (const secret of CREDENTIALS)
        for (const file of [secret, relative.replace(/[^\\/]*$/, secret)])
          if (source.owns(file)) throw new Error(`owns(${JSON.stringify(file)}) is true`)
      const parts = relative.split(/[\\/]/)
      for (let depth = 1; depth < parts.length; depth++) {
        const dir = parts.slice(0, depth).join('/')
        if (source.skips(dir)) throw new Error(`skips(${JSON.stringify(dir)}) is true, and a transcript lies below it`)
      }
    },
  },
  {
    name: 'gives items as the contract has them',
    run(_, reader, lay) {
      for (const item of readAll(reader, lay().unit)) {
        const { flavor: __, ...plain } = item as Item & { flavor?: string }
        const fault = item.item === 'facts' ? null : faultOf(plain)
        if (fault !== null) throw new Error(fault)
      }
    },
  },
  {
    name: 'announces a lane before it says anything of it, and numbers events without holes',
    run(_, reader, lay) {
      const lanes = new Map<string, number>()
      let any = false
      for (const item of readAll(reader, lay().unit)) {
        if (item.item === 'problem' || item.item === 'title') continue
        const key = `${item.session} ${item.lane}`
        if (item.item === 'lane') lanes.set(key, lanes.get(key) ?? 0)
        const pos = lanes.get(key)
        if (pos === undefined)
          throw new Error(`${item.item} of lane ${JSON.stringify(item.lane)}, which was not announced`)
        if (item.item !== 'event') continue
        any = true
        if (item.pos !== pos) throw new Error(`an event has pos ${item.pos} where ${pos} comes next`)
        lanes.set(key, pos + 1)
      }
      if (!any) throw new Error('no event was read')
    },
  },
  {
    name: 'gives every record an id of its own',
    run(_, reader, lay) {
      const seen = new Set<string>()
      for (const { lane, native, block } of eventsOf(readAll(reader, lay().unit))) {
        const key = `${lane} ${native} ${block}`
        if (seen.has(key)) throw new Error(`two events are called ${JSON.stringify(native)}, block ${block}`)
        seen.add(key)
      }
    },
  },
  {
    name: 'says no less and nothing else when it reads again',
    run(_, reader, lay) {
      const { unit } = lay()
      const [first, second] = [readAll(reader, unit), readAll(reader, unit)].map((items) => JSON.stringify(items))
      if (first !== second) throw new Error('two readings of one file differ')
    },
  },
  {
    name: 'reading in two steps, at any byte, ends with the events of one step',
    ofLines: true,
    run(_, reader, lay) {
      const { bytes, unit } = lay()
      const whole = JSON.stringify(eventsOf(readAll(reader, unit)).map(withoutParent))
      const step = Math.max(1, Math.floor(bytes.length / CUTS))
      for (let cut = 1; cut < bytes.length; cut += step) {
        const laid = lay()
        laid.truncate(cut)
        const rows = new Map<string, EventItem>()
        const take = (items: readonly Item[]) => {
          for (const item of items) if (item.item === 'event') rows.set(`${item.lane} ${item.pos}`, item)
        }
        const first = reader.read(laid.unit, null)
        for (const items of first) take(items)
        const checkpoint = JSON.parse(JSON.stringify(first.checkpoint())) as Checkpoint
        laid.append(bytes.subarray(cut))
        for (const items of reader.read(laid.unit, checkpoint)) take(items)
        if (JSON.stringify([...rows.values()].map(withoutParent)) !== whole)
          throw new Error(`a file that was read up to byte ${cut} first ends otherwise`)
      }
    },
  },
  {
    name: 'a torn last line waits; a broken line is told and the rest is read',
    ofLines: true,
    run(_, reader, lay) {
      const laid = lay()
      const whole = eventsOf(readAll(reader, laid.unit)).length
      laid.append(new TextEncoder().encode('{"type": "user", "mess'))
      const torn = readAll(reader, laid.unit)
      if (torn.some(({ item }) => item === 'problem')) throw new Error('a last line without its end is a problem')
      if (eventsOf(torn).length !== whole) throw new Error('a last line without its end changes what is read')
      laid.append(new TextEncoder().encode('\n'))
      const problems = readAll(reader, laid.unit).filter((item) => item.item === 'problem')
      if (problems.length !== 1 || problems[0]?.level !== 'warn')
        throw new Error('a broken line is not told once, as a warning')
    },
  },
  {
    name: 'survives lines that no agent would write',
    ofLines: true,
    run(_, reader, lay) {
      const laid = lay()
      const before = eventsOf(readAll(reader, laid.unit)).length
      laid.append(new TextEncoder().encode(`${HOSTILE.join('\n')}\n`))
      const after = eventsOf(readAll(reader, laid.unit)).length
      if (after < before) throw new Error(`${before} events were read, with such lines behind them ${after}`)
    },
  },
]

function readAll(reader: TranscriptReader, unit: Unit): Item[] {
  let hint: unknown
  for (let tries = 0; ; tries++) {
    try {
      return [...reader.read(unit, null, hint)].flat()
    } catch (error) {
      if (!isReadAgain(error) || tries > 3) throw error
      hint = error.hint
    }
  }
}

function eventsOf(items: readonly Item[]): EventItem[] {
  return items.filter((item) => item.item === 'event')
}

/** A parent before the cut is told by its id, which the store resolves. */
function withoutParent(event: EventItem): Omit<EventItem, 'parent'> {
  const { parent: _, ...rest } = event
  return rest
}
