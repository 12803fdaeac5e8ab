import { describe, expect, test } from 'vitest'
import type { TextMessage } from '../store/text-index.ts'
import { askedOf, compare, isSlip } from './message-score.ts'
import { parseQuery } from './query.ts'

const message = (text: string, field: TextMessage['field'] = 'prompt'): TextMessage => {
  return { seq: 1, field, text, length: text.length }
}
const compared = (question: string, text: string, unknown: readonly string[] = []) => {
  const asked = askedOf(parseQuery(question, 0), ({ text: word }) => ({ weight: 3, known: !unknown.includes(word) }))
  return compare(message(text), asked)
}

describe('one message beside what was asked', () => {
  const question = 'why does the export of invoices time out on monday'

  test('words in the order they were typed count more than the same words anywhere', () => {
    const typed = compared(question, 'Tell me why does the export of invoices time out on monday, please.')
    const anywhere = compared(
      question,
      'On monday it was out of time. The invoices? Nobody knows why the export does that.',
    )
    expect(typed.inOrder).toBeGreaterThan(0.9)
    expect(anywhere.inOrder).toBeLessThan(0.3)
    expect(typed.said).toBeCloseTo(anywhere.said, 1)
  })

  test('a long message that holds all words says less of it than a short one', () => {
    const long = `${question} ${'and other things that were said on that day '.repeat(200)}`
    expect(compared(question, long).said).toBeLessThan(0.6 * compared(question, question).said)
  })

  test('a message that is the question and nothing else stands above one that goes on', () => {
    expect(compared('run the tests', 'Run the tests!').inOrder).toBeGreaterThan(
      compared('run the tests', 'run the tests, then commit').inOrder,
    )
  })

  test('words in one row come before the same words side by side here and there', () => {
    const asked = 'docker compose up -d code'
    expect(compared(asked, 'cd /home/code && docker compose up -d code && wait').inOrder).toBeGreaterThan(
      compared(asked, 'docker compose up -d route # see x -d code here').inOrder,
    )
  })

  test('signs of which the index makes words are no name', () => {
    for (const signs of ['🎉🚀', '👩‍💻🎉', '✅✅', '__-__', '→→'])
      expect(compared(`${signs} done`, 'done').said).toBeLessThan(2)
  })

  test('a name of several parts counts where it stands whole', () => {
    const asked = 'node --test app/flag/login-row.ts'
    const parts = compared(asked, 'node --test app/row/flag-login.ts')
    expect(compared(asked, 'node --test app/flag/login-row.ts').said).toBeGreaterThan(parts.said)
  })

  test('a name that is part of a longer one does not', () => {
    const part = compared('header-sample.ts', 'read src/user-header-sample.ts')
    expect(compared('header-sample.ts', 'read src/lib/header-sample.ts').said).toBeGreaterThan(part.said)
  })

  test('a text that was cut is whole where a message begins as it does', () => {
    const long = Array.from({ length: 120 }, (_, i) => `word${i}`).join(' ')
    expect(compared(long, `${long} and more`).inOrder).toBeGreaterThan(compared(long, `First: ${long}`).inOrder)
  })

  test('a word that stands nowhere as it was typed is taken for one a slip away', () => {
    expect(compared('the turnsitle hangs', 'the turnstile hangs', ['turnsitle']).said).toBeGreaterThan(
      compared('the turnsitle hangs', 'the turnover hangs', ['turnsitle']).said,
    )
  })

  test('a word that stands nowhere tells no more than the others do', () => {
    const asked = askedOf(parseQuery('the reciept of Yuki hides the type', 0), ({ text: word }) => {
      return word === 'reciept' ? { weight: 9, known: false } : { weight: 3, known: true }
    })
    const weights = new Map(asked.words.map(({ word, weight }) => [word, weight]))
    expect(weights.get('reciept')).toBeCloseTo(3, 0)
  })

  test('the options of a command stand in their places, what is excluded stands nowhere', () => {
    expect(parseQuery('grep -rn "two words" src', 0).sequence).toEqual(['grep', 'rn', 'two', 'words', 'src'])
    expect(parseQuery('export "two words" -redis -"a phrase"', 0).sequence).toEqual(['export', 'two', 'words'])
  })

  test('what was quoted stands in its place among the words', () => {
    const pasted = 'Customers who look for "wifi" do not find "wi-fi".'
    expect(compared(pasted, pasted).inOrder).toBeGreaterThan(1.2)
  })
})

test.each([
  ['receipt', 'reciept', true],
  ['middleware', 'middlware', true],
  ['write', 'wrrite', true],
  ['hangs', 'hansg', true],
  ['tests', 'test', true],
  ['storefront', 'storefrotn', true],
  ['deploy', 'delay', false],
  ['export', 'expert', true],
  ['import', 'impress', false],
])('%s may be meant by %s: %s', (word, typed, expected) => {
  expect(isSlip(word, typed)).toBe(expected)
})
