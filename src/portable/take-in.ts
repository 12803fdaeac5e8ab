import type { Redactor } from '../ingest/redact.ts'
import { BodyPacker } from '../ingest/bodies.ts'
import type {
  DigestLine,
  DecisionLine,
  EventLine,
  LedgerLine,
  PortableRecord,
  SessionLine,
  SignalLine,
} from '../model/records.ts'
import type { Analysis } from '../store/keeping.ts'
import { importedFrom } from '../store/portable.ts'
import type { EventRow, LaneBatch, Store, UnitBatch, UsageRow } from '../store/store.ts'

const BATCH_EVENTS = 2000
const BATCH_CHARACTERS = 8 * 1024 * 1024
/** Signals, or decisions, of one session. */
const MOST_BESIDE = 10_000

export interface TakeIn {
  readonly store: Store
  readonly redactor: Redactor
}

/** `kept`: it is in the store now. Else why nothing of its words was taken. */
export type Taken = 'kept' | 'same' | 'forgotten' | 'own' | 'evicted'

/** Whether records of a session are wanted; what is not need not be read. */
export async function isWanted({ store }: TakeIn, uid: string, stamp: string): Promise<Taken> {
  const known = await store.portable.known(uid)
  if (known.isForgotten) return 'forgotten'
  if (known.stamp === stamp) return 'same'
  if (known.isOwn) return 'own'
  return known.isEvicted ? 'evicted' : 'kept'
}

/**
 * Keeps a session as its records tell it, redacted again. Of another version of it, what is there no more is marked so.
 * Returns how many records have no place in it.
 */
export async function takeIn(
  task: TakeIn,
  line: SessionLine,
  records: Iterable<PortableRecord>,
  stamp: string,
  stampAtEnd: (misplaced: number) => string = () => stamp,
): Promise<number> {
  const { store, redactor } = task
  const session = {
    ...(redactor.json(line) as SessionLine),
    session_uid: line.session_uid,
    id: line.id,
    native_id: line.native_id,
  }
  const batches = new Batches(session, stamp, redactor)
  const signals: SignalLine[] = []
  const decisions: DecisionLine[] = []
  let digest: DigestLine | null = null
  let misplaced = 0
  for (const record of records) {
    if (record.session_uid !== session.session_uid) misplaced++
    else if (record.record === 'event') misplaced += batches.event(record) ? 0 : 1
    else if (record.record === 'ledger') misplaced += batches.usage(record) ? 0 : 1
    else if (record.record === 'digest') digest = redactor.json(record) as DigestLine
    else if (record.record === 'signal' && signals.length < MOST_BESIDE)
      signals.push(redactor.json(record) as SignalLine)
    else if (record.record === 'decision' && decisions.length < MOST_BESIDE)
      decisions.push({ ...record, text: redactor.text(record.text) })
    else if (record.record !== 'session') misplaced++
    if (batches.isFull) await store.append([batches.take(false)])
  }
  await store.append([batches.take(true)])
  const { id } = await store.portable.known(session.session_uid)
  if (id !== null && digest !== null) await keepDigest(store, id, session, digest, signals)
  await store.portable.settle(session, decisions, stampAtEnd(misplaced))
  return misplaced
}

async function keepDigest(
  store: Store,
  id: number,
  session: SessionLine,
  line: DigestLine,
  signals: readonly SignalLine[],
): Promise<void> {
  if (line.digest['session_uid'] !== session.session_uid) return
  const analysis: Analysis = {
    session: id,
    uid: session.session_uid,
    json: JSON.stringify(line.digest),
    schemaVersion: line.schema_version,
    outcome: session.outcome as Analysis['outcome'],
    taskRef: session.task_ref,
    spans: line.spans,
    signals: signals.map(({ kind, fingerprint, summary, count, tool, seqs, denied_by: by }) => ({
      kind,
      fingerprint,
      summary,
      count,
      tool,
      seqs,
      ...(by === null ? {} : { by }),
    })) as unknown as Analysis['signals'],
  }
  await store.keeping.saveAnalyses([analysis], line.analyzed_at === null ? 0 : Date.parse(line.analyzed_at))
}

/** Rows of one session as they come, ready to be kept. */
class Batches {
  readonly #session: SessionLine
  readonly #stamp: string
  readonly #redactor: Redactor
  readonly #packer = new BodyPacker()
  /** The position last taken of each lane. */
  readonly #last: Map<string, number>
  #lanes = new Map<string, EventRow[]>()
  #usage: UsageRow[] = []
  #events = 0
  #characters = 0
  #isFirst = true

