import { describe, expect, test } from 'vitest'
import { createRedactor } from '../src/ingest/redact.ts'
import { CLEAN_FILES } from './kit/leaks/clean-files.ts'
import { CLEAN_NEAR } from './kit/leaks/clean-near.ts'
import { CLEAN_TEXTS } from './kit/leaks/clean-texts.ts'
import { CONTEXTS, type Context } from './kit/leaks/contexts.ts'
import { FRAMES } from './kit/leaks/frames.ts'
import { KEYS } from './kit/leaks/keys.ts'
import { LOGINS } from './kit/leaks/logins.ts'
import { MORE_CONTEXTS, MORE_VALUES } from './kit/leaks/more.ts'
import { seeded } from './kit/leaks/random.ts'
import { VALUES, type Value } from './kit/leaks/values.ts'

const LEAST_CAUGHT = 0.99
const MOST_WRONG = 0.002
/** So much of a secret tells what it is. */
const PIECE = 10
/** What anybody knows of it: its first letters. */
const KNOWN = 6
const CLEAN_EACH = 16

interface Placed {
  readonly about: string
  readonly text: string
  readonly secrets: readonly string[]
}

/** Every kind of secret in every place where it may stand. */
function placed(seed: number): Placed[] {
  let next = seed * 100_003
  const inAll = (values: readonly Value[], contexts: readonly Context[]): Placed[] =>
    values.flatMap((value) =>
      contexts
        .filter(({ bareOnly }) => value.bare || !bareOnly)
        .map(({ place, write }): Placed => {
          const r = seeded(next++)
          const secret = value.make(r)
          return { about: `${value.kind}, ${place}`, text: write(value.name, secret, r), secrets: [secret] }
        }),
    )
  const named = [...inAll(VALUES, CONTEXTS), ...inAll(MORE_VALUES, MORE_CONTEXTS)]
  const built = [...KEYS, ...LOGINS].flatMap(({ kind, make }) =>
    FRAMES.map(({ frame, wrap }): Placed => {
      const { text, secrets } = make(seeded(next++))
      return { about: `${kind}, ${frame}`, text: wrap(text), secrets }
    }),
  )
  return [...named, ...built]
}

/** Some of the secret is left: as it is, escaped for an address, or in base64. */
function isLeft(kept: string, secret: string): boolean {
  const plain = kept.replaceAll(/\[REDACTED:[\w-]+\]/g, '\0')
  const isIn = (one: string): boolean => {
    if (one.length <= PIECE) return plain.includes(one)
    for (let at = Math.min(KNOWN, one.length - PIECE); at + PIECE <= one.length; at++)
      if (plain.includes(one.slice(at, at + PIECE))) return true
    return false
  }
  const runs = plain.match(/[A-Za-z0-9+/_-]{16,}={0,2}/g) ?? []
  const isEncoded = runs.some((run) => Buffer.from(run, 'base64').toString('latin1').includes(secret))
  return isIn(secret) || isIn(encodeURIComponent(secret)) || isEncoded
}

describe.each([1, 20_261])('secrets in their places, made from %i', (seed) => {
  const all = placed(seed)

  test('are of many kinds in many places', () => {
    expect(VALUES.length + KEYS.length + LOGINS.length).toBeGreaterThan(150)
    expect(Math.min(CONTEXTS.length, FRAMES.length)).toBeGreaterThan(12)
    expect(all.length).toBeGreaterThan(9000)
  })

  test('go, all but one in a hundred', () => {
    const { text } = createRedactor()
    const left = all.filter((one) => {
      const kept = text(one.text)
      return one.secrets.some((secret) => isLeft(kept, secret))
    })
    expect(left.length / all.length, left.map(({ about }) => about).join('\n')).toBeLessThanOrEqual(1 - LEAST_CAUGHT)
  })
})

test.each([1, 20_261])('texts in which nothing is secret stay as they are, made from %i', (seed) => {
  const { text } = createRedactor()
  const all = [...CLEAN_FILES, ...CLEAN_NEAR, ...CLEAN_TEXTS].flatMap(([kind, make], i) =>
    Array.from({ length: CLEAN_EACH }, (_, n) => ({ kind, clean: make(seeded(seed * 300_007 + i * CLEAN_EACH + n)) })),
  )
  const wrong = all.filter(({ clean }) => text(clean) !== clean)
  expect(all.length).toBeGreaterThan(1000)
  expect(wrong.length / all.length, wrong.map(({ kind }) => kind).join('\n')).toBeLessThanOrEqual(MOST_WRONG)
})
