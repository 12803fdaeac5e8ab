import { useAsked } from './asked.ts'
import { lastParts } from './format.ts'
import { go, usePlace } from './router.ts'

const NAMES = [
  'source',
  'project',
  'model',
  'tool',
  'outcome',
  'tag',
  'branch',
  'file',
  'kind',
  'is',
  'since',
  'before',
] as const
type Name = (typeof NAMES)[number]
export type Filters = Readonly<Partial<Record<Name, string>>>

export function filtersIn(query: URLSearchParams): Filters {
  return Object.fromEntries(NAMES.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : [])))
}

const TIMES = [
  ['1d', 'today'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
] as const
const OUTCOMES = ['success', 'fail', 'abandoned', 'unknown']
const MOST = 12

interface Choice {
  readonly value: string
  readonly label: string
}

/** What is there to choose from, as the store has it, and what was chosen. */
export function FilterBar({ filters }: { filters: Filters }) {
  const { query } = usePlace()
  const status = useAsked('status', {})
  const stats = useAsked('stats', {})
  const tools = useAsked('stats.tools', { limit: MOST })
  const models = useAsked('stats.models', { limit: MOST })
  const named = (values: readonly (string | null)[], shown: (value: string) => string = (value) => value): Choice[] =>
    [...new Set(values)].filter((value) => value !== null).map((value) => ({ value, label: shown(value) }))
  const choices: readonly (readonly [Name, readonly Choice[]])[] = [
    ['source', named(status.asked?.doc.sources.filter(({ sessions }) => sessions > 0).map(({ name }) => name) ?? [])],
    [
      'project',
      named(stats.asked?.doc.projects.slice(0, MOST * 2).map(({ project }) => project) ?? [], (path) =>
        lastParts(path),
      ),
    ],
    ['model', named(models.asked?.doc.rows.map(({ model }) => model) ?? [])],
    ['tool', named(tools.asked?.doc.rows.map(({ tool }) => tool) ?? [])],
    ['outcome', named(OUTCOMES)],
    ['since', TIMES.map(([value, label]) => ({ value, label }))],
  ]
  const set = (name: Name, value: string) => {
    const url = new URL(location.href)
    if (value === '') url.searchParams.delete(name)
    else url.searchParams.set(name, value)
    go(url.href, 'replace')
  }
  const chosen = NAMES.filter((name) => query.has(name))
  return (
    <div class="filters" role="group" aria-label="filters">
      {choices
        .filter(([name, all]) => all.length > 0 && !query.has(name))
        .map(([name, all]) => (
          <select
            key={name}
            aria-label={`only one ${name}`}
            value=""
            onChange={(event) => set(name, event.currentTarget.value)}
          >
            <option value="">{name}</option>
            {all.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        ))}
      {chosen.map((name) => (
        <button key={name} type="button" class="chip" onClick={() => set(name, '')} title="take this filter away">
          <span class="dim">{name}</span> {name === 'project' ? lastParts(filters[name] ?? '') : filters[name]}{' '}
          <span aria-hidden="true">×</span>
        </button>
      ))}
    </div>
  )
}
