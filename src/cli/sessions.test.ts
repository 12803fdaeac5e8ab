import { expect, test } from 'vitest'
import { printMarkdown } from './sessions.ts'
import { Terminal } from './terminal.ts'

function printed(text: string, columns: number | null): string[] {
  let out = ''
  const stream = { isTTY: columns !== null, columns: columns ?? 0, write: (part: string) => (out += part) }
  printMarkdown(new Terminal(stream, stream, false), text)
  return out.trimEnd().split('\n')
}

test('a quote that is broken stays a quote, and a list within it a list', () => {
  const page = '> one two three\n> - four five six'
  expect(printed(page, 10)).toEqual(['> one two', '> three', '> - four', '>   five', '>   six'])
})

test('on a terminal a page is broken at words, list items beside their mark, tables not at all', () => {
  const page = '- one two three four\n\n| a very | long row |\nfive six seven'
  expect(printed(page, 12)).toEqual(['- one two', '  three four', '', '| a very | long row |', 'five six', 'seven'])
  expect(printed(page, null)).toEqual(page.split('\n'))
})
