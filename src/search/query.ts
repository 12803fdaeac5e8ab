import { indexable } from '../model/search-text.ts'
import { readFilters, type QueryFilters } from './filters.ts'
import { STOP_WORDS } from './stop-words.ts'
import { isLight, otherForms, withoutFrames } from './word-forms.ts'

const MAX_TEXT = 4096
export const MAX_TERMS = 24
export const MAX_SEQUENCE = 80
const SHORTEST_NOT = 3
/** What has several lines, or more words, was pasted: its quotes, minus signs and colons are its own. */
const LONGEST_TYPED = 30
/** What begins with one of these is a command line: its options begin with a minus and exclude nothing, its quotes demand nothing. */
const COMMANDS: ReadonlySet<string> = new Set(
  (
    'ansible apt aws awk az bash brew bun bundle cargo cat cd chmod cmake cp curl deno df docker dotnet du ffmpeg find gcc gcloud gh git go ' +
    'gradle grep gunzip head helm java javac jq kubectl ln ls make mkdir mv mvn mysql node npm npx openssl pip pip3 pnpm poetry psql pytest ' +
    'python python3 redis-cli rg rm rsync ruby rustc scp sed sh sort sqlite3 ssh sudo systemctl tail tar tee terraform time touch tsc unzip ' +
    'uv vim watch wget xargs yarn zip'
  ).split(' '),
)
/** A flag or a path of a command line. */
const OPTION = /(?:^|\s)(?:-\w(?=\s|$)|--\w|-\w+=|\.{0,2}\/\w)/
/** What stands between two commands. */
const BETWEEN_COMMANDS = /(?:^|\s)(?:&&|\|\|?)(?=\s|$)/
/** `that … command`, said of a command line, is no part of it. */
const SAID_OF_COMMAND = /^\s*(?:(?:that|the|this|which|what|my|our)\s+(.+?)\s+command)\s*\??\s*$/i
/** A name of several parts that stands there whole says more than its parts; so does the name of a person. */
const WHOLE_NAME = 1.3
const PROPER_NAME = 1.3
const LIGHT_WORD = 0.8
const WORD = /[\p{L}\p{N}_]+/gu

/** Something to look for: as it was typed, and as an expression that can never raise. */
export interface Term {
  readonly text: string
  readonly match: string
  /** How much it tells against a plain word that is as rare. */
  readonly weight: number
  /** The words it is made of, lower case. */
  readonly words: readonly string[]
  /** Other forms of its only word that are looked for too. */
  readonly forms: readonly string[]
}

export interface Query {
  readonly text: string
  /** What an answer should be about; any of them may be missing. */
  readonly terms: readonly Term[]
  /** Words that tell nothing, for when nothing else is found. */
  readonly rest: readonly Term[]
  /** All words in the order they were typed, those that tell nothing included; a long text is cut. */
  readonly sequence: readonly string[]
  /** What an answer must hold: quoted phrases. */
  readonly must: readonly Term[]
  /** What an answer must not hold. */
  readonly not: readonly Term[]
  readonly filters: QueryFilters
}

/** What a person typed, as a query. Nothing they can type is an error. */
export function parseQuery(text: string, now: number): Query {
  const given = text.slice(0, MAX_TEXT)
  if (isPasted(given)) return plainQuery(text, given.split(/\s+/))
  const { rest: typed, filters } = readFilters(given, now)
  const command = commandIn(typed)
  const must: Term[] = []
  const not: Term[] = []
  const free: string[] = []
  const inRow: string[] = []
  const ask = (...words: string[]) => {
    free.push(...words)
    inRow.push(...words)
  }
  for (const { minus, quoted, bare } of tokens(command ?? typed)) {
    if (quoted !== undefined && command !== null) ask(...quoted.split(/\s+/))
    else if (quoted !== undefined) {
      const phrase = phraseTerm(quoted)
      if (phrase !== null) (minus ? not : must).push(phrase)
      if (!minus) inRow.push(quoted)
    } else if (minus && command === null && bare.length >= SHORTEST_NOT && /^[\p{L}\p{N}]/u.test(bare)) {
      const term = phraseTerm(bare)
      if (term !== null) not.push(term)
    } else ask(minus ? `-${bare}` : bare)
  }
  return { ...plainQuery(text, free), sequence: sequenceOf(inRow), must, not, filters }
}

