const CJK = String.raw`\u1100-\u11ff\u3040-\u30ff\u3100-\u318f\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\u{20000}-\u{3ffff}`
const CJK_CHAR = new RegExp(`[${CJK}]`, 'gu')
const PICTURE = /\p{Extended_Pictographic}/gu
/** What a tokenizer of words would lose: scripts without spaces, pictures, and the signs of some names. */
const SPECIAL = new RegExp(`[${CJK}]|\\p{Extended_Pictographic}|\\b[cC]\\+\\+|\\b[cCfFjJ]#`, 'u')
const CAMEL = /\b[A-Za-z]+[a-z0-9][A-Z][A-Za-z0-9]*\b|\b[A-Z]{2,}[a-z][A-Za-z0-9]*\b/g
const HUMP = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/
const MAX_PARTS = 400

/**
 * A text as the full-text index is to read it, the same for what is stored and for what is asked: every character of a
 * script without spaces is a word, and so is every picture; `C++` and `C#` keep their signs.
 */
export function indexable(text: string): string {
  if (!SPECIAL.test(text)) return text
  return text
    .replace(CJK_CHAR, ' $& ')
    .replace(PICTURE, (char) => ` emoji${char.codePointAt(0)?.toString(16)} `)
    .replace(/\bc\+\+/gi, ' cplusplus ')
    .replace(/\b([cfj])#/gi, ' $1sharp ')
}

/** `parse user config` for `parseUserConfig`: the words inside the names of a text, each name once. */
export function nameParts(text: string): string {
  const names = text.match(CAMEL)
  if (names === null) return ''
  return [...new Set(names)]
    .slice(0, MAX_PARTS)
    .map((name) => name.split(HUMP).join(' '))
    .join('\n')
}
