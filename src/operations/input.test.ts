import { expect, test } from 'vitest'
import { accepted } from './input.ts'
import { object, positive } from './schema.ts'

test('money must be more than nothing', () => {
  const schema = object({}, { budget: positive() })
  expect(accepted(schema, { budget: 0.5 })).toEqual({ budget: 0.5 })
  for (const budget of [0, -1, NaN, '50'])
    expect(() => accepted(schema, { budget }), String(budget)).toThrow(/^budget must be (a number|more than 0)/)
})
