import { expect, test } from 'vitest'
import { indexable, nameParts } from './search-text.ts'

test('the words inside names are found, each name once', () => {
  expect(nameParts(['call parseUserConfig( twice: parseUserConfig', 'HTTPServer and fooBar2Baz'])).toBe(
    'parse User Config\nHTTP Server\nfoo Bar2 Baz',
  )
  expect(nameParts(['nothing here', 'ALL_CAPS and snake_case'])).toBe('')
  expect(nameParts([`x${'aB'.repeat(500)}`])).toBe('')
})

test('scripts without spaces, pictures and signs become words', () => {
  expect(indexable('plain text stays')).toBe('plain text stays')
  expect(indexable('检索').split(/\s+/).filter(Boolean)).toEqual(['检', '索'])
  expect(indexable('ship 🚀 in C++ or C#').replace(/\s+/g, ' ')).toBe('ship emoji1f680 in cplusplus or Csharp ')
})
