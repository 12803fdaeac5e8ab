import { expect, test } from 'vitest'
import { asCount, asFigure, parseObjects } from './json.ts'

test('a count is what can be counted to, and else 0', () => {
  expect([5, 1.5, Number.MAX_SAFE_INTEGER].map(asCount)).toEqual([5, 1.5, Number.MAX_SAFE_INTEGER])
  expect([-1, 2 ** 53, Infinity, NaN, '5', null, undefined, {}].map(asCount)).toEqual(Array(8).fill(0))
})

test('a figure that is absent is 0; one that no counter can show is none', () => {
  expect([0, 5, null, undefined].map(asFigure)).toEqual([0, 5, 0, 0])
  expect([-1, 2 ** 53, Infinity, '5', [], true].map(asFigure)).toEqual(Array(6).fill(NaN))
})

test('a record as deep as any agent writes is read, one that no recursion stands is not', () => {
  const nested = (depth: number) => `{"a":${'[{"b":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}}`
  expect(parseObjects(nested(400))).toHaveLength(1)
  expect(parseObjects(nested(1200))).toBeNull()
  expect(parseObjects(nested(2_000_000))).toBeNull()
})

test('a long text is one part, whatever stands in it', () => {
  const text = '[{"a\\'.repeat(2_000_000)
  expect(parseObjects(JSON.stringify({ text }))).toEqual([{ text }])
})

test('millions of parts are too many, though the text is no longer than a line may be', () => {
  expect(parseObjects(`{"a":[${'{},'.repeat(1_500_000)}1]}`)).toBeNull()
  expect(parseObjects(`{"a":[${'"",'.repeat(1_500_000)}1]}`)).toBeNull()
  expect(parseObjects(`{"a":[${'1,'.repeat(9_000_000)}1]}`)).toBeNull()
  expect(parseObjects(`{"a":[${'1,'.repeat(4_000_000)}1]}`)).toHaveLength(1)
})
