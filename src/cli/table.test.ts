import { expect, test } from 'vitest'
import { cutToWidth, displayWidth, printTable, type Column } from './table.ts'
import { Terminal } from './terminal.ts'

const COLUMNS: readonly Column<string>[] = [
  { title: 'id', value: () => '12345678' },
  { title: 'source', value: () => 'claude', spare: true },
  { title: 'title', value: (title) => title, flexible: true },
  { title: 'model', value: () => 'a-long-model-name', flexible: true, spare: true },
]

function printed(columns: number, title = 'a title that takes some room', paint?: 'cyan'): string[] {
  let written = ''
  const stream = { isTTY: true, columns, write: (text: string) => (written += text) }
  const terminal = new Terminal(stream, stream, paint !== undefined)
  printTable(terminal, [paint === undefined ? title : terminal[paint](title)], COLUMNS)
  return written.trimEnd().split('\n')
}

test('a table fits: flexible columns are cut, then spare ones left out, the last first', () => {
  expect(printed(200)[1]).toBe('12345678  claude  a title that takes some room  a-long-model-name')
  expect(printed(55)[1]).toMatch(/^12345678 {2}claude {2}a title .*… {2}a-long-model-name$/)
  expect(printed(35)[0]).toMatch(/^id +source +title$/)
  expect(printed(24)[0]).toMatch(/^id +title$/)
  for (const width of [55, 45, 35, 24])
    for (const line of printed(width)) expect(line.length).toBeLessThanOrEqual(width)
})

test('our colours take no room, and what else steers a terminal does not reach it', () => {
  expect(printed(50, 'cyan', 'cyan')[1]).toBe('12345678  claude  \u001b[36mcyan\u001b[39m   a-long-model-name')
  expect(printed(80, 'a\u001b]0;b\u0007\r\nc')[1]).toContain('  a␛]0;b␇␊c  ')
  expect(printed(80, '\u001b[36mx\u001b[39m', 'cyan')[1]).toContain('  \u001b[36mx\u001b[39m  ')
})

test('a coloured cell that is cut does not colour the next one', () => {
  const [, row = ''] = printed(45, 'a title that takes some room', 'cyan')
  expect(row).toContain('…')
  expect(row).not.toContain('\u001b')
})

test('a path keeps its end', () => {
  let written = ''
  const stream = { isTTY: true, columns: 24, write: (text: string) => (written += text) }
  const paths = ['/home/sam/code/heron/src/main.ts', '/home/sam/编程/项目/主要文件.ts', '/a/b']
  printTable(new Terminal(stream, stream, false), paths, [
    { title: 'path', value: (path) => path, flexible: true, tail: true },
    { title: 'n', value: () => '1' },
  ])
  const [long, wide, short] = written.trimEnd().split('\n').slice(1)
  expect(long).toBe('…de/heron/src/main.ts  1')
  expect(wide).toMatch(/^….*\/主要文件\.ts {2,3}1$/)
  expect(displayWidth(wide ?? '')).toBe(24)
  expect(short).toMatch(/^\/a\/b +1$/)
})

test('a terminal too narrow for anything, or that tells no width, is no trouble', () => {
  for (const width of [-3, 0]) expect(cutToWidth('日本 and more', width)).toBe('')
  expect(cutToWidth('日本 and more', 1)).toBe('…')
  expect(printed(0)).toEqual(printed(100))
  expect(printed(1).length).toBeGreaterThan(0)
})
