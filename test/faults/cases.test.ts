import { expect, test } from 'vitest'
import { allCases, sample } from './cases.ts'
import { compare } from './compare.ts'
import type { Scenario } from './scenarios.ts'

const scenario = (name: string): Scenario => ({ name, from: 'store', room: 'ample', args: [name], after: [] })

function calls(count: number, call = 'pwrite') {
  return Array.from({ length: count }, (_, i) => {
    return {
      number: i + 1,
      call,
      inode: 1,
      offset: 0,
      length: 8,
      flags: 0,
      path: '/d/recall.db',
      second: '',
      bytes: null,
    }
  })
}

test('a sample has each command and each fault as often as any other, and is the same for the same seed', () => {
  const cases = [...allCases(scenario('a'), calls(500)), ...allCases(scenario('b'), calls(20))]
  const chosen = sample(cases, 70, 1)
  const count = (is: (one: (typeof chosen)[number]) => boolean) => chosen.filter(is).length
  expect(count(({ scenario: { name } }) => name === 'a')).toBe(35)
  expect(count(({ fault }) => fault === 'short')).toBe(10)
  expect(sample(cases, 70, 1)).toEqual(chosen)
  expect(sample(cases, 70, 2)).not.toEqual(chosen)
})

test('a sample of one kind is spread from the first call to the last', () => {
  const cases = allCases(scenario('a'), calls(1000)).filter(({ fault }) => fault === 'EIO')
  const tenths = new Set(sample(cases, 30, 1).map(({ at }) => Math.floor((at - 1) / 100)))
  expect(tenths.size).toBe(10)
})

test('a call that failed by itself is not made to fail', () => {
  expect(
    allCases(
      scenario('a'),
      calls(1).map((one) => ({ ...one, length: -17 })),
    ),
  ).toEqual([])
})

test('a subject may be as after one run or as after two, and as nothing else', () => {
  const once = new Map([['hub', ['a']]])
  const twice = new Map([['hub', ['a', 'a']]])
  expect(compare(once, new Map([['hub', ['a']]]), twice)).toEqual([])
  expect(compare(once, new Map([['hub', ['a', 'a']]]), twice)).toEqual([])
  expect(compare(once, new Map([['hub', []]]), twice)).toMatchObject([{ subject: 'hub: missing' }])
  expect(compare(once, new Map([['hub', ['a', 'b']]]), twice)).toMatchObject([{ subject: 'hub: too much' }])
})

test('a word that must be gone counts where it is found, and not where it is missing', () => {
  const wanted = new Map([['markers', ['k1 in hub']]])
  expect(compare(wanted, new Map([['markers', []]]))).toEqual([])
  expect(compare(wanted, new Map([['markers', ['k1 in hub', 'k2 in backups']]]))).toMatchObject([
    { subject: 'markers: words that must be gone are in backups' },
  ])
})
