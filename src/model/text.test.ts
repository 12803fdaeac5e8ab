import { expect, test } from 'vitest'
import { grouped } from './text.ts'

test('numbers are written as the runtime would, without its tables', () => {
  for (const value of [0, 7, 999, 1000, 12_345, 1_234_567, 999_999_999, -1234, -12]) {
    expect(grouped(value)).toBe(value.toLocaleString('en-US'))
    const cents = value + 0.456
    expect(grouped(cents, 2)).toBe(
      cents.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
    )
  }
})
