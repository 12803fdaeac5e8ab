import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redactionRules } from './redact-rules.ts'
import { createRedactor } from './redact.ts'

/** No sample stands here in one piece, so that whatever scans this repository finds nothing: `gh|p_` means `ghp_`. */
function whole(pieces: TemplateStringsArray, ...values: string[]): string {
  return pieces.map((piece, i) => piece.replaceAll('|', '') + (values[i] ?? '')).join('')
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'

/** `length` characters of `alphabet`, the same on every run, with every part of the alphabet in it. */
function run(alphabet: string, length: number): string {
  let state = 12345
  let text = ''
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    text += alphabet[(state >> 8) % alphabet.length]!
  }
  return text
}
const hex = (n: number): string => run('0123456789abcdef', n)
const alnum = (n: number): string => run(LOWER + UPPER + DIGITS, n)
const capitals = (n: number): string => run(`${UPPER}234567`, n)
const digits = (n: number): string => run('123456789', n)
const uuid = [8, 4, 4, 4, 12].map(hex).join('-')
const pem = (kind: string, newline: string): string =>
  [whole`-----BE|GIN ${kind}-----`, alnum(64), alnum(64), `${alnum(20)}==`, whole`-----E|ND ${kind}-----`].join(newline)

/** What stays before, the secret, what stays after. */
type Sample = readonly [rule: string, secret: string, before?: string, after?: string]
const SAMPLES: readonly Sample[] = [
  ['aws-access-key-id', whole`AK|IA${capitals(16)}`],
  ['aws-access-key-id', whole`AS|IA${capitals(16)}`],
  ['aws-session-token', whole`IQoJ|b3JpZ2lu${alnum(200)}==`],
  ['aws-bedrock-key', whole`AB|SK${alnum(120)}=`],
  ['aws-mws-key', whole`amzn.|mws.${uuid}`],
  ['aws-secret-key', whole`${alnum(38)}/+`, 'aws_secret_access_key = '],
  ['aws-secret-key', alnum(40), whole`"SecretAccess|Key": "`, '"'],
  ['aws-presigned-url', hex(64), whole`&X-Amz-Sign|ature=`],
  ['github-token', whole`gh|p_${alnum(36)}`],
  ['github-token', whole`gh|s_${alnum(36)}`],
  ['github-token', whole`github|_pat_${alnum(22)}_${alnum(59)}`],
  ['gitlab-token', whole`gl|pat-${alnum(20)}`],
  ['gitlab-token', whole`gl|pat-${alnum(27)}.01.${alnum(9)}`],
  ['gitlab-token', whole`GR13|48941${alnum(20)}`],
  ['anthropic-key', whole`sk-|ant-api03-${alnum(93)}AA`],
  ['openrouter-key', whole`sk-|or-v1-${hex(64)}`],
  ['langfuse-key', whole`sk-|lf-${uuid}`],
  ['openai-key', whole`sk-|proj-${alnum(60)}_${alnum(60)}`],
  ['openai-key', whole`sk-${alnum(20)}T3Blbk|FJ${alnum(20)}`],
  ['openai-key', whole`sk-${hex(32)}`],
  ['model-key', whole`sk-|kimi-${alnum(64)}`],
  ['xai-key', whole`xa|i-${alnum(80)}`],
  ['groq-key', whole`gs|k_${alnum(52)}`],
  ['perplexity-key', whole`ppl|x-${alnum(48)}`],
  ['huggingface-token', whole`h|f_${run(LOWER + UPPER, 34)}`],
  ['replicate-token', whole`r|8_${alnum(37)}`],
  ['nvidia-key', whole`nv|api-${alnum(64)}`],
  ['cerebras-key', whole`cs|k-${alnum(48)}`],
  ['fireworks-key', whole`f|w_|3${alnum(23)}`],
  ['tavily-key', whole`tv|ly-dev-${alnum(32)}`],
  ['firecrawl-key', whole`f|c-${hex(32)}`],
  ['langsmith-key', whole`lsv|2_pt_${hex(32)}_${hex(10)}`],
  ['elevenlabs-key', whole`s|k_${hex(48)}`],
  ['google-api-key', whole`AI|za${alnum(35)}`],
  ['google-oauth-token', whole`ya|29.${alnum(100)}`],
  ['google-oauth-token', whole`1/|/0${alnum(60)}`],
  ['google-oauth-secret', whole`GOC|SPX-${alnum(28)}`],
  ['slack-token', whole`xo|xb-${digits(12)}-${digits(12)}-${alnum(24)}`],
  ['slack-webhook', `T${capitals(8)}/B${capitals(8)}/${alnum(24)}`, whole`https://hooks.|slack.com/services/`],
  ['stripe-key', whole`sk|_live_${alnum(24)}`],
  ['stripe-key', whole`rk|_test_${alnum(99)}`],
  ['stripe-webhook-secret', whole`wh|sec_${alnum(32)}`],
  ['npm-token', whole`np|m_${alnum(36)}`],
  ['npm-token', uuid, whole`//registry.npmjs.org/:_auth|Token=`],
  ['pypi-token', whole`py|pi-AgE|IcHlwaS5vcmc${alnum(70)}`],
  ['rubygems-token', whole`ruby|gems_${hex(48)}`],
  ['clojars-token', whole`CLO|JARS_${alnum(60)}`],
  ['docker-token', whole`dc|kr_pat_${alnum(27)}`],
  ['sendgrid-key', whole`S|G.${alnum(22)}.${alnum(43)}`],
  ['twilio-key', whole`S|K${hex(32)}`],
  ['mailgun-key', whole`ke|y-${hex(32)}`],
  ['mailchimp-key', whole`${hex(32)}-u|s14`],
  ['brevo-key', whole`xkey|sib-${hex(64)}-${alnum(16)}`],
  ['resend-key', whole`r|e_${alnum(8)}_${alnum(24)}`],
  ['telegram-bot-token', whole`A|A${alnum(33)}`, whole`${digits(10)}:`],
  ['telegram-bot-token', alnum(35), `https://api.telegram.org/bot${digits(10)}:`],
  ['discord-bot-token', whole`MTAw${alnum(22)}.${alnum(6)}.${alnum(38)}`],
  ['discord-webhook', alnum(68), `https://discord.com/api/webhooks/${digits(18)}/`],
  ['digitalocean-token', whole`do|p_v1_${hex(64)}`],
  ['databricks-token', whole`da|pi${hex(32)}`],
  ['alibaba-key', whole`LT|AI${alnum(20)}`],
  ['tencent-key', whole`AK|ID${alnum(32)}`],
  ['azure-storage-key', whole`${alnum(86)}==`, whole`DefaultEndpointsProtocol=https;AccountName=x;Account|Key=`, ';'],
  ['azure-shared-access-key', whole`${alnum(43)}=`, whole`SharedAccess|Key=`],
  ['azure-sas', whole`${alnum(43)}%3D`, whole`?sv=2024&s|r=b&sig=`],
  ['azure-client-secret', `ab~8${'Q'}~${alnum(34)}`],
  ['azure-devops-token', whole`${alnum(76)}AZ|DO${alnum(4)}`],
  ['azure-key', whole`${alnum(52)}JQQ|J99${alnum(26)}`],
  ['heroku-key', whole`HR|KU-${alnum(60)}`],
  ['netlify-token', whole`nf|p_${alnum(36)}`],
  ['vercel-token', whole`vercel|_blob_rw_${alnum(48)}`],
  ['supabase-key', whole`sb|p_${hex(40)}`],
  ['supabase-key', whole`sb_|secret_${alnum(31)}`],
  ['planetscale-token', whole`psca|le_pw_${alnum(43)}`],
  ['fly-token', whole`fm|2_${alnum(120)}==`],
  ['deno-token', whole`dd|p_${alnum(36)}`],
  ['tailscale-key', whole`ts|key-auth-${alnum(12)}-${alnum(32)}`],
  ['pulumi-token', whole`pu|l-${hex(40)}`],
  ['doppler-token', whole`dp.|pt.${alnum(43)}`],
  ['terraform-token', whole`${alnum(14)}.atlas|v1.${alnum(67)}`],
  ['vault-token', whole`hv|s.${alnum(90)}`],
  ['openshift-token', whole`sha|256~${alnum(43)}`],
  ['1password-token', whole`ops|_eyJ${alnum(400)}`],
  ['1password-secret-key', whole`A|3-${[6, 11, 5, 5, 5].map(capitals).join('-')}`],
  ['age-secret-key', whole`AGE-|SECRET-KEY-1${capitals(58)}`],
  ['linear-key', whole`lin|_api_${alnum(40)}`],
  ['notion-token', whole`nt|n_${digits(11)}${alnum(35)}`],
  ['notion-token', whole`secr|et_${alnum(43)}`],
  ['postman-key', whole`PM|AK-${hex(24)}-${hex(34)}`],
  ['shopify-token', whole`shp|at_${hex(32)}`],
  ['square-token', whole`sq0|csp-${alnum(43)}`],
  ['braintree-token', whole`access_|token$production$${alnum(16)}$${hex(32)}`],
  ['atlassian-token', whole`ATA|TT3${alnum(180)}=${capitals(8)}`],
  ['bitbucket-token', whole`AT|BB${alnum(32)}`],
  ['figma-token', whole`fi|gd_${alnum(40)}`],
  ['dropbox-token', whole`s|l.${alnum(135)}`],
  ['contentful-token', whole`CF|PAT-${alnum(43)}`],
  ['grafana-token', whole`gl|sa_${alnum(32)}_${hex(8)}`],
  ['grafana-token', whole`gl|c_${alnum(60)}`],
  ['newrelic-key', whole`NR|AK-${capitals(27)}`],
  ['dynatrace-token', whole`dt0|c01.${capitals(24)}.${capitals(64)}`],
  ['sentry-token', whole`snt|rys_${alnum(80)}`],
  ['posthog-key', whole`ph|x_${alnum(43)}`],
  ['sourcegraph-token', whole`sg|p_${hex(40)}`],
  ['buildkite-token', whole`bk|ua_${alnum(40)}`],
  ['circleci-token', whole`CCI|PAT_${alnum(22)}_${hex(40)}`],
  ['jwt', whole`ey|J${alnum(33)}.ey|J${alnum(80)}.${alnum(43)}`],
  ['jwt', whole`ZXlKaGJH|Y2lPaU${alnum(90)}`],
  ['private-key', pem('PRIVATE KEY', '\n')],
  ['private-key', pem('RSA PRIVATE KEY', '\\n')],
  ['private-key', pem('OPENSSH PRIVATE KEY', '\n     7→')],
  ['private-key', pem('PGP PRIVATE KEY BLOCK', '\n+')],
  ['gcp-service-account-key', pem('PRIVATE KEY', '\\n'), '{"private_key": "', '"}'],
  ['putty-private-key', `\n${alnum(64)}\n${alnum(64)}`, whole`Private-|Lines: 2`, '\nPrivate-MAC'],
  ['authorization', whole`${alnum(24)}==`, 'curl -H "Authorization: Basic ', '"'],
  ['authorization', 'opaque-token-of-mine-9', "'authorization': 'Bearer ", "'"],
  ['authorization', alnum(32), 'AUTHORIZATION: '],
  ['bearer-token', alnum(40), 'the Bearer '],
  ['api-key-header', alnum(32), "-H 'X-API-Key: ", "'"],
  ['api-key-header', alnum(20), '"x-api-key": "', '"'],
  ['url-credentials', 'hunter2', 'postgres://app:', '@db:5432/x'],
  ['url-credentials', 'p%40ss', 'redis://:', '@localhost'],
]

