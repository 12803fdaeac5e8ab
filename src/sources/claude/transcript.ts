import path from 'node:path'
import { asObject, asString, asText, type Json } from '../kit/json.ts'
import { LaneCounter, type LaneState } from '../kit/lane.ts'
import { LineReader, type Line } from '../kit/lines.ts'
import {
  ORIGINALITY,
  ReadAgain,
  type Checkpoint,
  type Item,
  type Lane,
  type Originality,
  type Problem,
  type Reading,
  type Unit,
} from '../source.ts'
import { MAIN_LANE } from '../../model/event.ts'
import type { Facts } from '../../model/facts.ts'
import { isMistimed, parseInstant } from '../../model/time.ts'
import type { ItemWriter } from './item-writer.ts'
import { mapRecord, writeQueued } from './records.ts'
import { PromptQueue, type QueueState } from './queue.ts'
import { UuidTrail, type TrailState } from './uuid-trail.ts'
import { isIgnored, parseLine } from './decode.ts'

const LOOK_AHEAD = 32 * 1024
const MAX_BRANCHES = 64
const MISTIMED = 'time out of range'

interface State {
  session: string
  /** False while no conversation record has named the session. */
  named: boolean
  main: LaneState
  embedded: LaneState[]
  trail: TrailState
  told: Record<string, string>
  broken: boolean
  queue: QueueState
  denied: boolean
  branches: string[]
  writtenSince: number | null
}

/** Reads one transcript: the main file of a session or the file of one of its subagents. */
export class TranscriptReading implements Reading {
  provisional = false
  readonly #unit: Unit
  readonly #stem: string
  readonly #agent: string | null
  readonly #lines: LineReader
  #session: string
  #named: boolean
  #main: LaneCounter
  readonly #embedded: Map<string, LaneCounter>
  readonly #trail: UuidTrail
  readonly #told: Map<string, string>
  readonly #branches: Set<string>
  #writtenSince: number | null
  readonly #announced = new Set<string>()
  readonly #writer: ItemWriter
  #line: Line | null = null
  #checkpoint: Checkpoint
  /** True while what the checkpoint remembers is what is known now. */
  #isLive = false
  /** What was looked ahead for and is not read again, by offset. */
  readonly #ahead: Map<number, readonly Json[]>
  #broken: boolean
  #torn = false

  constructor(unit: Unit, from: Checkpoint | null, hint?: unknown) {
    this.#unit = unit
    this.#stem = path.basename(unit.path, '.jsonl')
    this.#agent = /^agent-(.+)$/.exec(this.#stem)?.[1] ?? null
    this.#lines = new LineReader(unit.path, from)
    const state = readState(from?.state)
    const hinted = asString(hint)
    this.#named = state?.named ?? hinted !== null
    const begun = state === null && hinted === null ? beginningOf(unit.path) : NOT_BEGUN
    this.#ahead = begun.records
    this.#session = state?.session ?? hinted ?? begun.session ?? this.#stem
    this.#main = new LaneCounter({ session: this.#session, lane: this.#laneName() }, state?.main)
    this.#embedded = new Map(state?.embedded.map((lane) => [lane.lane, new LaneCounter(lane, lane)]))
    this.#trail = new UuidTrail(state?.trail)
    this.#told = new Map(Object.entries(state?.told ?? {}))
    this.#broken = state?.broken ?? false
    this.#branches = new Set(state?.branches)
    this.#writtenSince = state?.writtenSince ?? null
    this.#writer = this.#makeScribe(new PromptQueue(state?.queue), state?.denied ?? false)
    this.#checkpoint = from ?? { offset: 0, line: 0, state: null }
  }

  get bytesRead(): number {
    return this.#lines.bytesRead
  }

  checkpoint(): Checkpoint {
    this.#freeze()
    return this.#checkpoint
  }

