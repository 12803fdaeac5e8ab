import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../test/kit/home.ts'
import { archiveName, archiveText, cleanName, fallbackName, keepArchive } from './archive.ts'
import { within } from './directory.ts'

const AT = new Date(2026, 1, 21, 3, 39).getTime()
const redact = (text: string) => text.replaceAll('hunter2', '[REDACTED]')
const archive = (messages: Parameters<typeof archiveText>[0]['messages'], at = AT) =>
  archiveText({ name: 'Travel Planning', at, messages, assistantName: 'G2', redact })

test('an archive has the form that agents search', () => {
  const text = archive([
    { speaker: 'user', text: 'I want to plan a trip to Japan...' },
    { speaker: 'assistant', text: 'Here are some suggestions...' },
  ])
  expect(text).toBe(
    '# Travel Planning\n\nArchived: Feb 21, 3:39 AM\n\n---\n\n' +
      '**User**: I want to plan a trip to Japan...\n\n**G2**: Here are some suggestions...\n',
  )
})

test.each([
  [0, 5, '12:05 AM'],
  [12, 0, '12:00 PM'],
  [23, 59, '11:59 PM'],
])('%i:%i is told as people tell it', (hour, minute, told) => {
  expect(archive([], new Date(2026, 10, 3, hour, minute).getTime())).toContain(`Archived: Nov 3, ${told}\n`)
})

test('a long message is cut at 2,000 characters and says so, never inside a character', () => {
  const told = (text: string) => archive([{ speaker: 'user', text }]).split('**User**: ')[1]
  expect(told('x'.repeat(2000))).toBe(`${'x'.repeat(2000)}\n`)
  expect(told('x'.repeat(2001))).toBe(`${'x'.repeat(2000)}...\n`)
  expect(told(`${'x'.repeat(1999)}😀😀`)).toBe(`${'x'.repeat(1999)}...\n`)
})

test('secrets and what steers a terminal do not reach an archive', () => {
  const text = archive([{ speaker: 'user', text: 'it is hunter2 \u001b[2J\u202e' }])
  expect(text).toContain('it is [REDACTED] ')
  // oxlint-disable-next-line no-control-regex -- it is what is looked for
  expect(text).not.toMatch(/[\u001b\u202e]/)
})

test.each([
  ['Tax Research', 'tax-research'],
  ['Übergrößen & Café', 'ubergrossen-cafe'],
  ['../../etc/passwd', 'etc-passwd'],
  ['日本旅行', '3f2a9c1e'],
  ['', '3f2a9c1e'],
  ['a'.repeat(80), 'a'.repeat(50)],
])('%j is filed as %s', (name, slug) => {
  expect(archiveName(name, AT, '3f2a9c1e')).toBe(`2026-02-21-${slug}`)
})

test('a name is one line without secrets', () => {
  expect(cleanName('  a\nhunter2\t b ', redact)).toBe('a [REDACTED] b')
  expect(fallbackName(AT)).toBe('conversation-0339')
})

test('what goes on replaces what it began with; another conversation of that name gets a number', () => {
  const dir = tempDir()
  const keep = (text: string) => within(dir, [], (place) => keepArchive(place, 'day-name', text))
  const [first, second] = [{ speaker: 'user', text: 'one' } as const, { speaker: 'assistant', text: 'two' } as const]
  expect(keep(archive([first]))).toBe('day-name.md')
  expect(keep(archive([first]))).toBe('day-name.md')
  expect(keep(archive([first, second], AT + 3_600_000))).toBe('day-name.md')
  expect(keep(archive([second]))).toBe('day-name-2.md')
  expect(readFileSync(path.join(dir, 'day-name.md'), 'utf8')).toContain('two')
  expect(readdirSync(dir).toSorted()).toEqual(['day-name-2.md', 'day-name.md'])
})
