import { b64, chars, DIGITS, type Random } from './random.ts'

/** Where a secret with a name stands. `bareOnly`: without the name. */
export interface Context {
  readonly place: string
  readonly bareOnly?: true
  readonly write: (name: string, value: string, r: Random) => string
}
export const camel = (name: string): string => name.toLowerCase().replace(/_(\w)/g, (_, c: string) => c.toUpperCase())
export const snake = (name: string): string => name.toLowerCase()
export const kebab = (name: string): string => snake(name).replaceAll('_', '-')
const words = (name: string) => snake(name).replaceAll('_', ' ')
const time = (r: Random) =>
  `2026-11-0${1 + Math.floor(r() * 9)}T1${chars(r, '0123456789', 1)}:${chars(r, '012345', 1)}${chars(r, DIGITS, 1)}:07.${chars(r, DIGITS, 3)}Z`
const halves = (value: string) =>
  [value.slice(0, Math.ceil(value.length / 2)), value.slice(Math.ceil(value.length / 2))] as const
export const at = (place: string, write: Context['write']): Context => ({ place, write })
const bare = (place: string, write: (value: string, r: Random) => string): Context => ({
  place,
  bareOnly: true,
  write: (_, v, r) => write(v, r),
})

export const CONTEXTS: readonly Context[] = [
  at(
    'diff, removed json',
    (n, v) =>
      `diff --git a/config.json b/config.json\n--- a/config.json\n+++ b/config.json\n@@ -4,3 +4,3 @@\n   "region": "eu-west-1",\n-  "${camel(n)}": "${v}",\n+  "${camel(n)}": "",\n   "retries": 3\n`,
  ),
  at('diff, added env', (n, v) => `@@ -1,2 +1,3 @@\n PORT=8080\n+${n}=${v}\n LOG_LEVEL=info\n`),
  at('diff, combined', (n, v) => `@@@ -10,1 -10,1 +10,2 @@@\n  PORT=8080\n++${n}=${v}\n- LOG=info\n`),
  at('word diff', (n, v) => `${n}=[-${v}-]{+rotated+}\n`),
  at(
    'grep -C',
    (n, v) =>
      `src/app/config.ts-40-  region: 'eu',\nsrc/app/config.ts:41:  ${camel(n)}: '${v}',\nsrc/app/config.ts-42-  retries: 3,\n`,
  ),
  at('rg, other line matched', (n, v) => `deploy/prod.env-11-${n}=${v}\ndeploy/prod.env:12:LOG_LEVEL=debug\n`),
  at('cat -n', (n, v) => `     1\tPORT=8080\n     2\t${n}=${v}\n     3\tNODE_ENV=production\n`),
  at('numbered arrow', (n, v) => `    17→const ${camel(n)} = "${v}";\n    18→export default ${camel(n)};\n`),
  at(
    'markdown table',
    (n, v) =>
      `| setting | value | changed |\n|---|---|---|\n| PORT | 8080 | 2026-01-02 |\n| \`${n}\` | \`${v}\` | 2026-03-04 |\n`,
  ),
  at('ascii table', (n, v) => {
    const w = Math.max(v.length, 8)
    return `+${'-'.repeat(32)}+${'-'.repeat(w + 2)}+\n| ${'key'.padEnd(30)} | ${'value'.padEnd(w)} |\n+${'-'.repeat(32)}+${'-'.repeat(w + 2)}+\n| ${n.padEnd(30)} | ${v.padEnd(w)} |\n| ${'PORT'.padEnd(30)} | ${'8080'.padEnd(w)} |\n+${'-'.repeat(32)}+${'-'.repeat(w + 2)}+\n`
  }),
  at(
    'box table',
    (n, v) =>
      `┌────────────┬──────────┐\n│ Name       │ Value    │\n├────────────┼──────────┤\n│ ${n} │ ${v} │\n└────────────┴──────────┘\n`,
  ),
  at(
    'base64 of .env',
    (n, v) =>
      `apiVersion: v1\nkind: ConfigMap\ndata:\n  dotenv: ${b64(`PORT=8080\nNODE_ENV=production\n${n}=${v}\nLOG=info\n`)}\n`,
  ),
  at('echo base64 | base64 -d', (n, v) => `$ echo ${b64(`${n}="${v}"\n`)} | base64 -d > .env\n`),
  at('shell, broken by a backslash', (n, v) => {
    const [a, b] = halves(v)
    return `export ${n}="${a}\\\n${b}"\n`
  }),
  at('js, added up', (n, v) => {
    const [a, b] = halves(v)
    return `const ${camel(n)} =\n  '${a}' +\n  '${b}'\n`
  }),
  at('python, adjacent strings', (n, v) => {
    const [a, b] = halves(v)
    return `${n} = (\n    "${a}"\n    "${b}"\n)\n`
  }),
  at(
    'yaml, name and value',
    (n, v) =>
      `        env:\n        - name: PORT\n          value: "8080"\n        - name: ${n}\n          value: ${JSON.stringify(v)}\n`,
  ),
  at('yaml map', (n, v) => `service:\n  port: 8080\n  ${camel(n)}: ${v}\n  retries: 3\n`),
  at('yaml list below a name', (n, v) => `${snake(n)}s:\n  - ${v}\n`),
  at(
    'compose environment',
    (n, v) => `services:\n  web:\n    image: node:22\n    environment:\n      - PORT=8080\n      - ${n}=${v}\n`,
  ),
  at('docker run', (n, v) => `docker run --rm -p 80:80 -e ${n}=${v} -v $PWD:/app acme/web:1.4 npm start\n`),
  at('dockerfile', (n, v) => `FROM node:22\nARG ${n}=${v}\nENV ${n} ${v}\nRUN npm ci\n`),
  at(
    'docker inspect',
    (n, v) =>
      `            "Env": [\n                "PATH=/usr/local/bin:/usr/bin",\n                "${n}=${v}",\n                "NODE_VERSION=22.1.0"\n            ],\n`,
  ),
  at(
    'kubectl from-literal',
    (n, v) => `kubectl -n prod create secret generic web --from-literal=${kebab(n)}='${v}' --dry-run=client -o yaml\n`,
  ),
  at('helm --set', (n, v) => `helm upgrade web ./chart --set replicas=2,env.${n}=${v} --wait\n`),
  at(
    'kubectl describe',
    (n, v) => `    Environment:\n      PORT:                 8080\n      ${n}:  ${v}\n    Mounts:  <none>\n`,
  ),
  at('json in json', (n, v) =>
    JSON.stringify({ type: 'tool_result', content: JSON.stringify({ ok: true, env: { PORT: '8080', [n]: v } }) }),
  ),
  at('json, three deep', (n, v) => JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ [camel(n)]: v }) }) })),
  at('json, key and value fields', (n, v) =>
    JSON.stringify(
      {
        variables: [
          { key: 'PORT', value: '8080' },
          { key: n, value: v, type: 'env_var', masked: false },
        ],
      },
      null,
      2,
    ),
  ),
  at(
    'url query',
    (n, v) => `GET https://api.example.net/v1/items?page=2&${snake(n)}=${encodeURIComponent(v)}&limit=50 200 34ms\n`,
  ),
  at('form body', (n, v) => `grant_type=client_credentials&${snake(n)}=${encodeURIComponent(v)}&scope=read\n`),
  at(
    'percent-encoded json',
    (n, v) =>
      `https://app.example.net/cb#state=${encodeURIComponent(JSON.stringify({ [camel(n)]: v, next: '/home' }))}\n`,
  ),
  at(
    'x-header of curl',
    (n, v) => `curl -sS -H 'Accept: application/json' -H 'X-${kebab(n)}: ${v}' https://api.example.net/v1/me\n`,
  ),
  at(
    'bearer header',
    (_, v) => `> GET /v1/me HTTP/2\n> Host: api.example.net\n> authorization: Bearer ${v}\n> accept: */*\n`,
  ),
  at(
    'headers object',
    (n, v) => `await fetch(url, { headers: { 'content-type': 'application/json', '${kebab(n)}': '${v}' } })\n`,
  ),
  at(
    'zsh history',
    (n, v, r) =>
      `: 17320${chars(r, DIGITS, 5)}:0;${n}='${v}' LOG=debug npm run deploy -- --prod\n: 1732099999:0;git status\n`,
  ),
  at('export with a semicolon', (n, v) => `cd app && export ${n}=${v}; npm run migrate\n`),
  at('env VAR=… command', (n, v) => `env -i HOME=/tmp ${n}="${v}" node scripts/seed.js\n`),
  at('printenv', (n, v) => `HOME=/root\nHOSTNAME=web-7d9\n${n}=${v}\nPATH=/usr/bin:/bin\n`),
  at('declare -x', (n, v) => `declare -x HOME="/root"\ndeclare -x ${n}="${v}"\ndeclare -x LANG="C.UTF-8"\n`),
  at('set -x trace', (n, v) => `+ export ${n}=${v}\n+ ${n}=${v}\n+ npm run deploy\n`),
  at('fish set', (n, v) => `set -gx ${n} ${v}\nset -gx EDITOR vim\n`),
  at('powershell', (n, v) => `PS C:\\app> $env:${n} = '${v}'; dotnet run\n`),
  at('setx', (n, v) => `C:\\app> setx ${n} "${v}" /M\nSUCCESS: Specified value was saved.\n`),
  at('toml', (n, v) => `[service]\nport = 8080\n${snake(n)} = "${v}" # do not commit\n`),
  at('ini', (n, v) => `[default]\nregion = eu-west-1\n${snake(n)} = ${v}\n; comment\n`),
  at('java properties', (n, v) => `server.port=8080\napp.${kebab(n).replaceAll('-', '.')}=${v}\n`),
  at('java -D', (n, v) => `java -Xmx512m -Dapp.${kebab(n)}=${v} -jar app.jar\n`),
  at(
    'stack trace',
    (n, v) =>
      `AxiosError: Request failed with status code 401\n    at settle (/app/node_modules/axios/lib/core/settle.js:19:12)\n  config: {\n    timeout: 0,\n    headers: Object [AxiosHeaders] {\n      Accept: 'application/json',\n      '${kebab(n)}': '${v}'\n    }\n  }\n`,
  ),
  at(
    'exception message',
    (n, v) =>
      `ValueError: bad settings {'port': 8080, '${snake(n)}': '${v}'}\n  File "/app/main.py", line 12, in <module>\n`,
  ),
  at(
    'go %+v',
    (n, v) => `panic: config {Port:8080 ${camel(n)[0]!.toUpperCase()}${camel(n).slice(1)}:${v} Debug:false}\n`,
  ),
  at('logfmt', (n, v, r) => `time=${time(r)} level=info msg="config loaded" port=8080 ${snake(n)}=${v} region=eu\n`),
  at(
    'log, json lines',
    (n, v, r) =>
      `{"ts":"${time(r)}","lvl":"debug","msg":"boot","${camel(n)}":"${v}","pid":${chars(r, '123456789', 4)}}\n`,
  ),
  at(
    'csv',
    (n, v, r) => `name,value,updated_at\nPORT,8080,${time(r)}\n${n},${v.includes(',') ? `"${v}"` : v},${time(r)}\n`,
  ),
  at('csv, name as head', (n, v) => `id,email,${snake(n)}\n1,ann@example.net,${v}\n`),
  at('html input', (n, v) => `<form><input type="hidden" name="${camel(n)}" value="${v}"><button>ok</button></form>\n`),
  at('html data attribute', (n, v) => `<div id="app" data-region="eu" data-${kebab(n)}="${v}"></div>\n`),
  at(
    'app.config',
    (n, v) =>
      `  <appSettings>\n    <add key="Port" value="8080" />\n    <add key="${n}" value="${v}" />\n  </appSettings>\n`,
  ),
  at('xml element', (n, v) => `<server><id>central</id><${camel(n)}>${v}</${camel(n)}></server>\n`),
  at('plist', (n, v) => `<dict>\n\t<key>${n}</key>\n\t<string>${v}</string>\n</dict>\n`),
  at('terraform variable', (n, v) => `variable "${snake(n)}" {\n  type    = string\n  default = "${v}"\n}\n`),
  at('tfvars', (n, v) => `region          = "eu-west-1"\n${snake(n).padEnd(24)} = "${v}"\n`),
  at(
    'terraform plan',
    (n, v) =>
      `  ~ environment {\n      ~ variables = {\n          ~ "${n}" = "${v}" -> "(known after apply)"\n        }\n    }\n`,
  ),
  at(
    'github actions env',
    (n, v) => `    steps:\n      - run: npm test\n        env:\n          CI: true\n          ${n}: ${v}\n`,
  ),
  at('gh secret set', (n, v) => `gh secret set ${n} --repo acme/web --body '${v}'\n`),
  at('vault kv put', (n, v) => `vault kv put secret/web port=8080 ${snake(n)}=${v}\n`),
  at(
    'aws ssm',
    (n, v) => `aws ssm put-parameter --type SecureString --name /prod/web/${n} --value '${v}' --overwrite\n`,
  ),
  at('cli option', (n, v) => `acme-cli login --region eu --${kebab(n)} ${v} --verbose\n`),
  at('cli option with =', (n, v) => `acme-cli login --region eu --${kebab(n)}=${v} --verbose\n`),
  at('argv as json', (n, v) => `execFile("acme", ["login", "--${kebab(n)}", "${v}", "--json"])\n`),
  at(
    'ps aux',
    (n, v) => `root      4121  0.3  1.2 12345 6789 ?  Ssl  10:01  0:07 /usr/bin/acme --${kebab(n)}=${v} --port 8080\n`,
  ),
  at('systemd unit', (n, v) => `[Service]\nEnvironment="${n}=${v}"\nExecStart=/usr/bin/node app.js\n`),
  at('python os.environ', (n, v) => `os.environ["${n}"] = "${v}"\nos.environ.setdefault('PORT', '8080')\n`),
  at('js process.env ||', (n, v) => `const ${camel(n)} = process.env.${n} || '${v}';\n`),
  at('js ??=', (n, v) => `process.env.${n} ??= \`${v}\`\n`),
  at('go const', (n, v) => `const (\n\tport = 8080\n\t${camel(n)} = "${v}"\n)\n`),
  at('rust const', (n, v) => `const ${n}: &str = "${v}";\n`),
  at('c# field', (n, v) => `private const string ${camel(n)[0]!.toUpperCase()}${camel(n).slice(1)} = @"${v}";\n`),
  at('php define', (n, v) => `define('${n}', '${v}');\n$cfg['${snake(n)}'] = '${v}';\n`),
  at('ruby hash', (n, v) => `config = { port: 8080, :${snake(n)} => '${v}' }\n`),
  at('kotlin named argument', (n, v) => `val client = Client(host = "db1", ${camel(n)} = "${v}")\n`),
  at('setter', (n, v) => `client.set${camel(n)[0]!.toUpperCase()}${camel(n).slice(1)}("${v}");\n`),
  at('sql insert', (n, v) => `INSERT INTO settings (name, value) VALUES ('PORT', '8080'), ('${n}', '${v}');\n`),
  at('sql update', (n, v) => `UPDATE account SET ${snake(n)} = '${v}', seen = now() WHERE id = 7;\n`),
  at('psql expanded', (n, v) => `-[ RECORD 1 ]---+-------------\nid              | 7\n${snake(n).padEnd(24)}| ${v}\n`),
  at('english, is', (n, v) => `ok so the ${words(n)} is ${v} and it works from the office network\n`),
  at('english, quoted, with a colon', (n, v) => `Here's my ${words(n)}: "${v}". Please put it in the vault.\n`),
  at('english, use', (n, v) => `use ${v} as the ${words(n)} for staging\n`),
  at('german', (n, v) => `Der ${n} lautet ${v}, bitte eintragen.\n`),
  at('french', (n, v) => `La valeur de ${n} est « ${v} », merci de la mettre à jour.\n`),
  at('spanish', (n, v) => `El valor de ${n} es ${v} y caduca mañana.\n`),
  at('japanese', (n, v) => `${n} は「${v}」です。更新してください。\n`),
  at('bold in markdown', (n, v) => `- **${n}**: \`${v}\`\n- **PORT**: \`8080\`\n`),
  at('definition on the next line', (n, v) => `${n}:\n\n\`\`\`\n${v}\n\`\`\`\n`),
  at(
    'colours',
    (n, v) => `\u001b[36m${n}\u001b[0m=\u001b[32m${v}\u001b[0m\n\u001b[36mPORT\u001b[0m=\u001b[32m8080\u001b[0m\n`,
  ),
  at('quoted mail', (n, v) => `> > On Monday Ann wrote:\n> > ${n}=${v}\n> thanks!\n`),
  at('commented out', (n, v) => `# PORT=8080\n# ${n}=${v}\n// const ${camel(n)} = "${v}"\n`),
  at('windows line ends', (n, v) => `PORT=8080\r\n${n}=${v}\r\nLOG=info\r\n`),
  at(
    'jest output',
    (n, v) =>
      `    Object {\n      "port": 8080,\n  -   "${camel(n)}": "${v}",\n  +   "${camel(n)}": undefined,\n    }\n`,
  ),
  at('edit tool arguments', (n, v) =>
    JSON.stringify({ file_path: '/app/.env', old_string: `${n}=\n`, new_string: `${n}=${v}\nPORT=8080\n` }),
  ),
  at('jsonl in a shell heredoc', (n, v) => `cat > .env <<'EOF'\nPORT=8080\n${n}=${v}\nEOF\n`),
  at('sed -i', (n, v) => `sed -i 's|^${n}=.*|${n}=${v}|' .env\n`),
  at('echo >>', (n, v) => `echo "${n}=${v}" >> .env && source .env\n`),
  // without a name
  bare('alone', (v) => v),
  bare('alone in a list', (v) => `- done\n- ${v}\n- next\n`),
  bare('file name', (v) => `wrote /home/sam/backup/${v}.json (2 kB)\n`),
  bare('between brackets', (v) => `try it (${v}) please\n`),
  bare('end of a sentence', (v) => `The old one was ${v}.\n`),
  bare('url path', (v) => `https://hooks.example.net/in/${v}/events\n`),
  bare('after an underscore', (v) => `snapshot_${v}\n`),
  bare('json array', (v) => `["a","${v}","b"]`),
  bare('escaped newline before', (v) => `"first line\\n${v}\\nlast line"`),
  bare('stdin pipe', (v) => `printf '%s' ${v} | acme login --stdin\n`),
  bare('log with pid', (v, r) => `Nov  3 10:01:0${chars(r, DIGITS, 1)} web acme[4121]: rejected ${v} (401)\n`),
]
