import { expect, test } from 'vitest'
import { firstLook } from './welcome.ts'

const GB = 2 ** 30

async function looks(steps: readonly (readonly [second: number, done: number, total: number])[]): Promise<number[]> {
  let second = 0
  const shown: number[] = []
  const look = firstLook(
    () => second * 1000,
    async () => void shown.push(second),
  )
  for (const [at, done, total] of steps) {
    second = at
    await look(done, total)
  }
  return shown
}

test('while there is much to read, what is there after two seconds is shown once', async () => {
  expect(
    await looks([
      [0.5, 0, 2 * GB],
      [2.5, 0.1 * GB, 2 * GB],
      [3, 0.2 * GB, 2 * GB],
    ]),
  ).toEqual([2.5])
})

test('when little is left, the end is waited for', async () => {
  expect(
    await looks([
      [2.5, 0, 0.2 * GB],
      [3, 1.9 * GB, 2 * GB],
    ]),
  ).toEqual([])
})
