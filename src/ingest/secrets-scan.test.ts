import { expect, test } from 'vitest'
import { maker, samples, whole } from '../../test/kit/secrets.ts'
import { createKnownSecrets } from './known-secrets.ts'
import { scanSecrets } from './secrets-scan.ts'

const { alnum } = maker(5)
const token = whole`gh|p_${alnum(36)}`

test('a secret that is stored is told by its rule and its place, never by itself', () => {
  const texts = ['a', 'b', 'c', 'd'].map((where) => ({ where, text: `x ${token} y` }))
  const findings = scanSecrets([{ where: 'clean', text: 'nothing here' }, ...texts])
  expect(findings).toMatchObject([
    { id: 'secret', level: 'error', message: '4 × github-token in what is stored, first in a, b, c' },
  ])
  expect(JSON.stringify(findings)).not.toContain(token)
})

test('every kind of secret is found', () => {
  const kinds = samples(3).map(([rule, secret, before = '', after = '']) => ({
    where: rule,
    text: before + secret + after,
  }))
  expect(scanSecrets(kinds)).toHaveLength(new Set(kinds.map((kind) => kind.where)).size)
})

test('placeholders and allowed texts are no findings', () => {
  expect(scanSecrets([{ where: 'a', text: 'API_KEY=[REDACTED:assigned-key]' }])).toEqual([])
  expect(scanSecrets([{ where: 'a', text: token }], { rules: new Map(), allow: [token] })).toEqual([])
})

test('a value that is known of a session is a finding in that session only', () => {
  const known = createKnownSecrets(Buffer.alloc(32, 1))
  known.learn('assigned-password', 'kq7!mmPz4x')
  const texts = ['claude:a#1 text', 'claude:b#1 text'].map((where) => ({ where, text: 'try kq7!mmPz4x now' }))
  const findings = scanSecrets(texts, undefined, (where) => (where.startsWith('claude:a#') ? known : null))
  expect(findings.map(({ message }) => message)).toEqual([
    '1 × known-secret in what is stored, first in claude:a#1 text',
  ])
  expect(JSON.stringify(findings)).not.toContain('kq7!mmPz4x')
})

test('our own hashes and marks are no findings, whatever letters they end in', () => {
  const hashes = ['pw:', 'Pwd ', 'Pwd=', 'Pass: ', 'pw=', 'token='].map((end) => `"${alnum(9)}7x${end}${alnum(24)}"`)
  const known = createKnownSecrets(Buffer.alloc(32, 1))
  known.learn('assigned-password', 'kq7!mmPz4x')
  const kept = JSON.stringify({ lanes: { a: { failed: ['0f1858de36bd'], known: known.state() } } })
  expect(
    scanSecrets([...hashes, kept, 'x [REDACTED:known-secret] y'].map((text) => ({ where: 'state', text }))),
  ).toEqual([])
})
