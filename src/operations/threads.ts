import { Worker } from 'node:worker_threads'
import { AmbiguousError, UserError, type Candidate, type ErrorCode } from '../model/errors.ts'
import type { Document } from './operation.ts'

/** What a thread is started with. */
export interface ThreadStart {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly store: string | undefined
  readonly group?: string | undefined
}

export interface Question {
  readonly id: number
  readonly name: string
  readonly input: unknown
}

export type Answer =
  | { readonly id: number; readonly document: Document }
  | { readonly id: number; readonly mendable: Mendable }
  | { readonly id: number; readonly bug: unknown }

interface Mendable {
  readonly code: ErrorCode
  readonly message: string
  readonly hint: string
  readonly candidates: readonly Candidate[] | null
}

interface Thread {
  readonly worker: Worker
  readonly waiting: Map<number, { resolve: (document: never) => void; reject: (error: unknown) => void }>
}

/**
 * Threads that answer operations, each with a store of its own open for reading. They start when they are first needed
 * and keep no process alive that has nothing else to do.
 */
export class OperationThreads {
  readonly #entry: URL
  readonly #start: ThreadStart
  readonly #size: number
  readonly #threads: Thread[] = []
  #lastId = 0

  constructor(entry: URL, start: ThreadStart, size: number) {
    this.#entry = entry
    this.#start = start
    this.#size = size
  }

  run(name: string, input: unknown): Promise<never> {
    const thread = this.#free()
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      thread.waiting.set(id, { resolve, reject })
      thread.worker.ref()
      thread.worker.postMessage({ id, name, input } satisfies Question)
    })
  }

  /** Has all of them ready before anybody waits for one: each has answered this. */
  warm(name: string): void {
    for (let i = this.#threads.length; i < this.#size; i++) this.run(name, {}).catch(() => undefined)
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map(({ worker }) => worker.terminate()))
  }

  /** One with nothing to do, a new one, or the one with least to do. */
  #free(): Thread {
    const least = this.#threads.toSorted((a, b) => a.waiting.size - b.waiting.size)[0]
    if (least !== undefined && (least.waiting.size === 0 || this.#threads.length >= this.#size)) return least
    const thread: Thread = { worker: new Worker(this.#entry, { workerData: this.#start }), waiting: new Map() }
    thread.worker.unref()
    thread.worker.on('message', (answer: Answer) => deliver(thread, answer))
    thread.worker.on('error', (error) => this.#lose(thread, error))
    thread.worker.on('exit', (code) => this.#lose(thread, new Error(`a thread ended with ${code}`)))
    this.#threads.push(thread)
    return thread
  }

  #lose(thread: Thread, error: unknown): void {
    const at = this.#threads.indexOf(thread)
    if (at !== -1) this.#threads.splice(at, 1)
    for (const { reject } of thread.waiting.values()) reject(error)
    thread.waiting.clear()
  }
}

function deliver({ worker, waiting }: Thread, answer: Answer): void {
  const asked = waiting.get(answer.id)
  waiting.delete(answer.id)
  if (waiting.size === 0) worker.unref()
  if ('document' in answer) asked?.resolve(answer.document as never)
  else asked?.reject('mendable' in answer ? raised(answer.mendable) : answer.bug)
}

/** An error as it goes from one thread to another. */
export function mendable(error: UserError): Mendable {
  const { code, message, hint } = error
  return { code, message, hint, candidates: error instanceof AmbiguousError ? error.candidates : null }
}

function raised({ code, message, hint, candidates }: Mendable): UserError {
  return candidates === null
    ? new UserError(code, message, hint)
    : new AmbiguousError(message.split(' ')[0] ?? '', candidates)
}
