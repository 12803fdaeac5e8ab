import { expect, test } from 'vitest'
import { embeddable, textHash } from './embeddable.ts'

test('equal words have one name, however they are spaced', () => {
  const hash = (text: string) => Buffer.from(textHash(embeddable(text) ?? '')).toString('hex')
  expect(hash('one two  three\nfour')).toBe(hash('  one two three four\n'))
  expect(hash('one two three four')).not.toBe(hash('one two three five'))
})

test('too little to mean something is left out, a long text is cut between characters', () => {
  expect(embeddable('ok, go on')).toBeNull()
  expect(embeddable('1234567890 ---- 42')).toBeNull()
  const cut = embeddable(`${'x'.repeat(999)}🚀 and more`)
  expect(cut).toBe('x'.repeat(999))
})
