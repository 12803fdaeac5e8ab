import { expect, test } from 'vitest'
import { embeddable, MOST_PIECES, piecesOf, textHash } from './embeddable.ts'

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

test('the pieces of a text are its sentences, short ones with the next, and not too many', () => {
  expect(piecesOf('Done. The belt behind the engine was loose; it is tight again. Ok.')).toEqual([
    'Done. The belt behind the engine was loose;',
    'it is tight again. Ok.',
  ])
  expect(piecesOf('no sign at the end of it')).toEqual(['no sign at the end of it'])
  expect(piecesOf('缓存没有失效。')).toEqual(['缓存没有失效。'])
  expect(piecesOf('This is one of many sentences. '.repeat(40))).toHaveLength(MOST_PIECES)
  expect(piecesOf('x'.repeat(1000))).toEqual(['x'.repeat(400)])
})
