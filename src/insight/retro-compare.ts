import { counted, type Counted } from './page.ts'
import { notAnalysed, seen, uidsOf, withOutcome, type PeriodFacts, type Trouble } from './retro-facts.ts'
import { dollars, percent, spell } from './format.ts'

/** Changes smaller than this share are none. */
const NOTABLE = 0.1

export type Verdict = 'better' | 'worse' | 'about the same' | 'more' | 'less' | 'not known'

export interface Comparison {
  readonly what: string
  readonly before: Counted
  readonly now: Counted
  readonly verdict: Verdict
}

interface Measure {
  readonly what: string
  /** Which way is better; null if neither is. */
  readonly better: 'more' | 'less' | null
  /** Null: there is nothing to measure. */
  read(facts: PeriodFacts): { readonly value: number; readonly shown: Counted } | null
}

const MEASURES: readonly Measure[] = [
  {
    what: 'sessions',
    better: null,
    read: ({ sessions }) => ({ value: sessions.length, shown: counted(sessions.length, uidsOf(sessions)) }),
  },
  {
    what: 'sessions that succeeded, of those with a known outcome',
    better: 'more',
    read(facts) {
      const good = withOutcome(facts, 'success')
      const judged = good.length + withOutcome(facts, 'fail').length + withOutcome(facts, 'abandoned').length
      if (judged === 0) return null
      const shown = `${good.length} of ${judged} (${percent(good.length, judged)})`
      return { value: good.length / judged, shown: counted(shown, uidsOf(good)) }
    },
  },
  perSession('errors per session', 'error'),
  perSession('corrections per session', 'correction'),
  perSession('calls tried again and again, per session', 'retry_loop'),
  perSession('stops by hand, per session', 'intervention'),
  perSession('calls not allowed, per session', 'denial'),
  {
    what: 'your own time',
    better: null,
    read({ time }) {
      const { active_s: value } = time.total
      return { value, shown: counted(spell(value), uidsOf(time.sessions.filter((one) => one.time.active_s > 0))) }
    },
  },
  {
    what: 'share of the time that agents waited for you',
    better: 'less',
    read({ time }) {
      const { waiting_s: waiting, wall_s: wall } = time.total
      if (wall === 0) return null
      const waited = time.sessions.filter((one) => one.time.waiting_s > 0)
      return { value: waiting / wall, shown: counted(percent(waiting, wall), uidsOf(waited)) }
    },
  },
  {
    what: 'cost per session',
    better: 'less',
    read({ cost }) {
      if (cost.bySession.length === 0 || cost.unpriced.length > 0) return null
      const value = cost.total.usd / cost.bySession.length
      return { value, shown: counted(dollars(value), uidsOf(cost.bySession)) }
    },
  },
  {
    what: 'commits',
    better: null,
    read({ made }) {
      const commits = made.filter(({ kind }) => kind === 'commit')
      const pointers = commits.map(({ uid, seq }) => `${uid}#${seq}`)
      return { value: commits.length, shown: counted(commits.length, pointers) }
    },
  },
]

/** What went up or down, measure by measure; what neither period has is left out. */
export function compare(before: PeriodFacts, now: PeriodFacts): Comparison[] {
  return MEASURES.flatMap((measure) => {
    const [then, here] = [measure.read(before), measure.read(now)]
    if ((then?.value ?? 0) === 0 && (here?.value ?? 0) === 0) return []
    return {
      what: measure.what,
      before: then?.shown ?? counted('not known', []),
      now: here?.shown ?? counted('not known', []),
      verdict: then === null || here === null ? 'not known' : verdictOn(then.value, here.value, measure.better),
    }
  })
}

function perSession(what: string, kind: Trouble): Measure {
  return {
    what,
    better: 'less',
    read(facts) {
      const analysed = facts.sessions.length - notAnalysed(facts).length
      if (analysed === 0) return null
      const { count, evidence } = seen(facts, kind)
      const shown = `${(count / analysed).toFixed(2)} (${count} in ${analysed})`
      return { value: count / analysed, shown: counted(shown, evidence, count) }
    },
  }
}

function verdictOn(before: number, now: number, better: Measure['better']): Verdict {
  if (Math.abs(now - before) < NOTABLE * Math.max(before, now)) return 'about the same'
  const went = now > before ? 'more' : 'less'
  if (better === null) return went
  return went === better ? 'better' : 'worse'
}
