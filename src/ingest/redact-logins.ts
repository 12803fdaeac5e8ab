import { commandRules } from './redact-commands.ts'
import { anyCase, ASSIGN, LINE, OF_DATABASE, QUOTES, rule, unquoted, type Rule } from './redact-rule.ts'
import { saidRules } from './redact-said.ts'
import { looksLikePassword, looksRandom, looksStrong } from './redact-values.ts'

/** Passwords where programs expect them: on command lines and in the files that list logins. */
export function loginRules(): Rule[] {
  const password = `(${unquoted()}{6,256})`
  const judge = ([, , value = '']: RegExpExecArray): boolean => looksLikePassword(value)
  const hashes = [
    '\\$2[abxy]\\$\\d\\d\\$[./A-Za-z0-9]{53}',
    '\\$(?:1|5|6|apr1|y)\\$(?:rounds=\\d{1,9}\\$|j\\w{1,8}\\$)?[./A-Za-z0-9]{1,32}\\$[./A-Za-z0-9]{22,86}',
    '\\{S?SHA(?:256|512)?\\}[A-Za-z0-9+/]{27,128}={0,2}',
    '\\$argon2(?:id|i|d)\\$v=\\d{1,3}\\$[mtp=,\\d]{1,40}\\$[A-Za-z0-9+/]{8,128}\\$[A-Za-z0-9+/]{16,256}',
  ]
  const crypt = [
    '$2a$',
    '$2b$',
    '$2x$',
    '$2y$',
    '$1$',
    '$5$',
    '$6$',
    '$y$',
    '$apr1$',
    '$argon2',
    '{SHA}',
    '{SSHA}',
    '{SHA256}',
    '{SHA512}',
    '{SSHA512}',
  ]
  const words = '(?:[a-z]{3,8}\\s){11,23}[a-z]{3,8}'
  return [
    ...usersOfUrls(),
    ...cookies(),
    ...queries(),
    ...kubernetes(),
    ...beside(),
    ...commandRules(),
    {
      ...rule(
        'login-password',
        ['login '],
        `(login\\s{1,8}[^\\s"'\\\\]{1,128}(?:[ \\t]{1,8}|${LINE}[ \\t]{0,8})password\\s{1,8})${password}`,
      ),
      judge,
    },
    {
      ...rule(
        'login-password',
        [' -u', ' --user'],
        `( (?:-u[ =]?|--user[ =])\\s{0,3}["'\`]?[^\\s:"'\`/]{1,128}:)${password}`,
      ),
      judge,
    },
    {
      ...rule('login-password', [':5432:', ':3306:'], `(:(?:5432|3306):[^\\s:]{1,64}:[^\\s:]{1,64}:)${password}`),
      judge,
    },
    ...saidRules(),
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

/** Made by a machine, or as strong as a password. */
function isMade(value: string): boolean {
  return looksRandom(value) || looksStrong(value)
}

/** Cookies go as a whole if any value in them was made by a machine. */
function cookies(): Rule[] {
  const value = '[^\\s"\'`\\\\;=]{1,64}=[^\\s"\'`\\\\;]{0,4096}'
  const jar = `(${value}(?:;\\s?${value}){0,64})`
  const header = `((?:set-)?cookie2?${QUOTES}\\s{0,4}:\\s{0,4}(?:\\[\\s{0,8})?${QUOTES})${jar}`
  const option = `( (?:-b|--cookie)[ =]["'\`]?)${jar}`
  const judge = ([, , all = '']: RegExpExecArray): boolean => all.split(/[;=]/).some((part) => isMade(part.trim()))
  const one = ([, , id = '']: RegExpExecArray): boolean => looksRandom(id)
  return [
    { ...anyCase('cookie', ['Cookie'], header), judge },
    { ...rule('cookie', [' -b ', ' --cookie'], option), judge },
    {
      ...rule(
        'cookie',
        ['SESSID=', 'SESSIONID=', 'connect.sid='],
        `((?:J?SESSIONID|SESSID|connect\\.sid)=)(${unquoted(';&=')}{16,512})`,
      ),
      judge: one,
    },
    {
      ...rule(
        'cookie',
        ['TRUE\t', 'FALSE\t', 'TRUE ', 'FALSE '],
        `((?:TRUE|FALSE)[\t ]\\d{1,12}[\t ][^\\s]{1,64}[\t ])(${unquoted()}{16,4096})`,
      ),
      judge: one,
    },
  ]
}

/** Names in the query of an address that say little anywhere else. */
function queries(): Rule[] {
  const names = ['key', 'code', 'auth', 'sig', 'signature', 'sid', 'session']
  const starts = names.flatMap((name) => [`?${name}=`, `&${name}=`, `;${name}=`])
  const source = `((?:[?&]|(?<=&amp);)(?:${names.join('|')})=)([A-Za-z0-9._~%+/-]{16,2048}={0,2})`
  return [{ ...rule('query-secret', starts, source), judge: ([, , value = '']) => looksRandom(value) }]
}

/** All that a Secret of Kubernetes holds, whatever its keys are called. */
function kubernetes(): Rule[] {
  const near = (text: string, at: number): string => text.slice(Math.max(0, at - 800), at + 2000)
  const value = '(?:"(?![{$])[^"\\n]{0,65536}"|\'[^\'\\n]{0,65536}\'|(?![{$])' + unquoted() + '+)'
  const lines = `(?:[\\w.-]{1,128}:[ \\t]${value}(?:${LINE}[ \\t]{1,8}(?=[\\w.-]{1,128}:[ \\t]))?)+`
  const block = `((?:(?<![A-Za-z])data|(?<=string)Data):${LINE}[ \\t]{1,8})${lines}`
  const starts = ['data:', 'Data:'].flatMap((head) => ['\n', '\r', '\\'].map((end) => head + end))
  const members = '("(?:d|stringD)ata": )\\{\\n[^{}]{8,65536}\\}'
  return [
    {
      ...rule('kubernetes-secret', starts, block),
      gate: (text, at) => /kind: Secret(?![\w-])/.test(near(text, at)),
    },
    {
      ...rule('kubernetes-secret', ['"data": {\n', '"stringData": {\n'], members),
      gate: (text, at) => near(text, at).includes('"kind": "Secret"'),
    },
  ]
}

/** Secrets that what stands beside them gives away. */
function beside(): Rule[] {
  const quote = '\\\\{0,6}"'
  const is = `${quote}\\s{0,4}:\\s{0,4}${quote}`
  const id = '(?<=\\[REDACTED:aws-)access-key-id\\]'
  const key = '(?<![A-Za-z0-9+/=]))([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])'
  return [
    {
      ...rule('aws-secret-key', ['access-key-id]'], `(${id}[^"[]{0,64}?${key}`),
      judge: ([, , value = '']) => /[^\da-f]/.test(value) && looksRandom(value),
    },
    rule('kaggle-key', ['{"use'], `(\\{"username${is}[^"\\\\]{1,64}${quote},\\s{0,8}${quote}key${is})[0-9a-f]{32}`),
    {
      ...rule('generated-password', ['"result"'], '(?<=\\n[ \\t]{0,40})("result":\\s{0,4}")([^\\s"\\\\]{6,256})(?=")'),
      gate: (text, at) => text.slice(Math.max(0, at - 1500), at).includes('random_password'),
      judge: ([, , value = '']) => !value.startsWith('[REDACTED'),
    },
  ]
}
