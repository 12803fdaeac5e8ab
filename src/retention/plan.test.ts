import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  fullAt,
  growthPerDay,
  isDistilledOver,
  planEviction,
  planNext,
  planOverflow,
  type Eviction,
  type Holding,
  type Knobs,
} from './plan.ts'

const DAY = 86_400_000
const NOW = 1_000 * DAY
const KNOBS: Knobs = { rawSoftCapBytes: 100, rawHardCapBytes: 150, rawMaxAgeDays: 45, distilledCapBytes: 10 }

function held(uid: string, given: Partial<Holding> = {}): Holding {
  return { uid, bytes: 40, analyzedAt: NOW - DAY, ingestedAt: NOW - DAY, endedAt: NOW - DAY, pinned: false, ...given }
}

const uids = (evictions: readonly Eviction[]) => evictions.map((entry) => entry.uid)

describe('the backstop', () => {
  test('drops analysed raw that was taken in too long ago, however much space there is', () => {
    const old = held('old', { ingestedAt: NOW - 46 * DAY })
    const plan = planEviction([old, held('new')], KNOBS, NOW)
    expect(plan.evict).toEqual([{ uid: 'old', bytes: 40, reason: 'backstop' }])
    expect(plan).toMatchObject({ usageBefore: 80, usageAfter: 40, overflow: 0, analyzeFirst: [] })
  })

  test('goes by when the raw came, not by when the session was', () => {
    const archive = held('archive', { endedAt: NOW - 900 * DAY })
    expect(planEviction([archive], KNOBS, NOW).evict).toEqual([])
  })

  test('spares what is pinned, what has no digest, and what is exactly as old as allowed', () => {
    const spared = [
      held('pinned', { ingestedAt: 0, pinned: true }),
      held('raw', { ingestedAt: 0, analyzedAt: null }),
      held('edge', { ingestedAt: NOW - 45 * DAY, bytes: 1 }),
    ]
    expect(planEviction(spared, KNOBS, NOW).evict).toEqual([])
  })
})

describe('the budget pass', () => {
  test('drops the oldest analysed first and stops at the soft cap', () => {
    const plan = planEviction(
      [held('c', { analyzedAt: 3 }), held('a', { analyzedAt: 1 }), held('b', { analyzedAt: 2 })],
      KNOBS,
      NOW,
    )
    expect(plan.evict).toEqual([{ uid: 'a', bytes: 40, reason: 'budget' }])
    expect(plan.usageAfter).toBe(80)
  })

  test('takes pinned sessions last, and breaks ties by end, then by uid', () => {
    const holdings = [
      held('z', { analyzedAt: 5, endedAt: 7 }),
      held('y', { analyzedAt: 5, endedAt: 7 }),
      held('x', { analyzedAt: 5, endedAt: 6 }),
      held('w', { analyzedAt: 5, endedAt: null }),
      held('p', { analyzedAt: 1, pinned: true }),
    ]
    expect(uids(planEviction(holdings, { ...KNOBS, rawSoftCapBytes: 0 }, NOW).evict)).toEqual(['w', 'x', 'y', 'z', 'p'])
  })

  test('does not touch what has no digest: over the hard cap it asks for analysis, oldest first', () => {
    const holdings = [
      held('late', { analyzedAt: null, ingestedAt: 9, bytes: 100 }),
      held('early', { analyzedAt: null, ingestedAt: 8, bytes: 100 }),
      held('done'),
    ]
    const plan = planEviction(holdings, KNOBS, NOW)
    expect(uids(plan.evict)).toEqual(['done'])
    expect(plan).toMatchObject({ usageAfter: 200, overflow: 50, analyzeFirst: ['early', 'late'] })
  })

  test('between the caps it neither drops un-analysed raw nor asks for anything', () => {
    const plan = planEviction([held('raw', { analyzedAt: null, bytes: 120 })], KNOBS, NOW)
    expect(plan).toEqual({ evict: [], usageBefore: 120, usageAfter: 120, analyzeFirst: [], overflow: 0 })
  })

  test('a soft cap above the hard cap counts as the hard cap', () => {
    const plan = planEviction([held('a', { bytes: 151 })], { ...KNOBS, rawSoftCapBytes: 1000 }, NOW)
    expect(uids(plan.evict)).toEqual(['a'])
  })
})

