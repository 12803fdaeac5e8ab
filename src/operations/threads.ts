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

interface Asked {
  readonly question: Question
  /** When it should have its answer: those that are soonest go first. */
  readonly due: number
  readonly resolve: (document: never) => void
  readonly reject: (error: unknown) => void
}

interface Thread {
  readonly worker: Worker
  /** What it works on, and since when. */
  asked: { readonly it: Asked; readonly at: number } | null
}

/** What a thread is told when no more is asked. */
export const NO_MORE = null

/** Nobody waits for the answer any more. */
export class Withdrawn extends Error {}

/** So many times as long as it lately took, somebody can wait for an answer. */
const PATIENCE = 4
/** What was never asked may be dear: what is known to be cheap goes before it. */
const UNKNOWN_MS = 1000
const WEIGHT_OF_LAST = 0.2
/** So long a thread may go on with what it was asked last. */
const LAST_ANSWER_MS = 2000

/**
 * Threads that answer operations, each with a store of its own open for reading, one question after the other. What is
 * cheap does not wait long for what is dear. They start when they are first needed and keep no process alive that has
 * nothing else to do.
 */
export class OperationThreads {
  readonly #entry: URL
  readonly #start: ThreadStart
  readonly #size: number
  readonly #threads: Thread[] = []
  readonly #queue: Asked[] = []
  /** How many milliseconds each operation lately took. */
  readonly #usual = new Map<string, number>()
  #lastId = 0

  constructor(entry: URL, start: ThreadStart, size: number) {
    this.#entry = entry
    this.#start = start
    this.#size = size
  }

  /** How many wait for a thread. */
  get waiting(): number {
    return this.#queue.length
  }

  /** Withdrawn by its signal, a question that nobody works on yet is never asked. */
  run(name: string, input: unknown, signal?: AbortSignal): Promise<never> {
    return new Promise((resolve, reject) => {
      const due = performance.now() + PATIENCE * (this.#usual.get(name) ?? UNKNOWN_MS)
      const asked: Asked = { question: { id: ++this.#lastId, name, input }, due, resolve, reject }
      this.#queue.push(asked)
      signal?.addEventListener('abort', () => this.#withdraw(asked), { once: true })
      this.#goOn()
    })
  }

  /** Has all of them ready before anybody waits for one: each has answered this. */
  warm(name: string): void {
    for (let i = this.#threads.length; i < this.#size; i++) this.run(name, {}).catch(() => undefined)
  }

  async close(): Promise<void> {
    for (const { reject } of this.#queue.splice(0)) reject(new Withdrawn('the threads were closed'))
    await Promise.all(this.#threads.splice(0).map(({ worker }) => ended(worker)))
  }

  #withdraw(asked: Asked): void {
    const at = this.#queue.indexOf(asked)
    if (at === -1) return
    this.#queue.splice(at, 1)
    asked.reject(new Withdrawn('nobody waits for it any more'))
  }

  /** Gives what is due soonest to a thread that has nothing to do. */
  #goOn(): void {
    while (this.#queue.length > 0) {
      const thread = this.#threads.find(({ asked }) => asked === null) ?? this.#another()
      if (thread === null) return
      const soonest = this.#queue.reduce((a, b) => (b.due < a.due ? b : a))
      this.#queue.splice(this.#queue.indexOf(soonest), 1)
      thread.asked = { it: soonest, at: performance.now() }
      thread.worker.ref()
      thread.worker.postMessage(soonest.question)
    }
  }

  #another(): Thread | null {
    if (this.#threads.length >= this.#size) return null
    const thread: Thread = { worker: new Worker(this.#entry, { workerData: this.#start }), asked: null }
    thread.worker.unref()
    thread.worker.on('message', (answer: Answer) => this.#deliver(thread, answer))
    thread.worker.on('error', (error) => this.#lose(thread, error))
    thread.worker.on('exit', (code) => this.#lose(thread, new Error(`a thread ended with ${code}`)))
    this.#threads.push(thread)
    return thread
  }

  #deliver(thread: Thread, answer: Answer): void {
    const { asked } = thread
    thread.asked = null
    thread.worker.unref()
    if (asked !== null) {
      const { name } = asked.it.question
      const took = performance.now() - asked.at
      const before = this.#usual.get(name) ?? took
      this.#usual.set(name, before + WEIGHT_OF_LAST * (took - before))
      if ('document' in answer) asked.it.resolve(answer.document as never)
      else asked.it.reject('mendable' in answer ? raised(answer.mendable) : answer.bug)
    }
    this.#goOn()
  }

  #lose(thread: Thread, error: unknown): void {
    const at = this.#threads.indexOf(thread)
    if (at !== -1) this.#threads.splice(at, 1)
    thread.asked?.it.reject(error)
    thread.asked = null
    if (at !== -1) this.#goOn()
  }
}

/** It ends itself: one that is stopped while it asks the database takes the whole process along. */
async function ended(worker: Worker): Promise<void> {
  const over = new Promise((resolve) => worker.once('exit', resolve))
  worker.ref()
  worker.postMessage(NO_MORE)
  const patience = setTimeout(() => void worker.terminate(), LAST_ANSWER_MS)
  await over
  clearTimeout(patience)
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
