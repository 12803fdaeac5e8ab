import { expect, test } from 'vitest'
import { parseLine } from './decode.ts'

const filler = 'x'.repeat(2000)
const line = (type: string, payload: unknown, more: object = {}) =>
  Buffer.from(JSON.stringify({ timestamp: '2026-11-18T01:31:20.246Z', ...more, type, payload }))

test('what holds nothing to tell is known by its first bytes', () => {
  expect(parseLine(line('world_state', { full: true, state: { filler } }, { ordinal: 8 }))).toEqual([
    { timestamp: '2026-11-18T01:31:20.246Z', ordinal: 8, type: 'world_state', payload: {} },
  ])
  expect(parseLine(line('response_item', { type: 'additional_tools', tools: [filler] }))).toMatchObject([
    { type: 'response_item', payload: { type: 'additional_tools' } },
  ])
})

test('a line that breaks off is broken, whatever it is', () => {
  const whole = line('world_state', { full: true, state: { filler } })
  expect(parseLine(whole.subarray(0, 300))).toBeNull()
})

test('what is sealed is cut, and words that nobody sealed are not', () => {
  const sealed = line('response_item', { type: 'reasoning', encrypted_content: 'gAAAAABq'.repeat(60) })
  expect(parseLine(sealed)).toMatchObject([{ payload: { encrypted_content: '' } }])
  const words = 'count the files '.repeat(30)
  expect(parseLine(line('response_item', { encrypted_content: words }))).toMatchObject([
    { payload: { encrypted_content: words } },
  ])
})
