import { UserError } from '../model/errors.ts'

/** What a text is in its session, in the order in which texts get their vectors. */
export const VECTOR_KINDS = ['prompt', 'title', 'digest', 'answer', 'thinking', 'command'] as const
export type VectorKind = (typeof VECTOR_KINDS)[number]

/** A text that has no vector of some model yet. */
export interface Unembedded {
  /** Of the text as it is embedded: equal texts have one vector. */
  readonly hash: string
  readonly kind: VectorKind
  readonly text: string
}

/** One vector for each piece of a text, in their order. */
export interface Embedded {
  readonly hash: string
  readonly vectors: readonly Float32Array[]
}

export interface VectorStatus {
  /** The model that vectors are kept of; null as long as nobody has asked for any. */
  readonly model: string | null
  readonly dimensions: number | null
  /** Different texts with a vector of that model, and without. */
  readonly embedded: number
  readonly left: number
}

export interface NearPlace {
  readonly doc: number
  readonly kind: VectorKind
  /** The event that says it; absent if it is a title or a digest. */
  readonly seq?: number
}

/** A piece of a text that is near to what was asked, and where the text stands. */
export interface NearText {
  /** Cosine, -1 to 1, less what all vectors of the model have in common. */
  readonly similarity: number
  /** The same, on average, with those of the others found that are nearest to it: some sentences are near to everything. */
  readonly common: number
  readonly places: readonly NearPlace[]
}

export interface NearOptions {
  readonly limit: number
  readonly kinds: readonly VectorKind[]
  /** Row ids; null for all. */
  readonly sessions: ReadonlySet<number> | null
}

/**
 * Vectors of what was said, by the hash of the text. They go in the transaction in which the last text goes that has
 * them. Writing needs no lock: every call is a few short transactions of its own, beside those of an index.
 */
export interface Vectors {
  status(): Promise<VectorStatus>
  /** How long the vectors of this model are; null if there is none. */
  dimensions(model: string): Promise<number | null>
  /** From now on every text is kept track of. The first time this looks at all of them; cut short, it goes on there. */
  plan(model: string): Promise<void>
  /** Some of the texts that have no vector of this model, prompts, titles and digests first. */
  missing(model: string, limit: number): Promise<Unembedded[]>
  /** Keeps the vectors of the pieces, made unit length, of texts that are still there. NO_MODEL, and none, if not all of the model are of one length. */
  save(model: string, vectors: readonly Embedded[]): Promise<void>
  /** Drops the vectors of all other models. */
  settle(model: string): Promise<void>
  /** The pieces of texts nearest to a vector of this model, nearest first. */
  nearest(model: string, query: Float32Array, options: NearOptions): Promise<NearText[]>
}

/** Two models under one name: what they say cannot be compared. */
export function otherLength(model: string, kept: number, made: number): UserError {
  return new UserError(
    'NO_MODEL',
    `${model} gives vectors of ${made} dimensions, but those that are kept under this name have ${kept}`,
    'go back to the model that made them, or give this one another name ([embed] model) and run `recall index --embed`',
  )
}