/** The command line that was typed, without what is said of it; null if it is none. */
function commandIn(typed: string): string | null {
  const line = SAID_OF_COMMAND.exec(typed)?.[1] ?? typed
  const [first = ''] = line.trim().split(/\s/, 1)
  return COMMANDS.has(first) || OPTION.test(line) || BETWEEN_COMMANDS.test(line) ? line : null
}

function isPasted(text: string): boolean {
  const words = text.trim()
  return words.includes('\n') || words.split(/\s+/).length > LONGEST_TYPED
}

/** Words that are all looked for, and nothing else. */
function plainQuery(text: string, free: readonly string[]): Query {
  const filters = { session: {}, exchange: {} }
  return { text, ...freeTerms(withoutFrames(free)), sequence: sequenceOf(free), must: [], not: [], filters }
}

function sequenceOf(words: readonly string[]): string[] {
  return wordsOf(words.join(' ')).slice(0, MAX_SEQUENCE)
}

/** Beside so many words a quoted phrase may be quoted wrongly. */
const WORDS_BESIDE = 3

/** The same without what must be there, its words being asked for like any others; null for what is more an order than a sentence. */
export function withoutMust(query: Query): Query | null {
  if (query.must.length === 0 || query.terms.length < WORDS_BESIDE) return null
  return { ...parseQuery(query.text.replaceAll('"', ' '), 0), text: query.text, not: query.not }
}

interface Token {
  readonly minus: boolean
  readonly quoted?: string
  readonly bare: string
}

/** Words and quoted phrases, each with whether a minus stands before it. A quote that never closes is a sign like any other. */
function tokens(text: string): Token[] {
  const found = text.matchAll(/(?<=^|\s)(-?)"([^"]+)"(?=$|\s)|(\S+)/g)
  return Array.from(found, ([, minus, quoted, bare = '']) => {
    if (quoted !== undefined) return { minus: minus === '-', quoted, bare: '' }
    const negated = /^-(?!-)(.+)$/.exec(bare)
    return { minus: negated !== null, bare: negated?.[1] ?? bare }
  })
}

/** The words that matter, or all of them if none does. Names made of parts are looked for whole and in parts. */
function freeTerms(words: readonly string[]): { terms: Term[]; rest: Term[] } {
  const collect = (keep: (word: string) => boolean) => {
    const terms = new Map<string, Term>()
    const add = (term: Term | null) => {
      if (term !== null && terms.size < MAX_TERMS) terms.set(term.match, terms.get(term.match) ?? term)
    }
    for (const [i, word] of words.entries()) {
      const isName = i > 0 && /^\p{Lu}\p{Ll}+(?:['’]s)?\P{L}*$/u.test(word)
      if (/^\p{L}[\p{L}\p{N}]*\*$/u.test(word)) add(prefixTerm(word.slice(0, -1)))
      const parts = wordsOf(word).filter(keep)
      if (parts.length > 1) add(phraseTerm(word))
      for (const part of parts) add(wordTerm(part, isName))
    }
    return [...terms.values()]
  }
  const terms = collect((word) => !STOP_WORDS.has(word))
  const rest = collect((word) => STOP_WORDS.has(word))
  return terms.length > 0 ? { terms, rest } : { terms: rest, rest: [] }
}

function wordsOf(text: string): string[] {
  return (indexable(text).toLowerCase().match(WORD) ?? [])
    .map((word) => word.replace(/^_+|_+$/g, ''))
    .filter((word) => word !== '')
}

function wordTerm(word: string, isName: boolean): Term {
  const forms = isName ? [] : otherForms(word)
  const match = forms.length === 0 ? quote(word) : `(${[word, ...forms].map(quote).join(' OR ')})`
  return { text: word, match, weight: isName ? PROPER_NAME : isLight(word) ? LIGHT_WORD : 1, words: [word], forms }
}

function prefixTerm(word: string): Term {
  const lower = word.toLowerCase()
  return { text: `${word}*`, match: `${quote(lower)}*`, weight: 1, words: [lower], forms: [] }
}

function phraseTerm(text: string): Term | null {
  const words = wordsOf(text).slice(0, 64)
  if (words.length === 0) return null
  return { text, match: quote(words.join(' ')), weight: words.length > 1 ? WHOLE_NAME : 1, words, forms: [] }
}

function quote(words: string): string {
  return `"${words}"`
}
