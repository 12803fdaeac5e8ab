import type { Program } from '../capture/announce.ts'
import type { IndexProgress, IndexReport } from '../ingest/run.ts'
import type { Recall } from '../recall.ts'
import type { Settings } from '../settings/settings.ts'
import type { Env, Source } from '../sources/source.ts'
import type { Schema } from './schema.ts'

/**
 * What an operation does to the store or to other files: nothing; adds or changes; takes away for good. A face asks
 * before the last, and offers only the first where nothing may change.
 */
export type Effect = 'reads' | 'writes' | 'destroys'

/** Everything an operation may use. The product opens nothing before it is asked. */
export interface OperationContext {
  readonly recall: Recall
  readonly settings: Settings
  readonly sources: readonly Source[]
  readonly env: Env
  /** Where relative paths are meant. */
  readonly cwd: string
  readonly now: () => number
  /** How to start recall again from anywhere, for what calls it later. */
  readonly program: () => Program
  /** Who wants to know how far it is. */
  readonly watching: Watching
}

export interface Watching extends IndexProgress {
  readonly onCount?: (done: number, total: number, what: string) => void
  /** All is read; what else was asked for comes now, and may take long or fail. */
  readonly onIndexed?: (report: IndexReport & { readonly backup: string | null }) => void
  readonly onNote?: (text: string) => void
}

export type Document = Readonly<Record<string, unknown>>

/**
 * One thing the product does for somebody, whatever face they look at. `run` answers with what a face may want to
 * print; `document` is its JSON, the same in every face. Input and document are what the schemas say.
 */
export interface Operation<Input = never, Result = never, Doc extends Document = Document> {
  /** Unique; parts of a name are joined by a dot: `stats.tokens`. */
  readonly name: string
  readonly summary: string
  readonly details?: string
  readonly effect: Effect
  /** Looks at the whole store: where several are asked for at once, a thread of its own answers it. */
  readonly isSlow?: true
  /** Looks at files or a directory that its input names, or stands in: asked only where the person sits. */
  readonly isLocal?: true
  readonly input: Schema<Input>
  readonly output: Schema<Doc>
  run(context: OperationContext, input: Input): Promise<Result>
  document(result: Result, input: Input): Doc
}

/** An operation with its types taken from its schemas. */
export function operation<Input, Result, Doc extends Document>(
  it: Operation<Input, Result, Doc>,
): Operation<Input, Result, Doc> {
  return it
}

export type InputOf<O> = O extends Operation<infer Input, infer _R, infer _D> ? Input : never
export type ResultOf<O> = O extends Operation<infer _I, infer Result, infer _D> ? Result : never
export type DocumentOf<O> = O extends Operation<infer _I, infer _R, infer Doc> ? Doc : never
