import { addFacts, isTitle, titleLine, type Facts } from '../model/facts.ts'
import { nativeKey, sessionUid } from '../model/ids.ts'
import { followNoLinksBelow } from '../model/regular-file.ts'
import {
  isReadAgain,
  type Checkpoint,
  type Item,
  type Source,
  type TranscriptReader,
  type Unit,
} from '../sources/source.ts'
import type { EventRow, FileCheckpoint, KnownRow, LaneBatch, ProblemRow, UnitBatch, UsageRow } from '../store/store.ts'
import { BodyPacker } from './bodies.ts'
import { OutOfBounds, withinBounds } from './bounds.ts'
import { LaneDeriver, type DeriveState } from './derive.ts'
import { largest } from './largest-usage.ts'
import { wordsWithoutKnown } from './known-batches.ts'
import { createKnownSecrets, type KnownSecrets } from './known-secrets.ts'
import type { Redactor } from './redact.ts'
import { repoOf } from './repo.ts'
import { unitOf, type Job } from './job.ts'
import { provePrefix } from './stamp.ts'

const BATCH_EVENTS = 2000
const BATCH_BYTES = 4 * 1024 * 1024
const MAX_PROBLEMS = 200
const GIVE_UP_AFTER = 20

export interface ParsedBatch extends UnitBatch {
  readonly bytesRead: number
}

interface SavedState {
  readonly reader: unknown
  readonly lanes: Record<string, DeriveState>
}

/** What reading needs besides the job. */
export interface Readers {
  readonly sources: readonly LoadedSource[]
  readonly redactor: Redactor
  /** Where the redactor puts what it takes out, in the clear. Emptied as soon as that is learned. */
  readonly found: (readonly [rule: string, secret: string])[]
  readonly key: Uint8Array
}

/** A source whose code for reading is there. */
export interface LoadedSource {
  readonly source: Source
  readonly reader: TranscriptReader
}

/** Reads a transcript into batches of rows, each with the checkpoint it leads to. */
export function* parseUnit(readers: Readers, job: Job): Generator<ParsedBatch> {
  const unit = unitOf(job)
  if (job.isClosed) followNoLinksBelow(job.root)
  if (job.what === 'sidecars') {
    yield new UnitParser(readers, job, { from: null, hint: null, disown: false }).sidecars(unit)
    return
  }
  if (job.what === 'all') {
    yield new UnitParser(readers, job, { from: null, hint: null, disown: false }).nothing()
    return
  }
  let hint: unknown
  let from = job.from
  let disown = false
  let again = false
  for (;;) {
    try {
      for (const batch of new UnitParser(readers, job, { from, hint, disown }).batches(unit))
        yield again && batch.restart ? { ...batch, again } : batch
      return
    } catch (error) {
      if (!isReadAgain(error)) throw error
      hint = error.hint
      from = null
      disown = !error.wasOwn
      again = error.wasOwn
    }
  }
}

interface OpenLane extends LaneBatch {
  readonly facts: Partial<Facts>
  side: Partial<Facts> | null
  readonly events: EventRow[]
}

class UnitParser {
  readonly #source: LoadedSource
  readonly #sources: readonly LoadedSource[]
  readonly #job: Job
  readonly #redactor: Redactor
  readonly #found: Readers['found']
  readonly #key: Uint8Array
  /** By session. */
  readonly #known = new Map<string, KnownSecrets>()
  readonly #packer = new BodyPacker()
  readonly #derivers = new Map<string, LaneDeriver>()
  readonly #saved: SavedState | null
  readonly #from: FileCheckpoint | null
  readonly #hint: unknown
  #restart: boolean
  #disown: boolean
  #lanes = new Map<string, OpenLane>()
  #latest: OpenLane | null = null
  #deriving: { readonly session: string; readonly lane: string; readonly deriver: LaneDeriver } | null = null
  #usage = new Map<string, UsageRow>()
  #titles: UnitBatch['titles'][number][] = []
  #superseded: UnitBatch['superseded'][number][] = []
  #problems: ProblemRow[] = []
  #events = 0
  #understood = 0
  #kept = 0
  readonly #unknownKinds = new Set<string>()
  #bytesBefore = 0
  /** What follows was told by a file beside the transcript. */
  #beside = false
  /** Holds records, and none that its source understands. */
  #foreign = false
  /** What was known before records that the checkpoint does not cover. */
  #frozen: Record<string, DeriveState> | null = null