const named = SAMPLES.map(([rule, secret, before = '', after = '']) => ({ rule, secret, before, after }))

describe('what is taken out', () => {
  test.each(named)('$rule is replaced and its surroundings stay', ({ rule, secret, before, after }) => {
    const around = [
      ['', ''],
      ['KEY=', '\nNEXT=1'],
      ['say "', '" again'],
      ['a line\\n', ' and more'],
      ['\u001b[32m', '\u001b[0m'],
    ]
    for (const [left, right] of around) {
      const text = `${left}${before}${secret}${after}${right}`
      expect(createRedactor().text(text)).toBe(`${left}${before}[REDACTED:${rule}]${after}${right}`)
    }
  })

  test('every rule has a sample here', () => {
    const covered = new Set(named.map((sample) => sample.rule))
    expect(redactionRules().filter((rule) => !covered.has(rule.name))).toEqual([])
  })

  test('every start is long enough to be looked for', () => {
    expect(
      redactionRules()
        .flatMap((rule) => rule.starts)
        .filter((start) => start.length < 3),
    ).toEqual([])
  })

  test('a private key that was cut off goes up to where it was cut', () => {
    const head = whole`-----BE|GIN EC PRIVATE KEY-----`
    const { text } = createRedactor()
    expect(text(`${head}\n${alnum(64)}\n${alnum(9)}`)).toBe('[REDACTED:private-key]')
    expect(text(`key: ${head}\\n${alnum(64)}\\n${alnum(30)}…`)).toBe('key: [REDACTED:private-key]…')
    expect(text(`${head}\n${alnum(64)}\n\nThat was the key.`)).toBe('[REDACTED:private-key]\n\nThat was the key.')
  })

  test('several secrets in one text all go', () => {
    const [a, b] = [whole`gh|p_${alnum(36)}`, whole`AK|IA${capitals(16)}`]
    expect(createRedactor().text(`${a} ${b},${a}`)).toBe(
      '[REDACTED:github-token] [REDACTED:aws-access-key-id],[REDACTED:github-token]',
    )
  })

  test('a token in the place of a user or a password in a URL leaves the URL whole', () => {
    const token = whole`gh|p_${alnum(36)}`
    const { text } = createRedactor()
    expect(text(`https://${token}@github.com/a/b`)).toBe('https://[REDACTED:github-token]@github.com/a/b')
    expect(text(`https://${token}:x-oauth@github.com`)).toBe(
      'https://[REDACTED:github-token]:[REDACTED:url-credentials]@github.com',
    )
    expect(text(`https://me:${token}@github.com`)).toBe('https://me:[REDACTED:url-credentials]@github.com')
  })

  test('text that is not ASCII is looked through like any other', () => {
    const secret = whole`gh|p_${alnum(36)}`
    expect(createRedactor().text(`日本語 ${secret}。`)).toBe('日本語 [REDACTED:github-token]。')
  })
})

