import { UserError } from '../model/errors.ts'
import type { SessionRecord } from '../model/session.ts'
import { claimLines, sessionLines, taskLines, type Journal } from './journal-lines.ts'
import {
  JournalFiles,
  JOURNALS,
  secondStamp,
  type ClaimLine,
  type JournalName,
  type Metric,
  type SessionLine,
  type TaskLine,
} from './journals.ts'

export interface Imported {
  readonly journal: JournalName
  readonly added: number
  readonly broken: number
}

/** A task as it stands: done ones from `task` lines, running ones from a `start` that no later line ends. */
export interface Task {
  readonly name: string
  readonly state: 'running' | 'done'
  readonly start_epoch: number
  readonly end_epoch: number | null
  readonly duration_s: number | null
  readonly exit: number | null
  readonly metric: Metric | null
  readonly source: string | null
}

/** The journals of tasks, sessions and claims. */
export interface TaskJournal {
  readonly dir: string
  /** Fails if a task of this name is running. */
  startTask(name: string, source: string): TaskLine
  /** Ends the running task of this name; NOT_FOUND if there is none. Writes a `stop` and a `task` line. */
  stopTask(name: string, end: { readonly exit: number; readonly metric: Metric; readonly source: string }): TaskLine
  tasks(): { readonly tasks: readonly Task[]; readonly unread: number }
  claim(claim: Omit<ClaimLine, 'kind' | 'ts'>): ClaimLine
  claims(): Journal<ClaimLine>
  /** Tells of sessions that rest and are not told of yet. Doing it again adds nothing. */
  recordSessions(sessions: readonly SessionRecord[], restMs: number): { readonly added: number; readonly known: number }
  /** Takes over lines of other journals that are not here yet, as they stand. */
  importFrom(dir: string): Imported[]
}

export function openTaskJournal(dir: string, now: () => number): TaskJournal {
  const files = new JournalFiles(dir)
  const epoch = () => Math.floor(now() / 1000)
  const readTasks = () => {
    const { lines, unread } = taskLines(files.read('tasks'))
    return { tasks: tasksFrom(lines), unread }
  }
  const running = () => readTasks().tasks.filter(({ state }) => state === 'running')

  return {
    dir,
    startTask(name, source) {
      const already = running().find((task) => task.name === name)
      if (already !== undefined) {
        const since = secondStamp(already.start_epoch)
        throw new UserError('USAGE', `${name} is running since ${since}`, `end it with \`recall time stop ${name}\``)
      }
      const line: TaskLine = { kind: 'start', name, start_epoch: epoch(), source, ts: secondStamp(epoch()) }
      files.append('tasks', [JSON.stringify(line)])
      return line
    },
    stopTask(name, { exit, metric, source }) {
      const all = running()
      const task = all.find((candidate) => candidate.name === name)
      if (task === undefined) throw notRunning(name, all)
      const end = Math.max(epoch(), task.start_epoch)
      const times = { name, start_epoch: task.start_epoch, end_epoch: end, duration_s: end - task.start_epoch }
      const rest = { ...(Object.keys(metric).length === 0 ? {} : { metric }), source, ts: secondStamp(end) }
      const done: TaskLine = { kind: 'task', ...times, ...rest }
      const stop: TaskLine = { kind: 'stop', ...times, exit, ...rest }
      files.append('tasks', [JSON.stringify(stop), JSON.stringify(done)])
      return stop
    },
    tasks: readTasks,
    claim({ value, evidence_tier, pointer, session_id }) {
      const session = session_id === undefined ? {} : { session_id }
      const line: ClaimLine = { kind: 'claim', value, evidence_tier, pointer, ts: secondStamp(epoch()), ...session }
      files.append('numeric-claims', [JSON.stringify(line)])
      return line
    },
    claims: () => claimLines(files.read('numeric-claims')),
    recordSessions(sessions, restMs) {
      const known = new Map<string, number>()
      for (const { id, end_epoch } of sessionLines(files.read('sessions')).lines)
        known.set(id, Math.max(end_epoch, known.get(id) ?? 0))
      const due = sessions.flatMap((session) => sessionLine(session, now() - restMs) ?? [])
      const restS = restMs / 1000
      const fresh = due.filter(({ id, end_epoch }) => end_epoch > (known.get(id) ?? -Infinity) + restS)
      fresh.sort((a, b) => a.end_epoch - b.end_epoch || (a.id < b.id ? -1 : 1))
      files.append(
        'sessions',
        fresh.map((line) => JSON.stringify(line)),
      )
      return { added: fresh.length, known: due.length - fresh.length }
    },
    importFrom: (from) => JOURNALS.map((journal) => importJournal(new JournalFiles(from), files, journal)),
  }
}

/** Null while the session may go on, or if its log tells no times. */
function sessionLine(session: SessionRecord, restingSince: number): SessionLine | null {
  const { startedAt, endedAt, nativeId } = session
  if (startedAt === null || endedAt === null || endedAt > restingSince) return null
  const [start, end] = [Math.floor(startedAt / 1000), Math.floor(endedAt / 1000)]
  return {
    kind: 'session',
    id: nativeId,
    start_epoch: start,
    end_epoch: end,
    duration_s: end - start,
    ts: secondStamp(end),
  }
}

function tasksFrom(lines: readonly TaskLine[]): Task[] {
  const running = new Map<string, Task>()
  const done = new Map<string, Task>()
  for (const line of lines) {
    const { name, start_epoch, end_epoch = null, duration_s = null, exit = null, metric = null, source = null } = line
    const task = { name, start_epoch, end_epoch, duration_s, exit, metric, source }
    if (line.kind === 'start') {
      running.set(name, { ...task, state: 'running' })
      continue
    }
    const open = running.get(name)
    if (open !== undefined && (end_epoch ?? start_epoch) >= open.start_epoch) running.delete(name)
    const began = line.kind === 'stop' && end_epoch === null ? (open?.start_epoch ?? start_epoch) : start_epoch
    const ended = end_epoch ?? (line.kind === 'stop' ? start_epoch : null)
    const key = `${name}\n${began}`
    const known = done.get(key)
    done.set(key, {
      ...task,
      state: 'done',
      start_epoch: began,
      end_epoch: ended,
      duration_s: duration_s ?? (ended === null ? null : ended - began),
      exit: exit ?? known?.exit ?? null,
      metric: metric ?? known?.metric ?? null,
    })
  }
  return [...done.values(), ...running.values()].sort(
    (a, b) => a.start_epoch - b.start_epoch || (a.name < b.name ? -1 : 1),
  )
}

function notRunning(name: string, running: readonly Task[]): UserError {
  const names = running.map((task) => task.name)
  const hint = names.length === 0 ? `begin one with \`recall time start ${name}\`` : `running are: ${names.join(', ')}`
  return new UserError('NOT_FOUND', `no task ${JSON.stringify(name)} is running`, hint)
}

function importJournal(from: JournalFiles, into: JournalFiles, journal: JournalName): Imported {
  const { records, broken } = from.read(journal)
  const here = new Set(into.read(journal).records.map(({ text }) => text))
  const fresh: string[] = []
  for (const { text } of records) {
    if (here.has(text)) continue
    here.add(text)
    fresh.push(text)
  }
  into.append(journal, fresh)
  return { journal, added: fresh.length, broken }
}