  constructor(session: SessionLine, stamp: string, redactor: Redactor) {
    this.#session = session
    this.#stamp = stamp
    this.#redactor = redactor
    this.#last = new Map(session.lanes.map(({ name }) => [name, -1]))
  }

  get isFull(): boolean {
    return this.#events >= BATCH_EVENTS || this.#characters >= BATCH_CHARACTERS
  }

  /** False for one of a lane that the session does not name, or that does not come after the one before. */
  event(line: EventLine): boolean {
    const { lane, pos } = line.place
    if (pos <= (this.#last.get(lane) ?? Infinity)) return false
    this.#last.set(lane, pos)
    const rows = this.#lanes.get(line.place.lane) ?? []
    rows.push(this.#row(line))
    this.#lanes.set(line.place.lane, rows)
    this.#events++
    this.#characters += (line.output?.length ?? 0) + (line.text?.length ?? 0) + (rows.at(-1)?.input?.length ?? 0)
    return true
  }

  #row({
    kind,
    role,
    tool,
    text,
    input,
    output,
    event_class: label,
    thread,
    marks,
    files,
    made,
    ts,
    place,
  }: EventLine): EventRow {
    const { text: clean, json } = this.#redactor
    const maybe = (value: string | null) => (value === null ? null : clean(value))
    const body = maybe(output)
    const { parent, native, call } = place
    return {
      pos: place.pos,
      parent: typeof parent === 'string' ? Buffer.from(parent, 'hex') : parent,
      at: ts === null ? null : Date.parse(ts),
      kind,
      role,
      tool: maybe(tool),
      summary: maybe(place.summary),
      text: maybe(text),
      input: input === null ? null : JSON.stringify(json(input)),
      body: body === null ? null : this.#packer.add(this.#session.native_id, body),
      flags: place.flags,
      native: Buffer.from(native, 'hex'),
      block: place.block,
      call: call === null ? null : Buffer.from(call, 'hex'),
      message: place.message,
      callIdx: place.call_idx,
      line: place.line,
      exchange: place.exchange,
      eventClass: clean(label),
      base: maybe(place.base),
      sub: maybe(place.sub),
      runs: place.runs === null ? null : JSON.stringify(json(JSON.parse(place.runs))),
      thread: maybe(thread),
      files: files.map(([name, edit]) => ({ path: clean(name), edit: edit === 1 })),
      made: made.map(([what, value]) => ({
        kind: what === 'pr' ? ('pr' as const) : ('commit' as const),
        value: clean(value),
      })),
      marks: marks === null ? null : JSON.stringify(json(marks)),
    }
  }

  usage(line: LedgerLine): boolean {
    const { place, ts } = line
    if (!this.#last.has(place.lane)) return false
    this.#usage.push({
      session: this.#session.native_id,
      lane: place.lane,
      message: place.message,
      line: place.line,
      ...(place.pos === null ? {} : { pos: place.pos }),
      key: this.#redactor.text(line.key),
      model: line.model === null ? null : this.#redactor.text(line.model),
      at: ts === null ? null : Date.parse(ts),
      input: line.input,
      output: line.output,
      cacheRead: line.cache_read,
      cacheWrite5m: line.cache_write_5m,
      cacheWrite1h: line.cache_write_1h,
      reasoning: line.reasoning,
      costUsd: line.cost_usd,
    })
    this.#events++
    return true
  }

  take(done: boolean): UnitBatch {
    const { session_uid: uid, flavor, source, native_id: session } = this.#session
    const lanes = this.#session.lanes.map((lane): LaneBatch => ({
      session,
      lane: lane.name,
      flavor,
      longName: source,
      originality: lane.originality,
      mainPath: lane.main_path,
      yieldsTo: lane.yields_to,
      facts: this.#isFirst ? lane.facts : {},
      side: this.#isFirst ? lane.side : null,
      events: this.#lanes.get(lane.name) ?? [],
    }))
    const batch: UnitBatch = {
      source: flavor,
      path: importedFrom(uid),
      stamp: this.#stamp,
      size: 0,
      mtimeMs: 0,
      restart: this.#isFirst,
      disown: false,
      done,
      foreign: false,
      lanes,
      usage: this.#usage,
      titles: [],
      superseded: [],
      problems: [],
      chunks: this.#packer.take(),
      checkpoint: { offset: 0, line: 0, state: 'null', head: '', tail: '', provisional: false },
    }
    this.#lanes = new Map()
    this.#usage = []
    this.#events = 0
    this.#characters = 0
    this.#isFirst = false
    return batch
  }
}
