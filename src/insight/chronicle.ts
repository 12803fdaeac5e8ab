import path from 'node:path'
import type { SessionFilter } from '../model/session.ts'
import type { ChronicleFilter } from '../store/chronicle.ts'
import { createBookkeeping, type Bookkeeping } from './bookkeeping.ts'
import { ownPrices } from './cost.ts'
import type { InsightParts } from './insight.ts'
import type { Period } from './local-days.ts'
import { readRetro, type Retro } from './retro.ts'
import { readTime, type TimeReport } from './time.ts'

/** Time and retrospect: who was at work when, and what came of it. */
export interface Chronicle {
  time(filter: ChronicleFilter): Promise<TimeReport>
  retro(period: Period, sessions: SessionFilter): Promise<Retro>
  /** The journals of sessions, tasks and claims. Looks at the disk when it is asked, not before. */
  books(): Promise<Bookkeeping>
  /** Brings the journal of sessions up to date with the store. Doing it again adds nothing. */
  tellSessions(): Promise<{ readonly added: number; readonly told: number }>
}

const JOURNAL_DIR = 'time-metrics'

export function createChronicle({ reading, settings, now }: InsightParts): Chronicle {
  const place: { readonly storePath: string; readonly journalDir?: string | null } = settings
  const books = createBookkeeping(place.journalDir ?? path.join(path.dirname(place.storePath), JOURNAL_DIR), now)
  return {
    books: async () => books,
    async time(filter) {
      const { chronicle } = reading()
      return { ...(await readTime(chronicle, filter)), untimed: await chronicle.untimed(filter) }
    },
    retro: (period, sessions) =>
      readRetro(reading(), { period, sessions, prices: ownPrices(settings.prices ?? new Map()) }),
    async tellSessions() {
      const { sessions } = await reading().sessions({ limit: 0 })
      return books.tellSessions(sessions, settings.restMinutes * 60_000)
    },
  }
}
