import type { Job } from './job.ts'

/** Jobs as bytes that all threads look at: a list of a hundred thousand would take as much again in each of them. */
export interface SharedJobs {
  readonly bytes: Uint8Array
  /** Where each ends. */
  readonly ends: Float64Array
}

export function shareJobs(jobs: readonly Job[]): SharedJobs {
  const ends = new Float64Array(new SharedArrayBuffer(jobs.length * Float64Array.BYTES_PER_ELEMENT))
  let end = 0
  for (const [i, job] of jobs.entries()) ends[i] = end += Buffer.byteLength(JSON.stringify(job))
  const bytes = Buffer.from(new SharedArrayBuffer(end))
  for (const [i, job] of jobs.entries()) bytes.write(JSON.stringify(job), ends[i - 1] ?? 0)
  return { bytes, ends }
}

export function sharedJob({ bytes, ends }: SharedJobs, i: number): Job {
  const from = bytes.byteOffset + (ends[i - 1] ?? 0)
  return JSON.parse(Buffer.from(bytes.buffer, from, bytes.byteOffset + ends[i]! - from).toString()) as Job
}
