import { readdirSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { judgeAll, type Judged } from './judged.ts'
import { readEndings } from './read-endings.ts'

const dir = path.join(import.meta.dirname, 'recorded')
const SUBJECTS = readdirSync(dir).map((file) => ({ file, endings: readEndings(path.join(dir, file)) }))
const ALL = SUBJECTS.flatMap(({ endings }) => endings)

function wrong(set: readonly Judged[]): string[] {
  return set
    .filter(({ ending, outcome }) => ending.outcome !== outcome)
    .map(
      ({ ending, outcome, reasons }) => `${ending.name}: ${ending.outcome}, judged ${outcome} (${reasons.join('; ')})`,
    )
}

test('endings have a name each, and are many of every agent', () => {
  expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length)
  for (const shape of ['claude', 'codex', 'grok'])
    expect(ALL.filter((ending) => ending.shape === shape).length).toBeGreaterThanOrEqual(40)
})

describe.each(SUBJECTS)('endings in $file, read from the logs of the agents', ({ endings }) => {
  let judged: Judged[] = []
  beforeAll(async () => {
    judged = await judgeAll(endings)
  })

  test('are judged as their readers judge them', () => {
    expect(wrong(judged)).toEqual([])
  })

  test('are no success where they are red or interrupted', () => {
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
    script: `${ending.script.trimEnd().replace(/\n\s*cut$/, '')}${more}`,
  }))
  const judged = await judgeAll(longer)
  expect(judged.filter(({ outcome }) => outcome === 'success').map(({ ending }) => ending.name)).toEqual([])
})
