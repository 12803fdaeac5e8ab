import type { SessionFilter } from '../model/session.ts'
import { parseSince } from '../model/time.ts'
import type { ExchangeFilter } from '../store/text-index.ts'

/** Filters that can stand in a query as `name:value` and be given as flags of the same name. */
export const FILTER_NAMES = [
  'source',
  'project',
  'tool',
  'kind',
  'file',
  'branch',
  'model',
  'outcome',
  'since',
  'before',
  'tag',
  'group',
  'is',
] as const
type FilterName = (typeof FILTER_NAMES)[number]

/** What narrows an answer: sessions, and exchanges within them. */
export interface QueryFilters {
  readonly session: Omit<SessionFilter, 'limit'>
  readonly exchange: ExchangeFilter
}

const FILTER = new RegExp(`(?<=^|\\s)(${FILTER_NAMES.join('|')}):(?:"([^"]*)"|(\\S+))`, 'gi')

/** Takes the filters out of a query. A value that means nothing leaves its text in the query. */
export function readFilters(text: string, now: number): { rest: string; filters: QueryFilters } {
  let filters: QueryFilters = { session: {}, exchange: {} }
  const rest = text.replace(FILTER, (whole: string, name: string, quoted?: string, bare?: string) => {
    const narrowed = narrow(filters, name.toLowerCase() as FilterName, quoted ?? bare ?? '', now)
    if (narrowed === null) return whole
    filters = narrowed
    return ' '
  })
  return { rest, filters }
}

function narrow(filters: QueryFilters, name: FilterName, value: string, now: number): QueryFilters | null {
  if (value === '') return null
  const session = (more: Omit<SessionFilter, 'limit'>) => ({ ...filters, session: { ...filters.session, ...more } })
  const exchange = (more: ExchangeFilter) => ({ ...filters, exchange: { ...filters.exchange, ...more } })
  switch (name) {
    case 'since':
    case 'before': {
      const at = parseSince(value, now)
      return at === null ? null : session({ [name]: at })
    }
    case 'is':
      if (value.toLowerCase() === 'automated') return session({ automated: true })
      return value.toLowerCase() === 'sidechain' ? exchange({ sidechain: true }) : null
    case 'tool':
    case 'kind':
      return exchange({ [name]: value.toLowerCase() })
    case 'group':
      return session({ tag: `group:${value}` })
    default:
      return session({ [name]: name === 'source' ? value.toLowerCase().replaceAll('-', '_') : value })
  }
}

export function isNarrowed({ session, exchange }: QueryFilters): boolean {
  return Object.keys(session).length + Object.keys(exchange).length > 0
}