test('the overflow drops the oldest without a digest, no more than needed, pinned last', () => {
  const holdings = [
    held('pinned', { analyzedAt: null, ingestedAt: 1, pinned: true, bytes: 60 }),
    held('b', { analyzedAt: null, ingestedAt: 3, bytes: 60 }),
    held('a', { analyzedAt: null, ingestedAt: 2, bytes: 60 }),
    held('analysed', { bytes: 60 }),
  ]
  const plan = planOverflow(holdings, KNOBS)
  expect(plan.evict).toEqual([
    { uid: 'a', bytes: 60, reason: 'overflow' },
    { uid: 'b', bytes: 60, reason: 'overflow' },
  ])
  expect(plan).toMatchObject({ usageBefore: 240, usageAfter: 120, overflow: 0 })
})

test('what goes next: first what is due, then the rest in the order of the budget pass', () => {
  const next = planNext(
    [
      held('later', { analyzedAt: 9 }),
      held('soon', { analyzedAt: 8 }),
      held('due', { ingestedAt: 0 }),
      held('raw', { analyzedAt: null, bytes: 1 }),
    ],
    KNOBS,
    NOW,
  )
  expect(next.map((entry) => [entry.uid, entry.reason, entry.due])).toEqual([
    ['due', 'backstop', true],
    ['soon', 'budget', false],
    ['later', 'budget', false],
  ])
})

test('the day on which the soft cap is reached follows from the growth', () => {
  expect(fullAt(40, KNOBS, 10, NOW)).toBe(NOW + 6 * DAY)
  expect(fullAt(100, KNOBS, 10, NOW)).toBe(NOW)
  expect(fullAt(40, KNOBS, 0, NOW)).toBeNull()
  expect(fullAt(40, KNOBS, Number.NaN, NOW)).toBeNull()
  expect(fullAt(0, KNOBS, 1e-300, NOW)).toBeNull()
})

test('growth counts the sessions of the last days, not those a first index took in', () => {
  const holdings = [held('recent', { bytes: 300 }), held('archive', { endedAt: 0, bytes: 1e9 })]
  expect(growthPerDay(holdings, NOW)).toBe(10)
})

test('digests over their cap are a flag and nothing else', () => {
  expect(isDistilledOver(10, KNOBS)).toBe(false)
  expect(isDistilledOver(11, KNOBS)).toBe(true)
})

