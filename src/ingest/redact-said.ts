import { COPULA, LINKING } from './redact-gates.ts'
import { anyCase, behindEscape, each, type Rule } from './redact-rule.ts'
import { looksLikePassword, looksPersonal, looksRandom, looksStrong } from './redact-values.ts'

/** What people write in sentences: in other languages than English, and with the value before its name. */
export function saidRules(): Rule[] {
  return [inOtherLanguages(), valueFirst(), userAndPassword()]
}

const PASSWORDS = [
  'Passwort',
  'Kennwort',
  'mot de passe',
  'contraseña',
  'Senha',
  'wachtwoord',
  'hasło',
  'lösenord',
  'adgangskode',
  'пароль',
  'Пароль',
  '密码',
  '密碼',
  'パスワード',
  '비밀번호',
]

/** `Passwort: …`, `le mot de passe du serveur est …`. */
function inOtherLanguages(): Rule {
  const whose = '(?:\\s[^\\s\\d.:;,!?"\'`=]{1,16}){0,5}'
  const said = `(?:\\s{0,2}[:=：]|\\s(?:${COPULA}|to)(?=\\s)|[是はは는은])`
  const value = '(?=[!-~])[^\\s"\'`\\\\\\u007f-\\uffff]{5,63}[^\\s"\'`\\\\\\u007f-\\uffff.,;:]'
  const source = `((?<![a-zа-я])(?:${PASSWORDS.join('|')})["'*]{0,3}(${whose})${said}\\s{0,4}["'\`«„“「『]?\\s?)(${value})`
  const beginnings =
    'Passw|Kennw|mot de passe|contraseña|Senha|wachtw|Wachtw|hasło|Hasło|lösenord|Lösenord|adgangsk|Adgangsk|пароль|Пароль|パスワ|비밀번호'
  const starts = [...beginnings.split('|'), ...each('密', '码碼', '：:=是 ')]
  const judge = ([, , whose = '', value = '']: RegExpExecArray): boolean =>
    whose === '' ? looksLikePassword(value) : looksStrong(value) || looksPersonal(value)
  return { ...anyCase('assigned-password', starts, source), judge }
}

const MAX_WHOSE = 96
const MAX_VALUE = 256
const WHOSE = `(?:(?:${LINKING}|its|an|api|jwt|auth|access|secret|master|root|[A-Z][A-Z0-9_]{1,40})[ _-]){0,5}`
/** What stands between a value and the word that says what it is. */
const BETWEEN = new RegExp(`["'\`]{0,3} (?:as|is|for) (?:the|my|our|your|a|an|its) ${WHOSE}$`, 'i')
/** The name ends there: no word follows of which it is only the beginning, as in `the token count`. */
const NAMED =
  /^(?:password|passphrase|secret|token| key)(?:[_ ]key)?(?:$|[.,;:!?)\n"'`]| (?:for|in|on|of|and|to|from|at|with|or|but|when|until|now|here|please|instead)\b)/i

/** `use … as the API key`, `… is our new database password`. */
function valueFirst(): Rule {
  const judge = ([value]: RegExpExecArray): boolean => looksRandom(value) || looksStrong(value)
  const starts = ['password', 'passphrase', 'secret', 'token', ' key']
  return { ...anyCase('said-secret', starts, '[^\\s"\'`]{8,256}'), seek: valueBefore, judge }
}

function valueBefore(text: string, found: number): number {
  const name = text.charCodeAt(found) === SPACE ? found + 1 : found
  const before = text.charCodeAt(name - 1)
  if (before !== SPACE && !(before === UNDERSCORE && isCapital(text.charCodeAt(name - 2)))) return -1
  const head = text.slice(Math.max(0, name - MAX_WHOSE), name)
  if (!head.includes(' as ') && !head.includes(' is ') && !head.includes(' for ')) return -1
  const between = NAMED.test(text.slice(found, found + 40)) ? BETWEEN.exec(head) : null
  if (between === null) return -1
  return startOfWord(text, name - head.length + between.index)
}

/** Where the word that ends at `end` begins; -1 if it is too long for a value. */
function startOfWord(text: string, end: number): number {
  let from = end
  while (text.charCodeAt(from - 1) === EQUALS) from--
  while (end - from <= MAX_VALUE && OF_VALUE.has(text[from - 1] ?? '')) from--
  if (end - from > MAX_VALUE) return -1
  return behindEscape(text, from)
}

const EQUALS = 61
const OF_VALUE = new Set('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_.~!@#$%^&*;?-')
const [SPACE, UNDERSCORE] = [32, 95]

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90
}

function capitals(word: string): string[] {
  return [word, word.slice(0, 1).toUpperCase() + word.slice(1)]
}

/** `log in as admin / …`. */
function userAndPassword(): Rule {
  const source = '((?:log[ -]?in|sign[ -]?in|credentials?)[^\\n/]{0,60}[\\w.@-]{1,64} / )([^\\s"\'`\\\\]{6,128})'
  const judge = ([, , value = '']: RegExpExecArray): boolean => looksStrong(value) || looksPersonal(value)
  return { ...anyCase('login-password', ['log in', 'sign in', 'login', 'credential'].flatMap(capitals), source), judge }
}
