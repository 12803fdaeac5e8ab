import path from 'node:path'
import type { HookTarget } from './kit/hooks.ts'
import type { EventKind, Role } from '../model/event.ts'
import type { Facts } from '../model/facts.ts'
import type { Marks } from '../model/marks.ts'
import type { Usage } from '../model/usage.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** A transcript found on disk: what a source reads in one go. */
export interface Unit {
  readonly path: string
  /** The root it was found under. */
  readonly root: string
  /** Its name in a file that holds many; absent where the file is the transcript. */
  readonly inside?: string
}

/** Where the transcript lies: in a file that holds many, as if that were a directory. */
export function placeOf({ path: file, inside }: Unit): string {
  return inside === undefined ? file : path.join(file, inside)
}

/** One of the transcripts in a file that holds many. */
export interface InnerTranscript {
  /** Names it in its file, for as long as it is there; a word without slashes. */
  readonly name: string
  /** Changes whenever the transcript may say something else. Letters, digits and signs, no dots. */
  readonly version: string
  /** About how many bytes it has, and when it was last written. */
  readonly size: number
  readonly mtimeMs: number
}

/** One numbered stream of one session. A transcript file writes one lane or several. */
export interface LaneRef {
  /** Native session id. */
  readonly session: string
  /** `''` for the main transcript, else a name that is the same wherever the file lies. */
  readonly lane: string
}

/** How original a lane is. When two lanes hold the same record, the lower one owns it. */
export const ORIGINALITY = { main: 0, subagent: 1, copy: 2, embedded: 3, promptLog: 4 } as const
export type Originality = (typeof ORIGINALITY)[keyof typeof ORIGINALITY]

/** Something that happened, in the words of the log. */
export interface EventItem extends LaneRef {
  readonly item: 'event'
  readonly pos: number
  /** Position of the parent in the same lane, or its native id if it stands before where this reading began. */
  readonly parent: number | string | null
  readonly at: number | null
  /** Calls come as `tool_call` and results as `tool_result` or `error`; finer kinds are derived later. */
  readonly kind: EventKind
  readonly role: Role
  readonly tool?: string
  /** What people wrote, read or thought: shown, searched. */
  readonly text?: string
  /** Arguments of a call. */
  readonly input?: unknown
  /** The bulky body: a tool's output. Kept, not searched by default. */
  readonly body?: string
  /** Typed by a person. */
  readonly human?: boolean
  readonly sidechain?: boolean
  /** Id of the subagent this belongs to or, on the result of a call that started one, of the subagent it started. */
  readonly thread?: string
  /** The record's own id, equal in every copy of the record; with `block`, unique in a lane. */
  readonly native: string
  readonly block: number
  /** Joins a call and its result. */
  readonly call?: string
  /** Index of the message this is part of, in its lane; absent for what is no message. */
  readonly message?: number
  /** Index of a call in its message, or among the orphan calls of the lane if it has no message. */
  readonly callIdx?: number
  readonly line: number
  /** The log's own word for the record, where kind and role do not tell it. */
  readonly type?: string
  /** kei's label, where the log itself gives one. */
  readonly eventClass?: string
  /** What the source knows of it beyond its words. */
  readonly marks?: Marks
}

export interface UsageItem extends LaneRef, Usage {
  readonly item: 'usage'
  /** Index of the message it paid for, or null if that message is no event. */
  readonly message: number | null
  /** Position of the first event it paid for, where that is part of no message. */
  readonly pos?: number
  readonly line: number
  /** Told, but not to be counted, and why: for the audit. Repeats of one key need no such mark. */
  readonly leftOut?: LeftOut
}

export type LeftOut = 'fork_copy' | 're_emitted' | 'mirror'

/** A branch of the conversation that was taken back: kept and searchable, but no longer part of it. */
export interface SupersedeItem extends LaneRef {
  readonly item: 'supersede'
  /** First and last position taken back. */
  readonly from: number
  readonly to: number
}

/** What a record says about its session as a whole. */
export interface FactsItem extends LaneRef {
  readonly item: 'facts'
  readonly facts: Readonly<Partial<Facts>>
}

/** A title told in one file about a record that may stand in another. */
export interface TitleItem {
  readonly item: 'title'
  readonly leaf: string
  readonly title: string
}

export interface Lane extends LaneRef {
  readonly item: 'lane'
  readonly originality: Originality
  /** Path of the session's main transcript, whether or not it is there. */
  readonly mainPath: string
  /** Flavor of the session, if it is another agent's than the source's own. */
  readonly flavor?: string
  /** Name of the lane that says the same better, or `*` for any other: where that one exists, this one is a copy. */
  readonly yieldsTo?: string
}

