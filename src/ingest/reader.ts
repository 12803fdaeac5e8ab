import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { isOutOfDescriptors, isSystemError } from '../model/regular-file.ts'
import { isUnreadable, type Source } from '../sources/source.ts'
import { bytesToRead, type Job } from './job.ts'
import { parseUnit, type LoadedSource, type ParsedBatch } from './parse.ts'
import type { RedactionConfig } from './redact-config.ts'
import { createRedactor } from './redact.ts'
import { sharedJob, shareJobs, type SharedJobs } from './shared-jobs.ts'

/**
 * Bytes of transcripts the reading threads may be ahead of the writing one: enough to keep all busy while that one commits
 * or one of them reads a long transcript, behind which the others have to wait. A bound on memory.
 */
const AHEAD_BYTES = 3 * 1024 * 1024
/** What a batch takes beside its bytes: of small transcripts, thousands would wait. */
const ITEM_BYTES = 8 * 1024
/** More of them would read faster than one can write. */
const MOST_THREADS = 3
/** Below this much to read, a thread costs more than it gives. */
const WORTH_A_THREAD = 24 * 1024 * 1024
/** A small nursery costs little speed and bounds what several heaps take; a line of 64 MiB must still fit. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 1024 }

export interface UnitFailure {
  readonly failed: Job
  readonly message: string
}

/** Turns jobs into batches, in order. A unit that cannot be read is told and the others go on. */
export type Reader = (task: ReadTask) => AsyncIterable<ParsedBatch | UnitFailure>

export interface ReadTask {
  readonly jobs: readonly Job[]
  readonly redaction: RedactionConfig
  /** For the hashes of secrets that were found. */
  readonly key: Uint8Array
}

export function readHere(sources: readonly Source[]): Reader {
  return async function* (task) {
    const read = jobReader(await loaded(sources), task)
    for (const job of task.jobs) yield* read(job)
  }
}

function loaded(sources: readonly Source[]): Promise<LoadedSource[]> {
  return Promise.all(sources.map(async (source) => ({ source, reader: await source.reader() })))
}

/** Yields what is read of one job, and nothing of a unit that cannot be read but why. */
type JobReader = (job: Job) => Generator<ParsedBatch | UnitFailure>

function jobReader(sources: readonly LoadedSource[], { redaction, key }: Omit<ReadTask, 'jobs'>): JobReader {
  const found: [rule: string, secret: string][] = []
  const redactor = createRedactor(redaction, (rule, secret) => found.push([rule, secret]))
  const readers = { sources, redactor, found, key }
  return function* (job) {
    try {
      yield* parseUnit(readers, job)
    } catch (error) {
      const isOurs = !isSystemError(error) || !('syscall' in error) || isOutOfDescriptors(error)
      if (isOurs && !isUnreadable(error)) throw error
      yield { failed: job, message: error instanceof Error ? error.message : String(error) }
    }
  }
}

/** What a thread tells: an item of a job, or that there is no more of it. */
type FromThread =
  | { readonly job: number; readonly item: ParsedBatch | UnitFailure }
  | { readonly job: number; readonly end: true }

/** What a reading thread is started with. */
interface ThreadTask extends Omit<ReadTask, 'jobs'> {
  readonly jobs: SharedJobs
  /** Shared by all: the next job that nobody has taken, then how many bytes each thread is ahead. */
  readonly control: Int32Array
  readonly thread: number
}

/**
 * Reads on other cores while this one writes. `entry` is the file that calls `serveReader`. Each thread takes the next
 * job when it is done with one; what they read is yielded in the order of the jobs, whoever read it, so that it makes
 * no difference how many there are.
 */
export function readInThreads(entry: URL, cores: number): Reader {
  return async function* (task) {
    const count = threadsFor(task.jobs, cores)
    const control = new Int32Array(new SharedArrayBuffer((1 + count) * Int32Array.BYTES_PER_ELEMENT))
    const inbox = new Map<number, { readonly message: FromThread; readonly thread: number }[]>()
    let wake: (() => void) | null = null
    let failure: unknown = null
    const fail = (error: unknown) => {
      failure ??= error
      wake?.()
    }
    const { redaction, key } = task
    const jobs = shareJobs(task.jobs)
    const threads = Array.from({ length: count }, (_, thread) => {
      const workerData: ThreadTask = { redaction, key, jobs, control, thread }
      const worker = new Worker(entry, { workerData, resourceLimits: THREAD_LIMITS })
      let ended = false
      worker.on('message', (message: FromThread | { readonly done: true }) => {
        if ('done' in message) {
          ended = true
          return
        }
        const waiting = inbox.get(message.job)
        if (waiting === undefined) inbox.set(message.job, [{ message, thread }])
        else waiting.push({ message, thread })
        wake?.()
      })
      worker.on('error', fail)
      worker.on('exit', (code) => ended || fail(new Error(`a thread that reads ended with ${code}`)))
      return worker
    })
    try {
      for (let job = 0; job < jobs.ends.length;) {
        const next = inbox.get(job)?.shift()
        if (next === undefined) {
          if (failure !== null) throw failure
          await new Promise<void>((resolve) => (wake = resolve))
          wake = null
        } else if ('end' in next.message) {
          inbox.delete(job++)
        } else {
          Atomics.sub(control, 1 + next.thread, weight(next.message.item))
          Atomics.notify(control, 1 + next.thread)
          yield next.message.item
        }
      }
    } finally {
      await Promise.all(threads.map((worker) => worker.terminate()))
    }
  }
}

/** As many as there is work for; one core is for the thread that writes. */
function threadsFor(jobs: readonly Job[], cores: number): number {
  const bytes = jobs.reduce((sum, job) => sum + bytesToRead(job), 0)
  return Math.max(1, Math.min(cores - 1, MOST_THREADS, jobs.length, Math.floor(bytes / WORTH_A_THREAD)))
}

function weight(item: ParsedBatch | UnitFailure): number {
  return 'failed' in item ? 0 : item.bytesRead + ITEM_BYTES
}

/** The other end of `readInThreads`. Waits, when it is far enough ahead, until some of it was taken. */
export async function serveReader(sources: readonly Source[], task: unknown): Promise<void> {
  const port = parentPort
  if (isMainThread || port === null) throw new Error('not in a worker')
  const { jobs, control, thread, ...rest } = task as ThreadTask
  const read = jobReader(await loaded(sources), rest)
  const count = jobs.ends.length
  const ahead = 1 + thread
  const most = AHEAD_BYTES / (control.length - 1)
  for (let job = Atomics.add(control, 0, 1); job < count; job = Atomics.add(control, 0, 1)) {
    for (const item of read(sharedJob(jobs, job))) {
      for (let now = Atomics.load(control, ahead); now >= most; now = Atomics.load(control, ahead)) {
        Atomics.wait(control, ahead, now)
      }
      Atomics.add(control, ahead, weight(item))
      port.postMessage({ job, item } satisfies FromThread)
    }
    port.postMessage({ job, end: true } satisfies FromThread)
  }
  port.postMessage({ done: true })
  port.close()
}
