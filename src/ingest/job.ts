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
  const ofDirs = new Map<string, string | null>()
  for (const job of jobs) {
    const leader = leaders.get(job.path) ?? job
    const name = groupOf(path.dirname(leader.path), leader.root, stems, ofDirs) ?? stemOf(leader.path)
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
  const needing = jobs.flatMap((job) => {
    const companions = companionsOf(job)
    return companions.length === 0 ? [] : [{ job, companions }]
  })
  const leaders = new Map<string, Job>()
  if (needing.length === 0) return leaders
  const byPath = new Map(jobs.map((job) => [job.path, job]))
  for (const { job, companions } of needing) {
    for (const companion of companions.flatMap((path) => byPath.get(path) ?? [])) {
      const [first, second] = job.path < companion.path ? [job, companion] : [companion, job]
      const leader = leaders.get(first.path) ?? first
      leaders.set(first.path, leader)
      leaders.set(second.path, leader)
    }
  }
  return leaders
}

/** The nearest directory that bears the name of a transcript, of those from `dir` up to below the root; thousands lie in one. */
function groupOf(
  dir: string,
  root: string,
  stems: ReadonlySet<string>,
  known: Map<string, string | null>,
): string | null {
  if (dir.length <= root.length) return null
  let group = known.get(dir)
  if (group === undefined) {
    group = stems.has(dir) ? dir : groupOf(path.dirname(dir), root, stems, known)
    known.set(dir, group)
  }
  return group
}

function stemOf(file: string): string {
  return file.slice(0, file.length - path.extname(file).length)
}
