import type { Note } from './notes.ts'
import type { Entry } from './segment.ts'
import { interruption, type TurnSoFar } from './turn-ends.ts'
import type { TurnLog } from './turn-log.ts'

/** A turn whose end has not been told. */
interface OpenTurn {
  readonly native: string
  readonly at: number
  /** Number of its prompt. */
  readonly index: number | null
  readonly byPerson: boolean
}

export interface OpenTurnsState {
  open: OpenTurn | null
  byPerson: boolean
  latest: number | null
  erred: boolean
  denied: boolean
  compacted: Note['is'] | null
  command: string | null
}

/** What happened in the turn so far, as far as it says what comes next. */
export class OpenTurns {
  readonly #log: TurnLog
  #open: OpenTurn | null
  #byPerson: boolean
  #latest: number | null
  #erred: boolean
  #compacted: Note['is'] | null
  /** A call was not let happen. */
  denied: boolean
  /** The client is at work on a command of the person. */
  command: string | null

  constructor(log: TurnLog, state: OpenTurnsState | null) {
    this.#log = log
    this.#open = state?.open ?? null
    this.#byPerson = state?.byPerson ?? true
    this.#latest = state?.latest ?? null
    this.#erred = state?.erred ?? false
    this.#compacted = state?.compacted ?? null
    this.denied = state?.denied ?? false
    this.command = state?.command ?? null
  }

  state(): OpenTurnsState {
    return {
      open: this.#open,
      byPerson: this.#byPerson,
      latest: this.#latest,
      erred: this.#erred,
      denied: this.denied,
      compacted: this.#compacted,
      command: this.command,
    }
  }

  saw(at: number | null): void {
    if (at !== null) this.#latest = Math.max(this.#latest ?? 0, at)
  }

  start({ native, at, promptIndex: index }: Entry, byPerson: boolean): void {
    this.end()
    this.#byPerson = byPerson
    this.#open = at === null ? null : { native, at, index, byPerson }
  }

  end(): void {
    this.#open = null
    this.#erred = false
    this.#compacted = null
    this.denied = false
    this.command = null
  }

  soFar(at: number | null): TurnSoFar {
    const category = at === null ? null : this.#log.categoryNear(at)
    return { category, erred: this.#erred || this.#toldByLog('', at), denied: this.denied, byProgram: !this.#byPerson }
  }

  /**
   * An error that the telemetry tells is an error there. A compaction is told by its checkpoint and by its end: the
   * first of the two is marked.
   */
  note(note: Note, at: number | null): Note {
    if (note.kind === 'error') {
      this.#erred = true
      return this.#toldByLog(note.text, at) ? { ...note, kind: 'lifecycle' } : note
    }
    if (note.is === undefined) return note
    const told = this.#compacted !== null && this.#compacted !== note.is
    this.#compacted = told ? null : note.is
    if (told) return note
    return { ...note, marks: { compacted: this.command?.startsWith('/compact') ? 'manual' : 'auto' } }
  }

  /** True if a person's turn was begun and, by the telemetry, never ended. */
  isCutOff(): boolean {
    if (this.#open === null || !this.#open.byPerson) return false
    const turn = this.#log.startedNear(this.#open.at, this.#open.index)
    return turn !== undefined && turn.endedAt === null
  }

  /** True while a turn has begun of which no end was told. */
  get isOpen(): boolean {
    return this.#open !== null
  }

  /** The next prompt has come: whether this turn was cut off is settled. */
  settle(): void {
    this.#open = null
  }

  /** The stop of a turn that never ended, once. */
  cutOff(): { readonly note: Note; readonly native: string; readonly at: number | null } | null {
    if (this.#open === null || !this.isCutOff()) return null
    const native = `unended:${this.#open.native}`
    this.#open = null
    return { note: interruption('turn cut off', false), native, at: this.#latest }
  }

  #toldByLog(text: string, at: number | null): boolean {
    return at !== null && this.#log.tellsError(text, this.#open?.at ?? at, at)
  }
}
