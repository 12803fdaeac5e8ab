/**
 * What a secret looks like. A rule is tried only where one of its `starts` occurs, so a new rule costs
 * ordinary text nothing. To add one: a row in `TOKENS` if the secret is a fixed prefix and a run of
 * characters, else a row in `shapedRules`; a positive and a negative in `redact.test.ts`; and raise
 * `REDACTION_REVISION`.
 */
export interface Rule {
  readonly name: string
  /** Literals of three characters or more. Wherever the pattern matches, one of them stands `back` characters in. */
  readonly starts: readonly string[]
  readonly back: number
  /**
   * Sticky. Group 1, if it took part, stays; the rest of the match is the secret. Must be linear: nothing may have to
   * follow an unbounded run, and a long bounded run must exclude what may stand before the next start.
   */
  readonly pattern: RegExp
}

/** Escapes and colours end in letters, yet a token may begin right behind them: `\n`, `\u003d`, `%3D`, `ESC[32m`. */
const AFTER_ESCAPE = String.raw`\\[bfnrt]|\\u[\da-fA-F]{4}|%[\dA-F]{2}|\[[\d;]{0,16}m`
/** A token does not begin in the middle of a word … */
const START = `(?<=^|[^A-Za-z0-9]|${AFTER_ESCAPE})`
/** … and some do not begin in the middle of a kebab-case or snake_case name either. */
const STRICT_START = `(?<=^|[^A-Za-z0-9_-]|${AFTER_ESCAPE})`
const END = '(?![A-Za-z0-9])'
const STRICT_END = '(?![A-Za-z0-9_-])'

const HEX = '[0-9a-f]'
const ALNUM = '[A-Za-z0-9]'
const WORD = '[A-Za-z0-9_-]'
const BASE64 = '[A-Za-z0-9+/]'
const UUID = `${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}`
const QUOTES = '["\'`\\\\]{0,8}'
/** Between a name and its value, in headers, JSON, code and shell. */
const ASSIGN = `${QUOTES}\\s{0,4}[:=]\\s{0,4}${QUOTES}`

