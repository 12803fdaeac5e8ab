import { statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDir } from '../../test/kit/home.ts'
import { maker, whole } from '../../test/kit/secrets.ts'
import { knownSecretsKey } from './known-secrets-key.ts'
import { createKnownSecrets } from './known-secrets.ts'
import { createRedactor } from './redact.ts'

const KEY = Buffer.alloc(32, 7)
const { alnum, hex, password, pem } = maker(97)

/** What a session knows once this was read. */
function knowing(...texts: string[]) {
  const known = createKnownSecrets(KEY)
  const redactor = createRedactor(undefined, known.learn)
  for (const text of texts) redactor.text(text)
  return known
}

describe('a value that a rule has recognised', () => {
  const secret = password()

  test('is found where nothing gives it away', () => {
    const known = knowing(`DB_PASSWORD=${secret}`)
    for (const [before, after] of [
      ['I will try ', ' first'],
      ['(', ')'],
      ['user:', '@host'],
      ['a\\n', '\\nb'],
      ['x=', '&y'],
      ['„', '“'],
    ] as const) {
      expect(known.text(`${before}${secret}${after}`)).toBe(`${before}[REDACTED:known-secret]${after}`)
    }
    expect(known.taken).toBe(6)
  })

  test.each([
    ['a token', whole`gh|p_${alnum(36)}`, ''],
    ['a key of nothing but hex', hex(32), 'DD_API_KEY='],
    ['a password of signs and few letters', 'a#b!c%1234^d', 'password: '],
  ])('%s', (_, value, before) => {
    const known = knowing(`${before}${value}`)
    expect(known.text(`it said ${value}, twice: ${value}.`)).not.toContain(value)
  })

  test('is found as it is meant if it stands in an address', () => {
    const known = knowing(whole`postgres://app:|aB3%40xyz9Q@db/x`)
    expect(known.text('the password is aB3@xyz9Q')).toBe('the password is [REDACTED:known-secret]')
    expect(known.text('still aB3%40xyz9Q here')).toBe('still [REDACTED:known-secret] here')
  })

  test('is found line by line if it had several', () => {
    const key = pem('RSA PRIVATE KEY', '\n')
    const known = knowing(key)
    const line = key.split('\n')[1] ?? ''
    expect(known.text(`what does ${line} mean?`)).toBe('what does [REDACTED:known-secret] mean?')
  })

  test('is found in JSON, keys too', () => {
    const known = knowing(`DB_PASSWORD=${secret}`)
    expect(known.json({ a: [`say ${secret}`], [secret]: 1 })).toEqual({
      a: ['say [REDACTED:known-secret]'],
      '[REDACTED:known-secret]': 1,
    })
    const clean = { a: ['b'] }
    expect(known.json(clean)).toBe(clean)
  })

  test('of a list or a table is found, each by itself', () => {
    const [one, two] = [password(), password()]
    const known = knowing(`passwords:\n  - ${one}\n  - ${two}\n`)
    expect(known.size).toBe(2)
    expect(known.text(`${two} then ${one}`)).toBe('[REDACTED:known-secret] then [REDACTED:known-secret]')
  })

  test('of a difference word by word is found, old and new', () => {
    const [one, two] = [password(), password()]
    const known = knowing(`password: [-${one}-]{+${two}+}`)
    expect(known.text(`${two} then ${one}`)).toBe('[REDACTED:known-secret] then [REDACTED:known-secret]')
  })
})

describe('what is not remembered', () => {
  test.each([
    'password',
    'localhost',
    'hunter2',
    'production',
    'admin-user',
    'v1.2.3',
    '/usr/local/bin',
    '20240101',
    'changeme1',
  ])('%s', (value) => {
    const known = createKnownSecrets(KEY)
    known.learn('assigned-password', value)
    expect(known.size).toBe(0)
    expect(known.text(`a ${value} b`)).toBe(`a ${value} b`)
  })

  test('a part of a longer word is no known value', () => {
    const value = hex(32)
    const known = knowing(`API_TOKEN=${value}`)
    expect(known.size).toBe(1)
    expect(known.text(`${value}0 f${value}`)).toBe(`${value}0 f${value}`)
  })
})

describe('what is kept', () => {
  const secret = password()
  const known = knowing(`DB_PASSWORD=${secret}`, whole`gh|p_${alnum(36)}`)

  test('goes on where it was left, whatever the order', () => {
    const state: unknown = JSON.parse(JSON.stringify(known.state()))
    expect(createKnownSecrets(KEY, state as ReturnType<typeof known.state>).text(`x ${secret}`)).toBe(
      'x [REDACTED:known-secret]',
    )
    const [a, b] = [password(), password()]
    expect(knowing(`PASSWORD=${a}`, `PASSWORD=${b}`).state()).toEqual(knowing(`PASSWORD=${b}`, `PASSWORD=${a}`).state())
  })

  test('holds no part of a value and means nothing under another key', () => {
    const kept = JSON.stringify(known.state())
    for (let at = 0; at + 6 <= secret.length; at++) expect(kept).not.toContain(secret.slice(at, at + 6))
    const other = createKnownSecrets(Buffer.alloc(32, 8), known.state())
    expect(other.text(`x ${secret}`)).toBe(`x ${secret}`)
  })

  test('is nothing that the rules find', () => {
    const kept = JSON.stringify({ known: known.state() })
    expect(createRedactor().text(kept)).toBe(kept)
  })
})

test('without a known value a text is not even looked at, and one without any comes back itself', () => {
  const text = `a ${alnum(40)}`
  expect(createKnownSecrets(KEY).text(text)).toBe(text)
  expect(knowing(`PASSWORD=${password()}`).text(text)).toBe(text)
})

test('the key of a store is made once, for its owner alone', () => {
  const store = path.join(tempDir(), 'recall.db')
  const key = knownSecretsKey(store)
  expect(key).toHaveLength(32)
  expect(knownSecretsKey(store)).toEqual(key)
  expect(statSync(path.join(path.dirname(store), 'known-secrets.key')).mode & 0o777).toBe(0o600)
})