/** A record nobody could make sense of. `info`: a type we do not know yet. `warn`: broken. */
export interface Problem {
  readonly item: 'problem'
  readonly type: string
  readonly level: 'info' | 'warn'
  readonly message: string
  readonly line: number
  readonly offset: number
}

export type Item = EventItem | UsageItem | FactsItem | TitleItem | SupersedeItem | Lane | Problem

/** Where reading stopped and what the reader must remember to go on exactly as if it had not. Plain JSON. */
export interface Checkpoint {
  readonly offset: number
  readonly line: number
  readonly state: unknown
}

/**
 * One pass over a unit: the items of one native record at a time. Between two steps `checkpoint()` is
 * where a later `read` may go on; a last record without its newline is yielded but not acknowledged.
 */
export interface Reading extends Iterable<readonly Item[]> {
  checkpoint(): Checkpoint
  /** Bytes taken from the disk so far. */
  readonly bytesRead: number
  /** True if what was yielded last stands after the checkpoint and will be read again. */
  readonly provisional: boolean
}

/** Thrown by a reading that learns too late what the unit is; the caller reads it again from the start with this hint. */
export class ReadAgain extends Error {
  readonly hint: unknown
  /** What was read before was this transcript's own: what is not found again was taken back and stays, superseded. */
  readonly wasOwn: boolean
  constructor(hint: unknown, wasOwn = false) {
    super('read again from the start')
    this.name = 'ReadAgain'
    this.hint = hint
    this.wasOwn = wasOwn
  }
}

/** Thrown by a reader that cannot read a transcript as it is now: told, and tried again when it has changed. */
export class Unreadable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Unreadable'
  }
}

export function isReadAgain(error: unknown): error is ReadAgain {
  return error instanceof Error && error.name === 'ReadAgain' && 'hint' in error
}

export function isUnreadable(error: unknown): error is Unreadable {
  return error instanceof Error && error.name === 'Unreadable'
}

/** Makes sense of what a source's units hold. */
export interface TranscriptReader {
  read(unit: Unit, from: Checkpoint | null, hint?: unknown): Reading
  /** The transcripts in a file, where its source says that its files hold many. */
  transcripts?(unit: Unit): readonly InnerTranscript[]
  /** What the sidecars say now: lanes and facts only. Read whenever one changes, without reading the transcript. */
  readSidecars?(unit: Unit): readonly Item[]
}

export interface Source {
  /** Short name, the first half of every `session_uid`. */
  readonly name: string
  /** Name in the `source` column, e.g. `claude_code`. */
  readonly longName: string
  readonly label: string
  /** Raised when the reader changes what it yields: everything is read again. */
  readonly revision: number
  /** It understands traces of sessions, in whatever directory they lie. */
  readonly readsTraces?: true
  /**
   * Its files hold many transcripts each, as a database does. Each is read, remembered, evicted and forgotten by itself.
   * They are looked at when the file or one of its companions has changed.
   */
  readonly holdsMany?: true
  /** Directories to look in, most specific first. Reads `env`, never the disk. */
  roots(env: Env): string[]
  /** True if this path, relative to a root, holds sessions of this agent. Decides on the name alone; nothing else is ever opened. */
  owns(relativePath: string): boolean
  /** Directories, relative to a root, that are not worth walking. */
  skips(relativeDir: string): boolean
  /** Loaded when there is something to read: most commands read nothing. */
  reader(): Promise<TranscriptReader>
  /** Small files beside a transcript that say something about it as a whole: titles, times. Names only; they may be absent. */
  sidecars?(unit: Unit): readonly string[]
  /**
   * Files without which the unit cannot be understood; they may be absent. When one changes, the unit is read on from
   * its checkpoint, and its reader throws `ReadAgain` if what stands before that is no longer true.
   */
  companions?(unit: Unit): readonly string[]
  /** Where this agent calls other programs, if it does, the best way first; loaded when asked for. */
  hooks?(): Promise<readonly HookTarget[]>
  /** What a person must still do before the agent runs new hooks. */
  readonly hooksAsk?: string
  /** After how many days the agent deletes a transcript under this root. Absent: it never does. */
  keepsDays?(root: string): number
  /** The variable in which programs that it starts find the id of the session they are started from. */
  readonly sessionVariable?: string
  /** The command that continues this session in its own agent, word by word; null where there is none. */
  resume(nativeId: string): readonly string[] | null
  /** The command that begins a session with this prompt, which is its last word. Absent: sessions begin elsewhere. */
  begin?(prompt: string): readonly string[]
}
