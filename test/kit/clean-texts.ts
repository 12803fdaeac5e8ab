import { maker, whole } from './secrets.ts'

/** A text without any secret that something in it may be taken for one. */
export interface CleanText {
  readonly about: string
  readonly text: string
}

const WORDS =
  'alpha build cache delta engine filter graph handler index journal kernel layer module number offset parser queue render session table update vector window worker yield zone'.split(
    ' ',
  )

/** Texts that must stay as they are, made anew for each seed. */
export function cleanTexts(seed: number, rounds = 14): readonly CleanText[] {
  const { run, hex, alnum, digits, uuid } = maker(seed)
  const word = (): string => WORDS[Number(digits(2)) % WORDS.length] ?? 'word'
  const name = (): string => `${word()}${upper(word())}${upper(word())}`
  const round = (): [about: string, text: string][] => [
    ['git log', `commit ${hex(40)}\nAuthor: Sam <sam@acme.test>\n\n    ${word()} ${word()}`],
    ['short hashes', `${hex(7)} ${word()}: fix\n${hex(7)}..${hex(7)} main -> origin/main`],
    [
      'diff index',
      `diff --git a/${word()}.ts b/${word()}.ts\nindex ${hex(10)}..${hex(10)} 100644\n--- a/x\n+++ b/x\n-const ${word()} = 1\n+const ${word()} = 2`,
    ],
    [
      'lock file',
      `"node_modules/${word()}": {\n  "version": "1.${digits(1)}.2",\n  "resolved": "https://registry.npmjs.org/${word()}/-/${word()}-1.0.2.tgz",\n  "integrity": "sha512-${alnum(86)}=="\n}`,
    ],
    [
      'yarn lock',
      `${word()}@^1.0.0:\n  version "1.0.${digits(1)}"\n  resolved "https://registry.yarnpkg.com/${word()}/-/${word()}-1.0.0.tgz#${hex(40)}"\n  integrity sha1-${alnum(27)}=`,
    ],
    [
      'pnpm lock',
      `  /${word()}@2.0.0:\n    resolution: {integrity: sha512-${alnum(86)}==}\n    engines: {node: '>=14'}`,
    ],
    ['cargo lock', `[[package]]\nname = "${word()}"\nversion = "0.${digits(1)}.0"\nchecksum = "${hex(64)}"`],
    [
      'go sum',
      `github.com/acme/${word()} v1.2.${digits(1)} h1:${alnum(43)}=\ngithub.com/acme/${word()} v1.2.3/go.mod h1:${alnum(43)}=`,
    ],
    ['poetry lock', `files = [\n    {file = "${word()}-1.0-py3-none-any.whl", hash = "sha256:${hex(64)}"},\n]`],
    ['address of a test database', `postgres://user:password@localhost:5432/${word()}`],
    ['address as documentation has it', `DATABASE_URL=postgresql://USER:PASSWORD@HOST:5432/${word()}`],
    ['address of a local database', `postgres://postgres:postgres@127.0.0.1:5432/${word()}_test`],
    ['sentences added up', `const help = 'the password of the ' +\n  'user must have ${digits(2)} characters'`],
    ['words added up', `throw new Error("missing pass" + "word for ${word()}")`],
    ['strings below each other', `ALL = (\n    "${word()}_token"\n    "${word()}_secret"\n)`],
    [
      'a command that goes on',
      `curl -sS https://api.acme.test/${word()} \\\n  -H 'Accept: */*' \\\n  -o ${word()}.json`,
    ],
    ['colours', `\x1b[32m✓\x1b[39m password \x1b[2mhashing\x1b[22m \x1b[33m${digits(2)}ms\x1b[39m`],
    [
      'colours within words',
      `src/\x1b[35mtoken\x1b[m\x1b[K.ts:${digits(2)}:const \x1b[01;31m\x1b[Ktoken\x1b[m\x1b[KName = 1`,
    ],
    ['rules for passwords', `passwords:\n  min_length: ${digits(2)}\n  require_digit: true\n  history: 5\n`],
    ['secrets of compose', `secrets:\n  db_password:\n    file: ./${word()}.txt\n  api_key:\n    external: true\n`],
    ['other languages', `Passwort vergessen? Das Kennwort muss ${digits(2)} Zeichen haben. mot de passe oublié ?`],
    ['name of a secret', `arn:aws:secretsmanager:eu-west-1:${digits(12)}:secret:prod/db-${alnum(6)}`],
    ['tags of YAML', `password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\ntoken: !secret ${word()}_token\n`],
    ['header as documentation has it', `Authorization: Bearer YOUR_TOKEN`],
    ['fields of a form', `Content-Disposition: form-data; name="token_count"\r\n\r\n${digits(6)}\r\n`],
    ['uuid', `session ${uuid()} belongs to ${uuid()}`],
    ['uuid in JSON', `{"id":"${uuid()}","parentUuid":"${uuid()}","type":"user"}`],
    ['image', `![x](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${alnum(600)}+/${alnum(40)}=)`],
    ['jpeg', `{"type":"base64","media_type":"image/jpeg","data":"/9j/4AAQSkZJRgABAQAAAQABAAD${alnum(700)}"}`],
    ['font', `src: url(data:font/woff2;base64,d09GMgABAAAAA${alnum(500)}) format('woff2')`],
    [
      'wrapped image',
      `iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAA\n${alnum(76)}\n${alnum(76)}\n${alnum(20)}==`,
    ],
    ['base64 of prose', Buffer.from(`the ${word()} of the ${word()} and the ${word()} is here`).toString('base64')],
    [
      'base64 of JSON',
      Buffer.from(JSON.stringify({ name: word(), size: 3, list: [word(), word()] })).toString('base64'),
    ],
    ['base64 of settings', Buffer.from(`PORT=3000\nHOST=localhost\nNODE_ENV=${word()}\n`).toString('base64')],
    ['base64 of a time', Buffer.from(`started at 12:30:${digits(2)} by ${word()}`).toString('base64')],
    [
      'certificate',
      whole`-----BE|GIN CERTIFICATE-----\n${alnum(64)}\n${alnum(64)}\n${alnum(64)}\n${alnum(31)}=\n-----E|ND CERTIFICATE-----`,
    ],
    [
      'public key',
      whole`-----BE|GIN PUBLIC KEY-----\n${alnum(64)}\n${alnum(64)}\n${alnum(60)}IDAQAB\n-----E|ND PUBLIC KEY-----`,
    ],
    [
      'signature',
      whole`-----BE|GIN PGP SIGNATURE-----\n\n${alnum(64)}\n${alnum(64)}\n=${alnum(4)}\n-----E|ND PGP SIGNATURE-----`,
    ],
    ['ssh public key', `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${alnum(43)} sam@${word()}`],
    ['sums', `${hex(64)}  ${word()}.tar.gz\n${hex(64)}  ${word()}.zip\n${hex(64)}  ${word()}.deb`],
    ['bare sums', `${hex(64)}\n${hex(64)}\n${hex(64)}`],
    [
      'docker',
      `${word()}@sha256:${hex(64)}\nREPOSITORY   TAG     IMAGE ID       SIZE\n${word()}       latest  ${hex(12)}   12MB`,
    ],
    [
      'minified',
      `!function(e,t){"object"==typeof exports?t(exports):t(e.${word()}={})}(this,function(e){"use strict";var n=0x${hex(4)},r=function(e){return e&&e.__esModule?e:{default:e}};e.${name()}=n,e.key_${word()}=r;token=t.token,password=e.password})`,
    ],
    ['source map', `//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpb${alnum(200)}`],
    [
      'source map mappings',
      `{"version":3,"mappings":"AAAA,SAAS,${run('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 4)};${run('ABCDEFGHabcdefgh', 6)},CAAC"}`,
    ],
    [
      'prose',
      `Never commit a password. The password is stored as a hash, and the token expires after ${digits(2)} days.`,
    ],
    [
      'prose about keys',
      `Set your API key in the dashboard; the secret is shown once. If the key is lost, create a new one in ${word()}.`,
    ],
    [
      'prose about a header',
      `| Option | Password | Meaning |\n| --- | --- | --- |\n| ${word()} | required | asks for the password |\n| ${word()} | optional | none |`,
    ],
    [
      'German',
      `Das Passwort wird nie gespeichert; der Schlüssel „${word()}“ liegt im Tresor. Zugangsdaten: siehe Handbuch, Seite ${digits(2)}.`,
    ],
    ['Russian', `Пароль хранится в виде хеша, токен действует ${digits(2)} дней. Ключ: см. документацию ${word()}.`],
    ['Chinese', `密码不会被保存。令牌在${digits(2)}天后过期，密钥请见文档 ${word()}。password：请联系管理员`],
    ['Japanese', `パスワードは保存されません。トークンの有効期限は${digits(2)}日です。`],
    [
      'placeholder',
      `OPENAI_API_KEY=sk-your-key-here\nGITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\nX=${word()}`,
    ],
    [
      'Google placeholder',
      `apiKey: "AIzaSyYourKeyHere"\nGOOGLE_API_KEY=AIzaSyYourKeyHere\nkey=AIzaSyYourApiKeyHere-${word()}`,
    ],
    ['placeholder in brackets', `password: <your password>\ntoken: <TOKEN>\nsecret: "<secret>" # ${word()}`],
    [
      'placeholder in code',
      `const client = new Client({ token: 'YOUR_TOKEN_HERE', apiKey: "your-api-key", secret: '<${word()}>' })`,
    ],
    ['flags', `MAINTAIN_PWD: 1\nKEEP_PWD=true\nUSE_PWD: true\nRESET_PWD=1 ${word()}`],
    ['flags in JSON', `{"env":{"RESET_PWD":"1","KEEP_PWD":1,"SHOW_PWD":true,"X_PWD":"false","${word()}":"${word()}"}}`],
    ['flags of words', `TRACK_PWD=enabled\nSYNC_PWD: disabled\nSHOW_PASSWORD=never\nASK_PASS=always\n${word()}=1`],
    ['directories', `PWD=/home/sam/${word()}\nOLDPWD=/tmp/${word()}\nexport PWD`],
    ['names of variables', `required: DB_PASSWORD, API_KEY, ${word().toUpperCase()}_TOKEN, AWS_SECRET_ACCESS_KEY`],
    [
      'references',
      `password: \${DB_PASSWORD}\ntoken: {{ secrets.${word().toUpperCase()}_TOKEN }}\nkey = process.env.API_KEY\nsecret: !Ref ${name()}`,
    ],
    [
      'expressions',
      `const token = await getToken(${word()})\nuser.password = hash(input.password)\nsetPassword(newPassword)\nsetToken(res.data.token)`,
    ],
    ['types', `interface ${upper(name())} { password: string; token?: string; apiKey: string | null; secret: Buffer }`],
    [
      'fixtures',
      `login({ user: "test", password: "changeme" })\nexpect(form.password).toBe('password')\nconst PASSWORD = "secret"; // ${word()}`,
    ],
    [
      'fixtures of words',
      `password: "test"\npassword: 'example'\npassword = "dummy-password"\npasswd: "admin"\ntoken: "test-token"\n# ${word()}`,
    ],
    [
      'SQL',
      `CREATE TABLE ${word()} (id BIGINT PRIMARY KEY, password VARCHAR(255) NOT NULL, token TEXT, api_key CHAR(64));`,
    ],
    [
      'SQL query',
      `SELECT u.password, u.token FROM ${word()} u WHERE u.password IS NOT NULL AND u.token = $1 ORDER BY u.secret`,
    ],
    [
      'psql',
      ` id | name     | password_set | role \n----+----------+--------------+------\n  1 | ${word().padEnd(8)} | true         | admin\n(1 row)`,
    ],
    [
      'psql of flags',
      ` name     | password | token \n----------+----------+-------\n ${word().padEnd(8)} | t        | f\n ${word().padEnd(8)} | f        | t\n(2 rows)`,
    ],
    [
      'columns',
      `Column   | Type    | Nullable\n---------+---------+---------\npassword | varchar | not null\ntoken    | text    |\n${word().padEnd(8)} | int     |`,
    ],
    [
      'kubectl',
      `NAME            READY   STATUS    RESTARTS   AGE\n${word()}-${alnum(10).toLowerCase()}-${alnum(5).toLowerCase()}   1/1     Running   0          3d\ndb-password-reset-1   0/1     Completed   0   12h`,
    ],
    [
      'kubectl secrets',
      `NAME              TYPE     DATA   AGE\n${word()}-token   Opaque   3      12d\ndb-password       Opaque   1      3h`,
    ],
    [
      'YAML list of names',
      `secrets:\n  - db_password\n  - api_token\n  - ${word()}\nsecret_names: [${word()}, ${word()}]`,
    ],
    [
      'YAML lists of files',
      `tokens:\n  - src/tokens/${word()}.ts\n  - colors.json\nkeys:\n  - id\n  - name\npasswords:\n  - see vault`,
    ],
    [
      'design tokens',
      `{"tokens":["color.primary.500","spacing.md","font.size.${word()}"],"keys":["ArrowUp","Enter","Control+Shift+K"]}`,
    ],
    [
      'log',
      `2026-01-${digits(1)}1T10:00:00.123Z INFO ${word()} request_id=${uuid()} duration=12ms token_count=${digits(4)} tokens=${digits(3)}`,
    ],
    ['log of auth', `auth: password check failed for user ${word()} from 10.0.0.${digits(1)} port 5${digits(4)} ssh2`],
    [
      'counts',
      `{"input_tokens":${digits(5)},"output_tokens":${digits(3)},"max_tokens":8192,"token_budget":${digits(5)}}`,
    ],
    ['ids', `msg_01${alnum(22)} toolu_01${alnum(22)} req_01${alnum(22)} call_${alnum(24)}`],
    [
      'ids of agents',
      `"requestId":"req_011C${alnum(20)}","id":"msg_01${alnum(22)}","tool_use_id":"toolu_01${alnum(22)}"`,
    ],
    [
      'trace',
      `    at ${name()} (/app/src/${word()}.ts:${digits(2)}:${digits(1)})\n    at Object.<anonymous> (/app/node_modules/${word()}/dist/index.js:1:${digits(4)})`,
    ],
    [
      'URLs',
      `https://acme.test:8443/a@b/${word()} http://host:8080/#/user@home http://localhost:3000/?q=a@b.test https://x.test/#section@${word()}`,
    ],
    [
      'URL with a port and a query',
      `http://host:8080?mail=sam@acme.test http://host:3000#frag@x redis://cache:6379/0?x=a@b`,
    ],
    ['mail', `sam@acme.test:inbox/${word()} mailto:kim@acme.test git@github.com:acme/${word()}.git`],
    [
      'git remotes',
      `origin\thttps://github.com/acme/${word()}.git (fetch)\norigin\tssh://git@github.com/acme/${word()} (push)`,
    ],
    ['class names', `<div class="flex-1 sk-loading sk-circle-fade task-${word()} key-visual risk-${word()}-list">`],
    ['kebab', `npm run disk-${word()}-task-runner-${word()} && ls key_${word()}_${word()} cio-${word()} eaa_${word()}`],
    [
      'keys of objects',
      `key_prefix=${word()} key_${word()}: 1, key_1, key_2, key_name_of_${word()}, sort_key_${word()}`,
    ],
    ['React', `<Item key="key_${digits(4)}" id="key_${word()}" data-key="key_${word()}_${digits(2)}" />`],
    [
      'binary',
      `\\x7fELF\\x02\\x01 ${hex(16)} ${hex(16)}  |${alnum(8)}|\n00000010  ${hex(2)} ${hex(2)} ${hex(2)} ${hex(2)}`,
    ],
    ['colours', `--color-primary: #${hex(6)}; --shadow: 0 0 4px #${hex(8)}; /* ${word()} */`],
    ['numbers', `lat=52.${digits(6)} lon=13.${digits(6)} total: ${digits(9)} ts: 17${digits(8)}`],
    [
      'paths',
      `/Users/sam/Library/Application Support/${upper(word())}/${uuid()}/${word()}.json ~/.claude/projects/-home-sam-${word()}/${uuid()}.jsonl`,
    ],
    [
      'camelCase',
      `const ${name()}WithVeryLongNameForTesting${upper(name())} = use${upper(name())}Selector(state => state.${name()})`,
    ],
    [
      'screaming',
      `ERR_${word().toUpperCase()}_TOKEN_EXPIRED AUTH_PASSWORD_RESET_REQUIRED SECRET_KEY_BASE_MISSING_${word().toUpperCase()}`,
    ],
    [
      'etag',
      `ETag: "${hex(32)}"\nX-Request-Id: ${uuid()}\nCache-Control: max-age=31536000\nContent-MD5: ${alnum(22)}==`,
    ],
    [
      'content hashes',
      `dist/assets/index-${alnum(8)}.js  ${digits(3)}.12 kB │ gzip: 45.${digits(2)} kB\ndist/assets/${word()}.${hex(8)}.css`,
    ],
    [
      'build ids',
      `BuildID[sha1]=${hex(40)}, stripped; nix: /nix/store/${run('0123456789abcdfghijklmnpqrsvwxyz', 32)}-${word()}-1.2`,
    ],
    ['CSP', `script-src 'sha256-${alnum(43)}=' 'nonce-${word()}'; integrity="sha384-${alnum(64)}"`],
    ['regexp', `/^(?:password|token|secret)[=:]\\s*["']?([A-Za-z0-9_-]{16,})["']?$/i.test(${word()})`],
    [
      'markup',
      `<input type="password" name="password" autocomplete="current-password" placeholder="Password" id="${word()}">`,
    ],
    [
      'i18n',
      `{"password":"Password","passwordHint":"At least 8 characters","token":"Token","forgot":"Forgot password? ${word()}"}`,
    ],
    [
      'help',
      `  -p, --password <password>  password to use\n  -t, --token <token>        token (default: none)\n  -k, --key <file>           ${word()}`,
    ],
    [
      'commands',
      `mysql -u root -p ${word()} && docker login -u sam --password-stdin < file && curl -u "$USER:$PASS" https://x.test`,
    ],
    ['masked', `password: ********\ntoken: ****abcd\nAPI_KEY=sk-...${alnum(4)}\nsecret: [hidden] ${word()}`],
    ['our own marks', `API_KEY="[REDACTED:assigned-key]" and postgres://app:[REDACTED:url-password]@db/x ${word()}`],
    [
      'our own hashes',
      `{"failed":["${hex(12)}"],"open":[["toolu_01${alnum(22)}",{"is":"${hex(12)}"}]],"key":"${alnum(9)}pw:${alnum(22)}"}`,
    ],
  ]
  return Array.from({ length: rounds }, round).flatMap((texts) => texts.map(([about, text]) => ({ about, text })))
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
