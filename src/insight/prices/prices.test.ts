import { describe, expect, test } from 'vitest'
import { costOf, PRICES_DATED, priceOf, ratesOf, type Price } from './prices.ts'
import { PRICE_TABLE } from './table.ts'

const tokens = (input = 0, output = 0, cacheRead = 0, cacheWrite5m = 0, cacheWrite1h = 0) => ({
  input,
  output,
  cacheRead,
  cacheWrite5m,
  cacheWrite1h,
  reasoning: 0,
})
const named = (model: string): Price => {
  const price = priceOf(model)
  if (price === null) throw new Error(`no price for ${model}`)
  return price
}

describe('priceOf', () => {
  test.each([
    ['claude-opus-4-5-20251101', 'claude-opus-4-5'],
    ['claude-sonnet-4-20250514', 'claude-sonnet-4-0'],
    ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5'],
    ['claude-3-5-haiku-latest', 'claude-3-5-haiku'],
    ['claude-opus-4-6[1m]', 'claude-opus-4-6'],
    ['anthropic/claude-opus-4.5', 'claude-opus-4-5'],
    ['openrouter/anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5'],
    ['global.anthropic.claude-opus-4-5-20251101-v1:0', 'claude-opus-4-5'],
    ['vertex_ai/claude-haiku-4-5@20251001', 'claude-haiku-4-5'],
    ['gpt-5.1-codex', 'gpt-5.1'],
    ['gpt-5-2025-08-07', 'gpt-5'],
    ['gpt-5-codex-high', 'gpt-5-codex'],
    ['grok-4', 'grok-4-0709'],
    ['x-ai/grok-4.5-20260101', 'grok-4.5'],
    ['models/gemini-2.5-pro', 'gemini-2.5-pro'],
    ['GLM-4.7', 'glm-4.7'],
  ])('%s costs what %s does', (model, same) => {
    expect(named(model)).toEqual(named(same))
  })

  test('a region of Bedrock has its own price where the list knows one', () => {
    expect(named('us.anthropic.claude-opus-4-5-20251101-v1:0').input).toBe(5.5)
    expect(named('anthropic.claude-opus-4-5-20251101-v1:0').input).toBe(5.5)
    expect(
      named('arn:aws:bedrock:us-east-1:1:inference-profile/eu.anthropic.claude-sonnet-4-5-20250929-v1:0').input,
    ).toBe(3.3)
  })

  test.each([
    '',
    'gpt',
    'claude',
    'claude-opus-9',
    'gpt-5.1-codex-turbo',
    'claude-sonnet-5-5',
    '<synthetic>',
    'llama-4',
    'constructor',
  ])('%j has no price', (model) => {
    expect(priceOf(model)).toBeNull()
  })

  test('overrides come first, by the name in the log or by the plain one', () => {
    const mine: Price = { input: 1, output: 2, cacheRead: 3, cacheWrite5m: 4, cacheWrite1h: 5, long: null }
    expect(priceOf('claude-opus-4-5-20251101', new Map([['claude-opus-4-5', mine]]))).toBe(mine)
    expect(priceOf('house-model', new Map([['house-model', mine]]))).toBe(mine)
    expect(priceOf('gpt-5', new Map([['house-model', mine]]))?.input).toBe(1.25)
  })

  test('the table is dated and names nothing twice', () => {
    expect(PRICES_DATED).toMatch(/^20\d\d-\d\d-\d\d$/)
    const names = PRICE_TABLE.flatMap(([names]) => names.split(' '))
    expect(names.length).toBe(new Set(names).size)
    expect(names.filter((name) => priceOf(name) === null)).toEqual([])
  })

  test('a cache write of Claude costs 1.25 of the input for five minutes and twice for an hour, but for the oldest', () => {
    for (const [names, input, , , write5m, write1h] of PRICE_TABLE) {
      if (!/^claude-(?!2)/.test(names) || names === 'claude-3-haiku') continue
      expect([write5m, write1h], names).toEqual([input * 1.25, input * 2])
    }
  })
})

describe('costOf', () => {
  test('each kind of token has its rate', () => {
    // 1,000 × 3 + 200 × 15 + 50,000 × 0.30 + 4,000 × 3.75 + 1,000 × 6 = 42,000 per million
    expect(costOf(tokens(1000, 200, 50_000, 4000, 1000), named('claude-sonnet-4-20250514'))).toBeCloseTo(0.042, 12)
    // 10 × 5 + 1,000 × 25 + 2,000,000 × 0.5 + 100,000 × 6.25 = 1,650,050 per million
    expect(costOf(tokens(10, 1000, 2_000_000, 100_000), named('claude-opus-4-5'))).toBeCloseTo(1.65005, 12)
    // 4,000 × 1.25 + 500 × 10 + 100,000 × 0.125 = 22,500 per million
    expect(costOf(tokens(4000, 500, 100_000), named('gpt-5.1-codex'))).toBeCloseTo(0.0225, 12)
    expect(costOf(tokens(), named('grok-4'))).toBe(0)
  })

  test('a long prompt has other rates', () => {
    const price = named('claude-sonnet-4-5')
    const long = tokens(1000, 1000, 199_001)
    expect(ratesOf(price, tokens(1000, 1000, 199_000)).input).toBe(3)
    // 1,000 × 6 + 1,000 × 22.5 + 199,001 × 0.6 = 147,900.6 per million
    expect(costOf(long, ratesOf(price, long))).toBeCloseTo(0.1479006, 12)
    expect(ratesOf(named('claude-opus-4-5'), long).input).toBe(5)
  })
})
