import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maker, samples, whole } from '../../test/kit/secrets.ts'
import { createRedactor } from './redact.ts'

const { hex, alnum, uuid, password, digits } = maker(2468)
const secret = alnum(32)

const redactor = createRedactor()
const redact = redactor.text
const gone = (text: string): boolean => !redact(text).includes(secret)

describe('a name gives its value away', () => {
  const names = [
    'API_KEY',
    'api_key',
    'api-key',
    'apiKey',
    'ApiKey',
    'apikey',
    'APIKEY',
    'OPENAI_API_KEY_2',
    'x.api.key',
    'ACCESS_TOKEN',
    'accessToken',
    'refresh-token',
    'GH_TOKEN',
    'token',
    'tokenV2',
    'id_token',
    'client_secret',
    'clientSecret',
    'SECRET',
    'secret_key_base',
    'SecretKey',
    'DJANGO_SECRET_KEY',

    'password',
    'PASSWORD',
    'Password',
    'DB_PASSWORD_PROD',
    'dbPassword',
    'passwd',
    'db_pwd',
    'SMTP_PASS',
    'passphrase',
    'private_key',
    'encryptionKey',
    'signing-key',
    'MASTER_KEY',
    'credentials',
    'credential',
    '_auth',
  ]
  const ways: readonly (readonly [string, (name: string) => string])[] = [
    ['.env', (name) => `A=1\n${name}=${secret}\nB=2`],
    ['.env in quotes', (name) => `${name}="${secret}"`],
    ['a shell', (name) => `export ${name}='${secret}' && run`],
    ['an escaped line', (name) => `"A=1\\n${name}=${secret}\\nB=2"`],
    ['JSON', (name) => `{"${name}": "${secret}", "b": 1}`],
    ['JSON in a string', (name) => `{\\"${name}\\":\\"${secret}\\"}`],
    ['JSON in a string in a string', (name) => `{\\\\\\"${name}\\\\\\":\\\\\\"${secret}\\\\\\"}`],
    ['YAML', (name) => `a:\n  ${name}: ${secret}\n  b: 1`],
    ['TOML', (name) => `[a]\n${name} = "${secret}"\n`],
    ['INI', (name) => `${name} = ${secret}`],
    ['code', (name) => `const ${name} = \`${secret}\``],
    ['code with a type', (name) => `let ${name}: &'static str = "${secret}";`],
    ['Python bytes', (name) => `${name} = b"${secret}"`],
    ['a hash', (name) => `'${name}' => '${secret}',`],
    ['Go', (name) => `${name} := "${secret}"`],
    ['a comparison', (name) => `if (${name} === "${secret}")`],
    ['a call', (name) => `setenv("${name}", "${secret}")`],
    ['a query', (name) => `GET /x?a=1&${name}=${secret}&b=2`],
    ['XML', (name) => `<${name}>${secret}</${name}>`],
    ['a list of variables', (name) => `{"name": "${name}", "value": "${secret}"}`],
    ['a list of variables in YAML', (name) => `- name: ${name}\n  value: ${secret}`],
    ['a coloured line', (name) => `${name}: \u001b[32m${secret}\u001b[0m`.replace('\u001b[32m', '')],
  ]
  test.each(ways)('in %s', (_, write) => {
    expect(names.filter((name) => !gone(write(name)))).toEqual([])
  })

  test('as an option of a command', () => {
    expect(
      ['--token', '--api-key', '--password', '--client-secret'].filter((o) => !gone(`run ${o} ${secret} x`)),
    ).toEqual([])
    expect(createRedactor().json(['run', '--api-key', secret, 'x'])).toEqual([
      'run',
      '--api-key',
      '[REDACTED:assigned-key]',
      'x',
    ])
  })

  test('a password is found although a person chose it', () => {
    const chosen = [
      password(),
      'hunter2',
      'S3cr3t!',
      'Tr0ub4dor&3',
      'correct-horse-battery-staple',
      'pa$$w0rd',
      'qWeRtYuIoPaSd',
    ]
    for (const value of chosen) {
      expect(redact(`DB_PASSWORD=${value}\n`)).toBe('DB_PASSWORD=[REDACTED:assigned-password]\n')
      expect(redact(`{"password":"${value}"}`)).toBe('{"password":"[REDACTED:assigned-password]"}')
    }
    expect(redact('password: hunter2\n')).toBe('password: [REDACTED:assigned-password]\n')
    expect(redact('PGPASSWORD=correcthorse psql')).toBe('PGPASSWORD=[REDACTED:assigned-password] psql')
    expect(redact(`"pin_password": "${digits(8)}"`)).toBe('"pin_password": "[REDACTED:assigned-password]"')
  })

  test('only the value goes', () => {
    expect(redact(`a API_KEY="${secret}" b`)).toBe('a API_KEY="[REDACTED:assigned-key]" b')
    expect(redact(`f(token=${secret}, 1)`)).toBe('f(token=[REDACTED:assigned-token], 1)')
  })

  test('what has a shape of its own is called by it', () => {
    expect(redact(whole`GITHUB_TOKEN=gh|p_${alnum(36)}`)).toBe('GITHUB_TOKEN=[REDACTED:github-token]')
    expect(redact(whole`"secret": "sk|_live_${alnum(24)}"`)).toBe('"secret": "[REDACTED:stripe-key]"')
  })

  test('a value that was cut off goes up to the cut', () => {
    expect(redact(`"token": "${secret}…`)).toBe('"token": "[REDACTED:assigned-token]…')
  })
})

