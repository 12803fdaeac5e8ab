import { expect, test } from 'vitest'
import { readKeys } from './keys.ts'

const ESC = '\u001b'

test('letters, controls and sequences are told apart, however they come together', () => {
  expect(readKeys(`ab${ESC}[A${ESC}OB\r\u007f${ESC}[5~é工`).keys).toEqual([
    { text: 'a' },
    { text: 'b' },
    { name: 'up' },
    { name: 'down' },
    { name: 'enter' },
    { name: 'backspace' },
    { name: 'page up' },
    { text: 'é' },
    { text: '工' },
  ])
})

test('the beginning of a key waits for its rest', () => {
  for (const start of [ESC, `${ESC}[`, `${ESC}[5`, `${ESC}O`, `${ESC}[200~half a pas`])
    expect(readKeys(`x${start}`)).toEqual({ keys: [{ text: 'x' }], rest: start })
})

test('a pasted newline is no Enter, and keys that mean nothing are left out', () => {
  expect(readKeys(`${ESC}[200~one\r\ntwo\t${ESC}[201~`).keys).toEqual([{ text: 'one two ' }])
  expect(readKeys(`${ESC}[1;5A${ESC}b\u0002${ESC}[15~`)).toEqual({ keys: [], rest: '' })
})
