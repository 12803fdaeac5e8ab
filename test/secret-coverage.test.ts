import { describe, expect, test } from 'vitest'
import { createRedactor } from '../src/ingest/redact.ts'
import { cleanTexts } from './kit/clean-texts.ts'
import { placed, SECRET_CONTEXTS } from './kit/secret-contexts.ts'
import { secretKinds } from './kit/secret-kinds.ts'

const LEAST_CAUGHT = 0.99
const MOST_WRONG = 0.002
/** Some kinds are not told from words there. */
const HARD = ['after a sign or a digit', 'narrow lines']

describe.each([11, 5077])('secrets made from %i', (seed) => {
  const all = placed(secretKinds(seed), secretKinds(seed + 1))

  test('are of many kinds, in many contexts', () => {
    expect(new Set(all.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(60)
    expect(new Set(all.map(({ context }) => context)).size).toBe(SECRET_CONTEXTS.length)
    expect(all.length).toBeGreaterThan(4000)
  })

  test('go from what they stand in, all but one in a hundred, and each kind in nearly every context', () => {
    const { text } = createRedactor()
    const left = all.filter((one) => {
      const kept = text(one.text)
      return one.traces.some((trace) => kept.includes(trace))
    })
    expect(left.length / all.length, left.map((one) => `${one.kind}, ${one.context}`).join('\n')).toBeLessThanOrEqual(
      1 - LEAST_CAUGHT,
    )
    const lost = new Set(left.map((one) => one.context))
    expect([...lost].filter((context) => !HARD.includes(context))).toEqual([])
  })

  test('are gone for good: what is left holds nothing more to find', () => {
    const [first, again] = [createRedactor(), createRedactor()]
    for (const { text } of all) again.text(first.text(text))
    expect([...again.counts]).toEqual([])
  })
})

describe.each([77, 9001])('texts without secrets made from %i', (seed) => {
  const all = cleanTexts(seed)

  test('are many', () => expect(all.length).toBeGreaterThan(1000))

  test('stay as they are, all but two in a thousand', () => {
    const { text } = createRedactor()
    const wrong = all.filter((one) => text(one.text) !== one.text)
    expect(wrong.length / all.length, wrong.map((one) => one.about).join('\n')).toBeLessThanOrEqual(MOST_WRONG)
  })
})
