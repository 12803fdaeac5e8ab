/** Scripts that put no space between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u

/** Phrases as whole words, where the script has them, in small letters; `\b` would know no Cyrillic. */
export function phrases(...lists: readonly string[]): RegExp {
  const spaced = lists.filter((list) => !UNSPACED.test(list)).join('|')
  const whole = String.raw`(?<![\p{L}\p{N}_])(?:${spaced})(?![\p{L}\p{N}_])`
  return new RegExp([whole, ...lists.filter((list) => UNSPACED.test(list))].join('|'), 'u')
}

/** In small letters, with one kind of apostrophe. */
export function small(text: string): string {
  return text.toLowerCase().replaceAll('’', "'")
}
