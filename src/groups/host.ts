import { createHash } from 'node:crypto'
import type { Bookmark, Claim, HistoryEntry, Pointers } from '../store/pointers.ts'
import { UserError } from '../model/errors.ts'
import { archiveName, archiveText, cleanName, keepArchive } from './archive.ts'
import { unlessSpoilt, within, type Directory } from './directory.ts'
import { groupNames } from './group-names.ts'
import { BEGUN, CONVERSATIONS, ERRORS, groupDir, INPUT, ipc, isGroupName, TASKS, type GroupPlaces } from './places.ts'
import { writeSnapshots } from './snapshots.ts'
import { readTask, taskFileName, taskText, type GroupTask } from './task.ts'
import { nameOf, transcriptOf } from './transcripts.ts'

const MAX_TASK_BYTES = 64 * 1024
const CLOSE = '_close'
const PLAN = '.plan'
/** As long as a name may be, with what is put behind it. */
const LONGEST_NAME = 240

/** Everything that the host acts with. */
export interface Host extends GroupPlaces {
  readonly pointers: Pointers
  /** Null while another host acts. */
  readonly claim: () => Claim | null
  /** Told between any two steps. */
  readonly onStep?: (step: string) => void
}

/** What came of one task. */
export interface TaskOutcome {
  readonly group: string
  /** Null where no task of the group could be looked at. */
  readonly file: string | null
  readonly type: GroupTask['type'] | null
  /** Null if it could be acted on. */
  readonly error: string | null
  /** What could not be written where the group can change it, though all else was done. */
  readonly warning: string | null
  /** The archive that was written. */
  readonly archive: string | null
  readonly sessionId: string | null
}

const NOTHING = { type: null, warning: null, archive: null, sessionId: null } as const

/** What will be done, written down before it is: whoever finds it goes on from there. */
type Plan =
  | { readonly type: 'clear_session'; readonly bookmark: Bookmark | null }
  | {
      readonly type: 'resume_session'
      readonly sessionId: string
      readonly sessionHistoryId: number
      readonly saved: Bookmark | null
    }

/** One pass: what was begun is finished, then every task that waits is acted on, the oldest first. */
export function serveOnce(host: Host): TaskOutcome[] {
  return alone(host, () => {
    const groups = groupNames(host)
    const spoilt: TaskOutcome[] = []
    const serving = <T>(group: string, work: () => T): T | null =>
      unlessSpoilt(work, (error) => spoilt.push({ ...NOTHING, group, file: null, error }))
    for (const group of groups) serving(group, () => writeSnapshots(host, host.pointers, group))
    const tasks = groups.flatMap((group) => serving(group, () => waitingIn(host, group)) ?? [])
    const oldestFirst = tasks.sort((a, b) => a.order - b.order || (a.file < b.file ? -1 : 1))
    const done = oldestFirst.flatMap(({ group, file }) => serving(group, () => take(host, group, file)) ?? [])
    return [...spoilt, ...done]
  })
}

/** Does a task of somebody on the host itself just as one that an agent has asked for. */
export function submit(host: Host, group: string, task: GroupTask): TaskOutcome {
  return alone(host, () => {
    const now = host.now()
    const begun = `${group}@${taskFileName(now)}`
    within(host.root, BEGUN, (dir) => dir.write(begun, taskText(task, group, now)), true)
    return finish(host, begun)
  })
}

/** Runs with no other host beside it, and with nothing left that one has begun. LOCKED while another acts. */
export function alone<T>(host: Host, work: () => T): T {
  const claim = host.claim()
  if (claim === null)
    throw new UserError('LOCKED', 'another recall serves these groups just now', 'wait for it to end, and try again')
  try {
    for (const begun of begunTasks(host)) finish(host, begun)
    return work()
  } finally {
    claim.release()
  }
}

function begunTasks({ root }: Host): string[] {
  const names = within(root, BEGUN, (dir) => {
    const all = dir.entries().map(({ name }) => name)
    // The plan of a task that is gone was carried out.
    for (const name of all) if (name.endsWith(PLAN) && !all.includes(name.slice(0, -PLAN.length))) dir.remove(name)
    return all.filter((name) => !name.endsWith(PLAN) && isGroupName(name.split('@')[0] ?? '') && name.includes('@'))
  })
  return (names ?? []).sort((a, b) => orderOf(fileOf(a), 0) - orderOf(fileOf(b), 0))
}

interface Waiting {
  readonly group: string
  readonly file: string
  readonly order: number
}

function waitingIn({ root }: Host, group: string): Waiting[] | null {
  return within(root, [...ipc(group), TASKS], (dir) =>
    dir
      .entries()
      .filter(({ name }) => name.endsWith('.json'))
      .map(({ name }) => ({ group, file: name, order: orderOf(name, dir.modifiedAt(name)) })),
  )
}

/** Names begin with the time; what has another name is as old as its file. */
function orderOf(file: string, modified: number): number {
  const written = /^(\d{1,15})(?!\d)/.exec(file)?.[1]
  return written === undefined ? modified : Number(written)
}

/** Takes a task out of the reach of its group, and acts on it; null if it is nobody's to act on here. */
function take(host: Host, group: string, file: string): TaskOutcome | null {
  const begun = begunName(group, file)
  const isTaken = within(host.root, [...ipc(group), TASKS], (tasks) => {
    if (readTask(tasks.text(file, MAX_TASK_BYTES)).is === 'foreign') return false
    return within(host.root, BEGUN, (dir) => !dir.has(begun) && tasks.move(file, dir, begun), true)
  })
  if (isTaken !== true) return null
  host.onStep?.('taken')
  return finish(host, begun)
}

