const MAX_TERMS = 32
const MAX_TEXT = 4096
const WORD = /[\p{L}\p{N}_]+/gu
const NO_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/u

export interface Query {
  readonly text: string
  /** Words to look for, lower case, each once. */
  readonly terms: readonly string[]
  /** FTS5 expressions that can never raise: all terms, then any of them. */
  readonly all: string
  readonly any: string
}

/** What a person typed, as a query. Whatever they typed: nothing of it is taken for syntax. */
export function parseQuery(text: string): Query {
  const words = text.slice(0, MAX_TEXT).toLowerCase().match(WORD) ?? []
  const terms = [...new Set(words)].slice(0, MAX_TERMS)
  const quoted = terms.map((term) => (NO_SPACES.test(term) ? `"${term}"*` : `"${term}"`))
  return { text, terms, all: quoted.join(' AND '), any: quoted.join(' OR ') }
}
