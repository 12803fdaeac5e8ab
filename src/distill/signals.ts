import { SIGNAL_KINDS, type DigestEvent, type Signal, type SignalKind } from '../model/digest.ts'
import { isToolCall } from '../model/event.ts'
import type { DeniedBy } from '../model/marks.ts'
import { shortHash } from '../model/ids.ts'
import { oneLine } from '../model/text.ts'
import { errorFingerprint, errorLine } from './fingerprint.ts'
import { isCorrection } from './person-phrases.ts'
import { basename, commandsIn, subcommandIndex } from './shell.ts'
import { NOWHERE, shortPath, wholePath, type Place } from './paths.ts'
import { isCompaction, isDenial, isEdit, isPrompt, isStop } from './timeline.ts'
import { WorkNotes } from './work-signals.ts'

const MAX_SEQS = 20
const MAX_PER_KIND = 100
const SUMMARY_LENGTH = 400
/** A command that ended badly without a word: a search that found nothing, as a rule. */
const SAYS_NOTHING = /^(?:Exit code:? ?-?\d+|no output)?$/
/** A single compaction happens to every long session; from this many on, the work is larger than the window. */
const COMPACTION_PRESSURE = 2

interface Occurrence {
  readonly summary: string
  readonly tool?: string | null
  readonly by?: DeniedBy
  readonly seq: number
}

/** Signals by kind and fingerprint, in the order they were first told. */
class Tally {
  readonly #signals = new Map<string, { signal: Signal; seqs: number[]; count: number }>()
  /** Key of the denial that was told last. */
  #denied = ''

  add(kind: SignalKind, fingerprint: string, occurrence: Occurrence): void {
    const key = `${kind}\0${fingerprint}`
    if (kind === 'denial') this.#denied = key
    const known = this.#signals.get(key)
    if (known !== undefined) {
      known.count++
      if (known.seqs.length < MAX_SEQS) known.seqs.push(occurrence.seq)
      return
    }
    const seqs = [occurrence.seq]
    const summary = oneLine(occurrence.summary, SUMMARY_LENGTH)
    const by = occurrence.by === undefined ? {} : { by: occurrence.by }
    const signal: Signal = { kind, fingerprint, summary, count: 1, tool: occurrence.tool ?? null, ...by, seqs }
    this.#signals.set(key, { signal, seqs, count: 1 })
  }

  /** What a person said about the call whose denial was told last. */
  comment(text: string): void {
    const last = this.#signals.get(this.#denied)
    if (last === undefined || last.signal.summary.includes('“')) return
    last.signal = {
      ...last.signal,
      summary: oneLine(`${last.signal.summary}: “${oneLine(text, 200)}”`, SUMMARY_LENGTH),
    }
  }

  signals(): Signal[] {
    const all = [...this.#signals.values()].map(({ signal, count }) => ({ ...signal, count }))
    return SIGNAL_KINDS.flatMap((kind) =>
      all
        .filter((signal) => signal.kind === kind && (kind !== 'compaction' || signal.count >= COMPACTION_PRESSURE))
        .sort((a, b) => b.count - a.count || a.seqs[0]! - b.seqs[0]!)
        .slice(0, MAX_PER_KIND),
    )
  }
}

/**
 * What is worth knowing of a session, by kind, the most frequent first, at most 100 of a kind. What was taken back
 * is left out. One pass; nothing but the errors and short prompts is read.
 */
export function findSignals(events: readonly DigestEvent[], place: Place = NOWHERE): Signal[] {
  const tally = new Tally()
  const calls = new Map<string, DigestEvent>()
  const work = new WorkNotes()
  let running: DigestEvent | null = null
  for (const event of events) {
    if (event.superseded) continue
    if (isToolCall(event.kind)) {
      if (event.call !== null) calls.set(event.call, event)
      running = event
      if (event.kind === 'retry') work.retried(event)
      if (isEdit(event)) work.edited(event, (path) => wholePath(path, place))
      else work.ran(event)
      continue
    }
    const call = (event.call === null ? undefined : calls.get(event.call)) ?? running
    if (event.role === 'tool' && event.call !== null) calls.delete(event.call)
    note(event, call, tally)
  }
  tellWork(work, tally, place)
  return tally.signals()
}

function note(event: DigestEvent, call: DigestEvent | null, tally: Tally): void {
  const { seq } = event
  const text = event.text ?? event.summary
  if (isDenial(event)) {
    const what = whatRan(call, event.tool) || 'a call'
    const { denied: by = 'rule' } = event.marks
    const summary = `${by === 'person' ? 'turned down' : 'not allowed'}: ${what}`
    tally.add('denial', shortHash(`denial\0${by}\0${what}`), { summary, tool: call?.tool ?? null, by, seq })
  } else if (event.marks.onDenial) {
    tally.comment(text)
  } else if (event.kind === 'error') {
    const line = errorLine(text)
    if (SAYS_NOTHING.test(line)) return
    const tool = event.tool ?? (event.role === 'tool' ? (call?.tool ?? null) : null)
    tally.add('error', errorFingerprint(text), { summary: line || text, tool, seq })
  } else if (isStop(event)) {
    const what = whatRan(call, null)
    const summary = what === '' ? text : `${text} after ${what}`
    tally.add('intervention', shortHash(`intervention\0${what}`), { summary, tool: call?.tool ?? null, seq })
  } else if (isCompaction(event)) {
    tally.add('compaction', 'compaction', { summary: text, seq })
  } else if (corrects(event)) {
    tally.add('correction', shortHash(`correction\0${wordsOf(text)}`), { summary: text, seq })
  }
}

const PREPARES: ReadonlySet<string> = new Set(['cd', 'export', 'set', 'source', 'pushd', 'echo', 'sleep'])

/** A call by its tool and, for a shell, the first command that does something: `Bash git push`. */
function whatRan(call: DigestEvent | null, tool: string | null): string {
  const named = call?.tool ?? tool ?? ''
  if (call === null || call.base === null) return named
  const words = PREPARES.has(call.base)
    ? commandsIn(call.text ?? '').find(([name = '']) => !PREPARES.has(name))
    : undefined
  if (words === undefined) return [named, call.base, call.sub].filter((part) => part !== null).join(' ')
  const sub = words[subcommandIndex(words)]
  return [named, basename(words[0] ?? ''), /^[a-z][\w:-]*$/.test(sub ?? '') ? sub : null]
    .filter((part) => part !== null)
    .join(' ')
}

/** A person's word against what the agent did before it, or a stretch that they took back. */
function corrects(event: DigestEvent): boolean {
  const text = event.text ?? ''
  if (event.marks.takenBack !== undefined) return true
  if (!event.human || event.sidechain || event.exchange < 2) return false
  return isPrompt(event) && isCorrection(text)
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, 200)
}

function tellWork(work: WorkNotes, tally: Tally, place: Place): void {
  for (const { tool, what, seqs } of work.loops()) {
    const fingerprint = shortHash(`retry_loop\0${tool}\0${what}`)
    for (const seq of seqs)
      tally.add('retry_loop', fingerprint, { summary: `tried again and again: ${what}`, tool, seq })
  }
  for (const { path, why, seqs } of work.churn()) {
    const summary = `${shortPath(path, place)} ${why}`
    for (const seq of seqs) tally.add('churn', shortHash(`churn\0${path}`), { summary, seq })
  }
  for (const { first, second, seqs } of work.pairs()) {
    const summary = `${shortPath(first, place)} and ${shortPath(second, place)} change together`
    for (const seq of seqs) tally.add('co_change', shortHash(`co_change\0${first}\0${second}`), { summary, seq })
  }
}
