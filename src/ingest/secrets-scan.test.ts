import { expect, test } from 'vitest'
import { maker, samples, whole } from '../../test/kit/secrets.ts'
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
