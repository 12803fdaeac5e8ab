import { ALNUM, anyCase, ASSIGN, BASE64, each, END, escaped, HEX, OF_DATABASE, REDACTED, rule } from './redact-rule.ts'
import { mayBegin, START, STRICT_END, STRICT_START, UUID, WORD, type Rule } from './redact-rule.ts'
import { TOKENS } from './redact-tokens.ts'
import { looksRandom } from './redact-values.ts'

/** Rules for secrets that show what they are: by their own shape, or by the one place where they can stand. */
export function redactionRules(): readonly Rule[] {
  const tokens = TOKENS.map(([name, starts, rest]) => {
    const texts = starts.split(' ')
    return rule(name, texts, `${START}(?:${texts.map(escaped).join('|')})${rest}`)
  })
  return [...tokens, ...keysOfModels(), ...privateKeys(), ...shapedRules(), ...contextRules()]
}

/**
 * What remains of a token at the end of a text that was cut, where no rule can see the whole of it any more. For a
 * short piece of text: it lists all prefixes.
 */
export function cutOffToken(): RegExp {
  const starts = [...TOKENS.flatMap(([, texts]) => texts.split(' ')), 'sk-', 'eyJ'].map(escaped)
  return new RegExp(`${STRICT_START}(?:${starts.join('|')})(?=[\\w.+/=~%$-]{0,256}\\d)[\\w.+/=~%$-]{4,256}(?=…$)`)
}

/** `sk-` is both a prefix of many vendors and the end of task-, risk- and disk-. */
function keysOfModels(): Rule[] {
  const sk = (name: string, rest: string): Rule => rule(name, ['sk-'], `${STRICT_START}sk-(?:${rest})`)
  return [
    sk('anthropic-key', `ant-${WORD}{16,}`),
    sk('openrouter-key', `or-(?:v1-)?${HEX}{32,}`),
    sk('langfuse-key', `lf-${UUID}`),
    sk('openai-key', `(?:proj|svcacct|admin|None)-${WORD}{20,}`),
    sk('openai-key', `${ALNUM}{20}T3BlbkFJ${ALNUM}{20}|(?=[A-Za-z]{0,48}\\d)${ALNUM}{32,}`),
    sk('model-key', `[a-z]{2,8}-(?=${WORD}{0,64}\\d)(?=${WORD}{0,64}[A-Z])${WORD}{32,}`),
  ]
}

/** PEM blocks, also with `\n` spelled out, quoted line by line, numbered or in a diff; and cut off before their end. */
function privateKeys(): Rule[] {
  const kind = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----'
  const colour = '\\x1b\\[[\\d;]{0,16}m'
  const file = '(?<=\\s)[A-Za-z~./][\\w./-]{0,100}:(?:\\d{1,6}[:-])?'
  const inside = `(?:[A-Za-z0-9+/=\\s\\\\"',:.|>→#*]|-(?!----)|${colour}){0,32768}`
  const between = `(?:[\\s\\\\"',|>#*]|-(?!----)|\\d{1,6}[→\\t|:]|${colour}|${file}){1,48}`
  const headers = `(?:${between}(?:Proc-Type|DEK-Info|Version|Comment): [^\\n\\\\]{0,80}){0,4}`
  const cutOff = `${headers}(?:[A-Za-z0-9+/=]{16,}|${between}[A-Za-z0-9+/=]{16,})(?:${between}[A-Za-z0-9+/=]{16,})*(?:${between}[A-Za-z0-9+/=]{1,15}(?=$|…|\\.\\.\\.))?`
  const block = `-----BEGIN ${kind}(?:${inside}-----END ${kind}|${cutOff})`
  const starts = ['-----BEGIN ']
  return [
    rule('gcp-service-account-key', starts, `(?<=private_key\\\\{0,8}"\\s{0,4}:\\s{0,4}\\\\{0,8}")${block}`),
    rule('private-key', starts, block),
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
    `eyJ${WORD}{10,4000}\\.eyJ${WORD}{10,16000}\\.${WORD}{16,4000}`,
    `eyJ${WORD}{16,4000}\\.${WORD}{0,2000}\\.${WORD}{10,200}\\.${WORD}{10,16000}\\.${WORD}{16,200}`,
  ]
  /** A user id as base64, a time, a signature. */
  const bot = `[MNO]${WORD}{23,27}\\.${WORD}{6}\\.${WORD}{27,40}`
  const client = '[A-Za-z0-9_~.]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}'
  return [
    rule('jwt', ['eyJ'], `${STRICT_START}(?:${webTokens.join('|')})`),
    rule('jwt', ['ZXlKaGJHY2lPaU'], `${START}ZXlKaGJHY2lPaU[A-Za-z0-9+/_-]{40,}={0,2}`),
    rule('telegram-bot-token', [':AA'], `(?<=(?:^|\\D)\\d{8,10})(:)AA${WORD}{33}${STRICT_END}`),
    rule('discord-bot-token', each('MNO', 'DTjz', 'AEIMQUYcgk'), `${STRICT_START}${bot}${STRICT_END}`),
    {
      ...rule('airtable-token', ['pat'], `${START}pat${ALNUM}{14}\\.${HEX}{64}${END}`),
      gate: (text, at) => text[at + 17] === '.' && mayBegin(text, at),
    },
    rule('firebase-key', [':APA91b'], `${START}AAAA${WORD}{7}:APA91b${WORD}{60,}`, 11),
    rule('terraform-token', ['.atlasv1.'], `${START}${ALNUM}{14}\\.atlasv1\\.[A-Za-z0-9_=-]{40,}`, 14),
    rule('mailchimp-key', ['-us'], `${START}${HEX}{32}-us\\d{1,2}${STRICT_END}`, 32),
    rule('azure-client-secret', each('0123456789', 'Q', '~'), `${START}${client}`, 3),
    rule('azure-devops-token', ['AZDO'], `${START}${ALNUM}{76}AZDO${ALNUM}{4}${END}`, 76),
    rule('azure-key', ['JQQJ99'], `${START}${ALNUM}{52}JQQJ99${ALNUM}{26}${END}`, 52),
  ]
}

