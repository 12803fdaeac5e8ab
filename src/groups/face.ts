import { UserError } from '../model/errors.ts'
import type { GroupAgent } from '../model/group-agent.ts'
import type { Claim, HistoryEntry, Pointers } from '../store/pointers.ts'
import { carryGroup, takeInGroup, type CarriedGroup } from './carrying.ts'
import { unlessSpoilt } from './directory.ts'
import { addGroup, archivesOf, existingGroup, globalContext, placesOfGroup, removeGroup } from './groups.ts'
import { groupNames } from './group-names.ts'
import { alone, bookmarkOf, serveOnce, submit, type Host, type TaskOutcome } from './host.ts'
import { GLOBAL, isSessionId, MAIN } from './places.ts'
import { writeSnapshots } from './snapshots.ts'
import { lastActivity, transcriptOf } from './transcripts.ts'

/** What groups need from outside. */
export interface GroupParts {
  readonly agent: GroupAgent
  readonly openPointers: (file: string) => Pointers
  /** Null while another process holds it. */
  readonly claimFile: (file: string) => Claim | null
}

export interface GroupsTask extends GroupParts {
  readonly root: string
  readonly db: string
  readonly assistantName: string
  readonly now: () => number
  readonly redact: (text: string) => string
}

export interface GroupRecord {
  readonly name: string
  readonly isMain: boolean
  readonly sessionId: string | null
  readonly history: number
  readonly archives: number
  readonly lastActivity: number | null
}

export interface ActiveSession {
  readonly group: string
  readonly sessionId: string | null
  /** Where the agent has last spoken in it. */
  readonly resumeAt: string | null
}

/** Everything a host does with groups. Whoever changes one waits for another host to end. */
export interface Groups {
  add(name: string, skills?: string): Promise<GroupRecord>
  list(): Promise<GroupRecord[]>
  /** What would be put aside. */
  places(name: string): Promise<string[]>
  remove(name: string): Promise<string>
  context(name: string): Promise<string | null>
  /** One pass over all tasks that wait; nothing while another host is at it. */
  serve(onStep?: (step: string) => void): Promise<TaskOutcome[]>
  get(group: string): Promise<ActiveSession>
  set(group: string, sessionId: string): Promise<void>
  clear(group: string, name: string): Promise<TaskOutcome>
  archive(group: string, name: string): Promise<HistoryEntry>
  restore(group: string, id: number): Promise<string>
  resume(group: string, id: number, saveName: string | null): Promise<TaskOutcome>
  history(group: string): Promise<HistoryEntry[]>
  /** What a person would miss of each group, for a backup; `spoilt`: the names of those in whose directories nothing can be read. */
  carry(): Promise<{ readonly groups: readonly CarriedGroup[]; readonly spoilt: string[] }>
  /** Puts back what is not there of such a group; false for what is none. */
  takeIn(told: unknown): Promise<boolean>
}

const PATIENCE = 100
const NAP_MS = 100

export function createGroups(task: GroupsTask): Groups {
  const withHost = async <T>(work: (host: Host) => T): Promise<T> => {
    const pointers = task.openPointers(task.db)
    try {
      return work({ ...task, pointers, claim: () => task.claimFile(`${task.db}.lock`) })
    } finally {
      pointers.close()
    }
  }
  /** Waits while another host acts. */
  const changing = async <T>(work: (host: Host) => T): Promise<T> => {
    for (let tried = 0; ; tried++) {
      try {
        return await withHost(work)
      } catch (error) {
        if (!(error instanceof UserError && error.code === 'LOCKED') || tried === PATIENCE) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, NAP_MS))
    }
  }
  const known = (group: string) => existingGroup(task, group)
  const recordOf = (host: Host, name: string): GroupRecord => ({
    name,
    isMain: name === MAIN,
    sessionId: host.pointers.get(name) ?? null,
    history: host.pointers.history(name).length,
    archives: archivesOf(host, name),
    lastActivity: lastActivity(host, name),
  })

  return {
    add: (name, skills) =>
      changing((host) =>
        alone(host, () => {
          addGroup(host, host.pointers, name, skills)
          for (const group of groupNames(host)) writeSnapshots(host, host.pointers, group)
          return recordOf(host, name)
        }),
      ),
    list: () => withHost((host) => groupNames(host).map((name) => recordOf(host, name))),
    places: async (name) => placesOfGroup(task, known(name)),
    remove: (name) => changing((host) => alone(host, () => removeGroup(host, host.pointers, known(name)))),
    context: (name) => withHost((host) => globalContext(host, known(name))),
    serve: (onStep) => withHost((host) => serveOnce(onStep === undefined ? host : { ...host, onStep })),
    get: (group) =>
      withHost((host) => {
        const sessionId = host.pointers.get(known(group)) ?? null
        const transcript = sessionId === null ? null : transcriptOf(host, group, sessionId)
        return { group, sessionId, resumeAt: transcript?.lastAssistant ?? null }
      }),
    async set(group, sessionId) {
      if (!isSessionId(sessionId))
        throw new UserError('USAGE', `${JSON.stringify(sessionId)} is no id of a session`, 'give its UUID')
      return changing((host) => alone(host, () => host.pointers.set(known(group), sessionId)))
    },
    clear: (group, name) =>
      changing((host) => {
        const active = host.pointers.get(known(group))
        if (active === undefined) throw noSession(group)
        const { name: given } = bookmarkOf(host, group, active, name)
        return submit(host, group, { type: 'clear_session', name: given })
      }),
    archive: (group, name) =>
      changing((host) =>
        alone(host, () => {
          const active = host.pointers.get(known(group))
          if (active === undefined) throw noSession(group)
          const entry = host.pointers.bookmark(group, bookmarkOf(host, group, active, name))
          writeSnapshots(host, host.pointers, group)
          return entry
        }),
      ),
    restore: (group, id) =>
      changing((host) =>
        alone(host, () => {
          const restored = host.pointers.restore(known(group), id)
          if (restored === undefined) throw noEntry(group, id)
          writeSnapshots(host, host.pointers, group)
          return restored
        }),
      ),
    resume: (group, id, saveName) =>
      changing((host) => {
        if (!host.pointers.history(known(group)).some((entry) => entry.id === id)) throw noEntry(group, id)
        return submit(host, group, { type: 'resume_session', sessionHistoryId: id, saveName })
      }),
    history: (group) => withHost((host) => host.pointers.history(known(group))),
    async carry() {
      const names = groupNames(task)
      if (names.length === 0) return { groups: [], spoilt: [] }
      return withHost((host) => {
        const carried = [...names, GLOBAL].map((name) => ({
          name,
          group: unlessSpoilt(() => carryGroup(host, host.pointers, name)),
        }))
        return {
          groups: carried.flatMap(({ group }) => group ?? []),
          spoilt: carried.flatMap(({ name, group }) => (group === null ? [name] : [])),
        }
      })
    },
    takeIn: (told) =>
      changing((host) => alone(host, () => unlessSpoilt(() => takeInGroup(host, host.pointers, told)) ?? false)),
  }
}

function noSession(group: string): UserError {
  return new UserError('NOT_FOUND', `no session is active in ${group}`, '`recall session set <id>` makes one active')
}

function noEntry(group: string, id: number): UserError {
  return new UserError(
    'NOT_FOUND',
    `there is no session ${id} in the history of ${group}`,
    `\`recall session history --group ${group}\` shows what there is`,
  )
}
