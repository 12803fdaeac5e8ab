import { beforeEnd } from './redact-blocks.ts'
import { isNameCharacter } from './redact-gates.ts'
import {
  ALNUM,
  anyCase,
  ASSIGN,
  BASE64,
  behindEscape,
  each,
  END,
  escaped,
  HEX,
  OF_DATABASE,
  REDACTED,
  rule,
} from './redact-rule.ts'
import { mayBegin, PLAIN_START, START, STRICT_END, STRICT_START, UUID, WORD, type Rule } from './redact-rule.ts'
import { TOKENS } from './redact-tokens.ts'
import { isStandIn, looksRandom, looksStrong } from './redact-values.ts'

/** Rules for secrets that show what they are: by their own shape, or by the one place where they can stand. */
export function redactionRules(): readonly Rule[] {
  const tokens = TOKENS.map(([name, starts, rest]): Rule => {
    const texts = starts.split(' ')
    const start = texts.every((text) => /^[A-Za-z0-9]+$/.test(text)) ? PLAIN_START : START
    const bare = rule(name, texts, `${start}(?:${texts.map(escaped).join('|')})${rest}`)
    const judge = name === 'vendor-key' ? ([all]: RegExpExecArray) => isOfVendor(all) : isNoStandIn
    return { ...bare, wraps: true, judge }
  })
  return [...tokens, ...keysOfModels(), ...privateKeys(), ...shapedRules(), ...contextRules()]
}

/** What documentation shows in the place of a token: `ghp_xxxxxxxx`, `AIzaSyYourKeyHere`. */
function isNoStandIn([token]: RegExpExecArray): boolean {
  return !/x{6}|X{6}|\*{3}|0{12}|your[-_]?(?:[a-z]{1,8}[-_]?)?(?:key|token|secret)|(?:key|token|secret)[-_]?here/i.test(
    token.slice(0, 120),
  )
}

/** `key_` begins many a name: what follows must be made by a machine. */
function isOfVendor(token: string): boolean {
  const made = token.replace(/^key_(?:live_|test_|prod_)?/, '')
  if (/^[0-9a-f]+$/.test(made)) return made.length >= 32
  return /[a-z]/.test(made) && /[A-Z]/.test(made) && looksRandom(made)
}

/**
 * What remains of a token at the end of a text that was cut, where no rule can see the whole of it any more. For a
 * short piece of text: it lists all prefixes.
 */
export function cutOffToken(): RegExp {
  const starts = [...TOKENS.flatMap(([, texts]) => texts.split(' ')), 'sk-', 'eyJ'].map(escaped)
  return new RegExp(`${STRICT_START}(?:${starts.join('|')})(?=[\\w.+/=~%$-]{0,256}\\d)[\\w.+/=~%$-]{4,256}(?=…$)`)
}

