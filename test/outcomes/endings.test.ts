import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { judgeAll, type Judged } from './judged.ts'
import { readEndings } from './read-endings.ts'

// Labelled before anything was judged. At first sight: 51 of 60 agreed (0.85), and 2 of the 22 that must never be
// called a success were.
const endings = readEndings(path.join(import.meta.dirname, 'endings', 'newest-agents.txt'))

describe('endings of the newest agents', () => {
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
    expect(endings.length).toBeGreaterThanOrEqual(60)
    expect(new Set(endings.map(({ name }) => name)).size).toBe(endings.length)
    for (const shape of ['claude', 'codex', 'grok']) {
      expect(endings.filter((ending) => ending.shape === shape).length).toBeGreaterThanOrEqual(15)
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
