import { describe, expect, test } from 'vitest'
import { fuse, rankSessions } from './hybrid.ts'
import type { Ranked } from './rank.ts'

const hit = (session: number, score: number, coverage = 0.6, doc = session * 100): Ranked => {
  return { session, doc, score, coverage, whole: 0, held: coverage, chance: 0 }
}
const order = (hits: readonly Ranked[]) => hits.map(({ session }) => session)

describe('words and meaning as one list', () => {
  const words = [hit(1, 0.9), hit(2, 0.5), hit(3, 0.4), hit(4, 0.1)]
  const meant = [hit(9, 0.8, 0), hit(3, 0.7, 0), hit(8, 0.2, 0)]

  test('the first answer by words stays first; what both find rises; what only meaning finds gets in', () => {
    const fused = order(fuse(words, meant, 0.7))
    expect(fused[0]).toBe(1)
    expect(fused.indexOf(3)).toBeLessThan(fused.indexOf(2))
    expect(fused).toContain(9)
    expect(new Set(fused).size).toBe(fused.length)
  })

  test('the first answer by words stays first even where meaning would weigh all', () => {
    expect(order(fuse(words, meant, 0))[0]).toBe(1)
  })

  test('where words find next to nothing, meaning decides', () => {
    const guesses = words.map((guess) => ({ ...guess, coverage: 0.1 }))
    expect(order(fuse(guesses, meant, 0.7))[0]).toBe(9)
    expect(order(fuse([], meant, 0.7))).toEqual([9, 3, 8])
    expect(order(fuse(words, [], 0.7))).toEqual([1, 2, 3, 4])
  })

  test('a further document of a session gets less of what its session gets', () => {
    const twice = [hit(1, 0.9), hit(3, 0.5, 0.6, 301), hit(3, 0.5, 0.6, 302), hit(2, 0.45), hit(5, 0.1)]
    const fused = fuse(twice, meant, 0.7)
    const at = (doc: number) => fused.find((found) => found.doc === doc)?.score ?? 0
    expect(at(301)).toBeGreaterThan(at(302))
  })
})

describe('sessions by meaning', () => {
  const gate = { allowed: () => true, isTitle: (doc: number) => doc % 100 === 0 }
  const near = (similarity: number, ...docs: number[]) => {
    return { similarity, common: 0, places: docs.map((doc) => ({ doc, kind: 'answer' as const })) }
  }
  const rank = (...texts: ReturnType<typeof near>[]) => rankSessions(texts, (doc) => Math.floor(doc / 100), gate)

  test('a session with several near texts is before one with a single one as near', () => {
    expect(order(rank(near(0.9, 101), near(0.9, 201), near(0.8, 202), near(0.1, 301)))).toEqual([2, 1, 3])
  })

  test('what stands in very many sessions counts for none of them', () => {
    const everywhere = Array.from({ length: 21 }, (_, i) => (i + 1) * 100 + 1)
    expect(order(rank(near(0.9, ...everywhere), near(0.5, 701)))).toEqual([7])
  })

  test('a session is shown by what was said in it, rather than by its title', () => {
    expect(rank(near(0.9, 100), near(0.8, 103))[0]?.doc).toBe(103)
  })
})
