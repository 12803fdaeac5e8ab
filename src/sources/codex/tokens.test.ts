import { expect, test } from 'vitest'
import { Meter, totalOf, type Total } from './tokens.ts'

const OWN = { copied: false, forked: false }
const total = (input: number, cached: number, output: number): Total =>
  totalOf({ input_tokens: input, cached_input_tokens: cached, output_tokens: output })!

test('a total is worth what it has grown by', () => {
  const meter = new Meter()
  expect(meter.read('token_count', total(100, 60, 10), null, OWN).tokens).toMatchObject({
    input: 40,
    cacheRead: 60,
    output: 10,
  })
  expect(meter.read('token_count', total(150, 100, 15), null, OWN).tokens).toMatchObject({
    input: 10,
    cacheRead: 40,
    output: 5,
  })
})

test('a total told again is left out', () => {
  const meter = new Meter()
  meter.read('token_count', total(100, 0, 10), null, OWN)
  expect(meter.read('token_count', total(100, 0, 10), total(100, 0, 10), OWN).leftOut).toBe('re_emitted')
})

test('the same total of another counter is a mirror', () => {
  const meter = new Meter()
  meter.read('token_count', total(100, 0, 10), null, OWN)
  expect(meter.read('token_usage_record', total(100, 0, 10), total(100, 0, 10), OWN).leftOut).toBe('mirror')
  expect(meter.read('token_usage_record', total(120, 0, 11), null, OWN)).toMatchObject({
    leftOut: null,
    tokens: { input: 20, output: 1 },
  })
})

test('a counter that began anew counts from nothing, under another key', () => {
  const meter = new Meter()
  const first = meter.read('token_count', total(100, 0, 10), null, OWN)
  meter.read('token_count', total(50, 0, 5), null, OWN)
  const again = meter.read('token_count', total(100, 0, 10), null, OWN)
  expect(again.tokens).toMatchObject({ input: 50, output: 5 })
  expect(again.key).not.toBe(first.key)
})

test('a fork begins where its parent stood, also if no copy says so', () => {
  const meter = new Meter()
  const reading = meter.read('token_count', total(1000, 0, 100), total(30, 0, 3), { copied: false, forked: true })
  expect(reading.tokens).toMatchObject({ input: 30, output: 3 })
})
