import { describe, expect, test } from 'vitest'
import { confidenceOf, withChances } from './confidence.ts'
import type { Ranked } from './rank.ts'
import { furtherLast, withSecondOpinion } from './second-look.ts'

const hit = (session: number, score: number, more: Partial<Ranked> = {}): Ranked => {
  return { session, doc: session * 100 + score * 10, score, coverage: 0.5, whole: 0, held: 0.5, chance: 0, ...more }
}

test('a further document of a session keeps behind other sessions that answer as well', () => {
  const ordered = furtherLast([hit(1, 1), hit(1, 0.9), hit(2, 0.8)])
  expect(ordered.map(({ session }) => session)).toEqual([1, 2, 1])
})

describe('a second opinion, plain BM25', () => {
  const looked = [
    { entry: hit(1, 2), plain: 1 },
    { entry: hit(2, 1.8), plain: 2 },
    { entry: hit(3, 1.6), plain: 0.5 },
    { entry: hit(4, 1.4), plain: 9 },
    { entry: hit(4, 0.7), plain: 0 },
  ]
  const orderOf = (trust: number) => furtherLast(withSecondOpinion(looked, trust)).map(({ session }) => session)

  test('lifts a session whose one message says it best, and leaves the first its place', () => {
    expect(orderOf(1)).toEqual([1, 2, 4, 3, 4])
  })

  test('is not asked for where sessions are short', () => {
    expect(orderOf(0)).toEqual([1, 2, 3, 4, 4])
  })

  test('deals out the same scores, and those of further documents with them', () => {
    const scores = withSecondOpinion(looked, 1).map(({ score }) => Number(score.toFixed(6)))
    expect(scores).toEqual([2, 1.8, 1.4, 1.6, 0.8])
  })
})

describe('how sure a hit is', () => {
  const confidences = (hits: readonly Ranked[]) => withChances(hits).map(({ chance }) => confidenceOf(chance))

  test('what holds everything and stands far above the next is sure, the next is a guess', () => {
    const whole = { coverage: 1, held: 1, said: 1 }
    expect(confidences([hit(1, 2.8, whole), hit(2, 1, { coverage: 0.4 })])).toEqual(['sure', 'guess'])
  })

  test('what holds little is a guess, also where nothing else was found', () => {
    expect(confidences([hit(1, 0.4, { coverage: 0.2, held: 0.1 })])).toEqual(['guess'])
  })

  test('two that answer alike are not sure', () => {
    const alike = { coverage: 0.8, held: 0.8, said: 0.6 }
    expect(confidences([hit(1, 1.6, alike), hit(2, 1.6, alike)])).toEqual(['likely', 'likely'])
  })
})
