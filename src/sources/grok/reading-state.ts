import type { ItemWriterState } from './item-writer.ts'
import type { Running } from './segment.ts'

/** What a reading of a transcript remembers for the next one. */
export interface State {
  writer: ItemWriterState
  numbered: boolean
  running: [call: string, place: readonly [offset: number, length: number]][]
  broken: boolean
  /** When the last finished stretch was over, and what the files beside this one said of it. */
  until: number
  beside: string
  /** Problems of lines up to this one have been told. */
  told: number
  types: string[]
}

/** Where the last finished stretch ends, with what was known there. */
export interface Boundary {
  readonly offset: number
  readonly line: number
  readonly numbered: boolean
  readonly running: Running
  /** What happened later has no part in what is finished. */
  readonly until: number
}

/** The end of a moment that is told in whole seconds, or to the millisecond. */
export function momentOf(at: number | null): number {
  if (at === null) return 0
  return at % 1000 === 0 ? at + 999 : at
}
