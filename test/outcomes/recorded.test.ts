import { beforeAll, describe, expect, test } from 'vitest'
import { EIGHTH_SET_RED } from './eighth-set-red.ts'
import { EIGHTH_SET_WORDS } from './eighth-set-words.ts'
import { EIGHTH_SET as EIGHTH_SET_WORK } from './eighth-set.ts'
import { FIFTH_SET } from './fifth-set.ts'
import { FOURTH_SET_WORDS } from './fourth-set-words.ts'
import { FOURTH_SET as FOURTH_SET_WORK } from './fourth-set.ts'
import { NINTH_SET } from './ninth-set.ts'
import { SEVENTH_SET } from './seventh-set.ts'
import { SIXTH_SET } from './sixth-set.ts'
import { TENTH_SET } from './tenth-set.ts'
import { judgeAll, type Judged } from './judged.ts'

const AGREEMENT = 0.85
const FOURTH_SET = [...FOURTH_SET_WORK, ...FOURTH_SET_WORDS]
const EIGHTH_SET = [...EIGHTH_SET_WORK, ...EIGHTH_SET_RED, ...EIGHTH_SET_WORDS]
const ALL = [...FOURTH_SET, ...FIFTH_SET, ...SIXTH_SET, ...SEVENTH_SET, ...EIGHTH_SET, ...NINTH_SET, ...TENTH_SET]

function wrong(set: readonly Judged[]): string[] {
  return set
    .filter(({ ending, outcome }) => ending.outcome !== outcome)
    .map(
      ({ ending, outcome, reasons }) => `${ending.name}: ${ending.outcome}, judged ${outcome} (${reasons.join('; ')})`,
    )
}

describe.each([
  ['fourth', FOURTH_SET],
  ['fifth', FIFTH_SET],
  ['sixth', SIXTH_SET],
  ['seventh', SEVENTH_SET],
  ['eighth', EIGHTH_SET],
  ['ninth', NINTH_SET],
  ['tenth', TENTH_SET],
] as const)('the %s set, read from the logs of the agents', (_, set) => {
  let judged: Judged[] = []
  beforeAll(async () => {
    judged = await judgeAll(set)
  })

  test('is judged as its readers judge it', () => {
    const misjudged = wrong(judged)
    expect(1 - misjudged.length / set.length, misjudged.join('\n')).toBeGreaterThanOrEqual(AGREEMENT)
  })

  test('what the rules get wrong is known', () => {
    expect(wrong(judged)).toEqual([])
  })

  test('no red or interrupted ending is a success', () => {
    const bad = judged.filter(({ ending, outcome }) => ending.ends !== undefined && outcome === 'success')
    expect(bad.map(({ ending }) => ending.name)).toEqual([])
  })
})

/** What would make a fool of anybody who had called the session a success before. */
const GOES_ON = {
  red: `
    you: one more thing
    edit src/x.ts
    run npx vitest run 2>&1 | tail -3
    |  Test Files  1 failed | 3 passed (4)
    says: All done!`,
  undelivered: `
    you: and ship it
    run git push
    | ! [remote rejected] main -> main (pre-receive hook declined)
    exit 1
    says: All done!`,
  interrupted: `
    you: one more thing
    edit src/x.ts
    stop`,
}

test.each(Object.entries(GOES_ON))('no session that goes on and ends %s is a success', async (how, more) => {
  const longer = ALL.map((ending) => ({
    ...ending,
    name: `${ending.name}, ${how}`,
    script: `${ending.script.replace(/\n\s*cut$/, '')}${more}`,
  }))
  const judged = await judgeAll(longer)
  expect(judged.filter(({ outcome }) => outcome === 'success').map(({ ending }) => ending.name)).toEqual([])
})
