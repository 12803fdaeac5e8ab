import { expect, test } from 'vitest'
import { marksOf } from './hits.ts'
import { parseQuery } from './query.ts'
import { beginsWord, cased, makeSnippet } from './snippet.ts'

/** What is marked in a text for a query, and which of its terms the text holds. */
function marked(query: string, text: string) {
  const marks = marksOf(parseQuery(query, 0))
  const { text: shown, highlights } = makeSnippet(text, marks.stems)
  const both = cased(text)
  const held = marks.terms.filter(({ words }) => words.every((some) => some.some((stem) => beginsWord(both, stem))))
  return { marks: highlights.map(([from, to]) => shown.slice(from, to)), terms: held.map((term) => term.text) }
}

test('a picture is marked as it was written', () => {
  expect(marked('🎯', 'ready 🎯 and set🎯')).toEqual({ marks: ['🎯', '🎯'], terms: ['🎯'] })
})

test('so are the names of languages with signs, in either spelling', () => {
  expect(marked('C++', 'write it in C++ now')).toEqual({ marks: ['C++'], terms: ['c++'] })
  expect(marked('csharp', 'csharp or C#').marks).toEqual(['csharp', 'C#'])
})

test('a word inside a name is marked where it begins, inside another word it is not', () => {
  expect(marked('config', 'TableConfig is defined').marks).toEqual(['Config'])
  expect(marked('config', 'a TSConfig file')).toEqual({ marks: ['Config'], terms: ['config'] })
  expect(marked('config', 'reconfigured')).toEqual({ marks: [], terms: [] })
})

test('a character of a script without spaces is a word wherever it stands', () => {
  expect(marked('本', '日本語')).toMatchObject({ terms: ['本'] })
  expect(marked('nginx', '日本nginx')).toEqual({ marks: ['nginx'], terms: ['nginx'] })
})

test('in a script without spaces only what was matched is marked, and nothing twice', () => {
  expect(marked('数据库', '修复数据库连接错误').marks).toEqual(['数据库'])
  expect(marked('连接 数据', '修复数据库连接错误').marks).toEqual(['数据', '连接'])
  expect(marked('nginx', '重启nginx服务').marks).toEqual(['nginx'])
  expect(marked('table config', 'a TableConfig').marks).toEqual(['TableConfig'])
})

test('a letter that an ending has doubled is single in other forms of the word', () => {
  expect(marked('planned', 'the plan of the day').marks).toEqual(['plan'])
  expect(marked('stopping', 'it stops, it stopped').marks).toEqual(['stops', 'stopped'])
  expect(marked('embedded', 'embed it, not in an emblem').marks).toEqual(['embed'])
  expect(marked('added', 'an adapter').marks).toEqual([])
})

test('the signs that set a page are left out of what is shown, those of code are not', () => {
  const page = '## Summary\nThe **retry loop** is gone; `src/**/*.ts` and 2 ** 3 stay'
  const { text, highlights } = makeSnippet(page, ['retry'])
  expect(text).toBe('Summary The retry loop is gone; `src/**/*.ts` and 2 ** 3 stay')
  expect(highlights.map(([from, to]) => text.slice(from, to))).toEqual(['retry'])
})
