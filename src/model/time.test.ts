import { expect, test } from 'vitest'
import { humanDuration } from './time.ts'

test('a length of time is rounded once', () => {
  const told = [59.4, 60, 3569, 3599, 3600, 7190, 7260, 172_799].map(humanDuration)
  expect(told).toEqual(['59s', '1m', '59m', '1h', '1h', '2h', '2h01m', '2d'])
})
