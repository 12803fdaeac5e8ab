import { grouped, plural } from '../../model/text.ts'
import { humanDuration } from '../../model/time.ts'
import type { TimeSum } from '../../store/insight.ts'
import { flag } from '../given.ts'
import { printTable } from '../table.ts'
import { barColumn, keyColumn, keyOf, limitedBy, reportFilter, type Report } from './report.ts'
import { noteRest } from '../sessions.ts'

const USUAL = 30

export const time: Report = {
  name: 'time',
  summary: 'who was at work how long, session by session; of analysed sessions',
  examples: ['recall stats time --by day --since 14d', 'recall stats time --by project --json'],
  async run(context, given) {
    const { terminal } = context
    const by = keyOf(given) ?? 'project'
    const sums = await context.recall.insight.time(by, reportFilter(context, given))
    const all = by === 'day' ? sums : sums.toSorted((a, b) => b.activeS + b.agentS - a.activeS - a.agentS)
    const json = flag(given, 'json')
    const rows = limitedBy(by, given, all, json ? 0 : USUAL)
    const unknown = all.reduce((sum, row) => sum + row.unknown, 0)
    if (json) return terminal.json({ by, rows: rows.map(timeJson), unknown, overlaps: 'counted in each session' })
    if (all.length === 0) return terminal.note('no sessions found')
    printTable(terminal, rows, [
      ...keyColumn<TimeSum>(terminal, by, rows),
      { title: 'you', value: (row) => spelled(row, row.activeS), right: true },
      { title: 'agent', value: (row) => spelled(row, row.agentS), right: true },
      { title: 'waiting', value: (row) => spelled(row, row.waitingS), right: true, spare: true },
      { title: 'idle', value: (row) => spelled(row, row.idleS), right: true, spare: true },
      { title: 'sessions', value: (row) => grouped(row.sessions), right: true, spare: true },
      ...barColumn(terminal, rows, (row) => row.activeS + row.agentS),
    ])
    noteRest(context.terminal, rows.length, all.length, 'row')
    terminal.note(terminal.dim('sessions side by side are counted each; `recall time` counts such time once'))
    if (unknown > 0)
      terminal.note(terminal.dim(`time not known of ${plural(unknown, 'session')}: not analysed, or without times`))
  },
}

/** None of these sessions was analysed, or tells times: nobody knows how long they took. */
export function isUnknown({ sessions, unknown }: TimeSum): boolean {
  return sessions > 0 && unknown === sessions
}

function spelled(row: TimeSum, seconds: number): string {
  return isUnknown(row) ? 'unknown' : humanDuration(seconds)
}

export function timeJson(row: TimeSum) {
  const known = (seconds: number) => (isUnknown(row) ? null : seconds)
  return {
    key: row.key,
    active_s: known(row.activeS),
    agent_s: known(row.agentS),
    waiting_s: known(row.waitingS),
    idle_s: known(row.idleS),
    sessions: row.sessions,
    unknown: row.unknown,
  }
}
