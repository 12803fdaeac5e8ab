import { existsSync } from 'node:fs'
import { isoTime } from '../model/time.ts'
import { debtText, type Debt } from '../retention/debts.ts'
import { isDistilledOver } from '../retention/plan.ts'
import type { SourceTotals, StoreStatus, Totals } from '../store/store.ts'
import { operation, type OperationContext } from './operation.ts'
import { count, flag, instant, list, nullable, object, record, text } from './schema.ts'

const totals = object({
  sessions: count(),
  prompts: count(),
  messages: count(),
  tool_calls: count(),
  events: count(),
  tokens: object({
    input: count(),
    output: count(),
    cache_write: count(),
    cache_read: count(),
    reasoning: count(),
  }),
})

const output = object({
  store: object({
    path: text(),
    bytes: count(),
    tier1_bytes: count(),
    tier2_bytes: count(),
    tier2_flagged: flag(),
  }),
  totals,
  sources: list(
    object({
      name: text(),
      takes_over: flag('it can begin with a handoff'),
      roots: list(text()),
      files: count(),
      files_by_state: record(count()),
      sessions: count(),
      totals,
    }),
  ),
  problems: list(object({ source: text(), type: text(), level: text(), count: count() })),
  debts: list(object({ kind: text(), since: instant, message: text() })),
  notices: list(object({ at: instant, kind: text(), message: text() })),
  embeddings: object({ model: nullable(text()), dimensions: nullable(count()), embedded: count(), left: count() }),
  last_index: instant,
})

export interface SourceView {
  readonly name: string
  readonly label: string
  readonly takesOver: boolean
  readonly roots: readonly string[]
  /** The roots that are there. */
  readonly found: readonly string[]
  readonly known: SourceTotals | undefined
}

export interface State {
  readonly store: StoreStatus
  /** Digests take more room than they should. */
  readonly isDistilledOver: boolean
  /** Every agent that is known, whether or not this machine has sessions of it. */
  readonly sources: readonly SourceView[]
  readonly debts: readonly Debt[]
}

const shape = { input: object({}), output, document: stateDocument }

export const status = operation({
  ...shape,
  name: 'status',
  summary: 'what is kept, from where, and what could not be read',
  effect: 'reads',
  run: (context) => stateOf(context),
})

export const acknowledge = operation({
  ...shape,
  name: 'acknowledge',
  summary: 'do not show the warnings of the past again',
  effect: 'writes',
  async run(context): Promise<State> {
    await context.recall.acknowledge()
    return stateOf(context)
  },
})

async function stateOf({ recall, settings, sources }: OperationContext): Promise<State> {
  const store = await recall.status()
  const roots = recall.roots()
  return {
    store,
    isDistilledOver: isDistilledOver(store.tier2Bytes, settings),
    sources: sources.map((source) => {
      const dirs = roots.filter((root) => root.source === source).map((root) => root.dir)
      return {
        name: source.name,
        label: source.label,
        takesOver: source.begin !== undefined,
        roots: dirs,
        found: dirs.filter((dir) => existsSync(dir)),
        known: store.sources.find((entry) => entry.source === source.name),
      }
    }),
    debts: recall.debts().map(({ debt }) => debt),
  }
}

function stateDocument({ store, isDistilledOver: isOver, sources, debts }: State) {
  return {
    store: {
      path: store.path,
      bytes: store.bytes,
      tier1_bytes: store.tier1Bytes,
      tier2_bytes: store.tier2Bytes,
      tier2_flagged: isOver,
    },
    totals: totalsDocument(sumTotals(store.sources)),
    sources: sources.map(({ name, takesOver, roots, known }) => ({
      name,
      takes_over: takesOver,
      roots,
      files: known?.files ?? 0,
      files_by_state: known?.byState ?? {},
      sessions: known?.totals.sessions ?? 0,
      totals: totalsDocument(known?.totals),
    })),
    problems: store.problems,
    debts: debts.map((debt) => ({ kind: debt.kind, since: isoTime(debt.since), message: debtText(debt) })),
    notices: store.notices.map(({ at, kind, message }) => ({ at: isoTime(at), kind, message })),
    embeddings: { ...store.vectors },
    last_index: isoTime(store.lastIndex),
  }
}

function totalsDocument(known: Totals | undefined) {
  const tokens = known?.tokens
  return {
    sessions: known?.sessions ?? 0,
    prompts: known?.prompts ?? 0,
    messages: known?.messages ?? 0,
    tool_calls: known?.toolCalls ?? 0,
    events: known?.events ?? 0,
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
  const sum = (pick: (of: Totals) => number) => sources.reduce((total, source) => total + pick(source.totals), 0)
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
