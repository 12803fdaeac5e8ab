import { grouped, humanBytes, plural } from '../../model/text.ts'
import { localTime } from '../../model/time.ts'
import { acknowledge, status as reading, type SourceView, type State } from '../../operations/status.ts'
import { debtText } from '../../retention/debts.ts'
import type { StoreStatus } from '../../store/store.ts'
import { FRESH_OPTION, type Context } from '../command.ts'
import { commandOf, switchedBy } from '../operation-command.ts'
import { printTable } from '../table.ts'

function printing(operation: typeof reading) {
  return commandOf({
    operation,
    options: [FRESH_OPTION],
    examples: ['recall status', 'recall status --json'],
    print: printStatus,
  })
}

export const status = switchedBy(
  { flags: '--acknowledge', help: acknowledge.summary },
  printing(reading),
  printing(acknowledge),
)

function printStatus({ terminal }: Context, { store, isDistilledOver, sources, debts }: State): void {
  terminal.line(`${terminal.bold('store')}  ${store.path}`)
  terminal.line(
    `       ${humanBytes(store.bytes)}: ${humanBytes(store.tier1Bytes)} sessions and index, ${humanBytes(store.tier2Bytes)} digests`,
  )
  if (isDistilledOver)
    terminal.line(terminal.yellow('       digests are above distilled_cap_bytes: none is dropped, see `recall budget`'))
  for (const debt of debts)
    terminal.line(terminal.yellow(`${debtText(debt)}; the next command that writes does it first`))
  for (const notice of store.notices)
    terminal.line(terminal.red(`       ${localTime(notice.at)} ${notice.message} (--acknowledge)`))
  terminal.line(`       last index ${localTime(store.lastIndex) || 'never'}`)
  terminal.line(`       ${vectorLine(store.vectors)}`)
  terminal.line()
  printTable(terminal, sources, [
    { title: 'source', value: (s) => s.label },
    { title: 'sessions', value: (s) => grouped(s.known?.totals.sessions ?? 0), right: true },
    { title: 'prompts', value: (s) => grouped(s.known?.totals.prompts ?? 0), right: true },
    { title: 'messages', value: (s) => grouped(s.known?.totals.messages ?? 0), right: true },
    { title: 'calls', value: (s) => grouped(s.known?.totals.toolCalls ?? 0), right: true },
    { title: 'files', value: (s) => fileStates(s), flexible: true },
    { title: 'looked in', value: (s) => s.found.join(', ') || 'no directory', flexible: true, tail: true },
  ])
  if (store.problems.length === 0) return
  terminal.line()
  printTable(terminal, store.problems, [
    { title: 'problems', value: (p) => String(p.count), right: true },
    { title: 'level', value: (p) => p.level },
    { title: 'source', value: (p) => p.source },
    { title: 'type', value: (p) => p.type, flexible: true },
  ])
}

function vectorLine({ model, embedded, left }: StoreStatus['vectors']): string {
  if (model === null) return 'no vectors: search is by words (`recall index --embed` adds meaning)'
  return `${plural(embedded, 'vector')} of ${model}${left > 0 ? `, ${left} texts without: run \`recall index --embed\`` : ''}`
}

function fileStates(view: SourceView): string {
  const states = view.known?.byState ?? {}
  const others = Object.entries(states).filter(([state]) => state !== 'ok')
  const note = others.map(([state, n]) => `${n} ${state}`).join(', ')
  return `${plural(view.known?.files ?? 0, 'file')}${note === '' ? '' : ` (${note})`}`
}
