import { expect, test } from 'vitest'
import { BodyPacker } from './bodies.ts'

test('a chunk lies in a buffer of its own size, all of which goes from thread to thread', () => {
  const packer = new BodyPacker()
  packer.add('one', 'a short output')
  packer.add('two', 'another '.repeat(100_000))
  const chunks = packer.take()
  expect(chunks).toHaveLength(2)
  for (const { data } of chunks) expect(data.buffer.byteLength).toBe(data.byteLength)
})
