import { expect, test } from 'vitest'
import { periodOf } from './periods.ts'

test.each([
  ['2026-02-10', '2026-W07'],
  ['2026-02-08', '2026-W06'],
  ['2026-02-09', '2026-W07'],
  ['2025-12-29', '2026-W01'],
  ['2027-01-03', '2026-W53'],
  ['2024-12-30', '2025-W01'],
  ['2021-01-01', '2020-W53'],
])('%s is in week %s', (day, week) => {
  expect(periodOf(day, 'week')).toBe(week)
  expect(periodOf(day, 'month')).toBe(day.slice(0, 7))
})
