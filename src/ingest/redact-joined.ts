import { each, type Rule } from './redact-rule.ts'

/** What is left of a text without its secrets, and these, each with the rule that found it. */
export interface Cleared {
  readonly text: string
  readonly secrets: readonly (readonly [rule: string, secret: string])[]
}

const QUOTES = '"\'`'
/** What ends a string that another is added to. */
const ENDS = '"\''
const OF_TOKEN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+/=.'
/** So far before a joint the line is read, and so many characters of the pieces are put together at a time. */
const MAX_BEFORE = 400
const MAX_WINDOW = 8192

const SAME_LINE = String.raw`[ \t]{0,8}(?:\+|\.{1,2}|&)\s{0,80}`
const NEXT_LINE = String.raw`[ \t]{0,8}\\?\r?\n[ \t]{0,80}(?:(?:\+|\.{1,2}|&)[ \t]{0,8})?`
const STRINGS = String.raw`(?<=[^\s"'\x60\\])\\{0,6}(["'\x60])(?:${SAME_LINE}|${NEXT_LINE})[bfru]{0,2}\\{0,6}["'\x60](?=[^\s"'\x60\\])`
const LINES = String.raw`(?<=[\w+/=.-])\\\r?\n(?:(?=[\w+/=.-])|[ \t]{1,80}(?=[A-Za-z\d+/]))`
const COLOURS = String.raw`(?<=[\w+/.%!@#$^*~?-])(?<!\\[nrt]|\x1b\[[\d;]{0,16}[mK])(?:\x1b\[[\d;]{0,16}[mK]){1,4}(?=[\w+/.%!@#$^*~?-])`
const JOINT = new RegExp(`${STRINGS}|${LINES}|${COLOURS}`, 'y')

/**
 * Secrets in pieces: strings that are added up or stand below each other, a line that a backslash goes on with, colours
 * of a terminal in the middle of a word. What was put together stands joined, without the secret. It comes before all
 * other rules, which would take one piece and leave the rest.
 */
export function joinedRule(clear: (text: string) => Cleared): Rule {
  let seen = ''
  let until = 0
  return {
    name: 'joined-secret',
    starts: [
      ...each(ENDS, ' ', '+.&\\\n\r'),
      ...each(ENDS, '\\', '\n\r'),
      ...each(ENDS, '+.', `${QUOTES} \n`),
      ...each(ENDS, '\n', `${QUOTES} \t+.&`),
      ...[...ENDS].map((quote) => `${quote}\r\n`),
      ...each(OF_TOKEN, '\\', '\n\r'),
      ...each('\x1b', '[', '0123456789mK'),
    ],
    back: 0,
    pattern: /$./y,
    seek(text, found) {
      if ((text === seen && found < until) || !mayJoin(text, found)) return -1
      const isLine = text.charCodeAt(found + 1) === BACKSLASH && QUOTING[text.charCodeAt(found)] !== 1
      const at = isLine ? found + 1 : found
      return jointAt(text, at) === 0 && jointAt(text, behindBackslashes(text, at)) === 0 ? -1 : lineStart(text, at)
    },
    rewrite(text, at) {
      const { joined, to } = piecesFrom(text, at)
      const cleared = clear(joined)
      if (cleared.text === joined) {
        seen = text
        until = to
        return null
      }
      return {
        to,
        text: cleared.text,
        secrets: cleared.secrets.map(([, secret]) => secret),
        rules: cleared.secrets.map(([rule]) => rule),
      }
    },
  }
}

const [BACKSLASH, NEWLINE, RETURN] = [92, 10, 13]
const QUOTING = new Uint8Array(128)
const JOINING = new Uint8Array(128)
const STARTING = new Uint8Array(128)
for (const character of QUOTES) QUOTING[character.charCodeAt(0)] = 1
for (const character of ' \t\r\n+.&\\bfru') JOINING[character.charCodeAt(0)] = 1
for (const character of `${QUOTES}\\\x1b`) STARTING[character.charCodeAt(0)] = 1

/** A cheap look: between the quote that ends a string and the one that begins the next stands nothing but what joins. */
function mayJoin(text: string, found: number): boolean {
  if (QUOTING[text.charCodeAt(found)] !== 1) return true
  let at = found + 1
  while (at - found < 100 && JOINING[text.charCodeAt(at)] === 1) at++
  return QUOTING[text.charCodeAt(at)] === 1
}

/** How long the joint is that begins here; 0 if there is none. */
function jointAt(text: string, at: number): number {
  JOINT.lastIndex = at
  return JOINT.exec(text)?.[0].length ?? 0
}

function behindBackslashes(text: string, at: number): number {
  let from = at
  while (from > 0 && at - from < 6 && text.charCodeAt(from - 1) === BACKSLASH) from--
  return from
}

function lineStart(text: string, at: number): number {
  let from = at
  while (from > 0 && at - from < MAX_BEFORE && (text.charCodeAt(from - 1) !== NEWLINE || isBelow(text, from - 1)))
    from--
  return from
}

const OPENING = new Uint8Array(128)
for (const character of '=:(') OPENING[character.charCodeAt(0)] = 1
const MAX_BLANKS = 80

/** A string begins below what it is assigned to. */
function isBelow(text: string, newline: number): boolean {
  const before = text.charCodeAt(newline - 1) === RETURN ? newline - 2 : newline - 1
  if (OPENING[text.charCodeAt(before)] !== 1) return false
  let at = newline + 1
  while (at - newline < MAX_BLANKS && isBlank(text.charCodeAt(at))) at++
  return QUOTING[text.charCodeAt(at)] === 1
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9
}

/** The lines from here on as far as they are joined, as one. */
function piecesFrom(text: string, from: number): { readonly joined: string; readonly to: number } {
  const pieces: string[] = []
  const end = Math.min(text.length, from + MAX_WINDOW)
  let done = from
  let at = from
  while (at < end && (text.charCodeAt(at) !== NEWLINE || isBelow(text, at))) {
    const length = STARTING[text.charCodeAt(at)] === 1 ? jointAt(text, at) : 0
    if (length === 0) {
      at++
      continue
    }
    pieces.push(text.slice(done, at))
    at += length
    done = at
  }
  pieces.push(text.slice(done, at))
  return { joined: pieces.join(''), to: at }
}
