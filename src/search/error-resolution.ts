import { errorFingerprint } from '../distill/fingerprint.ts'
import { isToolCall } from '../model/event.ts'
import type { SessionRecord } from '../model/session.ts'
import { oneLine } from '../model/text.ts'
import { FLAG, type EventRecord, type Store } from '../store/store.ts'
import { isLookOnly, readCommand } from './look-only-commands.ts'

export interface Step {
  readonly seq: number
  readonly kind: 'edit' | 'command'
  /** The command, or what was edited. */
  readonly what: string
  readonly ok: boolean | null
}

/** What followed an error in its session. */
export interface ErrorResolution {
  /**
   * `succeeded`: the same call went through later. `similar_succeeded`: another run of the same program did.
   * `not_seen_again`: work went on and the error did not come back. `unsolved`: it was the last word on it.
   */
  readonly resolution: 'succeeded' | 'similar_succeeded' | 'not_seen_again' | 'unsolved' | 'unknown'
  readonly solvedSeq: number | null
  /** Edits and commands from the last time it was met until it was gone, in order; the last 12 before it was. */
  readonly steps: readonly Step[]
  /** What the agent said about it. */
  readonly explanation: string | null
}

const WINDOW = 600
const BEFORE = 60
const MAX_STEPS = 12
const EXPLANATION = 600
const HIDDEN = FLAG.superseded | FLAG.copy

/** Where an error was met: by a call, or in what a person pasted; `line` is what it says. */
interface Met {
  readonly seq: number
  readonly line: string
  readonly pasted: boolean
}

/** Follows the lane of an error until the call that failed goes through, or nothing more is told. */
export async function resolutionOf(store: Store, session: SessionRecord, met: Met): Promise<ErrorResolution> {
  const { seq } = met
  const window = { sidechains: true, fromSeq: seq - BEFORE, toSeq: seq + WINDOW }
  const around = await store.events(session.rowId, window)
  const error = around.find((event) => event.seq === seq)
  if (error === undefined) return { resolution: 'unknown', solvedSeq: null, steps: [], explanation: null }
  const lane = around.filter((event) => event.lane === error.lane && (event.flags & HIDDEN) === 0)
  const calls = new Map(lane.filter(isCall).map((event) => [event.call, event]))
  const failing = calls.get(error.call)
  const fingerprint = errorFingerprint(met.pasted ? met.line : (error.text ?? error.summary))
  const trail = new Trail()
  for (const event of lane.filter((candidate) => candidate.seq > seq)) {
    const call = isToolCall(event.kind) ? undefined : calls.get(event.call)
    if (event.kind === 'error' && errorFingerprint(event.text ?? event.summary) === fingerprint) trail.metAgain()
    else if (event.kind === 'assistant_msg' && event.text) trail.said(event.text)
    else if (call !== undefined && event.role === 'tool') {
      const ok = event.kind !== 'error' && (event.flags & FLAG.testsFailed) === 0
      trail.did(call, ok)
      if (ok && failing !== undefined && isSameCall(call, failing)) return trail.end('succeeded', event.seq, lane)
      if (ok && trail.changed && failing !== undefined && isSameProgram(call, failing))
        return trail.end('similar_succeeded', event.seq, lane)
    }
  }
  return trail.end(trail.workedOn ? 'not_seen_again' : 'unsolved', null, lane)
}

/** What is done and said after an error, begun anew whenever it comes back. */
class Trail {
  #steps: Step[] = []
  #said: string[] = []
  changed = false
  workedOn = false

  metAgain(): void {
    this.#steps = []
    this.workedOn = false
  }

  said(text: string): void {
    this.#said.push(text)
  }

  did(call: EventRecord, ok: boolean): void {
    const edits = isEdit(call)
    if (!edits && (call.base === null || isLookOnly(readCommand(call.text ?? ''), ''))) return
    this.#steps.push({
      seq: call.seq,
      kind: edits ? 'edit' : 'command',
      what: edits ? call.summary : (call.text ?? call.summary),
      ok,
    })
    if (ok) this.workedOn = true
    if (ok && edits) this.changed = true
  }

  /** What was said up to the end, or in one go right after it. */
  end(
    resolution: ErrorResolution['resolution'],
    solvedSeq: number | null,
    lane: readonly EventRecord[],
  ): ErrorResolution {
    const after = lane.find(
      (event) => event.seq > (solvedSeq ?? Infinity) && event.kind === 'assistant_msg' && event.text,
    )
    const words = [...this.#said.slice(solvedSeq === null ? 0 : -2), after?.text ?? '']
    const explanation = oneLine(
      words
        .slice(0, 3)
        .filter((text) => text !== '')
        .join(' … '),
      EXPLANATION,
    )
    const steps = solvedSeq === null ? this.#steps.slice(0, MAX_STEPS) : this.#steps.slice(-MAX_STEPS)
    return { resolution, solvedSeq, steps, explanation: explanation === '' ? null : explanation }
  }
}

function isCall(event: EventRecord): boolean {
  return isToolCall(event.kind) && event.call !== null
}

function isEdit(event: EventRecord): boolean {
  return event.kind === 'edit' || (event.kind === 'retry' && /^(?:edited|wrote) /.test(event.summary))
}

function isSameCall(a: EventRecord, b: EventRecord): boolean {
  if (a.tool !== b.tool) return false
  return a.base === null ? a.input === b.input : squeezed(a.text) === squeezed(b.text)
}

/** The same program with the same first word for it: `npm test`, `cargo build`. */
function isSameProgram(a: EventRecord, b: EventRecord): boolean {
  if (a.base === null || b.base === null) return a.base === b.base && a.tool === b.tool && a.summary === b.summary
  const programs = new Set(programsOf(b))
  return programsOf(a).some((program) => programs.has(program))
}

function programsOf(event: EventRecord): string[] {
  return readCommand(event.text ?? '').acting.map((words) =>
    words
      .filter((word) => !word.startsWith('-'))
      .slice(0, 2)
      .join(' '),
  )
}

function squeezed(text: string | null): string {
  return (text ?? '').trim().replace(/\s+/g, ' ')
}