  constructor(readers: Readers, job: Job, start: { from: FileCheckpoint | null; hint: unknown; disown: boolean }) {
    this.#source = sourceNamed(readers.sources, job.source)
    this.#sources = readers.sources
    this.#job = job
    this.#redactor = readers.redactor
    this.#found = readers.found
    this.#key = readers.key
    this.#found.length = 0
    this.#from = start.from
    this.#hint = start.hint
    this.#restart = start.from === null
    this.#disown = start.disown
    this.#saved = start.from === null ? null : (JSON.parse(start.from.state) as SavedState)
  }

  *batches(unit: Unit): Generator<ParsedBatch> {
    const from = this.#from && { offset: this.#from.offset, line: this.#from.line, state: this.#saved?.reader }
    const reading = this.#source.reader.read(unit, from, this.#hint)
    let understood = this.#from !== null
    for (const items of reading) {
      if (reading.provisional) this.#frozen ??= this.#deriveState()
      this.#takeAll(items)
      understood ||= items.some(isUnderstood)
      if (!understood && this.#understood >= GIVE_UP_AFTER) break
      const size = reading.bytesRead - this.#bytesBefore
      if (!reading.provisional && (this.#events >= BATCH_EVENTS || size >= BATCH_BYTES)) {
        yield this.#batch(reading.checkpoint(), reading.bytesRead, false, false)
      }
    }
    if (!understood && this.#understood > 0) this.#callForeign()
    else this.#takeSidecars(unit)
    yield this.#batch(reading.checkpoint(), reading.bytesRead, true, reading.provisional)
  }

  #callForeign(): void {
    this.#foreign = true
    this.#latest = null
    this.#lanes = new Map()
    this.#problems = [{ type: 'foreign file', level: 'warn', message: 'not a session log', line: 0, offset: 0 }]
  }

  /** Of a file whose transcripts are read one by one: that they were. */
  nothing(): ParsedBatch {
    this.#restart = false
    return this.#batch({ offset: 0, line: 0, state: null }, 0, true, false)
  }

  /** What the files beside the transcript say now, and nothing else. */
  sidecars(unit: Unit): ParsedBatch {
    this.#restart = false
    this.#takeSidecars(unit)
    return this.#batch(null, 0, true, false)
  }

  #takeSidecars(unit: Unit): void {
    this.#beside = true
    this.#takeAll(this.#source.reader.readSidecars?.(unit) ?? [])
  }

  /** The items of one record. What is out of bounds in them is one Problem. */
  #takeAll(items: readonly Item[]): void {
    const out = new OutOfBounds()
    for (const item of items) {
      const bounded = withinBounds(item, out)
      if (bounded === null) continue
      this.#take(bounded)
      if (this.#found.length > 0) this.#learn('session' in bounded ? bounded.session : null)
    }
    const problem = out.problem()
    if (problem !== null) this.#take(problem)
  }

  /** What was taken out is secret in all of its session, or, if it belongs to none, in all of the transcript. */
  #learn(session: string | null): void {
    const sessions = session === null ? [...this.#lanes.values()].map((lane) => lane.session) : [session]
    for (const name of new Set(sessions)) {
      const known = this.#known.get(name) ?? createKnownSecrets(this.#key)
      for (const [rule, secret] of this.#found) known.learn(rule, secret)
      this.#known.set(name, known)
    }
    this.#found.length = 0
  }

  /** What is known by now of the sessions at hand. */
  #knownNow(): Map<string, KnownSecrets> {
    const here = new Set([...this.#lanes.values()].map((lane) => lane.session))
    return new Map([...this.#known].filter(([session, known]) => known.size > 0 && here.has(session)))
  }

  #knownRows(all: ReadonlyMap<string, KnownSecrets>): KnownRow[] {
    const flavors = new Map([...this.#lanes.values()].map((lane) => [lane.session, lane.flavor]))
    return [...all].map(([session, known]) => {
      const uid = sessionUid(flavors.get(session) ?? '', session)
      return { uid, state: JSON.stringify(known.state()), owed: false }
    })
  }

  #take(item: Item): void {
    switch (item.item) {
      case 'event':
        this.#lane(item.session, item.lane).events.push(this.#deriver(item.session, item.lane).row(item))
        this.#events++
        return
      case 'lane': {
        const { session, lane, originality, mainPath, yieldsTo = null, flavor = this.#job.source } = item
        const key = `${session}\n${lane}`
        if (this.#lanes.has(key)) return
        const { longName } = sourceNamed(this.#sources, flavor).source
        const named = { session, lane, flavor, longName, originality, mainPath, yieldsTo }
        this.#lanes.set(key, { ...named, facts: {}, side: null, events: [] })
        return
      }
      case 'facts': {
        const lane = this.#lane(item.session, item.lane)
        return this.#noteFacts(this.#beside ? (lane.side ??= {}) : lane.facts, item.facts)
      }
      case 'usage': {
        const { item: _, leftOut, ...billed } = item
        if (leftOut !== undefined) return
        const { text } = this.#redactor
        const usage = { ...billed, key: text(billed.key), model: billed.model === null ? null : text(billed.model) }
        const key = `${usage.lane}\n${usage.key}`
        this.#usage.set(key, largest(this.#usage.get(key), usage))
        return
      }
      case 'supersede':
        this.#superseded.push({ session: item.session, lane: item.lane, from: item.from, to: item.to })
        return
      case 'title':
        this.#titles.push({ leaf: nativeKey(item.leaf), title: titleLine(this.#redactor.text(item.title)) })
        return
      case 'problem': {
        const { item: _, ...problem } = item
        this.#understood++
        this.#keepProblem(problem)
        return
      }
      default:
        item satisfies never
    }
  }

  /** A kind of record that nobody knows is told once, so that many of one kind hide nothing else. */
  #keepProblem(problem: ProblemRow): void {
    if (this.#kept >= MAX_PROBLEMS || (problem.level === 'info' && this.#unknownKinds.has(problem.type))) return
    this.#kept++
    if (problem.level === 'info') this.#unknownKinds.add(problem.type)
    const { text } = this.#redactor
    this.#problems.push({ ...problem, type: text(problem.type), message: text(problem.message) })
  }

  /** Most items are of the same lane as the one before. */
  #lane(session: string, lane: string): OpenLane {
    if (this.#latest?.session === session && this.#latest.lane === lane) return this.#latest
    const found = this.#lanes.get(`${session}\n${lane}`)
    if (!found) throw new Error(`${this.#job.source} yielded for lane ${lane} before announcing it`)
    return (this.#latest = found)
  }

  #deriver(session: string, lane: string): LaneDeriver {
    const latest = this.#deriving
    if (latest?.session === session && latest.lane === lane) return latest.deriver
    const key = `${session}\n${lane}`
    let deriver = this.#derivers.get(key)
    if (!deriver) {
      deriver = new LaneDeriver(this.#redactor, this.#packer, this.#saved?.lanes[key])
      this.#derivers.set(key, deriver)
    }
    this.#deriving = { session, lane, deriver }
    return deriver
  }

  #noteFacts(into: Partial<Facts>, facts: Readonly<Partial<Facts>>): void {
    const clean: Partial<Facts> = Object.fromEntries(
      Object.entries(facts).map(([name, value]) => [
        name,
        typeof value === 'string'
          ? this.#cleanFact(name, value)
          : name === 'branches'
            ? this.#redactor.json(value)
            : value,
      ]),
    )
    const repo = clean.cwd === undefined || this.#job.isClosed === true ? null : repoOf(clean.cwd)
    if (repo !== null) clean.gitRepo = this.#redactor.text(repo.root)
    if (repo?.identity) clean.repoIdentity = this.#redactor.text(repo.identity)
    addFacts(into, clean)
  }

  #cleanFact(name: string, value: string): string {
    const clean = this.#redactor.text(value)
    if (name === 'cwd') return withPlainDrive(clean)
    return isTitle(name) ? titleLine(clean) : clean
  }

  #batch(checkpoint: Checkpoint | null, bytesRead: number, done: boolean, provisional: boolean): ParsedBatch {
    const { source, path, stamp } = this.#job
    for (const [key, deriver] of this.#derivers) {
      const lane = this.#lanes.get(key)
      if (lane && Object.keys(deriver.redacted).length > 0) lane.facts.redactions = deriver.redacted
    }
    const known = this.#knownNow()
    const batch: ParsedBatch = {
      source,
      path,
      stamp: stamp.stamp,
      size: stamp.size,
      mtimeMs: stamp.mtimeMs,
      restart: this.#restart,
      disown: this.#disown,
      done,
      foreign: this.#foreign,
      lanes: [...this.#lanes.values()],
      usage: [...this.#usage.values()],
      titles: this.#titles,
      superseded: this.#superseded,
      problems: this.#problems,
      chunks: this.#packer.take((session, body) => known.get(session)?.text(body) ?? body),
      checkpoint: checkpoint === null ? null : this.#checkpoint(checkpoint, provisional),
      known: this.#knownRows(known),
      bytesRead: bytesRead - this.#bytesBefore,
    }
    this.#latest = null
    this.#lanes = new Map([...this.#lanes].map(([key, lane]) => [key, { ...lane, facts: {}, side: null, events: [] }]))
    this.#usage = new Map()
    this.#titles = []
    this.#superseded = []
    this.#problems = []
    this.#events = 0
    this.#bytesBefore = bytesRead
    this.#restart = false
    this.#disown = false
    return wordsWithoutKnown(batch, known)
  }

  #deriveState(): Record<string, DeriveState> {
    const lanes: Record<string, DeriveState> = { ...this.#saved?.lanes }
    for (const [key, deriver] of this.#derivers) lanes[key] = deriver.state()
    return lanes
  }

  #checkpoint(checkpoint: Checkpoint, provisional: boolean): FileCheckpoint {
    const reader = this.#redactor.json(checkpoint.state)
    const state: SavedState = { reader, lanes: this.#frozen ?? this.#deriveState() }
    const { offset, line } = checkpoint
    const proof = this.#job.inside === undefined ? provePrefix(this.#job.path, offset) : NO_PROOF
    return { offset, line, state: JSON.stringify(state), ...proof, provisional }
  }
}

/** Whether what was read still stands, the reader of a transcript in a larger file knows itself. */
const NO_PROOF = { head: '', tail: '' }

/** Programs on one machine name a drive `c:` or `C:`: it is one project. */
function withPlainDrive(cwd: string): string {
  return /^[a-z]:[\\/]/.test(cwd) ? cwd.charAt(0).toUpperCase() + cwd.slice(1) : cwd
}

/** Told of what no session log of any version would hold. */
const ALIEN = /^(?:broken|overlong) line$| without (?:type|kind)$/

/** A lane alone, or that a session is complete, says nothing of what is in a file; a kind of record not known yet does. */
function isUnderstood(item: Item): boolean {
  if (item.item === 'facts') return Object.keys(item.facts).some((name) => name !== 'complete')
  return item.item === 'problem' ? !ALIEN.test(item.type) : item.item !== 'lane'
}

function sourceNamed(sources: readonly LoadedSource[], name: string): LoadedSource {
  const found = sources.find(({ source }) => source.name === name)
  if (!found) throw new Error(`no source ${name}`)
  return found
}
