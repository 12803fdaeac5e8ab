import type { SessionFilter } from '../model/session.ts'
import type { EventRecord } from './reading.ts'

/** Narrows exchanges within sessions. */
export interface ExchangeFilter {
  readonly tool?: string
  readonly kind?: string
  readonly sidechain?: true
}

/** Documents of the full-text index that hold an expression. */
export interface Postings {
  readonly hits: ReadonlySet<number>
  /** How many there are; a guess if there are more than were asked for. */
  readonly holding: number
  readonly capped: boolean
}

export interface DocumentPlace {
  readonly session: number
  readonly lane: string
  readonly exchange: number
  /** Numbers of its first and its last event: a long exchange is several documents. */
  readonly firstSeq: number
  readonly lastSeq: number
}

/** One message of a document, with the field that its words are found in. A very long text is cut, its length is not. */
export interface TextMessage {
  readonly seq: number
  readonly field: 'prompt' | 'answer' | 'thinking' | 'command' | 'error'
  readonly text: string
  readonly length: number
}

/** The full-text index: documents are exchanges, titles and digests. Expressions are made by `search/`, already safe. */
export interface TextIndex {
  postings(match: string, cap: number): Promise<Postings>
  /** How many documents there are, how many sessions, and how much text an average session holds. */
  size(): Promise<{ documents: number; sessions: number; sessionBytes: number }>
  /** Of the documents that came last the best by full text alone, best first. */
  best(match: string, limit: number): Promise<number[]>
  /** The documents that came last of those that hold an expression, last first. */
  lastWith(match: string, limit: number): Promise<number[]>
  /** How many documents hold an expression. */
  count(match: string): Promise<number>
  sessionOf(doc: number): number
  isTitle(doc: number): boolean
  sessionsWithin(filter: Omit<SessionFilter, 'limit'>): Promise<Set<number>>
  relativeLengths(sessions: readonly number[]): Promise<Map<number, number>>
  /** The events of a document; none for a title or a digest. */
  events(doc: number): Promise<EventRecord[]>
  /** The files that a document is found by. */
  paths(doc: number): Promise<{ seq: number; path: string }[]>
  /** What was said in a document, message by message; nothing for a title or a digest. */
  messages(doc: number): Promise<TextMessage[]>
  /** Null for a title or a digest. */
  place(doc: number): Promise<DocumentPlace | null>
  fits(doc: number, filter: ExchangeFilter): Promise<boolean>
  latest(sessions: ReadonlySet<number>, limit: number): Promise<number[]>
}
