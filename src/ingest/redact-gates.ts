import type { Gate } from './redact-rule.ts'

/**
 * In quotes; as `git diff --word-diff` writes what changed; to the end of a word of a shell or a line of `.env`; to the
 * end of a line of YAML; as an element of XML or a cell of CSV; or bare.
 */
export type Written = 'quoted' | 'changed' | 'shell' | 'line' | 'element' | 'bare'

export type Gates = Readonly<Record<Written | 'list' | 'head', Gate>>

/** What is shorter is no secret. */
export const LEAST_VALUE = 6
/** So far a name goes on before the word that gives it away. */
export const MAX_LEAD = 40

const NAME_CHARACTER = flags('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.')
const SIGN_CHARACTER = flags('"\'`\\ \t\n\r:=>?!,-|*%(<{\x1b')
const MAX_NAME = 48

export function isNameCharacter(code: number): boolean {
  return NAME_CHARACTER[code] === 1
}

function flags(characters: string): Uint8Array {
  const set = new Uint8Array(128)
  for (const character of characters) set[character.charCodeAt(0)] = 1
  return set
}

/**
 * Gates that know where the name they last looked at ends: a name of names is walked through once, not once for each.
 * Most of what they let through matches, which matters, because a pattern costs far more than a look.
 */
export function createGates(): Gates {
  let seen = ''
  let from = 0
  let end = 0
  const endOfName = (text: string, at: number): number => {
    if (text === seen && at >= from && at < end) return end
    seen = text
    from = at
    end = at + 1
    while (end < text.length && NAME_CHARACTER[text.charCodeAt(end)] === 1) end++
    return end
  }
  const signAfter = (text: string, at: number): number => {
    const sign = endOfName(text, at)
    return sign - at <= MAX_NAME && sign < text.length && SIGN_CHARACTER[text.charCodeAt(sign)] === 1 ? sign : -1
  }
  return {
    quoted(text, at) {
      const sign = signAfter(text, at)
      if (sign < 0) return false
      const value = behindSign(text, sign)
      return value === text.length ? mayQuoteApart(text, sign) : mayQuote(text, sign, value)
    },
    changed(text, at) {
      const sign = signAfter(text, at)
      if (sign < 0) return false
      const value = behindSign(text, sign)
      return text.startsWith('[-', value) || text.startsWith('{+', value)
    },
    shell(text, at, cut) {
      const sign = signAfter(text, at)
      if (sign < 0 || text.charCodeAt(sign) !== EQUALS || SHELL_STOP[text.charCodeAt(sign + 1)] === 1) return false
      return isBehindSpace(text, at, cut) && !isGone(text, sign + 1)
    },
    line(text, at) {
      const sign = signAfter(text, at)
      if (sign < 0) return false
      const isApart = BLANK[text.charCodeAt(sign)] === 1
      const at2 = isApart ? behindSpace(text, sign) : sign
      const code = text.charCodeAt(at2)
      if (code !== (isApart ? EQUALS : COLON) || BLANK[text.charCodeAt(at2 + 1)] !== 1) return false
      return isLongEnough(text, behindSpace(text, at2 + 1))
    },
    element(text, at) {
      const sign = signAfter(text, at)
      if (sign < 0 || BLANK[text.charCodeAt(sign + 1)] === 1) return false
      const code = text.charCodeAt(sign)
      return (code === CLOSING || (code === COMMA && beginsLine(text, at))) && isLongEnough(text, sign + 1)
    },
    bare(text, at) {
      const sign = signAfter(text, at)
      if (sign < 0) return false
      const value = behindSign(text, sign)
      if (value === text.length) return mayFollow(text, sign)
      return BARE_STOP[text.charCodeAt(value)] !== 1 && !isNumber(text, value) && isLongEnough(text, value)
    },
    list: (text, at) => opensList(text, endOfName(text, at)),
    head: (text, at) => isHead(text, at, endOfName(text, at)),
  }
}

/** A name that a line begins with, as in CSV. */
function beginsLine(text: string, at: number): boolean {
  const from = startOfName(text, at)
  return from === 0 || (from > 0 && text.charCodeAt(from - 1) === LINE_FEED)
}

/** Behind a name stand a sign and then a bracket, a dash or the end of the line. */
function opensList(text: string, end: number): boolean {
  const sign = behindQuotes(text, end)
  const code = text.charCodeAt(sign)
  if (code !== COLON && code !== EQUALS) return false
  let at = sign + 1
  while (BLANK[text.charCodeAt(at)] === 1) at++
  return LIST_START[text.charCodeAt(at)] === 1
}

