import type { PermissionTarget } from '../model/permission.ts'
import { baseName } from '../model/session.ts'
import type { Settings } from '../settings/settings.ts'
import {
  QUARTER_MS,
  type CallSum,
  type CommandSum,
  type ErrorSum,
  type FileSum,
  type SessionSum,
  type SumKey,
  type TimeSum,
} from '../store/insight.ts'
import type { FormSum, QuestionSum } from '../store/permissions.ts'
import type { LedgerEntry, Store, UsageFilter } from '../store/store.ts'
import {
  costByModel,
  costOfSums,
  hasPause,
  modelKey,
  ownPrices,
  priceFinder,
  runningBlock,
  type Block,
  type Cost,
  type ModelSum,
  type PriceTable,
} from './cost.ts'
import { costOf, ratesOf } from './prices/prices.ts'
import { addRows, joinRows, type OverviewRow } from './overview-rows.ts'
import type { CommandUse, Suggestions } from './permissions/suggest.ts'
import type { ShellReport } from './shell-rows.ts'

/** What the reports need. */
export interface InsightParts {
  readonly reading: () => Store
  readonly settings: Settings & { readonly prices?: PriceTable }
  readonly now: () => number
}

/** Commands that a rule has let pass. */
export interface Matched {
  readonly count: number
  readonly errors: number
  readonly lastUsed: number | null
  readonly samples: readonly string[]
}

/** With what it cost: by the price list, else as the agent recorded it. */
export interface BilledResponse extends LedgerEntry {
  readonly usd: number
}

/** Everything at a glance. */
export interface Overview {
  readonly totals: SessionSum
  /** Calls of a shell. */
  readonly commands: number
  readonly cost: Cost
  readonly silent: number
  readonly time: TimeSum
  readonly days: readonly OverviewRow[]
  readonly projects: readonly OverviewRow[]
}

/** Reports over the store: tools, commands, cost, permissions. */
export interface Insight {
  overview(filter: UsageFilter): Promise<Overview>
  /** What an overview tells, under each key: the dearest first, days in order. */
  rows(by: SumKey, filter: UsageFilter): Promise<OverviewRow[]>
  tools(by: SumKey, filter: UsageFilter): Promise<CallSum[]>
  shell(by: SumKey, filter: UsageFilter): Promise<ShellReport>
  cost(by: SumKey, filter: UsageFilter): Promise<Cost>
  /** Sessions that tell no tokens, and so are in no sum of tokens or money. */
  silent(by: SumKey, filter: UsageFilter): Promise<Map<string | null, number>>
  /** Every billed response of a session, by its row id, with what it cost. */
  responses(session: number): Promise<BilledResponse[]>
  models(by: SumKey, filter: UsageFilter): Promise<ModelSum[]>
  errors(by: SumKey, filter: UsageFilter): Promise<ErrorSum[]>
  files(by: SumKey, filter: UsageFilter): Promise<FileSum[]>
  /** Each session on its own: sessions side by side are counted side by side. */
  time(by: SumKey, filter: UsageFilter): Promise<TimeSum[]>
  /** The five hours that are running, by which plans are limited; null if none are. */
  block(filter: UsageFilter): Promise<Block | null>
  /** What rules for these patterns have matched, in their order. */
  matched(patterns: readonly string[], filter: UsageFilter): Promise<Matched[]>
  suggest(filter: UsageFilter, target: PermissionTarget): Promise<Suggestions>
  /** What the command lines of sessions speak for; none before it is judged. */
  forms(filter: UsageFilter): Promise<readonly FormSum[]>
  /** What people were asked about. Of a store of an older form nothing is known before it is indexed. */
  questions(filter: UsageFilter): Promise<readonly QuestionSum[]>
  /** The versions of agents whose sessions are stored. */
  versions(): Promise<{ readonly agent: string; readonly version: string }[]>
}

/** Where blocks begin follows from the last pause before them: mostly it lies within this time. */
const BLOCKS_SINCE = 3 * 86_400_000

