import { expect, test } from 'vitest'
import { printWrapped } from './sessions.ts'
import { displayWidth } from './table.ts'
import { Terminal } from './terminal.ts'

function screen(columns: number) {
  const told: string[] = []
  const stream = { isTTY: true, columns, rows: 24, write: (text: string) => told.push(text) }
  return { told, terminal: new Terminal(stream, stream, false) }
}

test.each([30, 40, 80])('a bar stays in its line on %i columns, and what it says keeps its end', (columns) => {
  const { told, terminal } = screen(columns)
  terminal.progress(1, 1, `/home/me/${'a long way/'.repeat(9)}log.jsonl`)
  const bar = (told[0] ?? '').replace('\r\u001b[2K', '')
  expect(displayWidth(bar)).toBeLessThanOrEqual(Math.max(columns, 32))
  if (columns >= 80) expect(bar).toMatch(/ 100% ….*log\.jsonl$/)
})

test('a paragraph is broken at words, each line as far in as the first', () => {
  const { told, terminal } = screen(20)
  printWrapped(terminal, 'one two three four five six', '  ')
  expect(told.join('')).toBe('  one two three four\n  five six\n')
})
