import { expect, test } from 'vitest'
import { inert, inertJson, inertLine } from './inert.ts'

test('what would steer a terminal is shown for what it is', () => {
  expect(inert('a\u001b]0;b\u0007c')).toBe('a␛]0;b␇c')
  expect(inert('\u009b2J \u0085 \u007f\u0000')).toBe('\\u009b2J \\u0085 ␡␀')
  expect(inert('10%\r20%\b')).toBe('10%␍20%␈')
  expect(inert('\u202eevil\u2066\u061c\u200f')).toBe('\\u202eevil\\u2066\\u061c\\u200f')
  expect(inert('a\u2028b\u2029\ufff9')).toBe('a\\u2028b\\u2029\\ufff9')
})

test('colours go, and what they concealed is seen', () => {
  expect(inert('\u001b[1;31mred\u001b[0m \u001b[8mhidden\u009b0m')).toBe('red hidden')
  expect(inert('\u001b[38:2::1:2:3mx\u001b[m')).toBe('x')
  expect(inert('\u001b[31')).toBe('␛[31')
})

test('lines and tabs stay, whoever ended the lines', () => {
  expect(inert('a\r\n\tb\r\nc\n')).toBe('a\n\tb\nc\n')
  expect(inertLine('a\r\n\tb\u001b')).toBe('a␊␉b␛')
})

test('what nobody sees is left out', () => {
  expect(inert('pass\u200bword\u2060\ufeff\u00ad\u{e0041}\u{e0042}\u3164')).toBe('password')
  expect(inert('a\ufe0f\ufe01\u{e0101}\u200d\u200cb')).toBe('ab')
  expect(inert('☺\ufe0f\ufe0e\ufe0f\ufe05')).toBe('☺\ufe0f')
})

test.each([
  ['👩‍💻 👨‍👩‍👧 ❤️‍🔥 🧑🏽‍🚀 1️⃣ ☀️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇩🇪'],
  ['می‌خواهم'],
  ['क्‍ष and क्‌ष'],
  ['ශ්‍රී ലങ്ക'],
  ['葛\u{e0100}飾区 ≨\ufe00'],
  ['a — “quoted” … ünïcödé 𝄞\n\t日本語 한국어 שלום مرحبا 😀 𝒳'],
])('text that needs its joiners and selectors is left as it is: %s', (text) => {
  expect(inert(text)).toBe(text)
})

test('nothing that is a control, turns or is not seen gets through', () => {
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const char = String.fromCodePoint(code)
    const passes = !/[\p{Cc}\p{DI}\p{Zl}\p{Zp}\ufff9-\ufffb]/u.test(char) || /[\n\t]/.test(char)
    if ((inert(`a${char}b`) === `a${char}b`) !== passes) expect(code.toString(16)).toBe(passes ? 'kept' : 'gone')
  }
})

test.each(['\r', '\u001b[', '\u001b[1', '9;', '\u{1f3f4}\u{e0061}', '\ufe0f', '\u200d'])(
  'a long row of %j takes no longer than its length asks for',
  (part) => {
    const started = performance.now()
    inert(`\u0007\u001b[${part.repeat(300_000)}`)
    expect(performance.now() - started).toBeLessThan(5000)
  },
)

test('of JSON the meaning stays', () => {
  const value = { a: '\u001b[2J\u009b\u202e\u2028\ud800👩‍💻\u{e0041}"\\', 'b\u200b': ['\u007f'] }
  const json = inertJson(JSON.stringify(value, null, 2))
  expect(json).toMatch(/^[\n -~\u{1f300}-\u{1faff}]*$/u)
  expect(JSON.parse(json)).toEqual(value)
})
