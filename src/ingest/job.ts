import path from 'node:path'
import type { FileCheckpoint } from '../store/store.ts'
import type { Unit } from '../sources/source.ts'
import type { FileStamp } from './stamp.ts'

/** One transcript to read, from the start or from where an earlier reading stopped. */
export interface Job {
  readonly source: string
  /** Of a transcript in a file that holds many: the file's, with the transcript's name behind it. */
  readonly path: string
  readonly root: string
  readonly inside?: string
  readonly stamp: FileStamp
  /** `sidecars`: only files beside the transcript changed; it is not read. `all`: notes that all in a file was read. */
  readonly what: 'transcript' | 'sidecars' | 'all'
  /** What it says of other places is not looked up there. */
  readonly isClosed?: boolean
  readonly from: FileCheckpoint | null
}

export function unitOf({ path: file, root, inside }: Pick<Job, 'path' | 'root' | 'inside'>): Unit {
  return inside === undefined ? { path: file, root } : { path: path.dirname(file), root, inside }
}

/** How much of its transcript is to be read. */
export function bytesToRead(job: Job): number {
  return job.what !== 'transcript' ? 0 : job.stamp.size - (job.from?.offset ?? 0)
}

/**
 * What was written last is what is asked for first. The files of one session stay together: what lies in a directory
 * beside a transcript of the same name belongs to it, and so do files without which it cannot be understood. That all in
 * a file was read is noted last.
 */
export function newestFirst(
  all: readonly Job[],
  companionsOf: (job: Job) => readonly string[] = () => [],
): readonly Job[][] {
  const jobs = all.filter(({ what }) => what !== 'all')
  const ends = all.filter(({ what }) => what === 'all')
  const stems = new Set(jobs.map((job) => stemOf(job.path)))
  const leaders = leadersOf(jobs, companionsOf)
  const groups = new Map<string, Job[]>()
  for (const job of jobs) {
    const name = groupOf(leaders.get(job.path) ?? job, stems)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [job])
    else group.push(job)
  }
  const newest = (group: readonly Job[]) => group.reduce((latest, { stamp }) => Math.max(latest, stamp.mtimeMs), 0)
  const ordered = [...groups.values()]
    .map((group) => ({ group, at: newest(group) }))
    .sort((a, b) => b.at - a.at)
    .map(({ group }) => group)
  return [...ordered, ...ends.map((end) => [end])]
}

/** Of jobs that need each other, the first by name: whichever of them says so. */
function leadersOf(jobs: readonly Job[], companionsOf: (job: Job) => readonly string[]): ReadonlyMap<string, Job> {
  const byPath = new Map(jobs.map((job) => [job.path, job]))
  const leaders = new Map<string, Job>()
  for (const job of jobs) {
    for (const companion of companionsOf(job).flatMap((path) => byPath.get(path) ?? [])) {
      const [first, second] = job.path < companion.path ? [job, companion] : [companion, job]
      const leader = leaders.get(first.path) ?? first
      leaders.set(first.path, leader)
      leaders.set(second.path, leader)
    }
  }
  return leaders
}

function groupOf(job: Job, stems: ReadonlySet<string>): string {
  for (let dir = path.dirname(job.path); dir.length > job.root.length; dir = path.dirname(dir)) {
    if (stems.has(dir)) return dir
  }
  return stemOf(job.path)
}

function stemOf(file: string): string {
  return file.slice(0, file.length - path.extname(file).length)
}
