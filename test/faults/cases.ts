import { kindOf, type Call } from './calls.ts'
import type { Scenario } from './scenarios.ts'

/** What happens to one call of one command. */
export interface Case {
  readonly scenario: Scenario
  /** The number of the call. */
  readonly at: number
  readonly fault: string
  /** The call and the kind of file it is about. */
  readonly call: string
}

const KILLS = ['before', 'after']

/** What can happen to a call. `cut`: the power goes after it; `cut-some`: and some of what was not synced survives. */
const FAULTS: Readonly<Record<string, readonly string[]>> = {
  open: ['EIO', 'EACCES', 'EMFILE', 'before'],
  create: ['EACCES', 'EMFILE', 'ENOSPC', 'full', ...KILLS],
  write: ['EIO', 'ENOSPC', 'full', 'short', 'cut-some', ...KILLS],
  pwrite: ['EIO', 'ENOSPC', 'full', 'short', 'cut-some', ...KILLS],
  fsync: ['EIO', 'cut', 'cut-some', ...KILLS],
  truncate: ['EIO', 'cut-some', ...KILLS],
  rename: ['EIO', 'EACCES', 'ENOSPC', 'cut-some', ...KILLS],
  unlink: ['EIO', 'EACCES', 'cut-some', ...KILLS],
  rmdir: ['EIO', 'EACCES', ...KILLS],
  mkdir: ['EACCES', 'ENOSPC', 'full', ...KILLS],
  link: ['EIO', 'EACCES', ...KILLS],
  allocate: ['ENOSPC', ...KILLS],
}

export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Everything that can happen to these calls. A call that failed by itself has nothing to fail. */
export function allCases(scenario: Scenario, calls: readonly Call[]): Case[] {
  return calls.flatMap(({ number: at, call, path, length }) => {
    const faults = length < 0 ? [] : (FAULTS[call] ?? [])
    const fit = faults.filter(
      (fault) => (fault !== 'short' || length > 1) && !(fault === 'EACCES' && scenario.inGroups === true),
    )
    return fit.map((fault) => ({ scenario, at, fault, call: `${call} ${kindOf(path)}` }))
  })
}

/**
 * So many of them: each command as often as any other, in it each kind of call with each fault as often as any other,
 * and of one kind from the first to the last as evenly as can be.
 */
export function sample(cases: readonly Case[], count: number, seed: number): Case[] {
  const next = random(seed)
  const commands = [...grouped(cases, ({ scenario }) => scenario.name).values()].map((own) => {
    const kinds = [...grouped(own, ({ call, fault }) => `${call} ${fault}`).values()]
    return shuffled(kinds, next).map((kind) => spread(kind, next))
  })
  const chosen: Case[] = []
  const turns = commands.map((kinds) => kinds.filter((kind) => kind.length > 0))
  while (chosen.length < count && turns.some((kinds) => kinds.length > 0)) {
    for (const kinds of turns) {
      const kind = kinds.shift()
      const one = kind?.shift()
      if (kind === undefined || one === undefined || chosen.length >= count) continue
      chosen.push(one)
      if (kind.length > 0) kinds.push(kind)
    }
  }
  return chosen
}

function grouped<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item])
  return groups
}

function shuffled<T>(items: readonly T[], next: () => number): T[] {
  return items
    .map((item) => ({ item, order: next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item)
}

/** In an order whose every beginning is spread over the whole: the golden ratio never comes near where it was. */
function spread<T>(items: readonly T[], next: () => number): T[] {
  const golden = (Math.sqrt(5) - 1) / 2
  const left = [...items]
  const result: T[] = []
  for (let place = next(); left.length > 0; place = (place + golden) % 1) {
    result.push(...left.splice(Math.floor(place * left.length), 1))
  }
  return result
}
