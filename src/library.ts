import { methodOf } from './operations/api-reference.ts'
import { OPERATIONS, type OperationName, type OperationNamed } from './operations/index.ts'
import type { DocumentOf, Effect, InputOf, OperationContext, Watching } from './operations/operation.ts'
import { perform } from './operations/perform.ts'
import { OperationThreads } from './operations/threads.ts'
import { now, productFor, program, settingsFor, sourcesFor } from './product.ts'

export { UserError as RecallError } from './model/errors.ts'
export { SessionManager } from './session-manager.ts'
export type { Watching } from './operations/operation.ts'
export type {
  Checkpoint,
  EventItem,
  FactsItem,
  InnerTranscript,
  Item,
  Lane,
  LaneRef,
  Problem,
  Reading,
  Source,
  SupersedeItem,
  TitleItem,
  TranscriptReader,
  Unit,
  UsageItem,
} from './sources/source.ts'
export type { EventKind, Role } from './model/event.ts'
export type { Facts } from './model/facts.ts'
export type { Marks } from './model/marks.ts'
export type { Usage } from './model/usage.ts'

export interface OpenOptions {
  /** The store's file; else as the environment and the config file say. */
  readonly store?: string
  /** The memory of this group, and of nothing else. */
  readonly group?: string
  /** Variables to use instead of the process's own. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Where relative paths are meant. */
  readonly cwd?: string
  /** How many threads answer reports, so that they hold up nothing else; 0: this one does. */
  readonly threads?: number
  /** Hears how far an operation is. */
  readonly watching?: Watching
}

type Camel<Name extends string> = Name extends `${infer First}.${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name

/** Inputs that may all be left out need not be given. */
type Asked<Input> = Record<never, never> extends Input ? [input?: Input] : [input: Input]

/** Each answers with the document that the command of its name prints with `--json`. */
export type Operations = {
  readonly [Name in OperationName as Camel<Name>]: (
    ...asked: Asked<InputOf<OperationNamed<Name>>>
  ) => Promise<{ readonly schema_version: number } & DocumentOf<OperationNamed<Name>>>
}

export interface RecallLibrary extends Operations {
  /** The digest of a session as it is stored; null if it has none. */
  getDigest(uid: string): Promise<Readonly<Record<string, unknown>> | null>
  close(): Promise<void>
}

const DEFAULT_THREADS = 1

/**
 * The product in one object: a method for each operation. The store is opened when it is first needed, and again when
 * another process has replaced it. Errors that somebody can mend are RecallErrors with `code`, `message` and `hint`.
 */
export async function openRecall(options: OpenOptions = {}): Promise<RecallLibrary> {
  const env = options.env ?? process.env
  const settings = await settingsFor(env, options.store, options.group)
  const { watching = {} } = options
  const recall = productFor(settings, env, (message) => watching.onNote?.(message))
  const cwd = options.cwd ?? process.cwd()
  const context: OperationContext = {
    recall,
    settings,
    sources: sourcesFor(settings),
    env,
    cwd,
    now,
    program,
    watching,
  }
  const size = options.threads ?? DEFAULT_THREADS
  const start = { env: { ...env }, cwd, store: options.store, group: options.group }
  const threads =
    size > 0 ? new OperationThreads(new URL('./operation-thread.cjs', import.meta.url), start, size) : null

  const ask = async (name: OperationName, input: unknown = {}) => {
    const operation = await OPERATIONS[name]()
    if (threads !== null && operation.isSlow) return threads.run(name, input)
    return perform<never, never, never>(context, operation as never, input)
  }
  const methods = Object.fromEntries(
    (Object.keys(OPERATIONS) as OperationName[]).map((name) => [methodOf(name), (input: unknown) => ask(name, input)]),
  ) as unknown as Operations
  return {
    ...methods,
    async getDigest(uid) {
      const json = await recall.digest(uid)
      return json === null ? null : JSON.parse(json)
    },
    async close() {
      await threads?.close()
      await recall.close()
    },
  }
}

export interface OperationDescription {
  readonly name: OperationName
  readonly method: string
  readonly summary: string
  readonly effect: Effect
  /** JSON Schema. */
  readonly input: object
  readonly output: object
}

/** What there is to ask for, with the JSON Schemas of what goes in and comes out. */
export function operations(): Promise<OperationDescription[]> {
  return Promise.all(
    (Object.keys(OPERATIONS) as OperationName[]).map(async (name) => {
      const { summary, effect, input, output } = await OPERATIONS[name]()
      return { name, method: methodOf(name), summary, effect, input, output }
    }),
  )
}
