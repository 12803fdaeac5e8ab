import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { judgeOutcome } from '../../src/distill/outcome.ts'
import { readEndings } from './read-endings.ts'
import { play, type Labelled } from './script.ts'

function judge(set: readonly Labelled[]) {
  return set.map((label) => ({ label, judged: judgeOutcome(play(label.script, label.shape)) }))
}

/** What the rules get wrong, for the reader of a failure. */
function wrong(set: readonly Labelled[]): string[] {
  return judge(set)
    .filter(({ label, judged }) => label.outcome !== judged.outcome)
    .map(
      ({ label, judged }) => `${label.name}: ${label.outcome}, judged ${judged.outcome} (${judged.reasons.join('; ')})`,
    )
}

const dir = path.join(import.meta.dirname, 'judged-steps')
const all: readonly Labelled[] = readdirSync(dir).flatMap((file) => readEndings(path.join(dir, file)))

describe('the labelled endings', () => {
  test('are many, over three sources, each with a name of its own', () => {
    expect(all.length).toBeGreaterThanOrEqual(60)
    for (const shape of ['claude', 'codex', 'grok'])
      expect(all.filter((label) => label.shape === shape).length).toBeGreaterThanOrEqual(15)
    expect(new Set(all.map((label) => label.name)).size).toBe(all.length)
  })

  test('are judged as their readers judge them', () => {
    expect(wrong(all)).toEqual([])
  })

  test.each(all.filter((label) => label.ends !== undefined))('$name is no success', ({ script, shape }) => {
    expect(judgeOutcome(play(script, shape)).outcome).not.toBe('success')
  })

  test.each(['edit x.ts\nrun npm test => failed\nsays: All done!', 'edit x.ts\nstop', 'run npm test => passed\nstop'])(
    'no session is a success that goes on with %j',
    (more) => {
      for (const { script } of all) {
        const goesOn = `${script.trimEnd().replace(/\n\s*cut$/, '')}\nyou: one more thing\n${more}`
        for (const shape of ['claude', 'codex', 'grok'] as const) {
          expect(judgeOutcome(play(goesOn, shape)).outcome, goesOn).not.toBe('success')
        }
      }
    },
  )

  test('every judgement has a reason and a confidence', () => {
    for (const { judged } of judge(all)) {
      expect(judged.reasons.length).toBeGreaterThan(0)
      expect(judged.confidence).toBeGreaterThan(0)
      expect(judged.confidence).toBeLessThan(1)
    }
  })

  test('what was taken back does not count', () => {
    const script =
      'you: fix it\nedit a.ts\nrun npm test => passed\nsays: Fixed.\nyou: and the rest\nrun npm test => failed\nstop'
    const events = play(script, 'grok')
    expect(judgeOutcome(events).outcome).toBe('abandoned')
    expect(judgeOutcome(events.map((event) => ({ ...event, superseded: event.exchange > 1 }))).outcome).toBe('success')
  })

  test('no red or interrupted ending is a success in any shape', () => {
    for (const script of all.filter((label) => label.ends !== undefined).map((label) => label.script)) {
      const outcomes = (['claude', 'codex', 'grok'] as const).map((shape) => judgeOutcome(play(script, shape)).outcome)
      expect(outcomes).not.toContain('success')
    }
  })
})