const LIST_START = flags('[-\n\r')
const CELL_END = flags('|\t,;')
const LINE_END = flags('\n\r')
const BAR = 0x2502
const AROUND_NAME = flags('"*`')

/** A name that ends a cell of a table: a separator behind it, or before it if it ends the line. */
function isHead(text: string, at: number, nameEnd: number): boolean {
  let end = nameEnd
  while (end - nameEnd < 2 && AROUND_NAME[text.charCodeAt(end)] === 1) end++
  const isLast = LINE_END[text.charCodeAt(end + 1)] === 1 && BLANK[text.charCodeAt(end)] === 1
  const next = text.charCodeAt(isLast ? end + 1 : end)
  const afterNext = text.charCodeAt(end + 1)
  if (next === SPACE_CODE) return BLANK[afterNext] === 1 || afterNext === PIPE || afterNext === BAR
  if (CELL_END[next] === 1) return (next !== COMMA && next !== SEMICOLON) || BLANK[afterNext] !== 1
  if (LINE_END[next] !== 1) return next === BAR
  const from = startOfName(text, at)
  const before = text.charCodeAt(from - 1)
  if (CELL_END[before] === 1 || before === BAR) return true
  if (before !== SPACE_CODE) return false
  const beforeBlank = text.charCodeAt(from - 2)
  return BLANK[beforeBlank] === 1 || beforeBlank === PIPE || beforeBlank === BAR
}

const SPACE_CODE = 32
const PIPE = 124
const COMMA = 44
const SEMICOLON = 59
const EQUALS = 61
const COLON = 58
const CLOSING = 62
const BLANK = flags(' \t')
const SIGN = flags(':=>*')
const QUOTING = flags('"\'`\\')
/** May stand between a sign and a quote: letters before strings, colours, tags, a line that goes on, an object, a call. */
const PREFIXING = flags('bfruBFRULSJOn@$\x1b!\n\r{(')
/** What may follow the space behind a name and is no value. */
const APART = flags('"\'`\\{|,*%?!-:=>\x1b<\n\r')
const SPACE = flags(' \t\n\r')
const MAX_SPACE = 48
const DIGIT = flags('0123456789')
const NUMBER_STOP = flags(',}')
const MAX_QUOTES = 24
const SHELL_STOP = flags('= \t\n\r"\'`\\')
const BARE_STOP = flags('@ \t"\'`\\:=>,;&(){}[]<')
/** As far as the type of a name goes on: `: &'static str =`. */
const MAX_TYPE = 32

/** Where what is assigned begins; the end of the text if that is not right behind a plain sign. */
function behindSign(text: string, sign: number): number {
  let at = behindQuotes(text, sign)
  if (SIGN[text.charCodeAt(at)] !== 1) return text.length
  do at++
  while (SIGN[text.charCodeAt(at)] === 1 || BLANK[text.charCodeAt(at)] === 1)
  return at
}

/** Behind the quotes and the blanks that follow a name. */
function behindQuotes(text: string, sign: number): number {
  let at = sign
  while (at - sign < MAX_QUOTES && QUOTING[text.charCodeAt(at)] === 1) at++
  while (BLANK[text.charCodeAt(at)] === 1) at++
  return at
}

/** What is assigned at `value` may be in quotes, or that is too long to tell. */
function mayQuote(text: string, sign: number, value: number): boolean {
  const first = text.charCodeAt(value)
  if (QUOTING[first] === 1 || PREFIXING[first] === 1) return true
  return text.charCodeAt(behindQuotes(text, sign)) === COLON && text.slice(value, value + MAX_TYPE).includes('=')
}

/** Without a sign, what follows the space behind a name may be in quotes, a cell, a type, or a word such as `is`. */
function mayQuoteApart(text: string, sign: number): boolean {
  const next = behindSpace(text, sign)
  return next === sign || isApart(text.charCodeAt(next)) || mayLead(text, next)
}

function isApart(code: number): boolean {
  return APART[code] === 1 || code === BAR
}

/** Without a sign, a value is the next word, unless that is too short for one or is a word such as `is`. */
function mayFollow(text: string, sign: number): boolean {
  const next = behindSpace(text, sign)
  return next === sign || isLongEnough(text, next)
}

