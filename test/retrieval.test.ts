import path from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from './kit/home.ts'

interface Report {
  readonly without_paraphrase: {
    readonly hit1: number
    readonly hit5: number
    readonly mrr: number
    readonly empty: number
  }
  readonly false_surface: number
  readonly right_but_doubted: number
}
interface Benchmark {
  adapterFor(tool: string): Promise<unknown>
  runRetrieval(adapter: unknown, how: { home: string; set: string }): Promise<Report>
}
const runner: string = '../bench/retrieval/run.mjs'
const { adapterFor, runRetrieval } = (await import(runner)) as Benchmark

/** What search must reach on the benchmark, and by how much it must beat one bare full-text document a session. */
const FLOORS = {
  coding: { hit1: 0.8, hit5: 0.92, mrr: 0.85, gain1: 0.05, gainMrr: 0.04, doubted: 0.12 },
  chats: { hit1: 0.68, hit5: 0.9, mrr: 0.77, gain1: 0.05, gainMrr: 0.03, doubted: 0.2 },
} as const

test.each(['coding', 'chats'] as const)(
  'search answers the questions of the %s benchmark',
  { timeout: 240_000 },
  async (set) => {
    const home = path.join(tempDir(), set)
    const bare = await runRetrieval(await adapterFor('baseline'), { home, set })
    const ours = await runRetrieval(await adapterFor('recall'), { home, set })
    const floor = FLOORS[set]
    const { hit1, hit5, mrr, empty } = ours.without_paraphrase
    expect.soft(hit1).toBeGreaterThanOrEqual(floor.hit1)
    expect.soft(hit5).toBeGreaterThanOrEqual(floor.hit5)
    expect.soft(mrr).toBeGreaterThanOrEqual(floor.mrr)
    expect.soft(hit1 - bare.without_paraphrase.hit1).toBeGreaterThanOrEqual(floor.gain1)
    expect.soft(mrr - bare.without_paraphrase.mrr).toBeGreaterThanOrEqual(floor.gainMrr)
    expect.soft(empty, 'questions without any answer').toBe(0)
    expect.soft(ours.false_surface, 'unanswerable questions answered as if sure').toBeLessThanOrEqual(0.2)
    expect.soft(ours.right_but_doubted, 'right answers called guesses').toBeLessThanOrEqual(floor.doubted)
  },
)
