/** What stands where a secret would stand, and is none: people write these so that nobody takes them for one. */
const STAND_IN =
  /x{4}|(?:^|[-_])x{3}(?:$|[-_])|\*{3}|\.{3}|(?:^|[-_])your[-_]|change[-_]?me|placeholder|example|dummy|redacted|replace[-_]?(?:me|with)|insert[-_]|your[-_]?(?:[a-z]{1,8}[-_]?)?(?:key|token|secret|pass)|(?:key|token|secret|password)[-_]?here/i
const WORDS_OF_NO_SECRET =
  /^(?:my|the|a|some|this|test|fake|mock|foo|bar|baz|new|old|user|admin|root|demo|local|dev|db|api|app|auth|pass|passw(?:or)?d|secret|token|key|value|string|none|null|undefined|true|false|required|optional|default|unknown|empty|postgres|mysql|redis|guest|enabled?|disabled?|always|never|yes|no|on|off|auto|ask|prompt|hidden|masked|encrypted|plain(?:text)?|[-_.])+$/i

/** A variable, a template, an expression, a hash of a file: the value is elsewhere. */
const REFERENCE =
  /^[$@&%!]?\{|^[&*][A-Za-z_][\w.-]*$|^\$[A-Za-z_]\w*$|^\$\(|^!{1,2}[A-Za-z]+$|\$\{|\{\{|#\{|%\{|^%\w+%$|^%\(|^<|:\/\/|^data:|^sha(?:1|256|384|512)-|^(?:process|os|env|import|secrets?|vars|config|settings|self|this|ctx|req|args?|data|params)[.[]/
const MEMBER = /^[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.|!\.)[A-Za-z_$][\w$]*)+[!?]?$/

/** A path, a version, a date, a time, a size, a quantity with its unit. */
const PLAIN =
  /^(?:~|\.{1,2})?\/(?:[\w.@-]+\/)*[\w.@-]*$|^[A-Za-z]:[\\/]|^(?:[~^]|[<>]=?)?v?\d+(?:[.:/-]\d+)+(?:[-+.][\w.]+)?$|^\d{4}-\d\d-\d\d[T ]|^-?\d+(?:\.\d+)?(?:%|[mnu]?s|m|h|d|min|sec|days?|hours?|minutes?|seconds?|px|r?em|[kmgt]?i?b)?$|^0x[\da-f]{1,8}u?l{0,2}$/i

/** What is longer was not thought up by a person. */
const MAX_WORDS = 200

/** True if a person could have chosen this as a password: not a word, not a variable, not a piece of code. */
export const looksLikePassword = rememberingLast(
  (value) => value.length >= 6 && isUnusual(value) && !isStandIn(value) && !PLAIN.test(value),
)

const MAIL_ADDRESS = /^[^@]+@[\w-]+(?:\.[\w-]+)+$/

/** True for a password that no word of a sentence looks like: of letters, digits and signs, or mixed as by a machine. */
export function looksStrong(value: string): boolean {
  if (value.length >= 10 && /^[A-Za-z\d]+$/.test(value)) return isRandomPart(value) && looksLikePassword(value)
  if (value.length < 8 || !/[A-Za-z]/.test(value) || !/[!@#$%^&*?~+]/.test(value)) return false
  const mixed = /\d/.test(value) || (/[A-Za-z][!@#$%^&*?~+]+[A-Za-z]/.test(value) && classChanges(value) >= 4)
  return mixed && !MAIL_ADDRESS.test(value) && looksLikePassword(value)
}

/** True for a word and a number as people choose them, which says nothing but where a password must stand. */
export function looksPersonal(value: string): boolean {
  return /^[A-Za-z]{4,16}\d{3,8}[!?.#$*]?$/.test(value) && !/^(?:[A-Z]+|sha|utf|base|bcrypt)\d/.test(value)
}

/** Words as in a passphrase: four with a number, or five. */
export function isPhrase(value: string): boolean {
  return /^[a-z]{3,12}(?:[-_.][a-z]{3,12})(?:(?:[-_.][a-z]{3,12}){2,7}\d{1,4}|(?:[-_.][a-z]{3,12}){3,7})$/.test(value)
}

/** True for what is random enough to be a secret even if it only follows a name. */
export function looksSolid(value: string): boolean {
  return value.length >= 20 && looksRandom(value) && hasRandomPart(value, 16)
}

/** Several rules ask about one value, and a long line says the same again and again. */
function rememberingLast(judge: (value: string) => boolean): (value: string) => boolean {
  let last = ''
  let verdict = judge(last)
  return (value) => {
    if (value !== last) {
      verdict = judge(value)
      last = value
    }
    return verdict
  }
}

/** Something in it is in no ordinary word: a digit, a sign, many hyphens, capitals where none belong. */
function isUnusual(value: string): boolean {
  if (!/[A-Za-z]/.test(value)) return /\d/.test(value) && /[^\d.,:/-]/.test(value)
  return /\d|[!@#%^&*?~+]./.test(value) || /^[a-z]+(?:-[a-z]+){3}/.test(value) || isScrambled(value)
}

const RANDOM_CHARACTERS = /^[\w+/=.~:!@#$%^&*|-]+$/
const LEAST_DIFFERENT = 7

/** True if this was made by a machine to be unguessable: long, of many different characters, and not of words. */
export const looksRandom = rememberingLast(isRandom)

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

function isRandom(value: string): boolean {
  if (value.length === 36 && UUID.test(value)) return hasManyCharacters(value)
  if (value.length < 16 || !(RANDOM_CHARACTERS.test(value) || isLookOnly(value))) return false
  if (!hasManyCharacters(value) || !hasRandomPart(value, 8) || isStandIn(value)) return false
  return !PLAIN.test(value) || hasRandomPart(value, 20)
}

/** Signs of all sorts among letters and digits, as generators of passwords make them. */
function isLookOnly(value: string): boolean {
  return value.length >= 24 && new Set(value.match(/[^\w\s]/g)).size >= 6 && /\d/.test(value) && /[A-Z]/.test(value)
}

function hasManyCharacters(value: string): boolean {
  const end = Math.min(value.length, MAX_WORDS)
  let different = ''
  for (let i = 0; i < end; i++) {
    const character = value[i] ?? ''
    if (different.includes(character)) continue
    different += character
    if (different.length === LEAST_DIFFERENT) return true
  }
  return false
}

/** False only for what is no secret under any name. */
export const mayBeSecret = rememberingLast(
  (value) => looksRandom(value) || looksLikePassword(value) || /^(?:\d{6,}|[a-z]{8,})$/i.test(value),
)

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
  for (let from = 0, to = 0; to <= value.length; to++) {
    if (to < value.length && !'-_./:'.includes(value[to] ?? '')) continue
    if (to - from >= least && isRandomPart(value.slice(from, to))) return true
    from = to + 1
  }
  return false
}

function isRandomPart(part: string): boolean {
  return classChanges(part) >= 3 ? !isOfWords(part) : part.length >= 16 && !isSpeakable(part)
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

/** Fewer letters may be an abbreviation. */
const LEAST_LETTERS = 14
/** The pairs of letters that words are made of: most in a word, a quarter in letters drawn by lot. */
const PAIRS = new Set(
  [
    'th he in er an re nd at on nt ha es st en ed to it ou ea hi is or ti as te et ng of al de se le sa si ar ve ra ld',
    'ur ro li ri io ic ne me ll co ma om us ta el la ce ch be di em ec ac un ut ge id ir ad pe ap ca po pr tr ct ns il',
    'im ow ss no ot ho rs wi ee so sh pa lo ie mo ai mi ke ki wa ul ts ex cl bl pl fo fi fr fe sp sc su ue up qu ag ig',
    'am ab ob og op ol ay ey ry ly ty by my wo we wh wr rt rd rm rn rk ck nc nk ht gh lt ft ff tt ga go gr gu da do dr',
    'du ba bo br bu hu ja je ko ni nu pu ru tu vi va vo xt xp ip iv iz ze',
  ].flatMap((line) => line.split(' ')),
)

function isSpeakable(text: string): boolean {
  const letters = text.slice(0, MAX_WORDS).toLowerCase()
  let [pairs, usual] = [0, 0]
  for (let i = 1; i < letters.length; i++) {
    if (classOf(letters.charCodeAt(i - 1)) !== SMALL || classOf(letters.charCodeAt(i)) !== SMALL) continue
    pairs++
    if (PAIRS.has(letters.slice(i - 1, i + 1))) usual++
  }
  return usual * 20 >= pairs * 9
}

const [SMALL, CAPITAL, DIGIT] = [1, 2, 3]

function classOf(code: number): number {
  if (code >= 97 && code <= 122) return SMALL
  if (code >= 65 && code <= 90) return CAPITAL
  return code >= 48 && code <= 57 ? DIGIT : 0
}

/** Words of three letters or more on average, run together as in a name, with one short number: `getUserPassword2`. */
function isOfWords(text: string): boolean {
  let [words, letters, numbers] = [0, 0, 0]
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = from + 1
    const first = classOf(text.charCodeAt(from))
    if (first === 0) continue
    const rest = first === CAPITAL && classOf(text.charCodeAt(to)) === SMALL ? SMALL : first
    while (classOf(text.charCodeAt(to)) === rest) to++
    if (first !== DIGIT) {
      words++
      letters += to - from
    } else if (to - from > 2 || ++numbers > 1) return false
  }
  return letters >= words * 3 && (letters < LEAST_LETTERS || isSpeakable(text))
}

/** True for what may stand in a text for its own sake: words, names, paths, numbers. */
export function isOrdinary(value: string): boolean {
  if (/^[\d\s.,:/-]*$/.test(value) || /^[a-z]+$/i.test(value)) return value.length < 16 || isSpeakable(value)
  return isStandIn(value) || isOfWords(value) || isSlug(value) || PLAIN.test(value)
}

/** Names of products that begin with one letter: `e2b`, `s3`, `k8s`. */
const SHORT_NAME = /^[a-z]\d{1,2}[a-z]?(?=[A-Z][a-z]|$)/

/** True for the end of a name that is none: letters and digits drawn by lot, in which a word stands by chance. */
export function isOfNoName(lead: string): boolean {
  const last = /[A-Za-z\d]{6,40}$/.exec(lead)?.[0].replace(SHORT_NAME, '')
  if (last === undefined || (last.length < 12 && !/\d/.test(last))) return false
  return classChanges(last) >= 3 && !isOfWords(last)
}

/** Letters only, yet they or their cases follow each other as in no name. */
function isScrambled(value: string): boolean {
  if (value.length < 10) return false
  if (classChanges(value) * 5 >= value.length * 2) return !isOfWords(value)
  return /^[A-Za-z]{10,40}$/.test(value) && classChanges(value) >= 2 && !isSpeakable(value)
}

/** Words and numbers joined by signs, as in the name of a resource. */
export const isSlug = rememberingLast((value) =>
  /^(?:[A-Za-z]*\d{0,2}|\d{1,4})(?:[-_./:](?:[A-Za-z]*\d{0,2}|\d{1,4}))+$/.test(value),
)