/** Values that only their surroundings give away. The surroundings stay. */
function contextRules(): Rule[] {
  const none = '(?: \\[[^\\]\\n]{0,24}\\])?'
  const aws = `((?:aws[_ ])?secret[_ ]?access[_ ]?key${none}${ASSIGN})${BASE64}{40}(?![A-Za-z0-9+/=])`
  const withDigit = '(?=[A-Za-z._~+/=-]{0,128}\\d)'
  const header = `((?:x-api-key|x-auth-token|private-token)${ASSIGN})${withDigit}`
  return [
    anyCase('aws-secret-key', ['Secret_Acc', 'Secret Acc', 'SecretAcc', 'secretAcc'], aws),
    rule('aws-presigned-url', ['Signature='], `(Signature=)${HEX}{64}${END}`),
    rule('digest-response', ['response='], `(response=\\\\{0,6}")${HEX}{32,64}(?=\\\\{0,6}")`),
    anyCase('vault-unseal-key', ['Unseal K', 'Recovery K'], `((?:unseal|recovery) key \\d{1,2}: )[A-Za-z0-9+/=]{44,}`),
    anyCase('azure-storage-key', ['AccountKey='], `(AccountKey=)${BASE64}{80,}={0,2}`),
    anyCase('azure-shared-access-key', ['SharedAccessKey='], `(SharedAccessKey=)${BASE64}{40,}={0,2}`),
    rule('azure-sas', ['?sig=', '&sig='], '([?&]sig=)[A-Za-z0-9%+/_-]{40,}={0,2}'),
    rule('npm-token', ['_authToken'], `(_authToken${ASSIGN})[A-Za-z0-9_./+=-]{16,}`),
    rule('jwk-private-key', ['"d"', '"d\\"'], `("d\\\\{0,6}"\\s{0,4}:\\s{0,4}\\\\{0,6}")${WORD}{40,}`),
    {
      ...rule('jwk-private-key', ['"k"', '"k\\"'], `("k\\\\{0,6}"\\s{0,4}:\\s{0,4}\\\\{0,6}")(${WORD}{20,1024})`),
      gate: (text, at) =>
        /"kty\\{0,6}"\s{0,4}:\s{0,4}\\{0,6}"oct\\{0,6}"[^{}]*$/.test(text.slice(Math.max(0, at - 200), at)),
      judge: ([, , value = '']) => looksRandom(value),
    },
    ...webhooks(),
    ...authorization(),
    anyCase('bearer-token', ['Bearer'], `(bearer(?:\\s{1,4}|%20|\\+))${withDigit}[A-Za-z0-9._~+/-]{20,}={0,2}`),
    anyCase('api-key-header', ['X-Api-K', 'X-Auth-T', 'Private-T'], `${header}[A-Za-z0-9._~+/-]{16,}={0,2}`),
    ...urlCredentials(),
  ]
}

/** Addresses that whoever knows them may post to. */
function webhooks(): Rule[] {
  return [
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
}

/** The header with a scheme, unless a mere word follows; and without one, if what follows looks made by a machine. */
function authorization(): Rule[] {
  const starts = ['Authoriz']
  const name = `authorization${ASSIGN}`
  const blank = '(?:\\s{1,4}|%20|\\+)'
  const scheme = `(?:(?:bearer|basic|token|bot|apikey|api-key|key|splunk)${blank}|(?:key|token|token token)=)`
  const anyScheme = '[A-Za-z][A-Za-z0-9-]{1,24}\\s{1,4}'
  const mereWord = '[A-Za-z-]{1,24}(?:[^A-Za-z0-9_=.~+/-]|[.](?:\\s|$)|$)'
  return [
    anyCase('authorization', starts, `(${name}${scheme})(?!${mereWord})[^\\s"'\`\\\\,;<>(){}[\\]$*]{8,}`),
    anyCase('authorization', starts, `(${name}${anyScheme})(?=${WORD}{0,64}\\d)${WORD}{24,}(?![\\w.(-])`),
    anyCase('authorization', starts, `(${name})(?=${WORD}{0,64}\\d)${WORD}{24,}(?![\\w.(-])`),
  ]
}

/** Only the password goes, and not where a variable stands for it. */
function urlCredentials(): Rule[] {
  const user = `(?:${REDACTED}|[^\\s:/?#@"'<>\\\\[]{0,256})`
  const variable = `\\$?\\{[^{}\\s@]{0,64}\\}|\\$[A-Z_][A-Z0-9_]{0,64}|\\*{1,64}|${REDACTED}`
  const password = '[^\\s/?#"\'<>\\\\]{1,2048}'
  const head = `(://${user}:)(?!(?:${variable})@)`
  return [
    anyCase('url-password', ['://'], `${OF_DATABASE}${head}${password}@(?=[^\\s@])`),
    rule('url-password', ['://'], `${head}${password}(?=@[^\\s@])`),
  ]
}
