import { REDACTED, spellings, type Gate, type Rule } from './redact-rule.ts'
import { isSlug, isStandIn, looksLikePassword, looksRandom, mayBeSecret } from './redact-values.ts'

/**
 * Values that the name before them gives away: `API_KEY=…`, `"password": "…"`, `secret: …`, `<token>…</token>`.
 * They come after all other rules, so that a token with a shape of its own is called what it is.
 */
export function assignmentRules(): readonly Rule[] {
  const gates = createGates()
  return KINDS.flatMap(({ name, starts, word, fits }) =>
    FORMS.map(({ sign, value, end, written }) => ({
      name,
      starts,
      back: 0,
      pattern: new RegExp(`((${word})(?=(${TAIL}))\\3${sign})(${value})${end}`, 'iy'),
      gate: gates[written],
      judge: (match: RegExpExecArray) => isSecret(match, written, fits),
    })),
  )
}

/** True if a value under this name must be looked at together with the name. */
export function isTelling(name: string): boolean {
  return /pass|pwd|secret|token|credential|auth|key|cookie|mnemonic|seed|^d$/i.test(name)
}

const NAME_CHARACTER = flags('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.')
const SIGN_CHARACTER = flags('"\'`\\ \t\n\r:=>?!,')
const MAX_NAME = 48

function flags(characters: string): Uint8Array {
  const set = new Uint8Array(128)
  for (const character of characters) set[character.charCodeAt(0)] = 1
  return set
}

/**
 * Gates that know where the name they last looked at ends: a name of names is walked through once, not once for each.
 * Most of what they let through matches, which matters, because a pattern costs far more than a look.
 */
function createGates(): Readonly<Record<Written, Gate>> {
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
      return sign >= 0 && mayQuote(text, sign, behindSign(text, sign))
    },
    shell(text, at, cut) {
      const sign = signAfter(text, at)
      if (sign < 0 || text.charCodeAt(sign) !== EQUALS || SHELL_STOP[text.charCodeAt(sign + 1)] === 1) return false
      return isBehindSpace(text, at, cut) && !isGone(text, sign + 1)
    },
    bare(text, at) {
      const sign = signAfter(text, at)
      return sign >= 0 && BARE_STOP[text.charCodeAt(behindSign(text, sign))] !== 1
    },
  }
}

const EQUALS = 61
const COLON = 58
const BLANK = flags(' \t')
const SIGN = flags(':=>')
const QUOTING = flags('"\'`\\')
const PREFIXING = flags('bfruBFRU')
const SHELL_STOP = flags('= \t\n\r"\'`\\')
const BARE_STOP = flags('@ \t\n\r"\'`\\:=>,;&|(){}[]<')
/** As far as the type of a name goes on: `: &'static str =`. */
const MAX_TYPE = 32

/** Where what is assigned begins; the end of the text if that is not right behind a plain sign. */
function behindSign(text: string, sign: number): number {
  let at = sign
  while (BLANK[text.charCodeAt(at)] === 1) at++
  if (SIGN[text.charCodeAt(at)] !== 1) return text.length
  do at++
  while (SIGN[text.charCodeAt(at)] === 1 || BLANK[text.charCodeAt(at)] === 1)
  return at
}

/** What is assigned at `value` may be in quotes, or that is too long to tell. */
function mayQuote(text: string, sign: number, value: number): boolean {
  const first = text.charCodeAt(value)
  if (value === text.length || QUOTING[first] === 1 || PREFIXING[first] === 1) return true
  return isTyped(text, sign) && text.slice(value, value + MAX_TYPE).includes('=')
}

function isTyped(text: string, sign: number): boolean {
  let at = sign
  while (BLANK[text.charCodeAt(at)] === 1) at++
  return text.charCodeAt(at) === COLON
}