describe('what stays', () => {
  const clean = [
    'password = getPassword()',
    'password: string',
    'token: string;',
    'secret?: string',
    'password: z.string().min(8)',
    'SECRET_KEY=${VAR}',
    'API_KEY=$OPENAI_API_KEY',
    'TOKEN=$(gh auth token)',
    'token: {{ secrets.TOKEN }}',
    'PASSWORD=%DB_PASS%',
    'apiKey: process.env.OPENAI_API_KEY',
    'token = os.environ["TOKEN1"]',
    'api_key=config.api_key2',
    'token: ${{ secrets.GH2 }}',
    'password: req.body.password',
    'this.password = password2',
    'foo(password=password1, x)',
    'secret = self.secret_v2',
    'max_tokens=4096',
    '"token_count": 123',
    'tokens: 12345678',
    '"total_tokens":1234567890123456',
    'max_output_tokens: 128000',
    'API_KEY=xxxxxxxxxxxxxxxxxxxx',
    'PASSWORD=changeme',
    'password: "changeme123"',
    'token: <your-token-here-1>',
    'API_KEY=your_api_key_1',
    '"password": "********"',
    'api_key: "sk-..."',
    'secret = "example-secret-1"',
    'PASSWORD=password',
    'DB_PASSWORD=postgres',
    '"password": "Password"',
    '"password": "Enter your password 2"',
    'type="password" id="field-12"',
    'autocomplete="current-password"',
    'secretName: my-app-tls-2',
    'secretKeyRef: db1-creds',
    'tokenUrl: "https://a.test/t0k3n"',
    'password_field = "pw_input_1"',
    'passwordMinLength: 12',
    'secrets: inherit',
    'tokenizer: "cl100k_base_v2_2024abc"',
    'secretary: "a1b2c3d4e5"',
    'passwordless: a1b2c3d4',
    'the secret: 42 things',
    'cache_key = "user-1234-profile-v2"',
    'PRIMARY_KEY=users_2024_id_seq',
    `PUBLIC_KEY=${alnum(40)}`,
    `cacheKey: "${alnum(32)}"`,
    `"key": "${alnum(32)}"`,
    'PWD=/home/sam2/code',
    'OLDPWD=/tmp/x1y2',
    'secret: /run/secrets/db1',
    'KEY_PATH=~/.ssh/id_rsa2',
    'api_key_file=./key1.txt',
    'nextPageToken: "CAEQAA1b2c3d4e5f6g7h8"',
    'token: 2024-01-15T10:00:00Z',
    'password_changed: 2024-01-15',
    'secret: v1.2.3-rc4',
    '<li key={`row-1a2b`}>',
    'PASS: src/foo2.test.ts',
    'pass: 12',
    'onKeyDown={handle1}',
    'Object.keys(token1)',
    '.css-1q2w3e4r5t{}',
    `commit ${hex(40)}`,
    `"id": "${uuid()}"`,
    `"integrity": "sha512-${alnum(86)}=="`,
    `integrity sha512-${alnum(86)}==`,
    `token: sha256-${alnum(43)}=`,
    `<img src="data:image/png;base64,${alnum(2000)}">`,
    'function a(b,c){return b.token=c.token||d.secret,e.password=f(c.password),this.apiKey=g.h}',
    'INSERT INTO users (password, token) VALUES (?, ?)',
    'the bearer token: see docs/auth-tokens-2.md',
    'compass: N45.123',
    'bypass: "route-66a"',
    'Culture=neutral, PublicKeyToken=b03f5f7f11d50a3a',
    'GPG_KEY=7169605F62C751356D054A26A821E680E5FA6305',
    'GITHUB_PATH=/home/sam1/bin _PATH: a1b2c3d4e5f6g7h8i9',
    '| password | varchar60 | not null |',
    'Ed25519PrivateKey|Ed25519PublicKey|Ed448PrivateKey',
    'password_salt_rounds: 12',
    'the password is stored as sha256-hashed text',
    'password for sam@mail1.example.org: ',
    'resetPassword("newValue1")',
    't("password", "enter8chars")',
    'type="password" id="field-12" name="x1"',
    'client_secret: &client_secret_2 {}',
    `unknown token ${hex(7)} in line 3`,
    `secret/api-${hex(9)}-x2x4z was created`,
    'credentials: "same-origin"',
    '"auth": "required"',
  ]
  test.each(clean)('%.70s', (text) => {
    expect(redact(text)).toBe(text)
  })
})