export function createInsight({ reading, settings, now }: InsightParts): Insight {
  const queries = () => reading().insight
  const permissions = () => reading().permissions
  const cost = async (by: SumKey, filter: UsageFilter) =>
    costOfSums(await queries().spent(by, filter), ownPrices(settings.prices ?? new Map()))
  const overviewRows = async (by: SumKey, filter: UsageFilter, spent: Cost, calls: readonly CallSum[] | null) => {
    const rows = joinRows({ sessions: await queries().sessions(by, inSessions(filter)), calls, spent: spent.rows })
    return rows.sort(
      (a, b) =>
        (by === 'day' ? 0 : b.usd - a.usd || b.sessions - a.sessions) || ((a.key ?? '') < (b.key ?? '') ? -1 : 1),
    )
  }

  /** Where a session as a whole tells its calls: null. It does unless it is cut by time. */
  const callsApart = async (by: SumKey, filter: UsageFilter) =>
    by === 'day' || filter.since !== undefined || filter.before !== undefined ? queries().calls(by, filter) : null

  return {
    cost,
    tools: (by, filter) => queries().calls(by, filter),
    errors: (by, filter) => queries().errors(by, filter),
    files: (by, filter) => queries().files(by, filter),
    time: (by, filter) => queries().time(by, filter),
    silent: (by, filter) => queries().silent(by, filter),

    async responses(session) {
      const priceFor = priceFinder(ownPrices(settings.prices ?? new Map()))
      return (await reading().ledger({ session })).map((entry) => {
        const price = priceFor(entry.model)
        return { ...entry, usd: price === null ? (entry.costUsd ?? 0) : costOf(entry, ratesOf(price, entry)) }
      })
    },

    async shell(by, filter) {
      const { shellReport } = await import('./shell-rows.ts')
      return shellReport(await queries().shell(by, filter), await queries().inner(by, filter))
    },

    async models(by, filter) {
      const found = by === 'session' ? null : await queries().sessionsOfModels(by, filter)
      const sessions = found === null ? null : new Map(found.map((one) => [modelKey(one), one.sessions]))
      const own = ownPrices(settings.prices ?? new Map())
      const sums = costByModel(await queries().spent(by, filter), own, (name) => sessions?.get(name) ?? 1)
      return sums.sort((a, b) => b.responses - a.responses || ((a.key ?? '') < (b.key ?? '') ? -1 : 1))
    },

    async block(filter) {
      const earliest = filter.since ?? 0
      for (let back = BLOCKS_SINCE; ; back *= 4) {
        const since = Math.max(earliest, now() - back)
        const { rows } = await cost('quarter', { ...filter, since })
        const known = rows.filter((row) => row.key !== null)
        const quarters = known.map((row) => ({ at: Number(row.key) * QUARTER_MS, usd: row.usd }))
        quarters.sort((a, b) => a.at - b.at)
        if (since === earliest || hasPause(quarters, since)) return runningBlock(quarters, now())
      }
    },

    async overview(filter) {
      const [time] = await queries().time('all', filter)
      const shell = await queries().shell('all', filter)
      const byProject = await cost('project', filter)
      const projects = await overviewRows('project', filter, byProject, await callsApart('project', filter))
      return {
        totals: addRows(projects),
        commands: shell.reduce((sum, row) => sum + row.count, 0),
        cost: byProject,
        silent: (await queries().silent('all', filter)).get(null) ?? 0,
        time: time ?? { key: null, sessions: 0, unknown: 0, activeS: 0, agentS: 0, waitingS: 0, idleS: 0 },
        days: await overviewRows('day', filter, await cost('day', filter), null),
        projects,
      }
    },

    rows: async (by, filter) => overviewRows(by, filter, await cost(by, filter), await callsApart(by, filter)),

    async matched(patterns, filter) {
      const { readMatched } = await import('./permissions/matched.ts')
      return readMatched(
        {
          forms: (...asked) => permissions().forms(...asked),
          commands: (...asked) => queries().commands(...asked),
        },
        patterns,
        filter,
      )
    },

    forms: async (filter) => (await permissions().forms(filter, { fewest: 1 }))?.forms ?? [],
    questions: async (filter) => (await permissions().questions(filter)) ?? [],
    versions: async () => permissions().versions(),

    async suggest(all, target) {
      const { FEWEST, suggest, suggestForms } = await import('./permissions/suggest.ts')
      const sessions = all.sessions ?? { limit: 0 }
      const filter = { ...all, sessions: { ...sessions, source: sessions.source ?? target.agent } }
      const forms = await permissions().forms(filter, { fewest: FEWEST })
      if (forms !== null) {
        const named = forms.forms.map((form) => ({ ...form, projects: form.projects.map(baseName) }))
        const found = suggestForms({ ...forms, forms: named }, target)
        const { suggestTools } = await import('./permissions/tools.ts')
        const tools = suggestTools((await permissions().questions(filter)) ?? [], target)
        return { ...found, suggestions: [...found.suggestions, ...tools].sort((a, b) => b.spared - a.spared) }
      }
      const { asksUnseen } = await import('./permissions/never-asked.ts')
      const uses = usesOf(await queries().commands('all', filter))
      return suggest(
        uses.map((use) => ({ ...use, unseen: asksUnseen(target, use.command) ? use.count : 0 })),
        { target },
      )
    },
  }
}

function inSessions({ sessions, since, before }: UsageFilter) {
  return {
    ...(sessions ?? { limit: 0 }),
    ...(since === undefined ? {} : { since }),
    ...(before === undefined ? {} : { before }),
  }
}

/** Uses of one command line in all projects together. */
function usesOf(sums: readonly CommandSum[]): CommandUse[] {
  const uses = new Map<string, { -readonly [K in keyof CommandUse]: CommandUse[K] }>()
  for (const sum of sums) {
    const use = uses.get(sum.command) ?? {
      command: sum.command,
      count: 0,
      errors: 0,
      projects: [],
      lastUsed: null,
      asked: 0,
    }
    use.count += sum.count
    use.errors += sum.errors
    if (sum.project !== null) use.projects = [...use.projects, baseName(sum.project)]
    if (sum.lastUsed !== null) use.lastUsed = Math.max(use.lastUsed ?? 0, sum.lastUsed)
    uses.set(sum.command, use)
  }
  return [...uses.values()]
}
