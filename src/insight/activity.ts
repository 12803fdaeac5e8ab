import path from 'node:path'
import type { SessionFilter, SessionRecord } from '../model/session.ts'
import type { ActivityFilter } from '../store/activity.ts'
import type { SessionDiff } from './diff.ts'
import { openTaskJournal, type TaskJournal } from './task-journal.ts'
import { ownPrices } from './cost.ts'
import type { InsightParts } from './insight.ts'
import type { Period } from './local-days.ts'
import { readRetro, type Retro } from './retro.ts'
import { readTime, type TimeReport } from './time.ts'

/** Time and retrospect: who was at work when, and what came of it. */
export interface Activity {
  time(filter: ActivityFilter): Promise<TimeReport>
  retro(period: Period, sessions: SessionFilter): Promise<Retro>
  /** Two sessions side by side, and where they part. */
  diff(a: SessionRecord, b: SessionRecord): Promise<SessionDiff>
  /** The journals of sessions, tasks and claims. Looks at the disk when it is asked, not before. */
  journal(): Promise<TaskJournal>
  /** Brings the journal of sessions up to date with the store. Doing it again adds nothing. */
  recordSessions(): Promise<{ readonly added: number; readonly known: number }>
}

const JOURNAL_DIR = 'time-metrics'

export function createActivity({ reading, settings, now }: InsightParts): Activity {
  const place: { readonly storePath: string; readonly journalDir?: string | null } = settings
  const journal = openTaskJournal(place.journalDir ?? path.join(path.dirname(place.storePath), JOURNAL_DIR), now)
  return {
    journal: async () => journal,
    async time(filter) {
      const { activity } = reading()
      return { ...(await readTime(activity, filter)), untimed: await activity.untimed(filter) }
    },
    retro: (period, sessions) =>
      readRetro(reading(), { period, sessions, prices: ownPrices(settings.prices ?? new Map()) }),
    async diff(a, b) {
      const { diffSessions } = await import('./diff.ts')
      return diffSessions(reading(), [a, b], settings)
    },
    async recordSessions() {
      const { sessions } = await reading().sessions({ limit: 0 })
      return journal.recordSessions(sessions, settings.restMinutes * 60_000)
    },
  }
}
