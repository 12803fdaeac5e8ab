import { describe, expect, test } from 'vitest'
import { maker, whole } from '../../test/kit/secrets.ts'
import { UserError } from '../model/errors.ts'
import type { RedactionConfig } from './redact-config.ts'
import { createRedactor } from './redact.ts'

const { alnum, hex } = maker(99)

function config(rules: Readonly<Record<string, string>>, allow: readonly string[] = []): RedactionConfig {
  return { rules: new Map(Object.entries(rules)), allow }
}

describe('rules of the user', () => {
  test('take out what they match, all of it', () => {
    const { text, counts } = createRedactor(
      config({ 'acme-key': 'acme_([a-z0-9]{8,})', badge: String.raw`\bBADGE\-\d{4}` }),
    )
    expect(text(`x acme_${hex(12)}, BADGE-1234 BADGE-12`)).toBe('x [REDACTED:acme-key], [REDACTED:badge] BADGE-12')
    expect([...counts]).toEqual([
      ['acme-key', 1],
      ['badge', 1],
    ])
  })

  test('every alternative is looked for', () => {
    const { text } = createRedactor(config({ mine: 'foo_[0-9]+|bar_(?:a|b)[|]x' }))
    expect(text('foo_12 bar_a|x bar_c|x')).toBe('[REDACTED:mine] [REDACTED:mine] bar_c|x')
  })

  test('do not find their own name in a placeholder', () => {
    const { text } = createRedactor(config({ 'acme-key': 'acme-[a-z]+', red: 'REDACTED' }))
    const once = text('an acme-thing')
    expect(once).toBe('an [REDACTED:acme-key]')
    expect(text(once)).toBe(once)
  })

  test('the other rules still hold', () => {
    const { text } = createRedactor(config({ mine: 'foo_[0-9]+' }))
    expect(text(whole`gh|p_${alnum(36)}`)).toBe('[REDACTED:github-token]')
  })

  const unfit: readonly (readonly [string, string, RegExp])[] = [
    ['mine', 'foo_(', /"mine" is no regular expression/],
    ['mine', '[a-z]{32}', /"mine" does not begin with 3 plain/],
    ['mine', 'fo+bar', /"mine" does not begin with 3 plain/],
    ['mine', 'foo?bar', /"mine" does not begin with 3 plain/],
    ['mine', 'foobar|b.z', /"mine" does not begin with 3 plain/],
    ['mine', '', /"mine" does not begin with 3 plain/],
    ['my rule', 'foobar', /"my rule" has a name/],
  ]
  test.each(unfit)('%s = %s is refused', (name, source, message) => {
    const make = (): unknown => createRedactor(config({ [name]: source }))
    expect(make).toThrow(message)
    expect(make).toThrow(UserError)
    expect(make).toThrow(expect.objectContaining({ code: 'BAD_CONFIG' }))
  })
})

describe('texts that are no secrets', () => {
  const token = whole`gh|p_${alnum(36)}`

  test('stay where they stand, alone or within others', () => {
    const { text, json, counts } = createRedactor(config({}, [token, 'postgres://app:dev-pw1@localhost', 'hunter2']))
    const kept = `${token} "${token}" postgres://app:dev-pw1@localhost/db DB_PASSWORD=hunter2`
    expect(text(kept)).toBe(kept)
    expect(json({ password: 'hunter2' })).toEqual({ password: 'hunter2' })
    expect(counts.size).toBe(0)
  })

  test('save nothing but themselves', () => {
    const { text } = createRedactor(config({}, [token, '']))
    expect(text(whole`gh|o_${alnum(36)}`)).toBe('[REDACTED:github-token]')
    expect(text(`${token}x`)).toBe('[REDACTED:github-token]')
  })
})
