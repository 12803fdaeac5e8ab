import { COPULA, createGates, LEAST_VALUE, LINKING, MAX_LEAD, startOfName, type Written } from './redact-gates.ts'
import { REDACTED, spellings, type Rule } from './redact-rule.ts'
import {
  isOfNoName,
  isPhrase,
  isSlug,
  isStandIn,
  looksLikePassword,
  looksPersonal,
  looksRandom,
  looksSolid,
  looksStrong,
  mayBeSecret,
} from './redact-values.ts'

/**
 * Values that the name before them gives away: `API_KEY=…`, `"password": "…"`, `secret: …`, `<token>…</token>`.
 * They come after all other rules, so that a token with a shape of its own is called what it is.
 */
export function assignmentRules(gates = createGates()): readonly Rule[] {
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
export function namesSecret(name: string): boolean {
  return /pass|pwd|secret|token|credential|auth|key|cookie|mnemonic|seed|^d$/i.test(name)
}

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

/** So much of a value tells what it is. */
const JUDGED = 512
/** Taken as a whole or not at all: what follows is tried once, not behind every part of it. */
const TAIL = '[A-Za-z0-9_-]{0,32}'
const QUOTE = '\\\\{0,6}["\'`]'
/** What marks a name or a sign: bold in Markdown, a colour of a terminal. */
const MARKS = '\\*{0,2}(?:\\x1b\\[[\\d;]{0,16}[mK]){0,4}'
/** `: string`, `: &'static str`, ` string` and the like, between a name and the sign. */
const TYPE = "(?:(?::\\s?&?(?:'static )?|(?<=\\w)[ \\t])[A-Za-z]{1,12}\\s?(?==))?"
const SIGN = '(?::=|=>|->|\\?=|!?={1,3}|:|>|%3[AaDd]|\\|\\|=?|\\?\\?=?)'
const PLAIN_SIGN = `(?:${QUOTE})?\\]?${MARKS}[ \\t]{0,40}${TYPE}${SIGN}(?:[ \\t]{0,4}!!binary)?${MARKS}`
/** `"name": "PASSWORD", "value": "…"`, also in YAML and in attributes. */
const NAMED = `(?:${QUOTE})?(?:,|\\s|\\\\n)(?:\\s|\\\\n){0,24}(?:${QUOTE})?(?:parameter)?value(?:${QUOTE})?\\s{0,4}[:=]`
/** `variable "password" { default = "…" }`, `"password": {"value": "…"}`. */
const HOLDER = `(?:${QUOTE})?[ \\t]{0,4}:?\\s{0,4}\\{\\s{0,24}(?:[^{}[\\]]{0,120}?[\\s"'\\\\,])?(?:default|value)(?:${QUOTE})?\\s{0,4}[:=]`
const ARGUMENT = `${QUOTE}[ \\t]{0,4},`
const CELL = `(?:${QUOTE})?[ \\t]{0,40}[|│](?=[ \\t])`
const PROPERTY = '</key>\\s{0,16}<string>'
const ASSIGNED = `(?:${PLAIN_SIGN}|${NAMED}|${ARGUMENT}|${CELL}|${PROPERTY})[ \\t]{0,40}(?:\\x1b\\[[\\d;]{0,16}[mK]){0,4}`
/** What says whose it is: `the password we use on staging is …`. */
const LINKS = `(?:(?:${LINKING})[ \\t]){0,8}`
/** A name and its value in a sentence, on a command line, on two lines. */
const SAID = `[ \\t](?:${LINKS}(?:${COPULA})(?: generated)?(?: for [^\\s:"'\`]{1,64})?|for [^\\s:"'\`]{1,64}(?=:))(?::?[ \\t]{1,4}|(?=[«„“「『]))(?:[«„“「『][ \\t\xa0]?)?`
const BELOW = ':[ \\t]{0,4}(?:[>|][+-]?\\s{1,20}|\\r?\\n[ \\t]{1,16}|(?:\\r?\\n){1,3}`{3,4}[a-z]{0,12}\\r?\\n)'
/** What a string may be wrapped in, where it is still the value: `String::from("…")`, `("…" "…")`. */
const CALL =
  '(?:(?:new )?(?:(?:String|Secret|Some|SecretStr|SecretString|JSON\\.stringify|Buffer\\.from)(?:::(?:from|new))?)?\\(\\s{0,24})?'
/** A string below the name that it is assigned to, as formatters of code write long ones. */
const NEXT_LINE = `[ \\t]{0,4}\\r?\\n[ \\t]{1,40}(?=${QUOTE})`
/** Quotes, a cut and the start of a colour end a value. */
const RUN = '[^\\s"\'`\\\\…\\x1b]'
/** Within `[-old-]{+new+}`. */
const CHANGED = '[^\\s\\\\…\\x1b[\\]{}]'
const NOT_GONE = `(?!${REDACTED}(?!${RUN}))`

/** No run of a value holds what must stand before a run, so that no two runs overlap and together they are linear. */
const FORMS: readonly Form[] = [
  {
    sign: `(?:(?:${ASSIGNED}|${PLAIN_SIGN}${NEXT_LINE}|${HOLDER}[ \\t]{0,8}|\\(|${SAID}|[ \\t]{1,4}(?=\\\\{0,6}["']))${CALL}(?:[bfrul@$]{1,2}(?=["'\`]))?(?:${QUOTE}){1,3})`,
    value: `${NOT_GONE}${RUN}+`,
    end: `(?=${QUOTE}|[…\\x1b]|$)`,
    written: 'quoted',
  },
  {
    sign: `${PLAIN_SIGN}[ \\t]{0,4}`,
    value: `(?:\\[-${CHANGED}+\\](?:\\{\\+${CHANGED}+\\})?|\\{\\+${CHANGED}+\\})`,
    end: '',
    written: 'changed',
  },
  {
    sign: '=(?!=)',
    value: `${NOT_GONE}${RUN}+(?<![),;}\\]])`,
    end: '',
    written: 'shell',
  },
  {
    sign: '(?::|[ \\t]{1,40}=)[ \\t]{1,40}',
    value: `${NOT_GONE}[^\\s"'\`\\\\…\\x1b(){}[\\]<]+(?<![,;])`,
    end: '(?=[ \\t]{0,4}(?:\\r?\\n|\\\\n|$))',
    written: 'line',
  },
  {
    sign: '[>,]',
    value: `${NOT_GONE}(?:(?<=>)[^\\s"'\`\\\\…\\x1b<>]+(?=</)|(?<=,)[^\\s"'\`\\\\…\\x1b,;|]+(?=,|[ \\t]{0,4}(?:\\r?\\n|$)))`,
    end: '',
    written: 'element',
  },
  {
    sign: `(?:${BELOW}|${ASSIGNED}|${SAID}|\\s{1,24})`,
    value: '(?!@)[^\\s"\'`\\\\…\\x1b:=>,;&|(){}[\\]<»”」』。、，]+={0,2}(?<![-+](?=[\\]}]))',
    end: '(?=["\'`\\s\\\\…\\x1b,;&|<)}\\]»”」』。、，]|[-+][\\]}]|/["\'`]|$)',
    written: 'bare',
  },
]

const SECRET_KEYS =
  /(?:api|access|private|secret|(?:en|de)crypt(?:ion)?|crypto|cipher|aes|hmac|sign(?:ing|ature)?|master|auth|account|service|admin|app|application|session|license|deploy|webhook|shared|subscription|project|client|server|write|rest|storage|jwt|cookie|ssh|gpg|wallet|security|routing|integration|certificate|recovery)[_.\- ]?key$/i
const OPEN_KEYS =
  /(?:pub(?:lic|lishable)?|cache|primary|foreign|sort|partition|hash|idempotency|row|object|query|dedupe|group|lookup|index|map|route|event|s3|site|host|gpg)_?key$/i
const PAGES = /(?:next|page|continuation|sync|cursor|cancel(?:lation)?|public_?key)[_-]?token$/i
/** Words that end like a password. */
const OTHER_WORDS = /(?:com|by|tres|sur|over|under|mini)pass$/i
/** Names of variables, which code writes where configuration has the value. */
const VARIABLE = /^(?:[a-z]+_)*(?:pass|pw|pwd|passw(?:or)?d|secret|token|key|hash|str|arg|val|value)_?\d{0,2}$/i
const FINGERPRINT = /^[\dA-F]{40}$/
const GROUPS = /^(?=.{0,40}\d)[A-Z\d]{4,8}(?:-[A-Z\d]{4,8}){3,7}$/

/** A personal access token is called `…_PAT`, which `…_PATH` begins with. */
const PERSONAL = ['_pat=', '_pat:', '_pat"', "_pat'", '_pat ']
const JOINED_WORDS = ['secret', 'access', 'private', 'auth', 'master']
const JOINED_KEYS = JOINED_WORDS.map((word) => `${word}key`)

const KINDS: readonly Kind[] = [
  {
    name: 'assigned-password',
    starts: [
      ['Pass', 'Pwd', 'passw', 'PASSW', 'passph', 'PASSPH', 'passc', 'PASSC', 'pwd', 'PWD', '_pass', '_PASS'],
      [
        'pass"',
        "pass'",
        'pass\\"',
        'pass:',
        'pass =',
        'pass=',
        '_pw',
        '_PW',
        '"pw"',
        "'pw'",
        'pw:',
        'pw=',
        'pw =',
        'psk=',
        'psk:',
        'bindpw',
        'requirepass',
        'pw"',
        "pw'",
        'pw\\"',
        'pw%3D',
        'pass%3D',
        'pw\x1b',
        'pass\x1b',
      ],
    ].flat(),
    word: '(?:pass(?:word|wd|phrase|code)|pwd|bindpw|requirepass|[_"\']?(?:pass|pw|psk)(?![a-z]))',
    fits: ({ name, value, written }) => {
      if (/^(?:OLD)?PWD$/.test(name)) return name === 'PWD' && !/^[/~.]|^[A-Za-z]:/.test(value) && looksStrong(value)
      if (OTHER_WORDS.test(name)) return false
      if (written === 'line') return looksStrong(value)
      if (written === 'quoted' || written === 'element') return looksLikePassword(value) || /^\d{6,}$/.test(value)
      if (/^(?:pass|pw|psk)$/i.test(name)) return looksStrong(value) || (written === 'shell' && isLongPassword(value))
      if (VARIABLE.test(value)) return false
      if (looksLikePassword(value)) return true
      return written === 'shell' && (/^\d{6,}$/.test(value) || (/^[a-z]{8,}$/i.test(value) && !isStandIn(value)))
    },
  },
  {
    name: 'assigned-secret',
    starts: [...spellings(['Secret', '_Salt']), '"salt', "'salt", 'salt=', 'salt:'],
    word: '(?:secret|["\'_]?salt(?![a-z]))',
    fits: ({ name, value, written }) =>
      looksRandom(value) ||
      (!/salt$/i.test(name) &&
        looksLikePassword(value) &&
        !isSlug(value) &&
        (written === 'quoted' || (value.length >= 8 && !VARIABLE.test(value)))),
  },
  {
    name: 'assigned-token',
    starts: [...spellings(['Token', 'Credential', '_Auth', '"auth', "'auth"]), ...spellings(PERSONAL)],
    word: '(?:token|credentials?|["\'_](?:auth|pat)(?![a-z]))',
    fits: ({ name, value }) => !PAGES.test(name) && (looksRandom(value) || looksStrong(value)),
  },
  {
    name: 'assigned-key',
    starts: ['Key', 'KEY', '_key', '-key', '.key', ' key', ' Key', ' KEY', 'apikey', 'Apikey', ...JOINED_KEYS],
    word: `(?:[_.\\- ]|api|${JOINED_WORDS.join('|')})?key`,
    fits: ({ name, value }) =>
      (looksRandom(value) || GROUPS.test(value)) &&
      !(/gpg_?key$/i.test(name) && FINGERPRINT.test(value)) &&
      (SECRET_KEYS.test(name) || (/^[A-Z0-9_]+_KEY$/.test(name) && !OPEN_KEYS.test(name))),
  },
]

function isLongPassword(value: string): boolean {
  return value.length >= 8 && /[A-Za-z]/.test(value) && /\d/.test(value) && looksLikePassword(value)
}

/** Last words of names that tell something about a secret instead of the secret. */
const ABOUT: ReadonlySet<string> = new Set(
  [
    'count counts len length size limit budget usage name names id ids type kind url uri endpoint path file dir field',
    'input label title text placeholder hint help message msg error policy rule regex pattern format min max exp expiry',
    'expires expiration in ttl age at time date algo algorithm alg prefix suffix ref class component page screen form',
    'view manager service provider factory index idx position pos start end line column header scope scopes strength',
    'score required enabled visible mode version arn status state source store selector request response reset map flow step template',
  ].flatMap((line) => line.split(' ')),
)

function isSecret(match: RegExpExecArray, written: Written, fits: Kind['fits']): boolean {
  const whole = match[4] ?? ''
  if (whole.length < LEAST_VALUE) return false
  const judged = whole.length > JUDGED ? whole.slice(0, JUDGED) : whole
  if (written !== 'changed') return isSecretValue(match, judged, written, fits)
  return judged.split(/[[\]{}]+/).some((part) => {
    const value = part.replaceAll(/^[-+]["'`]?|["'`]?[,;]?[-+]$/g, '')
    return value.length >= LEAST_VALUE && isSecretValue(match, value, 'quoted', fits)
  })
}

function isSecretValue(match: RegExpExecArray, value: string, written: Written, fits: Kind['fits']): boolean {
  const [, head = '', word = '', tail = ''] = match
  const apart = written === 'bare' && isSpace(head, word.length + tail.length)
  if (!mayBeSecret(value)) return false
  if (tail !== '' && (goesOn(word, tail) || ABOUT.has(lastWord(tail)) || isMadeUp(tail))) return false
  const lead = leadOf(match)
  if (isOfNoName(lead) || isOfResource(match, lead)) return false
  if (apart && !looksStrong(value) && !looksSolid(value) && !isOption(match, lead) && !isRow(match, lead)) return false
  const name = `${lead}${word.replace(/^["']/, '')}`
  if (!isSure(match, written, name) && !looksRandom(value) && !looksStrong(value) && !isChosen(name, value, head))
    return false
  return fits({ name, value, written })
}

/** Chosen by a person, under a name that says so; a word with a number in a table may be a type. */
function isChosen(name: string, value: string, head: string): boolean {
  return /pass(?:word|phrase)$/i.test(name) && (isPhrase(value) || (looksPersonal(value) && !/[|│]/.test(head)))
}

function isSpace(head: string, from: number): boolean {
  for (let at = from; at < head.length; at++) if (!' \t\n\r'.includes(head[at] ?? '')) return false
  return true
}

/** `arn:aws:secretsmanager:…:secret:name`: what follows is the name of a secret. */
function isOfResource({ input, index }: RegExpExecArray, lead: string): boolean {
  const from = index - lead.length
  return input[from - 1] === ':' && /arn:aws[\w:-]{0,80}$/.test(input.slice(Math.max(0, from - 100), from))
}

const IS_SAID = new RegExp(`^[ \\t]+(?:(?:${LINKING})[ \\t])*(?:${COPULA}|for)[ :«„“「『]|^:[ \\t]*[>|\\r\\n]`)

/** The value belongs to the name for certain, and is not the next item, argument, cell, line or word. */
function isSure(match: RegExpExecArray, written: Written, name: string): boolean {
  const { input, index, 1: head = '', 2: word = '', 3: tail = '' } = match
  if (written === 'bare' && ',)}]'.includes(input[index + match[0].length] ?? '-')) return false
  const sign = head.slice(word.length + tail.length)
  if (sign === ',') return isOfEnvironment(name)
  if (isArgument(head) || /^["'`\\]*\s*\|\|/.test(sign)) return isOfEnvironment(name) || name.startsWith('-')
  if (sign.startsWith('(')) return /(?:^|\W)(?:with|set)?_?password$/i.test(name)
  if (/^["'`\\]*[ \t]*[|│]/.test(sign)) return isRow(match, leadOf(match))
  return !IS_SAID.test(sign)
}

function isOfEnvironment(name: string): boolean {
  return /^[A-Z][A-Z0-9_]+$/.test(name)
}

/** `--password …`, `ENV PASSWORD …` and the like: the value is the next word. */
function isOption({ input, index }: RegExpExecArray, lead: string): boolean {
  const from = index - lead.length
  return (
    lead.startsWith('-') ||
    input[from - 1] === '-' ||
    /(?:^|\s)(?:ENV|ARG|setx|setenv|set -\w{1,3}|(?:env|config)[: ](?:set|add)) $/.test(
      input.slice(Math.max(0, from - 12), from),
    )
  )
}

/** A row of two columns, a name and what it is set to, which is no word of a sentence. */
function isRow({ input, index, 0: whole, 1: head = '', 4: value = '' }: RegExpExecArray, lead: string): boolean {
  const from = index - lead.length
  if (from > 0 && input.charCodeAt(from - 1) !== 10) return false
  const end = input.charCodeAt(index + whole.length)
  if (!/ {2,}$|\t$|\| $/.test(head) || !(end === 10 || end === 13 || Number.isNaN(end))) return false
  return /\d/.test(value) && /[A-Za-z]/.test(value) && value.length >= 10 && !isSlug(value)
}

/** The word is only the beginning of a longer one: tokens, tokenizer, secretary. */
function goesOn(word: string, tail: string): boolean {
  return /^[a-z]/.test(tail) || (/^[A-Z]/.test(tail) && /[A-Z]$/.test(word))
}

/** An id behind a kind of thing: `token_01J…`. */
function isMadeUp(tail: string): boolean {
  return /^_[A-Za-z\d]{16,}/.test(tail) && looksRandom(tail.slice(1))
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
  return head.includes(',') && /["'`][ \t]{0,4},[ \t]{0,8}[bfrul@$]{0,2}[\\"'`]{0,24}$/i.test(head)
}

function leadOf({ input, index }: RegExpExecArray): string {
  const start = startOfName(input, index)
  const from = start < 0 ? index - MAX_LEAD : start
  return input.slice(input[from - 1] === '\\' ? from + 1 : from, index)
}