/** What begins here is long enough for a value, or is something else that may stand before one. */
function isLongEnough(text: string, from: number): boolean {
  if (isApart(text.charCodeAt(from))) return true
  for (let at = from; at < from + LEAST_VALUE; at++) {
    if (at >= text.length || SPACE[text.charCodeAt(at)] === 1) return mayLead(text, from)
  }
  return true
}

/** A word that may stand between a name and its value: `is`, `value=`, a type, the letter before a string. */
function mayLead(text: string, from: number): boolean {
  const head = text.slice(from, from + MAX_TYPE)
  if (head.includes('=') || LEADING.test(head)) return true
  return LINKED.test(text.slice(from, from + MAX_LINKS))
}

/** Words that may stand between a name and `is` without being what is told of. */
export const LINKING = [
  'we|you|i|they|he|she|it|that|which|the|our|your|my|their|this|a|all|for|on|of|in|at|to|from|by|with|and',
  'use|uses|used|using|have|has|had|got|get|set|sent|gave|need|want|put|now|here|there|still|currently|new|old|same',
  'staging|prod|production|dev|development|test|tests|testing|local|live|server|cluster|database|db|ci|account|user|admin',
].join('|')
/** Between a name and its value in a sentence. */
export const COPULA = 'is|was|ist|lautet|war|est|es|é|è|jest|är|er|は|是|为|это'
const LEADING = new RegExp(`^(?:(?:${COPULA})[ \\t:「『]|for|value|parametervalue|[bfrul@$]{1,2}["'])`, 'i')
const LINKED = new RegExp(`^(?:(?:${LINKING})[ \\t]){1,8}(?:${COPULA})[ \\t:]`, 'i')
const MAX_LINKS = 96

function behindSpace(text: string, from: number): number {
  let at = from
  while (at - from < MAX_SPACE && SPACE[text.charCodeAt(at)] === 1) at++
  return at
}

/** A number as JSON has it, which is no secret. */
function isNumber(text: string, value: number): boolean {
  let at = value
  while (DIGIT[text.charCodeAt(at)] === 1 && at - value < MAX_TYPE) at++
  return at > value && NUMBER_STOP[text.charCodeAt(at)] === 1
}

/** Where the name of which a part stands at `at` begins; a name that goes back too far begins nowhere: -1. */
export function startOfName(text: string, at: number): number {
  let from = at
  while (from > 0 && NAME_CHARACTER[text.charCodeAt(from - 1)] === 1 && !isDashBefore(text, from)) {
    if (at - --from > MAX_LEAD) return -1
  }
  return from
}

/** The `-` of a removed line of a diff, `[-` of one word by word, or that of `grep -C`: `.env-12-NAME=`. */
function isDashBefore(text: string, from: number): boolean {
  if (text.charCodeAt(from - 1) !== DASH) return false
  const digits = behindDigits(text, from - 1)
  const before = digits === 0 ? LINE_FEED : text.charCodeAt(digits - 1)
  return before === LINE_FEED || (digits < from - 1 ? before === DASH : before === OPENING)
}

/** Where the number that ends at `to` begins. */
function behindDigits(text: string, to: number): number {
  let from = to
  while (to - from < MAX_NUMBER && DIGIT[text.charCodeAt(from - 1)] === 1) from--
  return from
}

const MAX_NUMBER = 7
const LINE_FEED = 10
const DASH = 45
const PLUS = 43
const OPENING = 91
const ARROW = 0x2192

/** The name stands at the start, behind a space or in quotes, or behind what a diff, `grep -n` or `cat -n` set before it. */
function isBehindSpace(text: string, at: number, cut: boolean): boolean {
  const from = startOfName(text, at)
  if (from <= 0) return from === 0 && !cut
  if (isSpaceOrQuote(text, from - 1)) return true
  const before = text.charCodeAt(from - 1)
  if (before === COLON) return behindDigits(text, from - 1) < from - 1
  if (before === DASH) return isDashBefore(text, from) && text.charCodeAt(from - 2) !== OPENING
  return before === ARROW || (before === PLUS && (from === 1 || text.charCodeAt(from - 2) === LINE_FEED))
}

const SPACE_OR_QUOTE = flags(' \t\n\v\f\r"\'`\\')

function isSpaceOrQuote(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 128 ? SPACE_OR_QUOTE[code] === 1 : /\s/.test(text[at] ?? '')
}

/** Nothing but a placeholder stands there. */
function isGone(text: string, at: number): boolean {
  if (!text.startsWith('[REDACTED:', at)) return false
  const end = text.indexOf(']', at) + 1
  return end === text.length || isSpaceOrQuote(text, end)
}