/** Name, literal prefixes, what follows. Prefixes that are words of their own demand an exact length. */
const TOKENS: readonly (readonly [name: string, starts: string, rest: string])[] = [
  ['aws-access-key-id', 'AKIA ASIA ABIA ACCA', `[A-Z0-9]{16}${END}`],
  ['aws-session-token', 'FwoGZXIvYXdz IQoJb3JpZ2lu', `${BASE64}{50,}={0,2}`],
  ['aws-bedrock-key', 'ABSK', `${BASE64}{100,}={0,2}`],
  ['aws-mws-key', 'amzn.mws.', UUID],
  ['github-token', 'ghp_ gho_ ghu_ ghs_ ghr_', `(?:${ALNUM}{36,}|\\d{1,12}_eyJ[A-Za-z0-9_.-]{40,})`],
  ['github-token', 'github_pat_', '[A-Za-z0-9_]{36,}'],
  [
    'gitlab-token',
    'glpat- gldt- glrt- glrtr- glptt- glft- glsoat- glimt- glagent- glcbt- gloas- glffct- glwt-',
    '[A-Za-z0-9_.-]{20,}',
  ],
  ['gitlab-token', 'GR1348941', `${WORD}{20,}`],
  ['google-api-key', 'AIza', `${WORD}{35}${STRICT_END}`],
  ['google-oauth-token', 'ya29.', `${WORD}{20,}`],
  ['google-oauth-token', '1//0', `${WORD}{40,}`],
  ['google-oauth-secret', 'GOCSPX-', `${WORD}{20,}`],
  ['slack-token', 'xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xapp- xoxe.', '[A-Za-z0-9%._-]{16,}'],
  ['stripe-key', 'sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_', `${ALNUM}{16,}`],
  ['stripe-webhook-secret', 'whsec_', `${BASE64}{24,}={0,2}`],
  ['npm-token', 'npm_', `${ALNUM}{36,}`],
  ['pypi-token', 'pypi-AgE', `${WORD}{40,}`],
  ['rubygems-token', 'rubygems_', `${HEX}{48}`],
  ['clojars-token', 'CLOJARS_', `${ALNUM}{60}`],
  ['docker-token', 'dckr_pat_ dckr_oat_', `${WORD}{20,}`],
  ['xai-key', 'xai-', `${ALNUM}{40,}`],
  ['groq-key', 'gsk_', `${ALNUM}{40,}`],
  ['perplexity-key', 'pplx-', `${ALNUM}{40,}`],
  ['huggingface-token', 'hf_ api_org_', `${ALNUM}{30,}`],
  ['replicate-token', 'r8_', `${ALNUM}{37}${END}`],
  ['nvidia-key', 'nvapi-', `${WORD}{40,}`],
  ['cerebras-key', 'csk-', `${ALNUM}{40,}`],
  ['fireworks-key', 'fw_', `(?=[A-Za-z]{0,22}\\d)${ALNUM}{22,24}${STRICT_END}`],
  ['tavily-key', 'tvly-', `${WORD}{28,}`],
  ['firecrawl-key', 'fc-', `(?<![_-]fc-)${HEX}{32}${STRICT_END}`],
  ['langsmith-key', 'lsv2_', `(?:pt|sk)_${HEX}{32}_${HEX}{10}`],
  ['elevenlabs-key', 'sk_', `${HEX}{48}${END}`],
  ['sendgrid-key', 'SG.', `${WORD}{16,32}\\.${WORD}{32,64}`],
  ['twilio-key', each('S', 'K', '0123456789abcdef').join(' '), `${HEX}{31}${END}`],
  ['mailgun-key', 'key-', `(?<![_-]key-)${HEX}{32}${STRICT_END}`],
  ['brevo-key', 'xkeysib-', `${HEX}{64}-${ALNUM}{16}`],
  ['resend-key', 're_', `(?=${ALNUM}{8}_)(?=\\w{0,32}\\d)${ALNUM}{8}_${ALNUM}{20,30}${STRICT_END}`],
  ['digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_', `${HEX}{64}`],
  ['databricks-token', 'dapi', `${HEX}{32}(?:-\\d)?${END}`],
  ['alibaba-key', 'LTAI', `${ALNUM}{12,20}${END}`],
  ['tencent-key', 'AKID', `${ALNUM}{32}${END}`],
  ['heroku-key', 'HRKU-', `${WORD}{30,}`],
  ['netlify-token', 'nfp_', `${ALNUM}{36,}`],
  ['vercel-token', 'vercel_blob_rw_', `${WORD}{24,}`],
  ['supabase-key', 'sbp_', `(?:v\\d_)?${HEX}{40}`],
  ['supabase-key', 'sb_secret_', `${WORD}{20,}`],
  ['planetscale-token', 'pscale_tkn_ pscale_pw_ pscale_oauth_', '[A-Za-z0-9_=.-]{32,}'],
  ['fly-token', 'fo1_ fm1a_ fm1r_ fm2_', `[A-Za-z0-9+/_-]{40,}={0,2}`],
  ['deno-token', 'ddp_ ddo_', `${ALNUM}{36}`],
  ['tailscale-key', 'tskey-', `(?:api|auth|client|scim|webhook)-${WORD}{16,}`],
  ['pulumi-token', 'pul-', `${HEX}{40}`],
  ['doppler-token', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', '[A-Za-z0-9_.-]{30,}'],
  ['vault-token', 'hvs. hvb. hvr.', `${WORD}{24,}`],
  ['openshift-token', 'sha256~', `${WORD}{43}`],
  ['1password-token', 'ops_eyJ', `${BASE64}{100,}={0,2}`],
  [
    '1password-secret-key',
    'A3-',
    `(?:[A-Z0-9]{6}-[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}${END}`,
  ],
  ['age-secret-key', 'AGE-SECRET-KEY-1', '[A-Z0-9]{50,}'],
  ['linear-key', 'lin_api_ lin_oauth_', `${ALNUM}{32,}`],
  ['notion-token', 'ntn_', `${ALNUM}{40,}`],
  ['notion-token', 'secret_', `${ALNUM}{43}${STRICT_END}`],
  ['postman-key', 'PMAK-', `${HEX}{24}-${HEX}{34}`],
  ['shopify-token', 'shpat_ shpca_ shppa_ shpss_', '[0-9a-fA-F]{32}'],
  ['square-token', 'sq0atp- sq0csp-', `${WORD}{22,}`],
  ['braintree-token', 'access_token$production$', `${ALNUM}{16}\\$${HEX}{32}`],
  ['atlassian-token', 'ATATT3 ATCTT3', '[A-Za-z0-9_=-]{60,}'],
  ['bitbucket-token', 'ATBB', `${ALNUM}{32,}`],
  ['figma-token', 'figd_', `${WORD}{36,}`],
  ['dropbox-token', 'sl.', '[A-Za-z0-9_.-]{100,}'],
  ['contentful-token', 'CFPAT-', `${WORD}{40,}`],
  ['grafana-token', 'glsa_', `${ALNUM}{32}_[0-9a-fA-F]{8}`],
  ['grafana-token', 'glc_', `${BASE64}{32,}={0,2}`],
  ['newrelic-key', 'NRAK- NRJS- NRII-', `${WORD}{19,}`],
  ['dynatrace-token', 'dt0c01. dt0s16. dt0s01.', '[A-Z0-9]{24}\\.[A-Z0-9]{64}'],
  ['sentry-token', 'sntrys_ sntryu_', '[A-Za-z0-9+/=_]{40,}'],
  ['posthog-key', 'phx_', `${ALNUM}{32,}`],
  ['sourcegraph-token', 'sgp_', `(?:${ALNUM}{16}_|local_)?${HEX}{40}`],
  ['buildkite-token', 'bkua_', `${ALNUM}{40}`],
  ['circleci-token', 'CCIPAT_', `${WORD}{40,}`],
]

export function redactionRules(): readonly Rule[] {
  const tokens = TOKENS.map(([name, starts, rest]) => {
    const texts = starts.split(' ')
    return rule(name, texts, `${START}(?:${texts.map(escaped).join('|')})${rest}`)
  })
  return [...tokens, ...keysOfModels(), ...privateKeys(), ...shapedRules(), ...contextRules()]
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
  const inside = '(?:[A-Za-z0-9+/=\\s\\\\"\',:.|>→]|-(?!----)){0,32768}'
  const between = '(?:[\\s\\\\"\',|>]|-(?!----)|\\d{1,6}[→\\t|:]){1,48}'
  const headers = `(?:${between}(?:Proc-Type|DEK-Info|Version|Comment): [^\\n\\\\]{0,80}){0,4}`
  const cutOff = `${headers}(?:${between}[A-Za-z0-9+/=]{16,})+(?:${between}[A-Za-z0-9+/=]{1,15}(?=$|…|\\.\\.\\.))?`
  const block = `-----BEGIN ${kind}(?:${inside}-----END ${kind}|${cutOff})`
  const starts = ['-----BEGIN ']
  return [
    rule('gcp-service-account-key', starts, `(?<=private_key\\\\{0,8}"\\s{0,4}:\\s{0,4}\\\\{0,8}")${block}`),
    rule('private-key', starts, block),
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
    rule('terraform-token', ['.atlasv1.'], `${START}${ALNUM}{14}\\.atlasv1\\.[A-Za-z0-9_=-]{40,}`, 14),
    rule('mailchimp-key', ['-us'], `${START}${HEX}{32}-us\\d{1,2}${STRICT_END}`, 32),
    rule('azure-client-secret', each('0123456789', 'Q', '~'), `${START}${client}`, 3),
    rule('azure-devops-token', ['AZDO'], `${START}${ALNUM}{76}AZDO${ALNUM}{4}${END}`, 76),
    rule('azure-key', ['JQQJ99'], `${START}${ALNUM}{52}JQQJ99${ALNUM}{26}${END}`, 52),
  ]
}

/** Values that only their surroundings give away. The surroundings stay. */
function contextRules(): Rule[] {
  const aws = `((?:aws_secret_access_|secretaccess)key${ASSIGN})${BASE64}{40}(?![A-Za-z0-9+/=])`
  const withDigit = '(?=[A-Za-z._~+/=-]{0,128}\\d)'
  const header = `((?:x-api-key|x-auth-token|private-token)${ASSIGN})${withDigit}`
  return [
    anyCase('aws-secret-key', ['aws_secret_a', 'SecretAcc', 'secretAcc'], aws),
    rule('aws-presigned-url', ['X-Amz-Signature='], `(X-Amz-Signature=)${HEX}{64}`),
    anyCase('azure-storage-key', ['AccountKey='], `(AccountKey=)${BASE64}{80,}={0,2}`),
    anyCase('azure-shared-access-key', ['SharedAccessKey='], `(SharedAccessKey=)${BASE64}{40,}={0,2}`),
    rule('azure-sas', ['?sig=', '&sig='], '([?&]sig=)[A-Za-z0-9%+/_-]{40,}={0,2}'),
    rule('npm-token', ['_authToken'], `(_authToken${ASSIGN})[A-Za-z0-9_./+=-]{16,}`),
    rule('slack-webhook', ['hooks.sl'], '(hooks\\.slack\\.com/(?:services|workflows|triggers)/)[A-Za-z0-9+/_-]{20,}'),
    rule('telegram-bot-token', ['telegram.org/bot'], `(telegram\\.org/bot\\d{6,12}:)${WORD}{30,}`),
    rule('discord-webhook', ['/webhooks/'], `(/webhooks/\\d{15,22}/)${WORD}{50,}`),
    ...authorization(),
    anyCase('bearer-token', ['Bearer'], `(bearer\\s{1,4})${withDigit}[A-Za-z0-9._~+/-]{20,}={0,2}`),
    anyCase('api-key-header', ['X-Api-K', 'X-Auth-T', 'Private-T'], `${header}[A-Za-z0-9._~+/-]{16,}={0,2}`),
    urlCredentials(),
  ]
}

/** The header with a scheme, unless a mere word follows; and without one, if what follows looks made by a machine. */
function authorization(): Rule[] {
  const starts = ['Authoriz']
  const name = `authorization${ASSIGN}`
  const scheme = '(?:bearer|basic|token|bot|apikey|api-key|key|splunk)\\s{1,4}'
  const mereWord = '[A-Za-z-]{1,24}(?:[^A-Za-z0-9_=.~+/-]|[.](?:\\s|$)|$)'
  return [
    anyCase('authorization', starts, `(${name}${scheme})(?!${mereWord})[^\\s"'\`\\\\,;<>(){}[\\]$*]{8,}`),
    anyCase('authorization', starts, `(${name})(?=${WORD}{0,64}\\d)${WORD}{24,}(?![\\w.(-])`),
  ]
}

/** Only the password goes, and not where a variable stands for it. */
function urlCredentials(): Rule {
  const redacted = '\\[REDACTED:[a-z0-9-]{1,40}\\]'
  const user = `(?:${redacted}|[^\\s:/?#@"'<>\\\\[]{0,256})`
  const variable = `\\$?\\{[^{}\\s@]{0,64}\\}|\\$[A-Z_][A-Z0-9_]{0,64}|\\*{1,64}|${redacted}`
  const password = '[^\\s/?#@"\'<>\\\\]{1,2048}'
  return rule('url-credentials', ['://'], `(://${user}:)(?!(?:${variable})@)${password}(?=@[^\\s@])`)
}

function rule(name: string, starts: readonly string[], source: string, back = 0): Rule {
  return { name, starts, back, pattern: new RegExp(source, 'y') }
}

/** A rule for names that people write in any case; `starts` lists the spellings in mixed case. */
function anyCase(name: string, starts: readonly string[], source: string): Rule {
  const spellings = new Set(starts.flatMap((start) => [start, start.toLowerCase(), start.toUpperCase()]))
  return { name, starts: [...spellings], back: 0, pattern: new RegExp(source, 'iy') }
}

/** Every text made of one character of each set, in order. */
function each(...sets: string[]): string[] {
  return sets.reduce<string[]>((texts, set) => texts.flatMap((text) => [...set].map((one) => text + one)), [''])
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
