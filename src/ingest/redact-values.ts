/** What stands where a secret would stand, and is none: people write these so that nobody takes them for one. */
const STAND_IN =
  /x{4}|(?:^|[-_])x{3}(?:$|[-_])|\*{3}|\.{3}|(?:^|[-_])your[-_]|change[-_]?me|placeholder|example|dummy|redacted|replace[-_]?(?:me|with)|insert[-_]/i
const WORDS_OF_NO_SECRET =
  /^(?:my|the|a|some|this|test|fake|mock|foo|bar|baz|new|old|user|admin|root|demo|local|dev|db|api|app|auth|pass|passw(?:or)?d|secret|token|key|value|string|none|null|undefined|true|false|required|optional|default|unknown|empty|postgres|mysql|redis|guest|[-_.])+$/i

/** A variable, a template, an expression, a hash of a file: the value is elsewhere. */
const REFERENCE =
  /^[$@&%!]?\{|^\$[A-Za-z_]\w*$|^\$\(|\$\{|\{\{|#\{|%\{|^%\w+%$|^%\(|^<|:\/\/|^data:|^sha(?:1|256|384|512)-|^(?:process|os|env|import|secrets?|vars|config|settings|self|this|ctx|req|args?|data|params)[.[]/
const MEMBER = /^[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.|!\.)[A-Za-z_$][\w$]*)+[!?]?$/

/** A path, a version, a date, a time, a size, a quantity with its unit. */
const PLAIN =
  /^(?:~|\.{1,2})?\/(?:[\w.@-]+\/)*[\w.@-]*$|^[A-Za-z]:[\\/]|^v?\d+(?:[.:/-]\d+)+(?:[-+.][\w.]+)?$|^\d{4}-\d\d-\d\d[T ]|^-?\d+(?:\.\d+)?(?:%|[mnu]?s|m|h|d|min|sec|days?|hours?|minutes?|seconds?|px|r?em|[kmgt]?i?b)?$|^0x[\da-f]{1,8}$/i

/** What is longer was not thought up by a person. */
const MAX_WORDS = 200

/** True if a person could have chosen this as a password: not a word, not a variable, not a piece of code. */
export function looksLikePassword(value: string): boolean {
  return value.length >= 6 && isUnusual(value) && !isStandIn(value) && !PLAIN.test(value)
}

/** Something in it is in no ordinary word: a digit, a sign, many hyphens, capitals where none belong. */
function isUnusual(value: string): boolean {
  if (!/[A-Za-z]/.test(value)) return /\d/.test(value) && /[^\d.,:/-]/.test(value)
  return /\d|[!@#%^&*?~+]./.test(value) || /^[a-z]+(?:-[a-z]+){3}/.test(value) || isScrambled(value)
}

/** True if this was made by a machine to be unguessable: long, of many different characters, and not of words. */
export function looksRandom(value: string): boolean {
  if (value.length < 16 || !/^[\w+/=.~:!@#$%^&*|-]+$/.test(value) || isStandIn(value)) return false
  if (PLAIN.test(value) && !hasRandomPart(value, 20)) return false
  return new Set(value.slice(0, MAX_WORDS)).size >= 7 && hasRandomPart(value, 8)
}

/** True for a word that only holds the place of a secret, and for what says where the secret is. */
export function isStandIn(value: string): boolean {
  if (value.length > MAX_WORDS) return false
  return STAND_IN.test(value) || WORDS_OF_NO_SECRET.test(value) || REFERENCE.test(value) || isMember(value)
}

function isMember(value: string): boolean {
  return MEMBER.test(value) && value.split(/[^A-Za-z0-9]+/).every((part) => part === '' || isOfWords(part))
}

/** Between its separators, some stretch mixes letters and digits, or cases, as no word does. */
function hasRandomPart(value: string, least: number): boolean {
  const parts = value.split(/[-_./:]/)
  return parts.some((part) => part.length >= least && classChanges(part) >= 3 && !isOfWords(part))
}

/** How often one kind of character follows another: small letters, capitals, digits, the rest. */
function classChanges(text: string): number {
  let changes = 0
  let before = classOf(text.charCodeAt(0))
  for (let i = 1; i < text.length; i++) {
    const now = classOf(text.charCodeAt(i))
    if (now !== before && before !== 0) changes++
    before = now
  }
  return changes
}

function classOf(code: number): number {
  if (code >= 97 && code <= 122) return 1
  if (code >= 65 && code <= 90) return 2
  return code >= 48 && code <= 57 ? 3 : 0
}

/** Words run together as in a name: `getUserPassword2`. */
function isOfWords(text: string): boolean {
  const humps = text.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []
  const words = humps.filter((hump) => !/^\d{1,2}$/.test(hump))
  const letters = words.join('')
  return !/\d/.test(letters) && humps.length - words.length <= 1 && letters.length >= words.length * 3
}

/** Letters only, yet cases follow each other as in no name. */
function isScrambled(value: string): boolean {
  return value.length >= 10 && classChanges(value) * 5 >= value.length * 2 && !isOfWords(value)
}
