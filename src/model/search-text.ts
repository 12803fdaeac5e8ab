const CJK = String.raw`\u1100-\u11ff\u3040-\u30ff\u3100-\u318f\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\u{20000}-\u{3ffff}`
const CJK_CHAR = new RegExp(`[${CJK}]`, 'gu')
const SPACELESS = new RegExp(`^[${CJK}]`, 'u')
const PICTURE = /\p{Extended_Pictographic}/gu
/** What a tokenizer of words would lose: scripts without spaces, pictures, and the signs of some names. */
const SPECIAL = new RegExp(`[${CJK}]|\\p{Extended_Pictographic}|\\b[cC]\\+\\+|\\b[cCfFjJ]#`, 'u')
/** Stands wherever SPECIAL does, and takes a third of the time to look for. */
const UNUSUAL = /[\u00a9-\uffff]|[cC]\+\+|[cCfFjJ]#/
const CAPITAL = /[A-Z]/g
const MAX_PARTS = 400
/** What is longer is no name but data. */
const LONGEST_NAME = 80

/** What can be made findable, beside titles: what was said, what was thought, what was run. */
export const TEXT_FIELDS = ['content', 'thinking', 'bash'] as const
export type TextField = (typeof TEXT_FIELDS)[number]

/**
 * A text as the full-text index is to read it, the same for what is stored and for what is asked: every character of a
 * script without spaces is a word, and so is every picture; `C++` and `C#` keep their signs.
 */
export function indexable(text: string): string {
  if (!UNUSUAL.test(text) || !SPECIAL.test(text)) return text
  return text
    .replace(CJK_CHAR, ' $& ')
    .replace(PICTURE, (char) => ` emoji${char.codePointAt(0)?.toString(16)} `)
    .replace(/\bc\+\+/gi, ' cplusplus ')
    .replace(/\b([cfj])#/gi, ' $1sharp ')
}

/** A word of the index as people write it: `🎯` for what `indexable` has made of it; most words are as they are. */
export function asWritten(word: string): string {
  const picture = Number.parseInt(/^emoji([0-9a-f]{2,6})$/.exec(word)?.[1] ?? '', 16)
  if (picture <= 0x10ffff) return String.fromCodePoint(picture)
  return word === 'cplusplus' ? 'c++' : word.replace(/^([cfj])sharp$/, '$1#')
}

/** True for a character of a script without spaces: a word of its own. */
export function isSpaceless(char: string): boolean {
  return SPACELESS.test(char)
}

/** `parse user config` for `parseUserConfig`: the words inside the names of texts, each name once. */
export function nameParts(texts: readonly string[]): string {
  const names = new Set<string>()
  for (const text of texts) addNames(text, names)
  return names.size === 0 ? '' : [...names].map(partsOf).join('\n')
}

const REMEMBERED_NAMES = 4096
const knownParts = new Map<string, string>()

/** The same names come again and again. */
function partsOf(name: string): string {
  let parts = knownParts.get(name)
  if (parts !== undefined) return parts
  parts = ''
  let start = 0
  for (let at = 1; at < name.length; at++) {
    if (!isCapital(name.charCodeAt(at)) || !isTurn(name, at)) continue
    parts += `${name.slice(start, at)} `
    start = at
  }
  parts += name.slice(start)
  if (knownParts.size >= REMEMBERED_NAMES) knownParts.clear()
  knownParts.set(name, parts)
  return parts
}

function addNames(text: string, names: Set<string>): void {
  CAPITAL.lastIndex = 0
  while (names.size < MAX_PARTS && CAPITAL.test(text)) {
    let end = CAPITAL.lastIndex
    let start = end - 1
    if (!isTurn(text, start)) continue
    while (start > 0 && isNameChar(text.charCodeAt(start - 1))) start--
    while (end < text.length && isNameChar(text.charCodeAt(end))) end++
    if (end - start <= LONGEST_NAME) names.add(text.slice(start, end))
    CAPITAL.lastIndex = end
  }
}

/** Where small letters turn into capitals, or capitals into a word. */
function isTurn(text: string, capital: number): boolean {
  const before = text.charCodeAt(capital - 1)
  if (!isNameChar(before)) return false
  return !isCapital(before) || isSmall(text.charCodeAt(capital + 1))
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90
}

function isSmall(code: number): boolean {
  return code >= 97 && code <= 122
}

function isNameChar(code: number): boolean {
  return isSmall(code) || isCapital(code) || (code >= 48 && code <= 57)
}
