import { describe, expect, test } from 'vitest'
import { maker, whole } from '../../test/kit/secrets.ts'
import { createRedactor } from './redact.ts'

const { alnum, hex, digits } = maker(325)
const { text } = createRedactor()
const word = `xQ7${alnum(12)}4z`
const hook = whole`https|://hooks.slack.com/services/|T${digits(9)}/B${digits(9)}/${alnum(24)}`
const twice = (plain: string): string => encodeURIComponent(encodeURIComponent(plain))

describe('a secret in what is escaped for an address goes, and the word around it can be read', () => {
  test.each([
    [
      'an address',
      `to=${encodeURIComponent(hook)}&n=2`,
      'to=https://hooks.slack.com/services/[REDACTED:slack-webhook]&n=2',
    ],
    [
      'an address twice',
      `a b=${twice(`to=${hook}`)} c`,
      'a b=to=https://hooks.slack.com/services/[REDACTED:slack-webhook] c',
    ],
    ['a login', encodeURIComponent(`amqp://svc:${word}@db/x`), 'amqp://svc:[REDACTED:url-password]@db/x'],
    ['JSON', encodeURIComponent(`{"password": "${word}"}`), '{%22password%22:%20%22[REDACTED:assigned-password]%22}'],
    ['a form within one', `body=${twice(`api_key=${hex(32)}&x`)}`, 'body=api_key=[REDACTED:assigned-key]&x'],
  ])('%s', (_, escaped, left) => {
    expect(text(escaped)).toBe(left)
    expect(text(left)).toBe(left)
  })
})

test('is told in the clear', () => {
  const told: string[] = []
  createRedactor(undefined, (_, secret) => told.push(secret)).text(twice(`{"password":"${word}"}`))
  expect(told).toEqual([word])
})

test('stays as it is without a secret, and where the secret is allowed', () => {
  for (const clean of [
    'see https://x.y/?q=a%20b%3Dc%26d',
    '100%25 of 3%',
    '%',
    '%2',
    'a%3',
    'date +%F%3A%T',
    '%E2%82%AC',
  ]) {
    expect(text(clean)).toBe(clean)
  }
  const escaped = encodeURIComponent(`{"password": "${word}"}`)
  expect(createRedactor({ rules: new Map(), allow: [word] }).text(escaped)).toBe(escaped)
})
