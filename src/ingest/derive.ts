import { callFingerprint, classifyCall, filesOf, shellCommandOf, summarizeCall } from '../distill/calls.ts'
import { eventClass } from '../distill/event-class.ts'
import { innerCommands } from '../distill/inner-commands.ts'
import { parseShell } from '../distill/shell.ts'
import { provenBy, watchOf, type Proof, type Watch } from '../distill/result-proof.ts'
import { nativeKey } from '../model/ids.ts'
import { isRemark, marksText, NO_MARKS, type Marks } from '../model/marks.ts'
import { oneLine } from '../model/text.ts'
import type { EventItem } from '../sources/source.ts'
import { FLAG, type EventRow } from '../store/store.ts'
import type { BodyPacker } from './bodies.ts'
import type { Redactor } from './redact.ts'

const MAX_ERROR_TEXT = 2048
const REMEMBERED_FAILURES = 32
const REMEMBERED_CALLS = 64

/** What must be remembered of a lane to derive the kinds of what comes next. Plain JSON. */
export interface DeriveState {
  exchange: number
  message: number
  open: [call: string, asked: Asked][]
  failed: string[]
  /** How many secrets each rule took out of this lane. */
  redacted: Record<string, number>
}

/** What is remembered of a call until its result comes: which call it was, and what its output is looked at for. */
interface Asked {
  readonly is: string
  readonly watch: Watch
}

/** The same while it is open here: most calls succeed, and nobody asks which they were. */
interface Open {
  readonly is: () => string
  readonly watch: Watch
}

/**
 * Turns what a log says into what is kept: redacted, with its kind, summary, shell command and place in
 * an exchange. Looks back, never ahead, so that a transcript read in pieces gives the same rows.
 */
export class LaneDeriver {
  #exchange: number
  #message: number
  readonly #open: Map<string, Open>
  readonly #failed: Set<string>
  readonly #redacted: Map<string, number>
  readonly #names = new Map<string, string>()
  readonly #redactor: Redactor
  readonly #packer: BodyPacker

  constructor(redactor: Redactor, packer: BodyPacker, state?: DeriveState) {
    this.#redactor = redactor
    this.#packer = packer
    this.#exchange = state?.exchange ?? 0
    this.#message = state?.message ?? -1
    this.#open = new Map(state?.open.map(([call, { is, watch }]) => [call, { is: () => is, watch }]))
    this.#failed = new Set(state?.failed)
    this.#redacted = new Map(Object.entries(state?.redacted ?? {}))
  }

