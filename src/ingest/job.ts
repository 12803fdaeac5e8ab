import type { FileCheckpoint } from '../store/store.ts'
import type { FileStamp } from './stamp.ts'

/** One transcript to read, from the start or from where an earlier reading stopped. */
export interface Job {
  readonly source: string
  readonly path: string
  readonly root: string
  readonly stamp: FileStamp
  /** `sidecars`: only files beside the transcript changed; it is not read. */
  readonly what: 'transcript' | 'sidecars'
  readonly from: FileCheckpoint | null
}

/** How much of its transcript is to be read. */
export function bytesToRead(job: Job): number {
  return job.what === 'sidecars' ? 0 : job.stamp.size - (job.from?.offset ?? 0)
}