const OF_TOKEN = new Uint8Array(128)
for (const sign of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+/=~%$-')
  OF_TOKEN[sign.charCodeAt(0)] = 1

/** True for what a token that was cut off may be made of, its beginning included. */
export function isOfToken(code: number): boolean {
  return OF_TOKEN[code] === 1
}

/** `sk-` is both a prefix of many vendors and the end of task-, risk- and disk-. */
function keysOfModels(): Rule[] {
  /** Asked before a pattern is tried: `sk-` may be repeated without end. */
  const sk = (name: string, heads: readonly string[], rest: string): Rule => ({
    ...rule(name, ['sk-'], `${START}sk-(?:${rest})`),
    wraps: true,
    gate: (text, at) => mayBegin(text, at) && heads.some((head) => text.startsWith(head, at + 3)),
    judge: isNoStandIn,
  })
  const generic = `${ALNUM}{20}T3BlbkFJ${ALNUM}{20}|(?=[A-Za-z]{0,48}\\d)${ALNUM}{32,}`
  const ofOthers = `[a-z]{2,8}-(?=${WORD}{0,64}\\d)(?=${WORD}{0,64}[A-Z])${WORD}{32,}`
  return [
    sk('anthropic-key', ['ant-'], `ant-${WORD}{16,}`),
    sk('openrouter-key', ['or-'], `or-(?:v1-)?${HEX}{32,}`),
    sk('langfuse-key', ['lf-'], `lf-${UUID}`),
    sk('openai-key', ['proj-', 'svcacct-', 'admin-', 'None-'], `(?:proj|svcacct|admin|None)-${WORD}{20,}`),
    sk('openai-key', [''], generic),
    sk('model-key', [''], ofOthers),
  ]
}

/** PEM blocks, also with `\n` spelled out, quoted line by line, numbered or in a diff; and cut off before their end. */
function privateKeys(): Rule[] {
  const kind = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----'
  const colour = '\\x1b\\[[\\d;]{0,16}m'
  const file = '(?<=\\s)[A-Za-z~./][\\w./-]{0,100}(?::(?:\\d{1,6}[:-])?|(?<=-\\d{1,6}-))'
  const inside = `(?:[A-Za-z0-9+/=\\s\\\\"',:.|>→#*]|-(?!----)|${colour}){0,32768}`
  const between = `(?:[\\s\\\\"',|>#*]|-(?!----)|\\d{1,6}[→\\t|:-]|${colour}|${file}){1,48}`
  const headers = `(?:${between}(?:Proc-Type|DEK-Info|Version|Comment): [^\\n\\\\]{0,80}){0,4}`
  const cutOff = `${headers}(?:[A-Za-z0-9+/=]{16,}|${between}[A-Za-z0-9+/=]{16,})(?:${between}[A-Za-z0-9+/=]{16,})*(?:${between}[A-Za-z0-9+/=]{1,15}(?=$|…|\\.\\.\\.))?`
  const block = `-----BEGIN ${kind}(?:${inside}-?-----END ${kind}|${cutOff})`
  const starts = ['-----BEGIN ']
  const mark = `(?:[ \\t>|*#+-]|\\d{1,6}[→\\t|:-]|[A-Za-z~.][\\w./-]{0,100}[:-]\\d{1,6}[:-]|[A-Za-z~.][\\w./-]{0,100}:){0,24}`
  const tail = `(?:${mark}[A-Za-z0-9+/]{1,128}={0,2}\\r?\\n)`
  return [
    rule('gcp-service-account-key', starts, `(?<=private_key\\\\{0,8}"\\s{0,4}:\\s{0,4}\\\\{0,8}")${block}`),
    rule('private-key', starts, block),
    {
      ...rule('private-key', ['-----END '], `${tail}{1,400}${mark}-----END ${kind}`),
      seek: beforeEnd,
    },
    {
      ...rule('private-key', ['LS0tLS1CRUdJTi'], `${START}LS0tLS1CRUdJTi${BASE64}{40,}={0,2}`),
      judge: ([encoded]) => /PRIVATE KEY/.test(Buffer.from(encoded.slice(0, 80), 'base64').toString('latin1')),
    },
    rule('putty-private-key', ['Private-Lines: '], `(Private-Lines: \\d{1,3})(?:${between}${BASE64}{16,}={0,2})+`),
  ]
}

/** Tokens that show themselves by something in their middle, or by the shape of their parts. */
function shapedRules(): Rule[] {
  const webTokens = [
    `eyJ${WORD}{16,4000}\\.${WORD}{0,2000}\\.${WORD}{10,200}\\.${WORD}{10,16000}\\.${WORD}{16,200}`,
    `eyJ${WORD}{10,4000}\\.eyJ${WORD}{10,16000}\\.${WORD}{16,4000}`,
  ]
  const ofAnything = `eyJ${WORD}{10,4000}\\.${WORD}{0,16000}\\.${WORD}{16,4000}`
  /** A user id as base64, a time, a signature. */
  const bot = `[MNO]${WORD}{23,27}\\.${WORD}{6}\\.${WORD}{27,40}`
  const client = '[A-Za-z0-9_~.]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}'
  return [
    { ...rule('jwt', ['eyJ'], `${PLAIN_START}(?:${webTokens.join('|')})`), wraps: true, gate: mayBeginWebToken },
    {
      ...rule('jwt', ['eyJ'], `${PLAIN_START}${ofAnything}`),
      wraps: true,
      gate: mayBeginWebToken,
      judge: ([token]) => isWebToken(token),
    },
    rule('jwt', ['ZXlKaGJHY2lPaU'], `${START}ZXlKaGJHY2lPaU[A-Za-z0-9+/_-]{40,}={0,2}`),
    rule('telegram-bot-token', [':AA'], `(?<=(?:^|\\D)\\d{8,12})(:)AA${WORD}{33}${STRICT_END}`),
    {
      ...rule('discord-bot-token', each('MNO', 'DTjz', 'AEIMQUYcgk'), `${START}${bot}${STRICT_END}`),
      wraps: true,
    },
    {
      ...rule('airtable-token', ['pat'], `${START}pat${ALNUM}{14}\\.${HEX}{64}${END}`),
      wraps: true,
      gate: (text, at) => text[at + 17] === '.' && mayBegin(text, at),
    },
    rule('firebase-key', [':APA91b'], `${START}AAAA${WORD}{7}:APA91b${WORD}{60,}`, 11),
    {
      ...rule('terraform-token', ['.atlasv1.'], `${START}${ALNUM}{14}\\.atlasv1\\.[A-Za-z0-9_=-]{40,}`, 14),
      wraps: true,
    },
    rule('newrelic-key', ['NRAL'], `${START}${HEX}{36}NRAL${END}`, 36),
    rule('mailchimp-key', ['-us'], `${START}${HEX}{32}-us\\d{1,2}${STRICT_END}`, 32),
    { ...rule('azure-client-secret', each('0123456789', 'Q', '~'), `${START}${client}`, 3), wraps: true },
    rule('azure-devops-token', ['AZDO'], `${START}${ALNUM}{76}AZDO${ALNUM}{4}${END}`, 76),
    ofAnyVendor(),
    rule('azure-key', ['JQQJ99'], `${START}${ALNUM}{52}JQQJ99${ALNUM}{26}${END}`, 52),
  ]
}

const MAX_VENDOR = 16
const LEAST_MADE = 24

/** `vendor_api_…`: a name, what it is for, and then what a machine has made, as most vendors write tokens by now. */
function ofAnyVendor(): Rule {
  const starts = ['_api_', '_pat_', '_oat_', '_live_']
  const source = `${STRICT_START}([a-z][a-z0-9]{1,15}_(?:api|pat|oat|live)_)(?=[A-Za-z]{0,40}\\d)${ALNUM}{24,}${STRICT_END}`
  return {
    name: 'vendor-token',
    starts,
    back: 0,
    pattern: new RegExp(source, 'y'),
    whole: true,
    seek(text, found) {
      if (!isMade(text, text.indexOf('_', found + 1) + 1)) return -1
      let from = found
      while (from > 0 && found - from <= MAX_VENDOR && isSmallOrDigit(text.charCodeAt(from - 1))) from--
      return found - from > MAX_VENDOR ? -1 : behindEscape(text, from)
    },
    judge: ([token, head = '']) => looksRandom(token.slice(head.length)),
  }
}

/** Letters and digits of both kinds, so many that no word is as long. */
function isMade(text: string, from: number): boolean {
  for (let at = from; at < from + LEAST_MADE; at++) if (OF_TOKEN[text.charCodeAt(at)] !== 1) return false
  return true
}

function isSmallOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
}

