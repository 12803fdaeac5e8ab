import {
  ALNUM,
  B64,
  DIGITS,
  LOWER,
  URLSAFE,
  chars,
  day,
  hex,
  many,
  num,
  pick,
  uuid,
  word,
  type Random,
} from './random.ts'

/** Text in which nothing is secret: forms, words about secrets, settings that only name them. */
export const CLEAN_TEXTS: readonly (readonly [kind: string, make: (r: Random) => string])[] = [
  [
    'spanish and portuguese',
    (r) =>
      pick(r, [
        'La contraseña es obligatoria y debe cambiarse cada año.',
        'A senha está incorreta; tente novamente mais tarde.',
        'contraseña: mínimo ocho caracteres',
        'El token es válido durante una hora.',
      ]) + ` ${word(r)}`,
  ],
  [
    'cjk prose',
    (r) =>
      pick(r, [
        'パスワードは八文字以上で入力してください。',
        '密码：请输入至少八位字符',
        'トークンの有効期限は一時間です。',
        '비밀번호는 여덟 자 이상이어야 합니다.',
        '令牌已过期，请重新登录。',
      ]) + word(r),
  ],
  [
    'readme table',
    (r) =>
      `| variable | default | meaning |\n|---|---|---|\n| \`API_KEY\` | none | key of the ${word(r)} service |\n| \`DB_PASSWORD\` | \`postgres\` | password of the database |\n| \`TOKEN_TTL\` | \`3600\` | seconds |\n| \`SECRET_NAME\` | \`prod/web/db\` | where the secret lies |\n`,
  ],
  [
    'actions',
    (r) =>
      `      - uses: actions/checkout@${hex(r, 40)} # v4\n      - run: npm publish\n        env:\n          NODE_AUTH_TOKEN: \${{ secrets.NPM_TOKEN }}\n          DB_PASSWORD: \${{ secrets.DB_PASSWORD }}\n        with:\n          token: \${{ github.token }}\n`,
  ],
  [
    'terraform references',
    (r) =>
      `resource "aws_db_instance" "${word(r)}" {\n  username = var.db_user\n  password = random_password.db.result\n  kms_key_id = aws_kms_key.main.arn\n}\nvariable "db_password" {\n  type      = string\n  sensitive = true\n}\noutput "secret_arn" {\n  value = aws_secretsmanager_secret.db.arn\n}`,
  ],
  [
    'k8s references',
    (r) =>
      `        env:\n        - name: DB_PASSWORD\n          valueFrom:\n            secretKeyRef:\n              name: ${word(r)}-db\n              key: password\n        - name: TOKEN_PATH\n          value: /var/run/secrets/kubernetes.io/serviceaccount/token\n`,
  ],
  [
    'errors',
    (r) =>
      pick(r, [
        'Error: Invalid password',
        "fatal: Authentication failed for 'https://github.com/acme/web.git/'",
        'password authentication failed for user "app"',
        'npm error code E401: Unable to authenticate, your authentication token seems to be invalid.',
        'SyntaxError: Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON',
        "KeyError: 'api_key'",
        'jwt malformed: expected 3 segments',
        'ERROR: missing required option --password',
        'AccessDenied: The security token included in the request is invalid',
      ]) + ` (${word(r)} ${num(r, 3)})`,
  ],
  [
    'help output',
    (r) =>
      `Usage: acme ${word(r)} [options]\n\n  -u, --user <name>        user\n  -p, --password <value>   password (default: ask)\n      --token <token>      token, or ACME_TOKEN\n      --api-key=KEY        key of the API\n      --secret-file PATH   file that holds the secret\n      --max-tokens N       most tokens (default ${num(r, 4)})\n`,
  ],
  [
    'usage figures',
    (r) =>
      JSON.stringify({
        model: 'claude-opus-4-1',
        usage: {
          input_tokens: Number(num(r, 5)),
          output_tokens: Number(num(r, 4)),
          cache_read_input_tokens: Number(num(r, 6)),
          token_count: 12,
        },
        id: `msg_01${chars(r, ALNUM, 22)}`,
        request_id: `req_011${chars(r, ALNUM, 21)}`,
      }),
  ],
  [
    'tool ids',
    (r) =>
      JSON.stringify({
        type: 'tool_use',
        id: `toolu_01${chars(r, ALNUM, 22)}`,
        name: 'Read',
        input: { file_path: `/home/sam/${word(r)}/token.ts` },
        call_id: `call_${chars(r, ALNUM, 24)}`,
        item: `rs_${hex(r, 48)}`,
      }),
  ],
  [
    'ssh public',
    (r) =>
      `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${chars(r, B64, 43)} sam@laptop\n256 SHA256:${chars(r, B64, 43)} sam@laptop (ED25519)\n`,
  ],
  [
    'certificate',
    (r) =>
      `-----BEGIN CERTIFICATE-----\n${many(r, 8, () => chars(r, B64, 64))}\n-----END CERTIFICATE-----\n-----BEGIN PUBLIC KEY-----\n${chars(r, B64, 64)}\n${chars(r, B64, 40)}==\n-----END PUBLIC KEY-----\n`,
  ],
  [
    'pgp signature',
    (r) =>
      `-----BEGIN PGP SIGNATURE-----\n\n${many(r, 5, () => chars(r, B64, 64))}\n=${chars(r, B64, 4)}\n-----END PGP SIGNATURE-----\n`,
  ],
  [
    'headers',
    (r) =>
      `HTTP/2 200\ncontent-type: application/json\netag: W/"${hex(r, 32)}"\nx-request-id: ${uuid(r)}\nx-amz-cf-id: ${chars(r, URLSAFE, 54)}==\ncf-ray: ${hex(r, 16)}-FRA\nx-ratelimit-remaining-tokens: ${num(r, 5)}\n`,
  ],
  [
    'queries',
    (r) =>
      `https://example.net/${word(r)}?page_token=&pageSize=50&utm_source=mail&v=${hex(r, 8)}&id=${uuid(r)}&sort=token\nhttps://www.youtube.com/watch?v=${chars(r, URLSAFE, 11)}&t=${num(r, 2)}\n`,
  ],
  [
    'secret scanners',
    (r) =>
      `[[rules]]\nid = "acme-${word(r)}"\nregex = '''(?i)sk-ant-api03-[a-z0-9_\\-]{93}AA'''\nkeywords = ["sk-ant-", "password", "api_key"]\n\nconst PATTERNS = [/ghp_[A-Za-z0-9]{36}/, /AKIA[0-9A-Z]{16}/, /xox[abp]-[\\w-]+/]\n`,
  ],
  [
    'css',
    (r) =>
      many(
        r,
        4,
        () =>
          `.${word(r)}-${chars(r, LOWER, 5)}_${chars(r, ALNUM, 5)} { color: #${hex(r, 6)}; background: url(/_next/static/media/${hex(r, 16)}.p.woff2); }`,
      ),
  ],
  [
    'build output',
    (r) =>
      many(
        r,
        4,
        () =>
          `dist/assets/${word(r)}-${chars(r, URLSAFE, 8)}.js   ${num(r, 2)}.${num(r, 2)} kB │ gzip: ${num(r, 1)}.${num(r, 2)} kB`,
      ),
  ],
  [
    'test output',
    (r) =>
      ` ✓ src/auth/password.test.ts (${num(r, 2)} tests) ${num(r, 3)}ms\n   ✓ rejects a wrong password\n   ✓ token: expires after ${num(r, 4)} s\n ❯ src/secret.test.ts > secret: is masked in the log\n     → expected 'password' to be '[hidden]'\n`,
  ],
  [
    'blame',
    (r) =>
      many(
        r,
        3,
        (i) =>
          `${chars(r, '0123456789abcdef', 8)} (Sam ${day(r)} 10:00:00 +0200 ${num(r, 2)}) const token${i} = useToken('${word(r)}')`,
      ),
  ],
  [
    'grep of code',
    (r) =>
      `src/auth.ts:${num(r, 2)}:  const password = form.get('password')\nsrc/auth.ts-${num(r, 2)}-  const apiKey = settings.apiKey ?? ''\nsrc/kit.ts:${num(r, 3)}:export const TOKEN_HEADER = 'x-auth-token'\nsrc/kit.ts:${num(r, 3)}:const secretName = 'prod/${word(r)}/database'\n`,
  ],
  [
    'data with ids',
    (r) =>
      `id,order_id,commit,amount\n${many(r, 3, () => `${num(r, 4)},ord_${chars(r, ALNUM, 14)},${hex(r, 40)},${num(r, 2)}.50`)}\n`,
  ],
  [
    'ulids and nanoids',
    (r) => many(r, 4, () => `${word(r)}_${chars(r, '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 26)} ${chars(r, URLSAFE, 21)}`),
  ],
  [
    'graphql',
    (r) =>
      `mutation Login($email: String!, $password: String!) {\n  login(email: $email, password: $password) {\n    token\n    refreshToken\n    user { id ${word(r)} }\n  }\n}`,
  ],
  [
    'paths',
    (r) =>
      many(
        r,
        3,
        () =>
          `/home/sam/code/web/node_modules/.pnpm/jsonwebtoken@9.0.2_${chars(r, LOWER + DIGITS, 26)}/node_modules/${word(r)}/token.js`,
      ),
  ],
  [
    'nix and homebrew',
    (r) =>
      `/nix/store/${chars(r, '0123456789abcdfghijklmnpqrsvwxyz', 32)}-nodejs-22.${num(r, 1)}.0/bin/node\nsha256 "${hex(r, 64)}"\nhash = "sha256-${chars(r, B64, 43)}=";\n`,
  ],
  [
    'csp and sri',
    (r) =>
      `content-security-policy: script-src 'nonce-{{nonce}}' 'sha256-${chars(r, B64, 43)}='\n<script src="/a.js" integrity="sha384-${chars(r, B64, 64)}" crossorigin="anonymous"></script>`,
  ],
  [
    'chat about the flow',
    (r) =>
      pick(r, [
        'can you make the password field required and show the token count below?',
        'the secret is loaded in config.ts, pass it through to the worker',
        'why does the api key test fail when the token is empty?',
        'rename apiKey to accessKey everywhere, and password to passphrase',
        'add a --token option; the default is the environment',
      ]) + ` it is in ${word(r)}.ts line ${num(r, 2)}`,
  ],
  ['ls -la', (r) => many(r, 4, () => `-rw-r--r--  1 sam sam ${num(r, 5)} Nov  3 10:01 ${word(r)}-${hex(r, 8)}.log`)],
  ['hexdump', (r) => many(r, 3, (i) => `0000${i}0: ${many(r, 8, () => hex(r, 4), ' ')}  ................`)],
  [
    'redacted before',
    (r) =>
      `API_KEY=********\n"password": "[FILTERED]",\ntoken: <hidden>\nauthorization: Bearer ***\nsecret=•••••••• ${word(r)}\n`,
  ],
  [
    'numbers by name',
    (r) =>
      `max_tokens: ${num(r, 5)}\ntokenBudget = ${num(r, 4)}\npassword_min_length=12\nsecret_rotation_days: 90\nkey_size = 4096\nTOKEN_LIMIT=${num(r, 6)}\n`,
  ],
  [
    'cookies code',
    (r) =>
      `res.cookie('session', token, { httpOnly: true, sameSite: 'lax' })\ndocument.cookie = \`theme=\${theme}; path=/\`\nconst { sid } = parseCookies(req.headers.cookie) // ${word(r)}`,
  ],
]
