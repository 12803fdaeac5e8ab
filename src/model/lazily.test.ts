import { expect, test } from 'vitest'
import { lazily } from './lazily.ts'

test('a face is loaded once, when it is first asked something', async () => {
  let loads = 0
  class Adder {
    readonly #to = 40
    async add(by: number): Promise<number> {
      return this.#to + by
    }
  }
  const face = lazily(async () => {
    loads++
    return new Adder()
  })
  expect(await face).toBe(face)
  expect(loads).toBe(0)
  expect(await Promise.all([face.add(1), face.add(2)])).toEqual([41, 42])
  expect(loads).toBe(1)
})
