import { parsePattern } from '../../model/permission.ts'
import { QUARTER_MS, type CommandSum, type InsightQueries } from '../../store/insight.ts'
import type { PermissionQueries } from '../../store/permissions.ts'
import type { UsageFilter } from '../../store/store.ts'
import type { Matched } from '../insight.ts'
import { matches } from './rules.ts'
import { isOffered } from './suggest.ts'

const MAX_SAMPLES = 3

/**
 * What rules for these patterns have matched since a moment. From what the store has kept of whole quarters of an
 * hour, and the commands before the first of them; of rules that would not be offered any more, from all commands.
 */
export async function readMatched(
  queries: Pick<InsightQueries, 'commands'> & Pick<PermissionQueries, 'forms'>,
  patterns: readonly string[],
  filter: UsageFilter,
): Promise<Matched[]> {
  const since = filter.since ?? 0
  const whole = Math.ceil(since / QUARTER_MS) * QUARTER_MS
  const kept = patterns.every(isOffered)
    ? await queries.forms({ ...filter, since: whole }, { fewest: 0, patterns })
    : null
  if (kept === null) {
    const all = await queries.commands('all', filter)
    return patterns.map((pattern) => matchedBy(pattern, all))
  }
  const edge = whole === since ? [] : await queries.commands('all', { ...filter, before: whole })
  return patterns.map((pattern) => {
    const early = matchedBy(pattern, edge)
    const form = kept.forms.find((one) => one.pattern === pattern)
    if (form === undefined) return early
    const samples = form.offer === 'exact' ? [pattern] : form.samples
    return add({ ...form, samples: [...new Set(samples)].slice(0, MAX_SAMPLES) }, early)
  })
}

function matchedBy(text: string, uses: readonly CommandSum[]): Matched {
  const pattern = parsePattern(text)
  return uses
    .filter((use) => matches(pattern, use.command))
    .map(({ count, errors, lastUsed, command }) => ({ count, errors, lastUsed, samples: [command] }))
    .reduce(add, { count: 0, errors: 0, lastUsed: null, samples: [] })
}

function add(a: Matched, b: Matched): Matched {
  const times = [a.lastUsed, b.lastUsed].filter((time) => time !== null)
  return {
    count: a.count + b.count,
    errors: a.errors + b.errors,
    lastUsed: times.length === 0 ? null : Math.max(...times),
    samples: [...new Set([...a.samples, ...b.samples])].slice(0, MAX_SAMPLES),
  }
}
