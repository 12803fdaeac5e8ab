import { assert, nat, oneof, property, string, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { COMPLETION_POS, DECISIONS_LANE, laneBase } from './event.ts'
import { pointerOf, readPointer, shortName, splitPointer } from './pointers.ts'

const LANES = ['agent-a1', 'agent-a2', 'agent-a1~lost', 'twenty/seven', DECISIONS_LANE]

test('a pointer of the main thread is its number; elsewhere it names the thread and counts from 1', () => {
  expect([0, 1, 45, 1_048_577].map(pointerOf)).toEqual(['#0', '#1', '#45', '#1048577'])
  expect(pointerOf(COMPLETION_POS)).toBe('#end')
  expect(pointerOf(laneBase(DECISIONS_LANE) + 2)).toBe('#decisions.3')
  for (const lane of LANES.slice(0, 4)) expect(pointerOf(laneBase(lane) + 11)).toMatch(/^#[0-9a-z]{7}\.12$/)
  expect(new Set(LANES.map((lane) => pointerOf(laneBase(lane)))).size).toBe(LANES.length)
})

test('what is printed leads back to the same number and to no other', () => {
  const lane = string().filter((name) => name !== '' && !name.startsWith('~'))
  const seq = tuple(lane, nat(2 ** 20 - 1)).map(([name, pos]) => laneBase(name) + pos)
  assert(
    property(oneof(seq, nat()), oneof(seq, nat()), (own, other) => {
      for (const typed of [pointerOf(own), pointerOf(own).slice(1), String(own), ` ${pointerOf(own).toUpperCase()}`]) {
        const pointed = readPointer(typed)
        if (pointed === null || !pointed.fits(own)) return false
        if (other !== own && pointed.fits(other)) return false
      }
      return true
    }),
  )
})

test('the beginning of the name of a thread is enough, and no beginning of a number', () => {
  const seq = laneBase('agent-a1') + 11
  const name = pointerOf(seq).slice(1, 4)
  expect(readPointer(`${name}.12`)?.fits(seq)).toBe(true)
  expect(readPointer(`${name}.2`)?.fits(seq)).toBe(false)
  expect(readPointer(`${name}.2`)?.fits(12)).toBe(false)
})

test.each(['', '#', 'k3.12', 'k3f9x2a', '1.2.3', '-4', '4x', 'k3f9x2a.', '#45#46'])('%j is no pointer', (text) => {
  expect(readPointer(text)).toBeNull()
})

test('a pointer may stand behind the name of a session', () => {
  expect(splitPointer('claude:17092961-aa#45')).toMatchObject({
    session: 'claude:17092961-aa',
    event: { aside: false },
  })
  expect(splitPointer('last#k3f9x2a.12')).toMatchObject({ session: 'last', event: { aside: true } })
  expect(splitPointer('kei:a#b')).toEqual({ session: 'kei:a#b', event: null })
  expect(splitPointer('#45')).toEqual({ session: '#45', event: null })
})

test('a session is told by the beginning of its id, of an id that begins with its time by all of that', () => {
  expect(shortName('claude:c010174c-a7cd-4bcc-b7d4-61258d6c463f')).toBe('c010174c')
  expect(shortName('codex:019cfddd-8b58-7031-9c38-031f65e09077')).toBe('019cfddd-8b58')
})
