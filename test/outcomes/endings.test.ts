import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { judgeAll, type Judged } from './judged.ts'
import { readEndings } from './read-endings.ts'

// Labelled before anything was judged. At first sight agreed: of the newest agents 51 of 60 (2 of the 22 that must never
// be called a success were), of refusals and questions 21 of 30 (2 of 9), of the first 24 where little was done 16 (1
// of 4) and, once those were mended, of the other 16 there 15 (none). Of how it stopped 23 of 30 (1 of 8), of what was left 12 of 20 (2
// of 6); once those were mended, of what looks alike and is not, which was written against the rules, 13 of 20 (1 of 4).
// Of what was said and what is seen, written later by somebody who did not know the rules, 26 of 30 (none of 13).
// Of daily work, written likewise, 53 of 60 (none of 13). Of many trades, written before a look at the rules, 47 of 60
// (none of 16); of many tongues, written at the same time and judged only when those were mended, 18 of 20 (none of 6).
// Of day by day, written later by somebody who had not seen the rules, 54 of 60 (none of 13).
const SETS = [
  { file: 'newest-agents.txt', count: 60, ofEach: 15 },
  { file: 'refusals-and-questions.txt', count: 30, ofEach: 7 },
  { file: 'little-done.txt', count: 40, ofEach: 9 },
  { file: 'how-it-stopped.txt', count: 30, ofEach: 8 },
  { file: 'what-was-left.txt', count: 20, ofEach: 6 },
  { file: 'alike-but-not.txt', count: 20, ofEach: 6 },
  { file: 'said-and-seen.txt', count: 30, ofEach: 10 },
  { file: 'daily-work.txt', count: 60, ofEach: 17 },
  { file: 'many-trades.txt', count: 60, ofEach: 17 },
  { file: 'many-tongues.txt', count: 20, ofEach: 6 },
  { file: 'day-by-day.txt', count: 60, ofEach: 17 },
] as const

describe.each(SETS)('endings in $file', ({ file, count, ofEach }) => {
  const endings = readEndings(path.join(import.meta.dirname, 'labelled-blind', file))
  let judged: Judged[] = []
  beforeAll(async () => {
    judged = await judgeAll(endings)
    const apart = judged.filter(({ ending, outcome }) => outcome !== ending.outcome)
    const lines = apart.map(
      ({ ending, outcome, confidence, reasons }) =>
        `${ending.name}: ${ending.outcome}, judged ${outcome} (${confidence}): ${reasons.join('; ')}`,
    )
    console.log([`${judged.length - apart.length} of ${judged.length} agree`, ...lines].join('\n'))
  })

  test('are many, each with a name of its own, of every agent', () => {
    expect(endings.length).toBeGreaterThanOrEqual(count)
    expect(new Set(endings.map(({ name }) => name)).size).toBe(endings.length)
    for (const shape of ['claude', 'codex', 'grok']) {
      expect(endings.filter((ending) => ending.shape === shape).length).toBeGreaterThanOrEqual(ofEach)
    }
  })

  test('are judged as a careful reader would', () => {
    const agree = judged.filter(({ ending, outcome }) => outcome === ending.outcome)
    expect(agree.length / judged.length).toBeGreaterThanOrEqual(0.9)
  })

  test('are never called a success when they are red, interrupted or refused', () => {
    const praised = judged.filter(({ ending, outcome }) => ending.ends !== undefined && outcome === 'success')
    expect(praised.map(({ ending }) => ending.name)).toEqual([])
  })
})