describe('what stays', () => {
  const clean = [
    hex(40), // a git hash
    uuid,
    `"integrity": "sha512-${alnum(86)}=="`,
    `data:image/png;base64,iVBORw0KGgo${alnum(4000)}`,
    'task-list-with-many-words-in-its-name-1234567890abcdef1234567890abcdef',
    `disk-${hex(32)} risk-free desk-${alnum(40)} cache-key-${hex(32)} my-fc-${hex(32)}`,
    whole`ey|J.eyJ.x and eyJhbGci.eyJzdWIi.c2ln`,
    'version 1.2.3-rc.4+build.20250101 and 10.0.0.1:8080',
    'npm_config_registry npm_lifecycle_event hf_hub_download re_compile_pattern sk_learn_estimator',
    'https://localhost:3000/@vite/client http://host:8080/a@b git@github.com:org/repo.git',
    'postgres://${USER}:${PASSWORD}@host postgres://u:$DB_PASS@host https://u:***@host',
    'Authorization: Bearer ${token} | Authorization: `Bearer ${x}` | Authorization: Basic authentication',
    "headers: { Authorization: 'Bearer ' + token, 'x-api-key': process.env.KEY }",
    'the bearer of this letter, and bearer authentication/authorization in general',
    whole`if (text.startsWith('-----BE|GIN PRIVATE KEY-----') && text.endsWith('-----E|ND PRIVATE KEY-----')) {`,
    whole`-----BE|GIN CERTIFICATE-----\n${alnum(64)}\n-----E|ND CERTIFICATE-----`,
    `ssh-rsa AAAAB3NzaC1yc2E${alnum(300)}`,
    'AKIA is a prefix; AIza too; so is ghp_ and xoxb- and sk-ant- and glpat-',
    'xai-org/grok-build figd_ SG.Common.Name 12:AAB https://hooks.slack.com/services',
    '',
    'é'.repeat(100),
  ]
  test.each(clean)('%.60s', (text) => {
    const redactor = createRedactor()
    expect(redactor.text(text)).toBe(text)
    expect([...redactor.counts]).toEqual([])
  })
})