/** The name stands at the start, behind a space or in quotes. */
function isBehindSpace(text: string, at: number, cut: boolean): boolean {
  let from = at
  while (from > 0 && at - from <= MAX_LEAD && NAME_CHARACTER[text.charCodeAt(from - 1)] === 1) from--
  if (at - from > MAX_LEAD) return false
  return from === 0 ? !cut : isSpaceOrQuote(text, from - 1)
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

/** In quotes; to the end of a word of a shell or a line of `.env`; or bare. */
type Written = 'quoted' | 'shell' | 'bare'

interface Form {
  readonly sign: string
  readonly value: string
  readonly end: string
  readonly written: Written
}

/** A name up to the word that gives it away, what is assigned to it, and how that is written. */
interface Assigned {
  readonly name: string
  readonly value: string
  readonly written: Written
}

interface Kind {
  readonly name: string
  readonly starts: readonly string[]
  readonly word: string
  readonly fits: (assigned: Assigned) => boolean
}

const MAX_LEAD = 40
const LEAST_VALUE = 6
/** So much of a value tells what it is. */
const JUDGED = 512
/** Taken as a whole or not at all: what follows is tried once, not behind every part of it. */
const TAIL = '[A-Za-z0-9_-]{0,32}'
const QUOTE = '\\\\{0,6}["\'`]'
/** `: string`, `: &'static str` and the like, between a name and the sign. */
const TYPE = "(?::\\s?&?(?:'static )?[A-Za-z]{1,12}\\s?(?==))?"
const PLAIN_SIGN = `(?:${QUOTE})?\\]?[ \\t]{0,8}${TYPE}(?::=|=>|\\?=|!?={1,3}|:|>)`
/** `"name": "PASSWORD", "value": "…"`, also in YAML and in attributes. */
const NAMED = `(?:${QUOTE})?,?(?:\\s|\\\\n){1,24}(?:${QUOTE})?value(?:${QUOTE})?\\s{0,4}[:=]`
const ARGUMENT = `${QUOTE}[ \\t]{0,4},`
const ASSIGNED = `(?:${PLAIN_SIGN}|${NAMED}|${ARGUMENT})[ \\t]{0,8}`
/** Quotes, a cut and the start of a colour end a value. */
const RUN = '[^\\s"\'`\\\\…\\x1b]'
const NOT_GONE = `(?!${REDACTED}(?!${RUN}))`

/** No run of a value holds what must stand before a run, so that no two runs overlap and together they are linear. */
const FORMS: readonly Form[] = [
  {
    sign: `${ASSIGNED}(?:[bfru]{1,2}(?=["']))?(?:${QUOTE}){1,3}`,
    value: `${NOT_GONE}${RUN}+`,
    end: `(?=${QUOTE}|[…\\x1b]|$)`,
    written: 'quoted',
  },
  {
    sign: '=(?!=)',
    value: `${NOT_GONE}${RUN}+(?<![),;}\\]])`,
    end: '',
    written: 'shell',
  },
  {
    sign: `(?:${ASSIGNED}|(?<=--[a-z-]{0,${MAX_LEAD}})[ \\t]{1,2})`,
    value: '(?!@)[^\\s"\'`\\\\…\\x1b:=>,;&|(){}[\\]<]+={0,2}',
    end: '(?=["\'`\\s\\\\…\\x1b,;&|<)}\\]]|$)',
    written: 'bare',
  },
]

const SECRET_KEYS =
  /(?:api|access|private|secret|(?:en|de)crypt(?:ion)?|crypto|cipher|aes|hmac|sign(?:ing|ature)?|master|auth|account|service|admin|app|application|session|license|deploy|webhook|shared|subscription|project|client|server|write|rest|storage|jwt|cookie|ssh|gpg|wallet|security)[_.\- ]?key$/i
const OPEN_KEYS =
  /(?:pub(?:lic|lishable)?|cache|primary|foreign|sort|partition|hash|idempotency|row|object|query|dedupe|group|lookup|index|map|route|event|s3|site|host)_?key$/i
const PAGES = /(?:next|page|continuation|sync|cursor|cancel(?:lation)?)[_-]?token$/i
/** Names of variables, which code writes where configuration has the value. */
const VARIABLE = /^(?:[a-z]+_)*(?:pass|pw|pwd|passw(?:or)?d|secret|token|key|hash|str|arg|val|value)_?\d{0,2}$/i

const KINDS: readonly Kind[] = [
  {
    name: 'assigned-password',
    starts: [
      'Pass',
      'Pwd',
      'passw',
      'PASSW',
      'passph',
      'PASSPH',
      'passcode',
      'PASSCODE',
      'pwd',
      'PWD',
      '_pass',
      '_PASS',
      '"pass',
      "'pass",
      'pass:',
      'pass =',
      'pass=',
    ],
    word: '(?:pass(?:word|wd|phrase|code)|pwd|[_"\']?pass(?![a-z]))',
    fits: ({ name, value, written }) => {
      if (/^(?:OLD)?PWD$/.test(name)) return false
      if (written === 'quoted') return looksLikePassword(value) || /^\d{6,}$/.test(value)
      if (/^pass$/i.test(name) || VARIABLE.test(value)) return false
      if (looksLikePassword(value)) return true
      return written === 'shell' && (/^\d{6,}$/.test(value) || (/^[a-z]{8,}$/i.test(value) && !isStandIn(value)))
    },
  },
  {
    name: 'assigned-secret',
    starts: spellings(['Secret']),
    word: 'secret',
    fits: ({ value, written }) =>
      looksRandom(value) ||
      (looksLikePassword(value) &&
        !isSlug(value) &&
        (written === 'quoted' || (value.length >= 8 && !VARIABLE.test(value)))),
  },
  {
    name: 'assigned-token',
    starts: spellings(['Token', 'Credential', '_Auth', '"auth', "'auth"]),
    word: '(?:token|credentials?|["\'_]auth(?![a-z]))',
    fits: ({ name, value }) => !PAGES.test(name) && looksRandom(value),
  },
  {
    name: 'assigned-key',
    starts: ['Key', 'KEY', '_key', '-key', '.key', ' key', 'apikey', 'Apikey'],
    word: '(?:[_.\\- ]|api)?key',
    fits: ({ name, value, written }) =>
      looksRandom(value) &&
      (SECRET_KEYS.test(name) || (written === 'shell' && /^[A-Z0-9_]+_KEY$/.test(name) && !OPEN_KEYS.test(name))),
  },
]

/** Last words of names that tell something about a secret instead of the secret. */
const ABOUT: ReadonlySet<string> = new Set(
  [
    'count counts len length size limit budget usage name names id ids type kind url uri endpoint path file dir field',
    'input label title text placeholder hint help message msg error policy rule regex pattern format min max exp expiry',
    'expires expiration in ttl age at time date algo algorithm alg prefix suffix ref class component page screen form',
    'view manager service provider factory index idx position pos start end line column header scope scopes strength',
    'score required enabled visible mode version arn status state source store selector request response reset map',
  ].flatMap((line) => line.split(' ')),
)

function isSecret(match: RegExpExecArray, written: Written, fits: Kind['fits']): boolean {
  const whole = match[4] ?? ''
  if (whole.length < LEAST_VALUE) return false
  const value = whole.length > JUDGED ? whole.slice(0, JUDGED) : whole
  if (!mayBeSecret(value)) return false
  const word = match[2] ?? ''
  const tail = match[3] ?? ''
  if (tail !== '' && (goesOn(word, tail) || ABOUT.has(lastWord(tail)))) return false
  const weak = (written === 'bare' && endsInList(match)) || isArgument(match[1] ?? '')
  if (weak && !looksRandom(value)) return false
  return fits({ name: `${leadOf(match)}${word.replace(/^["']/, '')}`, value, written })
}

function endsInList({ input, index, 0: { length } }: RegExpExecArray): boolean {
  return ',)}]'.includes(input[index + length] ?? '-')
}

/** The word is only the beginning of a longer one: tokens, tokenizer, secretary. */
function goesOn(word: string, tail: string): boolean {
  return /^[a-z]/.test(tail) || (/^[A-Z]/.test(tail) && /[A-Z]$/.test(word))
}

function lastWord(tail: string): string {
  let from = tail.length
  while (from > 0 && !isWordStart(tail, from)) from--
  return tail.slice(from).toLowerCase()
}

/** Behind a hyphen or an underscore, or a capital where the word before it ends. */
function isWordStart(tail: string, at: number): boolean {
  const before = tail[at - 1] ?? ''
  return before === '_' || before === '-' || (/[A-Z]/.test(tail[at] ?? '') && /[a-z0-9]/.test(before))
}

/** The name and the value are two items of a list, of which the second may be anything. */
function isArgument(head: string): boolean {
  return head.includes(',') && /["'`][ \t]{0,4},[ \t]{0,8}[bfru]{0,2}[\\"'`]{0,24}$/i.test(head)
}

function leadOf({ input, index }: RegExpExecArray): string {
  let from = index
  while (from > 0 && index - from < MAX_LEAD && NAME_CHARACTER[input.charCodeAt(from - 1)] === 1) from--
  return input.slice(input[from - 1] === '\\' ? from + 1 : from, index)
}
