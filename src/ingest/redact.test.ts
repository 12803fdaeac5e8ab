import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redactionRules } from './redact-rules.ts'
import { createRedactor, namedRules } from './redact.ts'
import { maker, samples, whole } from '../../test/kit/secrets.ts'

const { hex, alnum, capitals, uuid: newUuid } = maker(54321)
const uuid = newUuid()
const SAMPLES = samples()
const RULES = [...redactionRules(), ...namedRules()]

const named = SAMPLES.map(([rule, secret, before = '', after = '']) => ({ rule, secret, before, after }))

describe('what is taken out', () => {
  test.each(named)('$rule is replaced and its surroundings stay', ({ rule, secret, before, after }) => {
    const around = [
      ['', ''],
      ['KEY=', '\nNEXT=1'],
      ['say "', '" again'],
      ['a line\\n', ' and more'],
      ['\u001b[32m', '\u001b[0m'],
      ['<note>', '</note>'],
    ]
    for (const [left, right] of around) {
      const text = `${left}${before}${secret}${after}${right}`
      expect(createRedactor().text(text)).toBe(`${left}${before}[REDACTED:${rule}]${after}${right}`)
    }
  })

  test('every rule has a sample here', () => {
    const covered = new Set(named.map((sample) => sample.rule))
    expect(RULES.filter((rule) => !covered.has(rule.name))).toEqual([])
  })

  test('every start is long enough to be looked for', () => {
    expect(RULES.flatMap((rule) => rule.starts).filter((start) => start.length < 3)).toEqual([])
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
      'https://[REDACTED:github-token]:[REDACTED:url-password]@github.com',
    )
    expect(text(`https://me:${token}@github.com`)).toBe('https://me:[REDACTED:url-password]@github.com')
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
    whole`LS0tLS1CR|UdJTiBDRVJUSUZJQ0FURS0tLS0t${alnum(200)}`, // a certificate as base64
    `"result": "${alnum(24)}"`,
    `https://x.test/?page=2&key=name&sort=createdAt&code=200&sig=none`,
    `kind: ConfigMap\ndata:\n  conn: ${alnum(32)}`,
    `sort -u names:2025x && docker run -p 8080:80 -u 1000:1000 img && mkdir -p src/Login2`,
    'requests.get(u, auth=(user, password)) && server.login(user, password)',
    `echo hello2world | grep 2w && echo a1b2c3d4 | base64`,
    'AUTH LOGIN, AUTH required, AUTH_KEY is unset; net.Dial("tcp"), user:group@tcp4',
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
    ...RULES.flatMap((rule) => rule.starts.slice(0, 2)),
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
    ['url-password', 1],
  ])
})