describe('json', () => {
  test('the key of an object gives its value away', () => {
    const given = {
      password: 'hunter2',
      env: { API_KEY: secret, HOME: '/home/sam' },
      headers: { Authorization: `Bearer ${alnum(12)}9`, 'x-api-key': alnum(20) },
      list: [{ name: 'DB_PASSWORD', value: 'hunter2' }],
      SecretAccessKey: alnum(40),
      max_tokens: '4096',
      token: 12,
    }
    expect(createRedactor().json(given)).toEqual({
      password: '[REDACTED:assigned-password]',
      env: { API_KEY: '[REDACTED:assigned-key]', HOME: '/home/sam' },
      headers: { Authorization: 'Bearer [REDACTED:authorization]', 'x-api-key': '[REDACTED:api-key-header]' },
      list: [{ name: 'DB_PASSWORD', value: '[REDACTED:assigned-password]' }],
      SecretAccessKey: '[REDACTED:aws-secret-key]',
      max_tokens: '4096',
      token: 12,
    })
  })

  const HINTS = ['Secret', 'oct', 'DB_PASSWORD', 'api_key', '--password']

  test('what stands beside a value gives it away', () => {
    expect(
      createRedactor().json({
        outputs: { db_password: { type: 'string', value: 'hunter2' } },
        env: [{ ParameterKey: 'DbPassword', ParameterValue: 'hunter2' }, ['DB_PASSWORD', 'hunter2']],
        manifest: { kind: 'Secret', data: { conn: 'c2FtOmh1bnRlcjI=' }, metadata: { name: 'db' } },
        headers: { 'set-cookie': ['theme=dark', `sid=${secret}`] },
        login: { username: 'sam', key: hex(32) },
      }),
    ).toEqual({
      outputs: { db_password: { type: 'string', value: '[REDACTED:assigned-password]' } },
      env: [
        { ParameterKey: 'DbPassword', ParameterValue: '[REDACTED:assigned-password]' },
        ['DB_PASSWORD', '[REDACTED:assigned-password]'],
      ],
      manifest: { kind: 'Secret', data: '[REDACTED:kubernetes-secret]', metadata: { name: 'db' } },
      headers: { 'set-cookie': ['theme=dark', '[REDACTED:cookie]'] },
      login: { username: 'sam', key: '[REDACTED:assigned-key]' },
    })
  })

  test('written down after it was redacted, nothing is left to find', () => {
    const texts = samples(77).map(([, value, before = '', after = '']) => before + value + after)
    const text = fc.constantFrom(
      ...texts,
      ...samples(78).map(([, value]) => value),
      'plain',
      '"',
      '\\',
      '\n',
      '',
      ...HINTS,
    )
    const names = [
      'password name value apiKey env x token Authorization content kind data username key default k kty set-cookie',
      'DB_PASSWORD ParameterKey ParameterValue',
    ]
    const key = fc.constantFrom(...names.flatMap((line) => line.split(' ')))
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(tree, (value) => {
        const written = JSON.stringify(redactor.json(value))
        expect(redact(written)).toBe(written)
      }),
      { numRuns: 2000, seed: 11 },
    )
  })
})