  state(): DeriveState {
    return {
      exchange: this.#exchange,
      message: this.#message,
      open: Array.from(this.#open, ([call, { is, watch }]) => [call, { is: is(), watch }]),
      failed: [...this.#failed],
      redacted: Object.fromEntries(this.#redacted),
    }
  }

  get redacted(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#redacted)
  }

  row(item: EventItem): EventRow {
    this.#redactor.taken()
    const row = this.#derive(item)
    for (const rule of this.#redactor.taken() ?? []) this.#redacted.set(rule, (this.#redacted.get(rule) ?? 0) + 1)
    return row
  }

  #derive(item: EventItem): EventRow {
    if (item.human && !item.sidechain && !isRemark(item.marks ?? NO_MARKS)) this.#startExchange()
    const call = item.kind === 'tool_call' ? this.#call(item) : null
    const body = item.body === undefined || item.body === '' ? null : this.#redactor.text(item.body)
    const proof = item.call === undefined || call !== null ? NOTHING : this.#answer(item, body)
    const said = item.text === undefined ? errorHead(item.kind, body) : this.#redactor.text(item.text)
    const text = call ? call.command : said
    return {
      pos: item.pos,
      parent: typeof item.parent === 'string' ? nativeKey(item.parent) : item.parent,
      at: item.at,
      kind: call?.kind ?? item.kind,
      role: item.role,
      tool: item.tool === undefined ? null : this.#name(item.tool),
      summary: this.#summary(call?.summary ?? (text === null || item.text === undefined ? resultSummary(body) : null)),
      text,
      input: call?.input ?? null,
      body: body === null ? null : this.#packer.add(item.session, body),
      flags: this.#flags(item) | (call?.compound ? FLAG.compound : 0) | (proof.tests ? VERDICT_FLAG[proof.tests] : 0),
      native: nativeKey(item.native),
      block: item.block,
      call: item.call === undefined || item.call === '' ? null : nativeKey(item.call),
      message: item.message ?? null,
      callIdx: item.callIdx ?? null,
      line: item.line,
      exchange: this.#exchange,
      eventClass: this.#label(item, text, body),
      base: call?.base ?? null,
      sub: call?.sub ?? null,
      runs: call?.runs ?? null,
      thread: item.thread === undefined ? null : this.#name(item.thread),
      files: call?.files ?? [],
      made: this.#made(item, proof),
      marks: item.marks === undefined ? null : marksText(this.#redactor.json(item.marks) as Marks),
    }
  }

  /** What the log says was made, and what a result proves. */
  #made(item: EventItem, proof: Proof): EventRow['made'] {
    const marked = item.marks?.made
    if (marked === undefined) return proof.made
    return [...proof.made, ...marked.map(({ kind, value }) => ({ kind, value: this.#redactor.text(value) }))]
  }

  #label(item: EventItem, text: string | null, body: string | null): string {
    if (item.eventClass !== undefined) return this.#name(item.eventClass)
    const { kind, role, human, type, marks } = item
    const tool = item.tool === undefined ? undefined : this.#name(item.tool)
    return eventClass({ kind, role, tool, text, body, human, type, denied: marks?.denied !== undefined })
  }

  /** What was on several lines may show what it is once it is on one. */
  #summary(line: string | null): string | null {
    return line === null ? null : this.#redactor.text(line)
  }

  /** Names of tools and labels recur: each is looked through once. */
  #name(name: string): string {
    let clean = this.#names.get(name)
    if (clean === undefined) this.#names.set(name, (clean = this.#redactor.text(name)))
    return clean
  }

  #startExchange(): void {
    this.#exchange++
    this.#failed.clear()
  }

  #flags(item: EventItem): number {
    let flags = (item.sidechain ? FLAG.sidechain : 0) | (item.human ? FLAG.human : 0)
    if (isRemark(item.marks ?? NO_MARKS)) flags |= FLAG.remark
    if (item.message !== undefined && item.message > this.#message) {
      this.#message = item.message
      flags |= FLAG.messageStart
    }
    return flags
  }

  #call(item: EventItem) {
    const tool = this.#name(item.tool ?? '')
    const arguments_ = this.#redactor.json(item.input ?? null)
    const command = shellCommandOf(tool, arguments_)
    const shell = command === null ? null : parseShell(command)
    let fingerprint: string | undefined
    const is = () => (fingerprint ??= callFingerprint(tool, arguments_, command))
    const repeated = item.input !== undefined && this.#failed.size > 0 && this.#failed.has(is())
    const kind = classifyCall(tool, arguments_, command)
    if (item.call) remember(this.#open, this.#redactor.text(item.call), { is, watch: watchOf({ tool, kind, command }) })
    return {
      kind: repeated ? ('retry' as const) : kind,
      files: filesOf(tool, arguments_).map((path) => ({ path, edit: kind === 'edit' })),
      summary: summarizeCall(tool, arguments_, command),
      command,
      input: JSON.stringify(arguments_) ?? 'null',
      base: shell?.base ?? null,
      sub: shell?.sub ?? null,
      runs: command === null ? null : runsOf(command),
      compound: shell?.compound ?? false,
    }
  }

  #answer(item: EventItem, body: string | null): Proof {
    const call = this.#redactor.text(item.call ?? '')
    const asked = this.#open.get(call)
    this.#open.delete(call)
    if (asked === undefined || item.marks?.denied !== undefined || item.marks?.stopped) return NOTHING
    const failed = item.kind === 'error'
    if (failed && this.#failed.size < REMEMBERED_FAILURES) this.#failed.add(asked.is())
    else if (!failed && this.#failed.size > 0) this.#failed.delete(asked.is())
    return provenBy(asked.watch, body ?? '', failed)
  }
}

/** Null for the many that run one command and nothing else. */
function runsOf(command: string): string | null {
  const inner = innerCommands(command) ?? [null]
  return inner.length === 0 ? null : JSON.stringify(inner)
}

const VERDICT_FLAG = { passed: FLAG.testsPassed, failed: FLAG.testsFailed } as const
const NOTHING: Proof = { tests: null, made: [] }

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value)
  if (map.size > REMEMBERED_CALLS) map.delete(map.keys().next().value ?? '')
}

/** The beginning of what a failed call said: searched and grouped, while the whole is the body. */
function errorHead(kind: string, body: string | null): string | null {
  return kind === 'error' && body !== null ? body.slice(0, MAX_ERROR_TEXT) : null
}

function resultSummary(body: string | null): string {
  return body === null ? 'no output' : oneLine(body, 100)
}
