import type { TimeReport } from '../insight/time.ts'
import type { TimeSum } from '../insight/timeline.ts'
import { spell } from '../insight/words.ts'
import { plural } from '../model/text.ts'
import { keyNames } from './stats/report.ts'
import { printTable, type Column } from './table.ts'
import type { Terminal } from './terminal.ts'

const BAR_WIDTH = 40
const MAX_DAYS = 21

export function printTime(terminal: Terminal, found: TimeReport): void {
  if (found.sessions.length === 0) terminal.note('no time found; `recall index` reads new sessions')
  else {
    const nameOf = keyNames(
      terminal,
      'project',
      found.byProject.map(({ project }) => ({ key: project })),
    )
    printTable(
      terminal,
      [...found.byProject, { project: null, sessions: found.sessions.length, time: found.total, all: true }],
      [
        {
          title: 'project',
          value: (row) => ('all' in row ? 'all' : nameOf(row.project)),
          flexible: true,
          tail: true,
        },
        { title: 'sessions', value: (row) => String(row.sessions), right: true },
        ...sumColumns(),
      ],
    )
    terminal.line()
    if (terminal.isTTY) printBars(terminal, found)
    else printTable(terminal, found.byDay, [{ title: 'day', value: (row) => row.day }, ...sumColumns()])
  }
  printNotes(terminal, found)
}

function sumColumns<T extends { readonly time: TimeSum }>(): Column<T>[] {
  return [
    { title: 'you', value: (row) => spell(row.time.active_s), right: true },
    { title: 'agents', value: (row) => spell(row.time.agent_s), right: true },
    { title: 'waiting', value: (row) => spell(row.time.waiting_s), right: true },
    { title: 'idle', value: (row) => spell(row.time.idle_s), right: true },
    { title: 'in all', value: (row) => spell(row.time.wall_s), right: true },
  ]
}

/** A bar a day, idle time left out: it says how long, not how much was done. */
function printBars(terminal: Terminal, { byDay }: TimeReport): void {
  const shown = byDay.slice(-MAX_DAYS)
  const busy = ({ active_s, agent_s, waiting_s }: TimeSum) => active_s + agent_s + waiting_s
  const longest = Math.max(...shown.map(({ time }) => busy(time)), 1)
  // Told apart without colours, too.
  const parts = [
    { glyph: '█', paint: terminal.green, name: 'you', of: (time: TimeSum) => time.active_s },
    { glyph: '▓', paint: terminal.cyan, name: 'agents', of: (time: TimeSum) => time.agent_s },
    { glyph: '░', paint: terminal.yellow, name: 'waiting for you', of: (time: TimeSum) => time.waiting_s },
  ]
  const cells = (seconds: number) => (seconds === 0 ? 0 : Math.max(1, Math.round((seconds / longest) * BAR_WIDTH)))
  for (const { day, time } of shown) {
    const bar = parts.map(({ glyph, paint, of }) => paint(glyph.repeat(cells(of(time)))))
    terminal.line(`${terminal.dim(day)}  ${bar.join('')} ${spell(busy(time))}`)
  }
  const legend = parts.map(({ glyph, paint, name }) => paint(`${glyph} ${name}`))
  terminal.line(`${' '.repeat(12)}${legend.join('  ')}`)
  if (shown.length < byDay.length)
    terminal.note(terminal.dim(`the last ${shown.length} of ${byDay.length} days; --json has all`))
}

function printNotes(terminal: Terminal, { overlap_s: overlap, untimed, unplaced, byProject }: TimeReport): void {
  if (untimed > 0)
    terminal.note(terminal.dim(`not in these sums: ${plural(untimed, 'session')} whose logs tell no times`))
  if (overlap > 0) {
    const projects = byProject.length > 1 ? ', so projects may add up to more' : ''
    terminal.note(terminal.dim(`${spell(overlap)} ran side by side and is counted once${projects}`))
  }
  if (unplaced.sessions.length === 0) return
  const gone = `${plural(unplaced.sessions.length, 'session')} whose raw text has gone`
  terminal.note(terminal.dim(`not in these sums: ${spell(unplaced.time.wall_s)} of ${gone}; when it was is not known`))
}
