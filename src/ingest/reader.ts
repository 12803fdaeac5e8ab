import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { isOutOfDescriptors, isSystemError } from '../model/regular-file.ts'
import type { Source } from '../sources/source.ts'
import { parseUnit, type Job, type LoadedSource, type ParsedBatch } from './parse.ts'
import type { RedactionConfig } from './redact-config.ts'
import { createRedactor } from './redact.ts'

/** Bytes of transcripts the reading thread may be ahead of the writing one: enough to keep both busy, and a bound on memory. */
const AHEAD_BYTES = 6 * 1024 * 1024
/** A small nursery costs little speed and bounds what two heaps take; a line of 64 MiB must still fit. */
const WORKER_LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 1024 }

export interface UnitFailure {
  readonly failed: Job
  readonly message: string
}

/** Turns jobs into batches, in order. A unit that cannot be read is told and the others go on. */
export type Reader = (task: ReadTask) => AsyncIterable<ParsedBatch | UnitFailure>

/** What a reading thread is started with. */
export interface ReadTask {
  readonly jobs: readonly Job[]
  readonly redaction: RedactionConfig
  /** For the hashes of secrets that were found. */
  readonly key: Uint8Array
}

export function readHere(sources: readonly Source[]): Reader {
  return async function* (task) {
    yield* parseJobs(await loaded(sources), task)
  }
}

function loaded(sources: readonly Source[]): Promise<LoadedSource[]> {
  return Promise.all(sources.map(async (source) => ({ source, reader: await source.reader() })))
}

function* parseJobs(
  sources: readonly LoadedSource[],
  { jobs, redaction, key }: ReadTask,
): Generator<ParsedBatch | UnitFailure> {
  const found: [rule: string, secret: string][] = []
  const redactor = createRedactor(redaction, (rule, secret) => found.push([rule, secret]))
  const readers = { sources, redactor, found, key }
  for (const job of jobs) {
    try {
      yield* parseUnit(readers, job)
    } catch (error) {
      if (!isSystemError(error) || !('syscall' in error) || isOutOfDescriptors(error)) throw error
      yield { failed: job, message: error.message }
    }
  }
}

type FromWorker = { readonly item: ParsedBatch | UnitFailure } | { readonly end: true }

/** Reads on a second core while this one writes. `entry` is the file that calls `serveReader`. */
export function readInWorker(entry: URL): Reader {
  return async function* (workerData) {
    const worker = new Worker(entry, { workerData, resourceLimits: WORKER_LIMITS })
    const inbox: FromWorker[] = []
    let wake: (() => void) | null = null
    let failure: unknown = null
    worker.on('message', (message: FromWorker) => {
      inbox.push(message)
      wake?.()
    })
    const fail = (error: unknown) => {
      failure ??= error
      wake?.()
    }
    worker.on('error', fail)
    worker.on('exit', (code) => fail(new Error(`the thread that reads ended with ${code}`)))
    try {
      for (;;) {
        const next = inbox.shift()
        if (next === undefined) {
          if (failure !== null) throw failure
          await new Promise<void>((resolve) => (wake = resolve))
          wake = null
        } else if ('end' in next) return
        else {
          worker.postMessage(weight(next.item))
          yield next.item
        }
      }
    } finally {
      await worker.terminate()
    }
  }
}

function weight(item: ParsedBatch | UnitFailure): number {
  return 'failed' in item ? 0 : item.bytesRead
}

/** The other end of `readInWorker`. */
export async function serveReader(sources: readonly Source[], task: ReadTask): Promise<void> {
  const port = parentPort
  if (isMainThread || port === null) throw new Error('not in a worker')
  let ahead = 0
  let wake: (() => void) | null = null
  port.on('message', (taken: number) => {
    ahead -= taken
    wake?.()
  })
  for (const item of parseJobs(await loaded(sources), task)) {
    if (ahead >= AHEAD_BYTES) {
      await new Promise<void>((resolve) => (wake = () => ahead < AHEAD_BYTES && resolve()))
      wake = null
    }
    ahead += weight(item)
    port.postMessage({ item } satisfies FromWorker)
  }
  port.postMessage({ end: true } satisfies FromWorker)
  port.close()
}
