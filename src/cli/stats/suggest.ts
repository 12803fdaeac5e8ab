import { HIGH, MEDIUM } from '../../insight/permissions/confidence.ts'
import type { Idle, Suggestion } from '../../insight/permissions/suggest.ts'
import { cut, grouped, plural } from '../../model/text.ts'
import { isoTime } from '../../model/time.ts'
import { limited } from '../../operations/report.ts'
import { statsApply } from '../../operations/stats-apply.ts'
import { statsSuggest, type Suggested } from '../../operations/stats-suggest.ts'
import { FRESH_OPTION } from '../command.ts'
import { printEdit } from '../consent.ts'
import { commandOf } from '../operation-command.ts'
import { printWrapped } from '../sessions.ts'
import type { Terminal } from '../terminal.ts'

const MAX_OF_A_KIND = 15

/** Rules that evidence speaks for. */
export const suggest = commandOf({
  operation: statsSuggest,
  without: ['before'],
  options: [FRESH_OPTION],
  examples: [],
  rows: 'suggestions',
  print: ({ terminal }, found, _values, { limit = MAX_OF_A_KIND }) => printSuggested(terminal, found, limit),
})

/** The same, merged into the settings of the agent. */
export const apply = commandOf({
  operation: statsApply,
  without: ['before'],
  options: [FRESH_OPTION],
  examples: [],
  change: ({ terminal }, { rules, edit }) =>
    rules.changed.length === 0
      ? null
      : { question: `write ${edit.file}?`, writes: edit, show: () => printEdit(terminal, edit) },
  print({ terminal }, { target: { label }, rules, grant, refused }) {
    for (const { rule, reason } of refused) terminal.note(terminal.yellow(`not written: ${rule}: ${reason}`))
    if (rules.changed.length === 0) return terminal.line(`nothing to add for ${label}`)
    if (grant === null) return
    const them = grant.rules.length === 1 ? 'it' : 'them'
    terminal.line(
      `${plural(grant.rules.length, 'rule')} added for ${label}; \`recall permissions undo\` takes ${them} back`,
    )
  },
})

const REVIEW = "Review carefully (few uses, or runs the project's own code):"

function printSuggested(terminal: Terminal, found: Suggested, limit: number): void {
  const { target, suggestions, idle, skipped } = found
  const of = (confidence: Suggestion['confidence']) => suggestions.filter((one) => one.confidence === confidence)
  const title = 'Suggested Bash Permissions'
  terminal.line(terminal.bold(title))
  terminal.line('='.repeat(title.length))
  const section = (name: string, rows: readonly Suggestion[]) => {
    if (rows.length === 0) return
    terminal.line()
    terminal.line(name)
    const shown = limited(rows, limit)
    const width = patternWidth(terminal, shown)
    for (const one of shown) printOne(terminal, one, width)
    if (shown.length < rows.length)
      terminal.line(terminal.dim(`  ${rows.length - shown.length} more; --limit 0 shows all`))
  }
  section(`High confidence (>=${HIGH} uses, no dangerous patterns):`, of('high'))
  section(`Medium confidence (>=${MEDIUM} uses):`, of('medium'))
  section(REVIEW, of('low'))
  if (suggestions.length === 0) terminal.line('\nNothing yet: no question was asked that a rule could safely spare.')
  printIdle(terminal, idle, limit)
  printSkipped(terminal, skipped, limit)
  const { to: madeWith, on, newest, newer } = found.table
  if (newer)
    terminal.note(
      terminal.yellow(
        `${target.label} ${newest} is newer than what is known of its questions: that was made with ${madeWith} on ${on}`,
      ),
    )
  terminal.note(
    terminal.dim(
      `rules for ${target.label}; --json has them in its words,\n--apply merges those of high and medium confidence`,
    ),
  )
}

/** Room for what stands beside a pattern. */
const BESIDE = 24

/** Patterns stand in a column, except those that would leave no room for the rest. */
function patternWidth(terminal: Terminal, shown: readonly { readonly pattern: string }[]): number {
  const room = Math.max(12, terminal.width - BESIDE)
  return Math.max(0, ...shown.map(({ pattern }) => pattern.length).filter((length) => length <= room))
}

function printOne(terminal: Terminal, one: Suggestion, width: number): void {
  terminal.line(`  - ${one.pattern.padEnd(width)}  (${plural(one.count, 'use')})`)
  const failed = one.errorRate === 0 ? 'none failed' : `${(one.errorRate * 100).toFixed(1)}% failed`
  const waited = one.waitedMs === 0 ? '' : `, ${minutes(one.waitedMs)} waited`
  const spared = `would have spared ${plural(one.spared, 'question')} (${grouped(one.asked)} on record${waited})`
  const facts = [
    spared,
    projects(one.projects),
    failed,
    `last ${(isoTime(one.lastUsed) ?? 'unknown').slice(0, 10)}`,
  ].join(', ')
  const isWide = `      ${one.rule}  ${facts}`.length > terminal.width
  const heading = isWide ? [one.rule, facts] : [`${one.rule}  ${facts}`]
  const samples = one.samples.map((sample) => `$ ${sample.split('\n')[0]}`)
  for (const text of [...heading, one.reason, ...samples])
    terminal.line(terminal.dim(cut(`      ${text}`, terminal.width)))
  if (one.nearestDanger !== null) terminal.line(terminal.yellow(`      would also allow: ${one.nearestDanger}`))
}

function projects(names: readonly string[]): string {
  if (names.length === 0) return 'project unknown'
  return names.length > 3 ? plural(names.length, 'project') : names.join(', ')
}

function minutes(ms: number): string {
  return ms < 60_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`
}

function printIdle(terminal: Terminal, idle: readonly Idle[], limit: number): void {
  if (idle.length === 0) return
  terminal.line()
  terminal.line('Would spare nothing:')
  const shown = limited(idle, limit)
  const width = patternWidth(terminal, shown)
  for (const { pattern, count, reason } of shown)
    terminal.line(`  - ${pattern.padEnd(width)}  (${plural(count, 'use')})  ${terminal.dim(reason)}`)
  if (shown.length < idle.length)
    terminal.note(terminal.dim(`${shown.length} of ${grouped(idle.length)}; --limit 0 shows all`))
}

function printSkipped(terminal: Terminal, skipped: Suggested['skipped'], limit: number): void {
  if (skipped.length === 0) return
  terminal.line()
  terminal.line('Not suggested (writes, deletes, runs other code, or not known to be harmless):')
  const shown = limited(skipped, limit)
  const width = patternWidth(terminal, shown)
  for (const { pattern, count, reason } of shown)
    printWrapped(terminal, `- ${pattern.padEnd(width)}  (${plural(count, 'use')}) [SKIPPED]  ${reason}`, '  ', '    ')
  if (shown.length < skipped.length)
    terminal.note(terminal.dim(`${shown.length} of ${grouped(skipped.length)} not suggested; --limit 0 shows all`))
}