describe('redacting twice', () => {
  const fragments = [
    ...named.map(({ before, secret, after }) => before + secret + after),
    ...named.map(({ secret }) => secret.slice(0, 12)),
    ...redactionRules().flatMap((rule) => rule.starts.slice(0, 2)),
    '[REDACTED:jwt]',
    '://',
    '://u:',
    ':',
    '@host',
    'Authorization: Bearer ',
    'Authorization: ',
    ' ',
    '\n',
    '\\n',
    '-',
    '_',
    '.',
    'x',
    '9',
    '[0m',
    '→',
  ]

  test('changes nothing and counts nothing, whatever stands beside what', () => {
    const mixture = fc.array(fc.constantFrom(...fragments), { maxLength: 12 }).map((parts) => parts.join(''))
    const [first, again] = [createRedactor(), createRedactor()]
    fc.assert(
      fc.property(mixture, (text) => {
        const once = first.text(text)
        expect(again.text(once)).toBe(once)
        expect(again.counts.size).toBe(0)
      }),
      { numRuns: 5000, seed: 7 },
    )
    expect(first.counts.size).toBeGreaterThan(50)
  })
})

describe('json', () => {
  const secret = whole`gh|p_${alnum(36)}`

  test('values and keys are redacted at any depth, and only what changed is copied', () => {
    const untouched = { list: [1, null, true, 'plain'] }
    const input = { a: [{ b: `x ${secret}` }], [secret]: 1, untouched }
    const output = createRedactor().json(input)
    expect(output).toEqual({ a: [{ b: 'x [REDACTED:github-token]' }], '[REDACTED:github-token]': 1, untouched })
    expect((output as typeof input).untouched).toBe(untouched)
    expect(input.a[0]?.b).toContain(secret)
  })

  test('without a secret the very same value comes back', () => {
    const input: unknown = JSON.parse('{"a":[{"b":"c"},[],{}],"__proto__":{"x":1},"n":1.5}')
    expect(createRedactor().json(input)).toBe(input)
    expect(createRedactor().json(42)).toBe(42)
    expect(createRedactor().json(null)).toBeNull()
  })

  test('a key named __proto__ stays an ordinary key', () => {
    const output = createRedactor().json(JSON.parse(`{"__proto__":{"x":"${secret}"}}`))
    expect(JSON.stringify(output)).toBe('{"__proto__":{"x":"[REDACTED:github-token]"}}')
  })

  test('two secret keys do not become one', () => {
    const output = createRedactor().json({ [secret]: 1, [whole`gh|o_${alnum(36)}`]: 2 })
    expect(output).toEqual({ '[REDACTED:github-token]': 1, '[REDACTED:github-token]#2': 2 })
  })

  test('what is nested too deep to be looked through is not kept', () => {
    const deep = '['.repeat(50_000) + `"${secret}"${']'.repeat(50_000)}`
    const output = JSON.stringify(createRedactor().json(JSON.parse(deep)))
    expect(output).toContain('[REDACTED:too-deep]')
    expect(output).not.toContain(secret)
  })
})

