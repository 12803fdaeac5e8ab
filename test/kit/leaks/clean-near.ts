import { B64, chars, DIGITS, HEX, LOWER, pick, type Random } from './random.ts'

/** Near what is taken out, and not secret. */
export const CLEAN_NEAR: readonly (readonly [kind: string, make: (r: Random) => string])[] = [
  ['mcp config', () => '{"env":{"API_KEY":"${API_KEY}","TOKEN":"<your token>"}}'],
  [
    'pod spec',
    (r) =>
      `    - name: TOKEN\n      valueFrom:\n        secretKeyRef: { name: app-${chars(r, LOWER, 5)}, key: token }\n`,
  ],
  ['hash in prose', (r) => `the commit ${chars(r, HEX, 40)} is the fix for the token refresh`],
  ['digest', (r) => `ghcr.io/acme/web@sha256:${chars(r, HEX, 64)} is the image for the password service`],
  ['trace id', (r) => `{"traceId":"${chars(r, HEX, 32)}","token":"present","key":"user:${chars(r, DIGITS, 5)}"}`],
  ['csv of settings', () => 'name,value\nTOKEN_TTL,3600\nPASSWORD_MIN,12\nSECRET_NAME,prod/web/database\n'],
  [
    'table of types',
    () => '| column | type |\n|---|---|\n| password | varchar255 |\n| api_key | char(64) |\n| token | text |\n',
  ],
  ['c#', () => 'private readonly string password = @"C:\\temp\\file";\nvar token = $"{user}-{id}";\n'],
  [
    'nullish',
    () =>
      'const token = options.token ?? process.env.TOKEN\nthis.apiKey ||= defaultKey\npassword ??= await prompt("Password?")\n',
  ],
  ['fence below', () => 'Set the token:\n\n```\nexport TOKEN=$(gh auth token)\n```\n'],
  ['fence with a name', () => 'password:\n\n```ts\nconst password = await ask()\n```\n'],
  [
    'french',
    (r) =>
      pick(r, [
        'Le token est valide pendant une heure.',
        'Le mot de passe est obligatoire.',
        'La clé est enregistrée dans le coffre.',
      ]),
  ],
  [
    'german',
    (r) =>
      pick(r, [
        'Das Passwort ist falsch.',
        'Der Token ist abgelaufen.',
        'Das Passwort des Benutzers lautet nicht wie erwartet.',
        'Kennwort ist erforderlich',
      ]),
  ],
  ['japanese', (r) => pick(r, ['トークンは有効です。', 'パスワードは必須です', 'TOKEN は環境変数です。'])],
  [
    'as the',
    (r) =>
      pick(r, [
        'use the file name as the key for the cache',
        'pass session.accessToken as the token',
        'we treat the e-mail as the password hint',
        'user-service is the token issuer',
        'process.env.API_KEY is the secret for the worker',
      ]),
  ],
  ['recovery', () => 'Recovery codes: keep them in a safe place, two-factor needs one-time codes.\n'],
  [
    'log in',
    (r) =>
      pick(r, [
        'log in as admin / guest',
        'Sign in with GitHub / Google',
        'credentials: see docs / README',
        'login page: src/pages / login.tsx',
      ]),
  ],
  [
    'base64 lines',
    (r) => `-----BEGIN CERTIFICATE-----\\n${chars(r, B64, 64)}\\n${chars(r, B64, 64)}\\n-----END CERTIFICATE-----\\n`,
  ],
  [
    'pgp in json',
    (r) =>
      JSON.stringify({
        sig: `-----BEGIN PGP SIGNATURE-----\n\n${chars(r, B64, 64)}\n${chars(r, B64, 64)}\n=${chars(r, B64, 4)}\n-----END PGP SIGNATURE-----`,
      }),
  ],
  [
    'vendor like',
    (r) =>
      `user_api_client_test order_live_view_component ${chars(r, LOWER, 8)}_api_${chars(r, LOWER, 26)} stripe_live_mode_enabled_for_account`,
  ],
  ['paths', (r) => `src/api/e2b_client.py tests/llx-fixtures.json /var/lib/AQ.Archive/${chars(r, LOWER, 30)}`],
  [
    'phrases',
    () => 'passwords:\n  - ask-the-user-first\n  - never-print\npassword_reset_flow: send-mail-then-confirm\n',
  ],
  ['xml', () => '<password>${env.PASSWORD}</password><token>{{ token }}</token><apiKey/>'],
  ['setters', () => 'client.setPassword(password); api.setToken(await getToken()); cfg.SetSecret(secret.Value)\n'],
  [
    'go struct',
    () => 'type Config struct {\n\tPassword string `json:"password"`\n\tAPIKey   string `env:"API_KEY,required"`\n}\n',
  ],
]