describe('for any holdings and knobs', () => {
  const time = fc.integer({ min: 0, max: 5 }).map((day) => NOW - day * 20 * DAY)
  const holding = fc.record<Holding>({
    uid: fc.string({ minLength: 1, maxLength: 3 }),
    bytes: fc.integer({ min: 0, max: 200 }),
    analyzedAt: fc.option(time),
    ingestedAt: time,
    endedAt: fc.option(time),
    pinned: fc.boolean(),
  })
  const holdingsOf = fc.uniqueArray(holding, { selector: (entry) => entry.uid, maxLength: 25 })
  const knobsOf = fc.record<Knobs>({
    rawSoftCapBytes: fc.integer({ min: 0, max: 1500 }),
    rawHardCapBytes: fc.integer({ min: 0, max: 2000 }),
    rawMaxAgeDays: fc.integer({ min: 0, max: 90 }),
    distilledCapBytes: fc.constant(1),
  })
  const check = (claim: (holdings: readonly Holding[], knobs: Knobs) => void) =>
    fc.assert(fc.property(holdingsOf, knobsOf, claim), { numRuns: 500 })
  const byUid = (holdings: readonly Holding[]) => new Map(holdings.map((entry) => [entry.uid, entry]))
  const total = (holdings: readonly { bytes: number }[]) => holdings.reduce((sum, entry) => sum + entry.bytes, 0)
  const without = (holdings: readonly Holding[], gone: readonly Eviction[]) =>
    holdings.filter((entry) => !uids(gone).includes(entry.uid))

  test('un-analysed data goes only by overflow, each session at most once, and the sums are right', () => {
    check((holdings, knobs) => {
      const plan = planEviction(holdings, knobs, NOW)
      const known = byUid(holdings)
      for (const entry of plan.evict) expect(known.get(entry.uid)?.analyzedAt).not.toBeNull()
      expect(new Set(uids(plan.evict)).size).toBe(plan.evict.length)
      expect(plan.usageBefore).toBe(total(holdings))
      expect(plan.usageAfter).toBe(total(without(holdings, plan.evict)))
      for (const uid of plan.analyzeFirst) expect(known.get(uid)?.analyzedAt).toBeNull()
      for (const entry of planOverflow(holdings, knobs).evict) expect(known.get(entry.uid)?.analyzedAt).toBeNull()
    })
  })

  test('no pinned session goes before an unpinned one that could have gone', () => {
    check((holdings, knobs) => {
      const known = byUid(holdings)
      const { evict } = planEviction(holdings, knobs, NOW)
      expect(evict.filter((entry) => entry.reason === 'backstop' && known.get(entry.uid)?.pinned)).toEqual([])
      const firstPinned = evict.findIndex((entry) => known.get(entry.uid)?.pinned)
      if (firstPinned === -1) return
      expect(evict.slice(firstPinned).every((entry) => known.get(entry.uid)?.pinned)).toBe(true)
      const left = without(holdings, evict)
      expect(left.filter((entry) => entry.analyzedAt !== null && !entry.pinned)).toEqual([])
    })
  })

  test('usage ends at or below the soft cap whenever dropping analysed data can do it, and no more is dropped than needed', () => {
    check((holdings, knobs) => {
      const soft = Math.min(knobs.rawSoftCapBytes, knobs.rawHardCapBytes)
      const plan = planEviction(holdings, knobs, NOW)
      const floor = total(holdings.filter((entry) => entry.analyzedAt === null))
      if (floor <= soft) expect(plan.usageAfter).toBeLessThanOrEqual(soft)
      else expect(plan.usageAfter).toBe(floor)
      const last = plan.evict.at(-1)
      if (last?.reason === 'budget') expect(plan.usageAfter + last.bytes).toBeGreaterThan(soft)
    })
  })

  test('a second pass over what is left drops nothing, and analysing then planning again ends under the hard cap', () => {
    check((holdings, knobs) => {
      const left = without(holdings, planEviction(holdings, knobs, NOW).evict)
      expect(planEviction(left, knobs, NOW).evict).toEqual([])
      const analyzed = left.map((entry) => ({ ...entry, analyzedAt: entry.analyzedAt ?? NOW }))
      expect(planEviction(analyzed, knobs, NOW)).toMatchObject({ analyzeFirst: [], overflow: 0 })
      expect(planOverflow(left, knobs).usageAfter).toBeLessThanOrEqual(knobs.rawHardCapBytes)
    })
  })

  test('the order of the input does not matter', () => {
    const shuffled = holdingsOf.chain((holdings) =>
      fc.tuple(
        fc.constant(holdings),
        fc.shuffledSubarray(holdings, { minLength: holdings.length, maxLength: holdings.length }),
      ),
    )
    fc.assert(
      fc.property(shuffled, knobsOf, ([holdings, mixed], knobs) => {
        expect(planEviction(mixed, knobs, NOW)).toEqual(planEviction(holdings, knobs, NOW))
        expect(planOverflow(mixed, knobs)).toEqual(planOverflow(holdings, knobs))
        expect(planNext(mixed, knobs, NOW)).toEqual(planNext(holdings, knobs, NOW))
      }),
      { numRuns: 300 },
    )
  })
})