const MAX_PREFIX = 40

/** Within a name, only near its beginning: a name of beginnings is not read to its end from each of them. */
function mayBeginWebToken(text: string, at: number): boolean {
  if (!mayBegin(text, at)) return false
  let from = at
  while (from > 0 && at - from <= MAX_PREFIX && isNameCharacter(text.charCodeAt(from - 1))) from--
  return at - from <= MAX_PREFIX
}

/** Three parts or five, of which the first says how it was signed or encrypted. */
function isWebToken(text: string): boolean {
  const parts = text.split('.')
  const [header = '', ...rest] = parts
  if ((parts.length !== 3 && parts.length !== 5) || (rest.at(-1) ?? '').length < 16) return false
  return /^\{.{0,2000}"(?:alg|enc)"/s.test(Buffer.from(header.slice(0, 2800), 'base64url').toString('latin1'))
}

/** What a header may hold, and no variable, call or tag. */
const VALUE = '[^\\s"\'`\\\\,;<>(){}[\\]*…\\x1b]'

/** Values that only their surroundings give away. The surroundings stay. */
function contextRules(): Rule[] {
  const none = '(?: \\[[^\\]\\n]{0,24}\\])?'
  const aws = `((?:aws[_ ])?secret[_ ]?access[_ ]?key${none}${ASSIGN})${BASE64}{40}(?![A-Za-z0-9+/=])`
  const withDigit = '(?=[A-Za-z._~+/=%-]{0,128}\\d)'
  const header = `((?:x-api-key|x-auth-token|private-token)(?:${ASSIGN}|\\s{1,4}["']))(${VALUE}{12,2048})`
  return [
    anyCase('aws-secret-key', ['Secret_Acc', 'Secret Acc', 'SecretAcc', 'secretAcc'], aws),
    rule('aws-presigned-url', ['Signature='], `(Signature=)${HEX}{64}${END}`),
    rule('digest-response', ['response='], `(response=\\\\{0,6}")${HEX}{32,64}(?=\\\\{0,6}")`),
    anyCase('vault-unseal-key', ['Unseal K', 'Recovery K'], `((?:unseal|recovery) key \\d{1,2}: )[A-Za-z0-9+/=]{44,}`),
    anyCase('azure-storage-key', ['AccountKey='], `(AccountKey=)${BASE64}{80,}={0,2}`),
    anyCase('azure-shared-access-key', ['SharedAccessKey='], `(SharedAccessKey=)${BASE64}{40,}={0,2}`),
    rule('azure-sas', ['?sig=', '&sig=', ';sig='], '([?&;]sig=)[A-Za-z0-9%+/_-]{40,}={0,2}'),
    {
      ...rule('npm-token', ['_authToken'], `(_authToken${ASSIGN})(${VALUE}{10,2048})`),
      judge: ([, , value = '']) => !isStandIn(value),
    },
    rule('jwk-private-key', ['"d"', '"d\\'], `("d\\\\{0,6}"\\s{0,4}:\\s{0,4}\\\\{0,6}")${WORD}{40,}`),
    {
      ...rule('jwk-private-key', ['"k"', '"k\\'], `("k\\\\{0,6}"\\s{0,4}:\\s{0,4}\\\\{0,6}")(${WORD}{20,1024})`),
      gate: (text, at) =>
        /"kty\\{0,6}"\s{0,4}:\s{0,4}\\{0,6}"oct\\{0,6}"[^{}]*$/.test(text.slice(Math.max(0, at - 200), at)),
      judge: ([, , value = '']) => looksRandom(value),
    },
    ...webhooks(),
    ...authorization(),
    anyCase('bearer-token', ['Bearer'], `(bearer(?:\\s{1,4}|%20|\\+))${withDigit}[A-Za-z0-9._~+/%-]{20,}={0,2}`),
    {
      ...anyCase('api-key-header', ['X-Api-K', 'X-Auth-T', 'Private-T'], header),
      judge: ([, , value = '']) =>
        !isStandIn(value) && (/^(?=\D*\d)[\w.~+/=-]{16,}$/.test(value) || looksStrong(value) || looksRandom(value)),
    },
    ...urlCredentials(),
  ]
}

/** Addresses that whoever knows them may post to. */
function webhooks(): Rule[] {
  const all = [
    rule('slack-webhook', ['hooks.sl'], '(hooks\\.slack\\.com/(?:services|workflows|triggers)/)[A-Za-z0-9+/_-]{20,}'),
    rule('telegram-bot-token', ['telegram.org/bot'], `(telegram\\.org/bot\\d{6,12}:)${WORD}{30,}`),
    rule('discord-webhook', ['/webhooks/'], `(/webhooks/\\d{15,22}/)${WORD}{50,}`),
    rule('teams-webhook', ['/IncomingWebhook/'], `(/IncomingWebhook/)${HEX}{32}(?:/[A-Za-z0-9_-]{1,80}){0,3}`),
    rule(
      'google-chat-webhook',
      ['/v1/spaces/'],
      `((?<=chat\\.googleapis\\.com)/v1/spaces/${WORD}{1,40}/messages\\?)[\\w%=&.-]{40,}`,
    ),
    rule('webhook', ['/hooks/'], `(/hooks/)(?=[a-z]{0,25}\\d)[a-z0-9]{26}${STRICT_END}`),
    rule('webhook', ['hook.'], '(hook\\.[a-z0-9.]{0,12}(?:make|integromat)\\.com/)[A-Za-z0-9]{20,}'),
    rule('webhook', ['/with/key/'], `(/with/key/)${WORD}{20,}`),
    rule('zapier-webhook', ['hooks.zap'], '(hooks\\.zapier\\.com/hooks/catch/\\d{1,12}/)[A-Za-z0-9]{5,}'),
  ]
  return all.map((one) => ({ ...one, wraps: true }))
}

/** The header with a scheme, unless a mere word follows; and without one, if what follows looks made by a machine. */
function authorization(): Rule[] {
  const starts = ['Authoriz']
  const name = `authorization${ASSIGN}`
  const blank = '(?:\\s{1,4}|%20|\\+)'
  const scheme = `(?:(?:bearer|basic|token|bot|apikey|api-key|key|splunk)${blank}|(?:key|token|token token)=)`
  const anyScheme = '[A-Za-z][A-Za-z0-9-]{1,24}\\s{1,4}'
  const mereWord = '[A-Za-z_-]{1,24}(?:[^A-Za-z0-9_=.~+/%!^#@&-]|[.](?:\\s|$)|$)'
  return [
    anyCase('authorization', starts, `(${name}${scheme})(?!${mereWord})(?!\\$)${VALUE}{8,}`),
    anyCase('authorization', starts, `(${name}${anyScheme})(?=${WORD}{0,64}\\d)${WORD}{24,}(?![\\w.(-])`),
    anyCase('authorization', starts, `(${name})(?=${WORD}{0,64}\\d)${WORD}{24,}(?![\\w.(-])`),
  ]
}

/** As documentation writes addresses, and as databases for tests are set up. */
const STAND_IN_PASSWORD =
  '(?:(?:your|my|the|db|test|dev|local|some|user)[-_]?)?(?:pass(?:word)?|passwd|secret|postgres|mysql|root|admin|test|guest|user|example|changeme)'

/** Only the password goes, and not where a variable stands for it. */
function urlCredentials(): Rule[] {
  const user = `(?:${REDACTED}|[^\\s:/?#@"'<>\\\\[]{0,256})`
  const variable = `\\$?\\{[^{}\\s@]{0,64}\\}|\\$[A-Z_][A-Z0-9_]{0,64}|\\*{1,64}|${REDACTED}`
  const password = '[^\\s/?#"\'<>\\\\]{1,2048}'
  /** Not percent-encoded, as it should be: then a port, a path and a fragment must not be taken for one. */
  const raw = `(?!\\d{1,5}[/?#])[^\\s/"'<>\\\\@]{0,128}[?#][^\\s"'<>\\\\]{0,128}`
  const rawPath = `(?!\\d{1,5}[/?#])[^\\s"'<>\\\\@]{1,128}`
  const host = '@(?=[\\w.-]{1,255}(?:[:/?]|[^\\w@.-]|$))'
  const head = `(://${user}:)(?!(?:${variable}|${STAND_IN_PASSWORD})@)`
  return [
    anyCase('url-password', ['://'], `${OF_DATABASE}${head}(?:${password}@(?=[^\\s@])|(?:${raw}|${rawPath})${host})`),
    anyCase('url-password', ['://'], `${head}(?:${password}(?=@[^\\s@])|${raw}(?=${host}))`),
  ]
}