test('secrets are counted per rule over the life of a redactor', () => {
  const redactor = createRedactor()
  const secret = whole`gh|p_${alnum(36)}`
  redactor.text(`${secret} ${secret}`)
  redactor.json({ a: secret, b: whole`https://u:|pw@h` })
  expect([...redactor.counts]).toEqual([
    ['github-token', 3],
    ['url-credentials', 1],
  ])
})

describe('work is linear', () => {
  /** Quadratic work on a megabyte takes minutes; a busy machine may be several times slower than the usual 0.1 s. */
  function millisecondsFor(text: string): number {
    const redactor = createRedactor()
    const started = performance.now()
    redactor.text(text)
    return performance.now() - started
  }

  const units = [
    'eyJ',
    'sk-',
    '-----BEGIN ',
    'https://a:',
    'AKIA',
    'AIza',
    'eyJ-',
    '.eyJ',
    'Authorization: Bearer ',
    'Bearer a1',
    `${'ey'}J${'a'.repeat(20)}.`,
    whole`-----BE|GIN PRIVATE KEY-----`,
    whole`-----BE|GIN PRIVATE KEY-----\n|ab `.repeat(3000),
  ]
  test.each(units)('on a line of a megabyte of %.40s', (unit) => {
    const line = unit.repeat(Math.ceil(1_000_000 / unit.length))
    expect(millisecondsFor(line)).toBeLessThan(1500)
    expect(millisecondsFor(`x${line}`)).toBeLessThan(1500)
  })

  test('on repeats of every start there is', () => {
    for (const start of new Set(redactionRules().flatMap((rule) => rule.starts))) {
      const line = start.repeat(Math.ceil(100_000 / start.length))
      expect(millisecondsFor(line), start).toBeLessThan(500)
    }
  })

  test('where a secret begins and never ends', () => {
    for (const head of [
      whole`-----BE|GIN PRIVATE KEY-----\n`,
      'https://a:',
      whole`ey|J`,
      whole`sk-|ant-`,
      'AccountKey=',
    ]) {
      for (const filler of ['a', ' ', 'a ', '\n', '-']) {
        expect(millisecondsFor(head + filler.repeat(1_000_000 / filler.length))).toBeLessThan(1500)
      }
    }
  })
})
