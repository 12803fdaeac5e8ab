import { describe, expect, test } from 'vitest'
import { isBareCommand, withoutNotes } from './typed.ts'

const NOTES = /<(note|selection)>[\s\S]*?<\/\1>/g

describe('a prompt without notes', () => {
  test.each([
    ['fix it', '<note>be brief</note>fix it'],
    ['fix it', '<note>a</note><selection>b</selection>\n\nfix it'],
    ['fix it', 'fix it <note>be brief</note>'],
    ['fix\n\nit', 'fix\n<note>in\nlines</note>\nit'],
    ['', '<note>alone</note>'],
    ['fix it', '  fix it '],
  ])('is %j of %j', (words, text) => expect(withoutNotes(text, NOTES)).toBe(words))

  test('keeps what a person wrote about them', () => {
    const asked = 'what does <note>x</note> mean in my prompt?'
    expect(withoutNotes(asked, NOTES)).toBe(asked)
    expect(withoutNotes(`<note>y</note>\n${asked}`, NOTES)).toBe(asked)
  })
})

test('a command is bare without words behind it; a path is none', () => {
  expect(['/compact', '/compact ', '/a:b', '/compact now', '/usr/bin is full', 'x'].map(isBareCommand)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})
