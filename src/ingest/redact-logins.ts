import { anyCase, ASSIGN, OF_DATABASE, QUOTES, rule, type Rule } from './redact-rule.ts'
import { looksLikePassword, looksRandom } from './redact-values.ts'

/** Passwords where programs expect them: on command lines and in the files that list logins. */
export function loginRules(): Rule[] {
  const password = '([^\\s"\'`\\\\\\x1b]{6,256})'
  const open = '\\s{1,4}["\'`]?'
  const judge = ([, , value = '']: RegExpExecArray): boolean => looksLikePassword(value)
  const hashes = [
    '\\$2[abxy]\\$\\d\\d\\$[./A-Za-z0-9]{53}',
    '\\$(?:1|5|6|apr1|y)\\$(?:rounds=\\d{1,9}\\$|j\\w{1,8}\\$)?[./A-Za-z0-9]{1,32}\\$[./A-Za-z0-9]{22,86}',
    '\\$argon2(?:id|i|d)\\$v=\\d{1,3}\\$[mtp=,\\d]{1,40}\\$[A-Za-z0-9+/]{8,128}\\$[A-Za-z0-9+/]{16,256}',
  ]
  const crypt = ['$2a$', '$2b$', '$2x$', '$2y$', '$1$', '$5$', '$6$', '$y$', '$apr1$', '$argon2']
  const words = '(?:[a-z]{3,8}\\s){11,23}[a-z]{3,8}'
  return [
    ...usersOfUrls(),
    cookies(),
    {
      ...rule('login-password', ['login '], `(login\\s{1,8}[^\\s"']{1,128}\\s{1,8}password\\s{1,8})${password}`),
      judge,
    },
    {
      ...rule(
        'login-password',
        [' -u ', ' --user'],
        `( (?:-u|--user)[ =]\\s{0,3}["'\`]?[^\\s:"'\`/]{1,128}:)${password}`,
      ),
      judge,
    },
    { ...rule('login-password', ['sshpass -p'], `(sshpass -p(?:${open})?)${password}`), judge },
    {
      ...rule('login-password', ['mysql'], `(mysql(?:dump|admin)?\\s[^\\n|;&]{0,128}?\\s-p["'\`]?)${password}`),
      judge,
    },
    {
      ...rule('login-password', [':5432:', ':3306:'], `(:(?:5432|3306):[^\\s:]{1,64}:[^\\s:]{1,64}:)${password}`),
      judge,
    },
    rule('password-hash', crypt, `(?:${hashes.join('|')})`),
    anyCase(
      'seed-phrase',
      ['mnemonic', 'Mnemonic', 'Seed_P', 'seedP', 'seed p'],
      `((?:mnemonic|seed[_ ]?phrase)${ASSIGN})${words}`,
    ),
  ]
}

/** A token in the place of the user. */
function usersOfUrls(): Rule[] {
  const token = '(://)([A-Za-z0-9_.~-]{20,256})'
  const judge = ([, , name = '']: RegExpExecArray): boolean => looksRandom(name)
  return [
    { ...anyCase('url-password', ['://'], `${OF_DATABASE}${token}@(?=[A-Za-z0-9\\[])`), judge },
    { ...rule('url-password', ['://'], `${token}(?=@[A-Za-z0-9\\[])`), judge },
  ]
}

/** A cookie header goes as a whole if any value in it was made by a machine. */
function cookies(): Rule {
  const value = '[^\\s"\'`\\\\;=]{1,64}=[^\\s"\'`\\\\;]{0,4096}'
  const source = `((?:set-)?cookie2?${QUOTES}\\s{0,4}:\\s{0,4}${QUOTES})(${value}(?:;\\s?${value}){0,64})`
  return {
    ...anyCase('cookie', ['Cookie'], source),
    judge: ([, , jar = '']) => jar.split(/[;=]/).some((part) => looksRandom(part.trim())),
  }
}