  *[Symbol.iterator](): Generator<readonly Item[]> {
    for (const line of this.#lines) {
      if (!line.terminated) this.#freeze()
      const items = this.#readLine(line)
      this.provisional = !line.terminated && items.length > 0
      if (line.terminated) this.#mark(line.end, line.number)
      yield items
    }
    const items: Item[] = []
    if (this.#main.pos === 0 && this.#announced.size === 0) return
    this.#announceMain(items)
    items.push(this.#facts({ complete: !this.#broken && !this.#torn }))
    this.#writeLeft(items)
    yield items
  }

  /** Prompts that were sent and have no record yet: told, but not acknowledged, for their record may still come. */
  #writeLeft(items: Item[]): void {
    const left = this.#writer.queue.left()
    if (left.length === 0 || this.#agent !== null) return
    this.#freeze()
    const before = items.length
    this.#writer.items = items
    this.#writer.line = this.#checkpoint.line + 1
    for (const prompt of left) writeQueued(prompt, this.#writer)
    this.provisional ||= items.length > before
  }

  #readLine(line: Line): Item[] {
    if (line.bytes === null) return [this.#problem('overlong line', 'warn', 'a line over 64 MiB', line)]
    if (isIgnored(line.bytes)) return []
    const records = this.#ahead.get(line.offset) ?? parseLine(line.bytes)
    if (records !== null) {
      this.#ahead.delete(line.offset)
      const items: Item[] = []
      for (const record of records) this.#readRecord(record, items, line)
      return items
    }
    if (!line.terminated) {
      this.#torn = true
      return []
    }
    if (line.bytes.toString('latin1').trim() === '') return []
    this.#broken = true
    return [this.#problem('broken line', 'warn', 'not a JSON object', line)]
  }

  #readRecord(record: Json, items: Item[], line: Line): void {
    this.#identify(record)
    this.#announceMain(items)
    this.#line = line
    this.#writer.items = items
    this.#writer.line = line.number
    this.#noteDate(record, items)
    if (isMistimed(record['timestamp'])) items.push(this.#problem(MISTIMED, 'warn', 'its time taken as unknown', line))
    mapRecord(record, this.#writer)
  }

  /** When the file was begun, by its first dated line: a fork's own comes before the records it copies. */
  #noteDate(record: Json, items: Item[]): void {
    if (this.#writtenSince !== null) return
    const writtenSince = parseInstant(record['timestamp'])
    if (writtenSince === null) return
    this.#writtenSince = writtenSince
    items.push(this.#facts({ writtenSince }))
  }

  #makeScribe(queue: PromptQueue, denied: boolean): ItemWriter {
    return {
      queue,
      denied,
      items: [],
      line: 0,
      lane: this.#main,
      agent: this.#agent,
      trail: this.#trail,
      spillDir: this.#spillDir(),
      problem: (type, level, message) => {
        if (this.#line) this.#writer.items.push(this.#problem(type, level, message, this.#line))
      },
      branch: (name) => {
        if (this.#branches.has(name) || this.#branches.size >= MAX_BRANCHES) return
        this.#branches.add(name)
        const branches = [...this.#branches]
        this.#writer.items.push(this.#facts(branches.length === 1 ? { branch: name, branches } : { branches }))
      },
      facts: (facts) => this.#writer.items.push(this.#facts(facts)),
      automated: () => {
        if (this.#told.has('automated')) return
        this.#told.set('automated', 'yes')
        this.#writer.items.push(this.#facts({ automated: true }))
      },
      writtenSince: () => this.#writtenSince,
      tell: (name, value) => {
        if (this.#told.get(name) === value) return
        this.#told.set(name, value)
        this.#writer.items.push(this.#facts({ [name]: value }))
      },
      knows: (name) => this.#told.has(name),
      embedded: (agentId) => {
        const lane = `embedded-${agentId}`
        let counter = this.#embedded.get(lane)
        if (!counter) this.#embedded.set(lane, (counter = new LaneCounter({ session: this.#session, lane })))
        this.#announce(counter, this.#writer.items, ORIGINALITY.embedded, `agent-${agentId}`)
        return counter
      },
    }
  }

  /** The conversation's own records name the session; the file's name decides between two names. */
  #identify(record: Json): void {
    const type = record['type']
    if (type !== 'user' && type !== 'assistant') return
    const named = asText(record['sessionId'])
    if (named === null || named === this.#session) {
      if (named !== null) this.#named = true
      return
    }
    if (named === this.#stem || !this.#named) throw new ReadAgain(named)
  }

  #laneName(): string {
    return this.#agent === null && this.#stem === this.#session ? MAIN_LANE : this.#stem
  }

  #originality(): Originality {
    if (this.#agent === null) return ORIGINALITY.main
    return /^(acompact|aside_question)-/.test(this.#agent) ? ORIGINALITY.copy : ORIGINALITY.subagent
  }

  #announceMain(items: Item[]): void {
    if (!this.#announced.has(this.#main.lane)) this.#announce(this.#main, items, this.#originality())
  }

  #mainPath(): string {
    if (this.#agent === null) return this.#unit.path
    const dir = path.dirname(this.#unit.path)
    const project = path.basename(dir) === 'subagents' ? path.dirname(dir) : dir
    const base = path.basename(project) === this.#session ? path.dirname(project) : project
    return path.join(base, `${this.#session}.jsonl`)
  }

  #spillDir(): string {
    const main = this.#mainPath()
    return path.join(path.dirname(main), this.#session, 'tool-results')
  }

  #announce(counter: LaneCounter, items: Item[], originality: Originality, yieldsTo?: string): void {
    const { session, lane } = counter
    if (this.#announced.has(lane)) return
    this.#announced.add(lane)
    const announced: Lane = { item: 'lane', session, lane, originality, mainPath: this.#mainPath() }
    items.push(yieldsTo === undefined ? announced : { ...announced, yieldsTo })
  }

  #facts(facts: Partial<Facts>): Item {
    return { item: 'facts', session: this.#main.session, lane: this.#main.lane, facts }
  }

  #mark(offset: number, line: number): void {
    this.#checkpoint = { offset, line, state: null }
    this.#isLive = true
  }

  /** Fixes what the checkpoint remembers before a record that it must not know of. */
  #freeze(): void {
    if (!this.#isLive) return
    this.#isLive = false
    const { offset, line } = this.#checkpoint
    this.#checkpoint = { offset, line, state: this.#state() }
  }

  #state(): State {
    return {
      session: this.#session,
      named: this.#named,
      main: this.#main.state(),
      embedded: [...this.#embedded.values()].map((lane) => lane.state()),
      trail: this.#trail.state(),
      told: Object.fromEntries(this.#told),
      broken: this.#broken,
      queue: this.#writer.queue.state(),
      denied: this.#writer.denied,
      branches: [...this.#branches],
      writtenSince: this.#writtenSince,
    }
  }

  #problem(type: string, level: Problem['level'], message: string, line: Line): Problem {
    return { item: 'problem', type, level, message, line: line.number, offset: line.offset }
  }
}

interface Beginning {
  readonly session: string | null
  readonly records: Map<number, readonly Json[]>
}

const NOT_BEGUN: Beginning = { session: null, records: new Map() }
const MAX_AHEAD = 64

/** The session named by the first conversation record, found by looking ahead in the same file, and what was parsed for it. */
function beginningOf(file: string): Beginning {
  const records = new Map<number, readonly Json[]>()
  for (const { bytes, offset, terminated } of new LineReader(file, null, LOOK_AHEAD)) {
    if (bytes === null || isIgnored(bytes)) continue
    const parsed = parseLine(bytes) ?? []
    if (terminated && parsed.length > 0 && bytes.length < LOOK_AHEAD && records.size < MAX_AHEAD) {
      records.set(offset, parsed)
    }
    for (const record of parsed) {
      if (record['type'] !== 'user' && record['type'] !== 'assistant') continue
      const session = asText(record['sessionId'])
      if (session !== null) return { session, records }
    }
  }
  return { session: null, records }
}

function readState(state: unknown): State | null {
  const object = asObject(state)
  return object !== null && typeof object['session'] === 'string' ? (object as unknown as State) : null
}
