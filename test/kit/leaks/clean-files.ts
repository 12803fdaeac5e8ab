import { ALNUM, B64, LOWER, b64, chars, day, hex, many, num, pick, uuid, word, type Random } from './random.ts'

/** Text in which nothing is secret: what tools print, lock files, code. */
export const CLEAN_FILES: readonly (readonly [kind: string, make: (r: Random) => string])[] = [
  [
    'git log',
    (r) =>
      many(
        r,
        4,
        () =>
          `commit ${hex(r, 40)}\nAuthor: Sam <sam@example.net>\nDate:   ${day(r)}\n\n    ${word(r)}: token refresh keeps the session\n`,
      ),
  ],
  ['git log --oneline', (r) => many(r, 6, () => `${hex(r, 7)} ${word(r)}: password field is masked (#${num(r, 3)})`)],
  [
    'git diff of auth code',
    (r) =>
      `diff --git a/src/${word(r)}.ts b/src/${word(r)}.ts\nindex ${hex(r, 7)}..${hex(r, 7)} 100644\n@@ -${num(r, 2)},4 +${num(r, 2)},4 @@ export class Auth {\n-  const token = await this.tokens.refresh(user.id)\n+  const token = await this.tokens.refreshFor(user)\n   if (password !== undefined) check(password)\n-  this.secret = options.secret\n+  this.secret = options.secret ?? defaults.secret\n`,
  ],
  [
    'npm lock',
    (r) =>
      JSON.stringify(
        {
          [`node_modules/${word(r)}-kit`]: {
            version: `${num(r, 1)}.${num(r, 1)}.${num(r, 2)}`,
            resolved: `https://registry.npmjs.org/${word(r)}-kit/-/${word(r)}-kit-1.2.3.tgz`,
            integrity: `sha512-${chars(r, B64, 86)}==`,
            license: 'MIT',
          },
        },
        null,
        2,
      ),
  ],
  [
    'yarn lock',
    (r) =>
      `"@acme/${word(r)}@^1.0.0":\n  version "1.4.2"\n  resolved "https://registry.yarnpkg.com/@acme/x/-/x-1.4.2.tgz#${hex(r, 40)}"\n  integrity sha512-${chars(r, B64, 86)}==\n`,
  ],
  [
    'pnpm lock',
    (r) =>
      `  jsonwebtoken@9.0.${num(r, 1)}:\n    resolution: {integrity: sha512-${chars(r, B64, 86)}==}\n    engines: {node: '>=12', npm: '>=6'}\n`,
  ],
  [
    'cargo lock',
    (r) =>
      `[[package]]\nname = "secrecy"\nversion = "0.10.${num(r, 1)}"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "${hex(r, 64)}"\n`,
  ],
  [
    'go.sum',
    (r) =>
      `github.com/golang-jwt/jwt/v5 v5.2.${num(r, 1)} h1:${chars(r, B64, 43)}=\ngithub.com/golang-jwt/jwt/v5 v5.2.${num(r, 1)}/go.mod h1:${chars(r, B64, 43)}=\n`,
  ],
  [
    'uv lock',
    (r) =>
      `    { url = "https://files.pythonhosted.org/packages/${hex(r, 2)}/${hex(r, 2)}/${hex(r, 60)}/keyring-25.6.0.tar.gz", hash = "sha256:${hex(r, 64)}", size = ${num(r, 5)} },`,
  ],
  [
    'uuids in a log',
    (r) =>
      many(
        r,
        3,
        () =>
          `${day(r)}T10:00:00Z INFO request id=${uuid(r)} trace=${hex(r, 32)} span=${hex(r, 16)} user=${num(r, 5)} took ${num(r, 2)}ms`,
      ),
  ],
  [
    'image as data url',
    (r) => `<img alt="logo" src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${chars(r, B64, 400)}==">`,
  ],
  [
    'bare base64 image',
    (r) =>
      JSON.stringify({
        type: 'image',
        source: { type: 'base64', media_type: 'image/jpeg', data: `/9j/4AAQSkZJRgABAQ${chars(r, B64, 600)}` },
      }),
  ],
  [
    'base64 of plain text',
    (r) =>
      `content: ${b64(`# ${word(r)}\n\nThis page tells how the ${word(r)} service is built and how to run its tests.\n`)}`,
  ],
  [
    'minified js',
    (r) =>
      `!function(e,t){"object"==typeof exports?module.exports=t():e.${chars(r, LOWER, 2)}=t()}(this,function(){var n=e=>{let{token:t,password:o}=e;return fetch("/${word(r)}",{method:"POST",headers:{authorization:"Bearer "+t},body:JSON.stringify({password:o})})};return n});`,
  ],
  [
    'source map',
    (r) =>
      `{"version":3,"sources":["../src/token.ts","../src/password.ts"],"names":["token","password"],"mappings":"${many(r, 20, () => chars(r, ALNUM + '+/', 4), ',')};${many(r, 12, () => chars(r, ALNUM, 5), ',')}"}`,
  ],
  ['sha256sum', (r) => many(r, 3, () => `${hex(r, 64)}  dist/${word(r)}.tar.gz`)],
  [
    'docker images',
    (r) =>
      `REPOSITORY  TAG  IMAGE ID  CREATED  SIZE\nacme/web  1.4  ${hex(r, 12)}  2 days ago  241MB\nacme/web@sha256:${hex(r, 64)}\n`,
  ],
  [
    'pods',
    (r) =>
      many(
        r,
        3,
        () =>
          `${word(r)}-${chars(r, 'bcdfghjklmnpqrstvwxz2456789', 10)}-${chars(r, 'bcdfghjklmnpqrstvwxz2456789', 5)}   1/1   Running   0   ${num(r, 1)}d`,
      ),
  ],
  [
    'dummy fixture',
    (r) =>
      `const user = { email: 'ann@example.net', password: '${pick(r, ['changeme-example', 'changeme', 'password', 'secret', 'test', 'example-password', 'your-password-here', 'dummy-password', 'password123-example'])}', apiKey: '${pick(r, ['your-api-key', 'YOUR_API_KEY', 'test-key', 'xxx', '<api-key>', 'fake-api-key', 'dummy'])}' }`,
  ],
  [
    'dummy token',
    (r) =>
      `expect(parse('Authorization: Bearer ${pick(r, ['token', 'my-token', 'test-token', '<token>', 'YOUR_TOKEN', 'invalid', 'fake_token', '${token}'])}')).toEqual({ scheme: 'Bearer' })`,
  ],
  [
    'env example',
    (r) =>
      `PORT=${num(r, 4)}\nDATABASE_URL=postgres://user:password@localhost:5432/app\nJWT_SECRET=${pick(r, ['change-me', 'your-secret-here', '<generate with openssl>', 'replace_me', ''])}\nAPI_KEY=${pick(r, ['xxxxxxxxxxxxxxxx', 'your_api_key', '...', ''])}\nSESSION_SECRET=\${SESSION_SECRET}\n`,
  ],
  [
    'types',
    (r) =>
      `export interface ${pick(r, ['Login', 'Signup', 'Reset'])}Request {\n  readonly email: string\n  readonly password: string\n  readonly passwordConfirmation?: string\n  readonly token: Token | null\n  apiKey: ApiKey<'${word(r)}'>\n  clientSecret(): Promise<string>\n}`,
  ],
  [
    'python handling',
    (r) =>
      `def ${word(r)}(password: str, token: Optional[str] = None) -> bool:\n    secret = os.environ["APP_SECRET"]\n    hashed = bcrypt.hashpw(password.encode(), bcrypt.gensalt(${num(r, 2)}))\n    api_key = config.get("api_key")\n    if not hmac.compare_digest(token, secret):\n        raise InvalidToken(f"bad token for {user.id}")\n    return check_password(user, password)\n`,
  ],
  [
    'go handling',
    (r) =>
      `func (s *Server) Login(ctx context.Context, password string) (token string, err error) {\n\tsecret := os.Getenv("JWT_SECRET")\n\tif password == "" {\n\t\treturn "", ErrPasswordRequired\n\t}\n\ttoken, err = s.signer.Sign(claims, []byte(secret))\n\tlog.Printf("${word(r)} token=%s", token)\n\treturn\n}`,
  ],
  [
    'java handling',
    (r) =>
      `public void setPassword(String password) {\n    this.password = passwordEncoder.encode(password);\n}\nprivate String apiKey = System.getenv("API_KEY"); // ${word(r)}\n@Value("\${spring.datasource.password}") String dbPassword;\n`,
  ],
  [
    'sql ddl',
    (r) =>
      `CREATE TABLE ${word(r)}s (\n  id uuid PRIMARY KEY,\n  password_hash text NOT NULL,\n  api_token varchar(64) UNIQUE,\n  reset_token_expires_at timestamptz,\n  secret bytea DEFAULT NULL\n);\nCREATE INDEX ON ${word(r)}s (api_token);`,
  ],
  [
    'openapi',
    (r) =>
      `      properties:\n        password:\n          type: string\n          format: password\n          minLength: ${num(r, 1)}\n        access_token:\n          type: string\n          description: The token for ${word(r)}.\n        token_type:\n          type: string\n          example: bearer\n`,
  ],
  [
    'translations',
    () =>
      JSON.stringify({
        'login.password': 'Passwort',
        'login.password.hint': 'Mindestens acht Zeichen',
        'login.forgot': 'Mot de passe oublié ?',
        token: 'Zugangstoken',
        secret: 'Geheimnis',
        'api_key.title': 'Clé API',
        senha: 'Digite sua senha',
        'password.placeholder': '••••••••',
      }),
  ],
  [
    'login form',
    (r) =>
      `<form action="/${word(r)}" method="post"><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" placeholder="Enter your password" required><input type="hidden" name="csrf_token" value="{{ csrf_token() }}"></form>`,
  ],
  [
    'prose about secrets',
    (r) =>
      pick(r, [
        'The password is never stored; only its hash is, and the token expires after an hour.',
        'We rotate every API key each quarter. A secret must not be committed, not even in tests.',
        'If the access token is invalid the server answers with 401 and the client asks for a new one.',
        'Set the password with `passwd`, then copy the token from the settings page into your shell.',
        'The secret is to start early. A password manager helps more than a rule about characters.',
        'Is the token is wrong or the key missing? The log only says "unauthorized".',
      ]) + ` (${word(r)}, ${day(r)})`,
  ],
  [
    'german prose',
    (r) =>
      pick(r, [
        'Das Passwort ist abgelaufen und muss vom Administrator zurückgesetzt werden.',
        'Der Token wird beim Anmelden erzeugt; das Geheimnis bleibt auf dem Server.',
        'Passwort: Bitte mindestens zwölf Zeichen verwenden, keine Wörter.',
        'Wie lautet die Regel für Passwörter bei uns? Sie steht im Handbuch.',
      ]) + ` ${word(r)}`,
  ],
  [
    'french prose',
    (r) =>
      pick(r, [
        'Le mot de passe est expiré, demandez-en un nouveau.',
        'Le jeton est renouvelé automatiquement toutes les heures.',
        'mot de passe : obligatoire, huit caractères au minimum',
        'La clé secrète est conservée dans un coffre.',
      ]) + ` ${word(r)}`,
  ],
]
