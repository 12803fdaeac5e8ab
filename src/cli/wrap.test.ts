import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { displayWidth } from './table.ts'
import { wrap } from './wrap.ts'

test('lines are broken at spaces', () => {
  expect(wrap('count the herons at dawn', 10)).toEqual(['count the', 'herons at', 'dawn'])
  expect(wrap('short', 10)).toEqual(['short'])
  expect(wrap('', 10)).toEqual([''])
  expect(wrap('    indented words here', 12)).toEqual(['    indented', 'words here'])
})

test('a word that is too long alone is broken, and so is text without spaces', () => {
  expect(wrap('see https://a.test/0123456789', 12)).toEqual(['see', 'https://a.te', 'st/012345678', '9'])
  expect(wrap('工业界训练模型', 6)).toEqual(['工业界', '训练模', '型'])
  expect(wrap('\u001bk3y:33m aaaaa工', 6).map((line) => line.replace('\u001bk3y:33m', ''))).toEqual(['', 'aaaaa', '工'])
})

test('nothing is lost and nothing is too wide, and styles take no room', () => {
  const piece = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'b', '工', 'é') }),
    fc.constant(' '),
    fc.constant('\u001bk3y:33m'),
  )
  fc.assert(
    fc.property(fc.array(piece), fc.integer({ min: 4, max: 20 }), (pieces, width) => {
      const line = pieces.join('')
      const lines = wrap(line, width)
      const bare = (text: string) => text.replaceAll('\u001bk3y:33m', '')
      for (const one of lines) expect(displayWidth(bare(one))).toBeLessThanOrEqual(width)
      expect(lines.join('').replaceAll(' ', '')).toBe(line.replaceAll(' ', ''))
    }),
  )
})
