import { existsSync } from 'node:fs'
import type { SourceTotals, StoreStatus, Totals } from '../../store/store.ts'
import { grouped, humanBytes, plural } from '../../model/text.ts'
import { debtText } from '../../retention/debts.ts'
import { isoTime } from '../../model/time.ts'
import { isDistilledOver } from '../../retention/plan.ts'
import { FRESH_OPTION, JSON_OPTION, type Command, type Context } from '../command.ts'
import { flag } from '../given.ts'
import { printTable } from '../table.ts'
import { localTime } from '../when.ts'

export const status: Command = {
  name: 'status',
  summary: 'what is kept, from where, and what could not be read',
  args: [],
  options: [{ flags: '--acknowledge', help: 'do not show the warnings of the past again' }, FRESH_OPTION, JSON_OPTION],
  examples: ['recall status', 'recall status --json'],
  async run(context, _args, given) {
    if (flag(given, 'acknowledge')) await context.recall.acknowledge()
    const state = await context.recall.status()
    if (flag(given, 'json')) context.terminal.json(statusJson(context, state))
    else printStatus(context, state)
  },
}

interface SourceView {
  readonly name: string
  readonly label: string
  readonly roots: readonly string[]
  readonly known: SourceTotals | undefined
}

/** Every agent recall knows, whether or not this machine has sessions of it. */
function sourceViews(context: Context, state: StoreStatus): SourceView[] {
  const roots = context.recall.roots()
  return context.sources.map((source) => ({
    name: source.name,
    label: source.label,
    roots: roots.filter((root) => root.source === source).map((root) => root.dir),
    known: state.sources.find((entry) => entry.source === source.name),
  }))
}

function totalsJson(totals: Totals | undefined) {
  const tokens = totals?.tokens
  return {
    sessions: totals?.sessions ?? 0,
    prompts: totals?.prompts ?? 0,
    messages: totals?.messages ?? 0,
    tool_calls: totals?.toolCalls ?? 0,
    events: totals?.events ?? 0,
    tokens: {
      input: tokens?.input ?? 0,
      output: tokens?.output ?? 0,
      cache_write: (tokens?.cacheWrite5m ?? 0) + (tokens?.cacheWrite1h ?? 0),
      cache_read: tokens?.cacheRead ?? 0,
      reasoning: tokens?.reasoning ?? 0,
    },
  }
}

function sumTotals(sources: readonly SourceTotals[]): Totals {
  const sum = (pick: (totals: Totals) => number) => sources.reduce((total, source) => total + pick(source.totals), 0)
  return {
    sessions: sum((t) => t.sessions),
    prompts: sum((t) => t.prompts),
    messages: sum((t) => t.messages),
    toolCalls: sum((t) => t.toolCalls),
    events: sum((t) => t.events),
    tokens: {
      input: sum((t) => t.tokens.input),
      output: sum((t) => t.tokens.output),
      cacheRead: sum((t) => t.tokens.cacheRead),
      cacheWrite5m: sum((t) => t.tokens.cacheWrite5m),
      cacheWrite1h: sum((t) => t.tokens.cacheWrite1h),
      reasoning: sum((t) => t.tokens.reasoning),
    },
  }
}

function statusJson(context: Context, state: StoreStatus): Record<string, unknown> {
  return {
    store: {
      path: state.path,
      bytes: state.bytes,
      tier1_bytes: state.tier1Bytes,
      tier2_bytes: state.tier2Bytes,
      tier2_flagged: isDistilledOver(state.tier2Bytes, context.settings),
    },
    totals: totalsJson(sumTotals(state.sources)),
    sources: sourceViews(context, state).map(({ name, roots, known }) => ({
      name,
      roots,
      files: known?.files ?? 0,
      files_by_state: known?.byState ?? {},
      sessions: known?.totals.sessions ?? 0,
      totals: totalsJson(known?.totals),
    })),
    problems: state.problems,
    debts: context.recall
      .debts()
      .map(({ debt }) => ({ kind: debt.kind, since: isoTime(debt.since), message: debtText(debt) })),
    notices: state.notices.map(({ at, kind, message }) => ({ at: isoTime(at), kind, message })),
    embeddings: state.vectors,
    last_index: isoTime(state.lastIndex),
  }
}

function printStatus(context: Context, state: StoreStatus): void {
  const { terminal } = context
  terminal.line(`${terminal.bold('store')}  ${state.path}`)
  terminal.line(
    `       ${humanBytes(state.bytes)}: ${humanBytes(state.tier1Bytes)} sessions and index, ${humanBytes(state.tier2Bytes)} digests`,
  )
  if (isDistilledOver(state.tier2Bytes, context.settings))
    terminal.line(terminal.yellow('       digests are above distilled_cap_bytes: none is dropped, see `recall budget`'))
  for (const { debt } of context.recall.debts())
    context.terminal.line(context.terminal.yellow(`${debtText(debt)}; the next command that writes does it first`))
  for (const notice of state.notices)
    terminal.line(terminal.red(`       ${localTime(notice.at)} ${notice.message} (--acknowledge)`))
  terminal.line(`       last index ${localTime(state.lastIndex) || 'never'}`)
  terminal.line(`       ${vectorLine(state.vectors)}`)
  terminal.line()
  printTable(terminal, sourceViews(context, state), [
    { title: 'source', value: (s) => s.label },
    { title: 'sessions', value: (s) => grouped(s.known?.totals.sessions ?? 0), right: true },
    { title: 'prompts', value: (s) => grouped(s.known?.totals.prompts ?? 0), right: true },
    { title: 'messages', value: (s) => grouped(s.known?.totals.messages ?? 0), right: true },
    { title: 'calls', value: (s) => grouped(s.known?.totals.toolCalls ?? 0), right: true },
    { title: 'files', value: (s) => fileStates(s), flexible: true },
    {
      title: 'looked in',
      value: (s) => s.roots.filter((dir) => existsSync(dir)).join(', ') || 'no directory',
      flexible: true,
      tail: true,
    },
  ])
  if (state.problems.length === 0) return
  terminal.line()
  printTable(terminal, state.problems, [
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
