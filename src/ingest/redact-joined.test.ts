import { describe, expect, test } from 'vitest'
import { maker, whole } from '../../test/kit/secrets.ts'
import { createRedactor } from './redact.ts'

const { alnum, hex } = maker(4711)
const key = hex(32)
const token = whole`gh|p_${alnum(36)}`
const [head, tail] = [token.slice(0, 18), token.slice(18)]
const gone = '[REDACTED:github-token]'

describe('a secret in pieces goes, and what was put together stands joined', () => {
  test.each([
    ['strings added up', `const t = "${head}" +\n  "${tail}"\nnext()`, `const t = "${gone}"\nnext()`],
    ['strings added up on the next line', `t = '${head}'\n  + '${tail}';`, `t = '${gone}';`],
    ['strings with a dot between', `$t = '${head}' . '${tail}';`, `$t = '${gone}';`],
    ['strings below each other', `T = ("${head}"\n     "${tail}")\n`, `T = ("${gone}")\n`],
    ['escaped strings', `{\\"t\\": \\"${head}\\" + \\"${tail}\\"}`, `{\\"t\\": \\"${gone}\\"}`],
    ['a line that goes on', `T=${head}\\\n${tail}\nPORT=1`, `T=${gone}\nPORT=1`],
    ['colours', `a.env:T=\x1b[31m\x1b[K${head}\x1b[m\x1b[K${tail}\n`, `a.env:T=\x1b[31m\x1b[K${gone}\n`],
    [
      'strings below their name',
      `const dbPassword =\n  '${head}' +\n  '${tail}'\n`,
      `const dbPassword =\n  '${gone}'\n`,
    ],
    ['strings in brackets below it', `KEY = (\n    "${head}"\n    "${tail}"\n)`, `KEY = (\n    "${gone}"\n)`],
    ['many pieces', `"${token.match(/.{1,5}/g)?.join('" + "')}"`, `"${gone}"`],
  ])('%s', (_, text, expected) => expect(createRedactor().text(text)).toBe(expected))
})

test('pieces that only the name above them gives away', () => {
  const left = "const apiKey =\n  '[REDACTED:assigned-key]'\nnext()"
  expect(createRedactor().text(`const apiKey =\n  '${key.slice(0, 15)}' +\n  '${key.slice(15)}'\nnext()`)).toBe(left)
  expect(createRedactor().text(`const apiKey =\n  '${key}'\nnext()`)).toBe(left)
})

test('is told whole, under the rule that knows it', () => {
  const told: [string, string][] = []
  createRedactor(undefined, (rule, secret) => told.push([rule, secret])).text(`"${head}" + "${tail}"`)
  expect(told).toEqual([['github-token', token]])
})

test('what is encoded is told in the clear, too', () => {
  const told: string[] = []
  const encoded = Buffer.from(`PORT=1\nT=${token}\n`).toString('base64')
  createRedactor(undefined, (_, secret) => told.push(secret)).text(encoded)
  expect(told).toEqual([encoded, token])
})

test('pieces without a secret stay as they are', () => {
  const { text } = createRedactor()
  for (const clean of [
    `throw new Error('no such ' + 'password')`,
    `const a = "abc" +\n  "def"`,
    `ESLINT=\x1b[32mok\x1b[0mest\n`,
    `cmd --one\\\ntwo`,
    `["a"\n"b"]`,
    `x =\n  'a' +\n  'b'`,
    `["/etc/passwd",\n  "not-a-valid-uuid"]`,
  ]) {
    expect(text(clean)).toBe(clean)
  }
})

test('a secret within what is joined may be allowed', () => {
  const text = `"${head}" + "${tail}"`
  expect(createRedactor({ rules: new Map(), allow: [token] }).text(text)).toBe(text)
})