function begunName(group: string, file: string): string {
  const name = `${group}@${file}`
  if (Buffer.byteLength(name) <= LONGEST_NAME) return name
  const hash = createHash('sha256').update(file).digest('hex').slice(0, 16)
  return `${group}@${/^\d{1,15}/.exec(file)?.[0] ?? 0}-${hash}.json`
}

function fileOf(begun: string): string {
  return begun.slice(begun.indexOf('@') + 1)
}

/** Brings a task to its end, from wherever one that was killed has left it. */
function finish(host: Host, begun: string): TaskOutcome {
  const [group, file] = [begun.slice(0, begun.indexOf('@')), fileOf(begun)]
  const outcome = within(host.root, BEGUN, (dir): TaskOutcome => {
    const read = readTask(dir.text(begun, MAX_TASK_BYTES))
    if (read.is !== 'ours') return refuse(host, dir, begun, read.is === 'bad' ? read.why : 'it is no task of recall')
    const plan = planned(dir, begun) ?? makePlan(host, group, read.task)
    if (typeof plan === 'string') return refuse(host, dir, begun, plan, read.task.type)
    if (!dir.has(`${begun}${PLAN}`)) dir.write(`${begun}${PLAN}`, JSON.stringify(plan))
    host.onStep?.('planned')
    const { archive, warning } = carryOut(host, group, plan)
    dir.remove(begun)
    host.onStep?.('removed')
    dir.remove(`${begun}${PLAN}`)
    const sessionId = plan.type === 'clear_session' ? (plan.bookmark?.sessionId ?? null) : plan.sessionId
    return { group, file, type: plan.type, error: null, warning, archive, sessionId }
  })
  if (outcome === null) throw new Error(`${begun} is gone`)
  return outcome
}

function planned(dir: Directory, begun: string): Plan | null {
  const text = dir.text(`${begun}${PLAN}`, MAX_TASK_BYTES)
  return text === null || text === '' ? null : (JSON.parse(text) as Plan)
}

/** Decides everything that may be different when it is looked at again; in words, why nothing can be done. */
function makePlan(host: Host, group: string, task: GroupTask): Plan | string {
  const { pointers } = host
  const active = pointers.get(group) ?? null
  if (task.type === 'clear_session')
    return { type: task.type, bookmark: active === null ? null : bookmarkOf(host, group, active, task.name) }
  const { sessionHistoryId, saveName } = task
  const target = pointers.history(group).find((entry: HistoryEntry) => entry.id === sessionHistoryId)
  if (target === undefined) return `there is no session ${sessionHistoryId} in the history of ${group}`
  const isSaved = saveName !== null && active !== null && active !== target.session_id
  const saved = isSaved ? bookmarkOf(host, group, active, saveName) : null
  return { type: task.type, sessionId: target.session_id, sessionHistoryId, saved }
}

/** An active session as the history will know it. */
export function bookmarkOf(host: GroupPlaces, group: string, sessionId: string, name: string): Bookmark {
  const archivedAt = new Date(host.now()).toISOString()
  const transcript = unlessSpoilt(() => transcriptOf(host, group, sessionId))
  const began = Date.parse(transcript?.startedAt ?? '')
  const createdAt = Number.isNaN(began) ? archivedAt : new Date(began).toISOString()
  const given = cleanName(name, host.redact)
  const written = transcript ?? { messages: [], title: null, summary: null, startedAt: null, lastAssistant: null }
  return { sessionId, name: given || nameOf(written, host.now(), host.redact), createdAt, archivedAt }
}

/** Each step may have been done before: then it changes nothing. */
function carryOut(host: Host, group: string, plan: Plan): Pick<TaskOutcome, 'archive' | 'warning'> {
  const { pointers } = host
  const step = host.onStep ?? (() => undefined)
  let archive: string | null = null
  let warning: string | null = null
  const trying = <T>(work: () => T): T | null => unlessSpoilt(work, (why) => (warning ??= why))
  if (plan.type === 'resume_session') pointers.resume(group, plan.sessionHistoryId, plan.saved)
  else if (plan.bookmark !== null) {
    const { bookmark } = plan
    archive = trying(() => archiveSession(host, group, bookmark))
    step('archived')
    pointers.clear(group, bookmark)
  }
  step('pointed')
  trying(() => writeSnapshots(host, pointers, group))
  step('told')
  trying(() => within(host.root, [...ipc(group), INPUT], writeClose, true))
  step('closed')
  return { archive, warning }
}

/** An empty file that tells the container to end. */
function writeClose(input: Directory): void {
  if (input.text(CLOSE, 0) !== '') input.write(CLOSE, '')
}

/** The name of the archive; null if there is nothing to tell. */
function archiveSession(host: Host, group: string, { sessionId, name, archivedAt }: Bookmark): string | null {
  const transcript = transcriptOf(host, group, sessionId)
  if (transcript === null || transcript.messages.length === 0) return null
  const at = Date.parse(archivedAt)
  const { assistantName, redact } = host
  const text = archiveText({ name, at, messages: transcript.messages, assistantName, redact })
  const stem = archiveName(name, at, sessionId.slice(0, 8))
  return within(host.root, [...groupDir(group), CONVERSATIONS], (dir) => keepArchive(dir, stem, text), true)
}

function refuse(
  { root }: Host,
  dir: Directory,
  begun: string,
  error: string,
  type: GroupTask['type'] | null = null,
): TaskOutcome {
  const [group, file] = [begun.slice(0, begun.indexOf('@')), fileOf(begun)]
  within(
    root,
    ERRORS,
    (errors) => {
      const name = `${group}-${file}`
      errors.remove(name)
      dir.move(begun, errors, name)
    },
    true,
  )
  return { ...NOTHING, group, file, type, error }
}
