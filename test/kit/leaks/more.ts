import { at, camel, kebab, snake, type Context } from './contexts.ts'
import { ALNUM, B64, b64, chars, DIGITS, HEX, pick, URLSAFE, uuid } from './random.ts'
import type { Value } from './values.ts'

/** More secrets with the names that people give them. */
export const MORE_VALUES: readonly Value[] = [
  { kind: 'axiom', name: 'AXIOM_TOKEN', bare: true, make: (r) => `xaat-${uuid(r)}` },
  { kind: 'logfire', name: 'LOGFIRE_TOKEN', bare: true, make: (r) => `pylf_v1_us_${chars(r, ALNUM, 44)}` },
  { kind: 'trigger.dev', name: 'TRIGGER_SECRET_KEY', bare: true, make: (r) => `tr_prod_${chars(r, ALNUM, 24)}` },
  {
    kind: 'browserbase',
    name: 'BROWSERBASE_API_KEY',
    bare: true,
    make: (r) => `bb_live_${chars(r, URLSAFE.replace('-', ''), 27)}`,
  },
  {
    kind: 'sendgrid',
    name: 'SENDGRID_API_KEY',
    bare: true,
    make: (r) => `SG.${chars(r, URLSAFE, 22)}.${chars(r, URLSAFE, 43)}`,
  },
  { kind: 'shopify', name: 'SHOPIFY_TOKEN', bare: true, make: (r) => `shpat_${chars(r, HEX, 32)}` },
  {
    kind: 'anthropic admin',
    name: 'ANTHROPIC_ADMIN_KEY',
    bare: true,
    make: (r) => `sk-ant-admin01-${chars(r, URLSAFE, 93)}AA`,
  },
  { kind: 'github app', name: 'GH_APP_TOKEN', bare: true, make: (r) => `ghu_${chars(r, ALNUM, 36)}` },
  { kind: 'sonar', name: 'SONAR_TOKEN', bare: true, make: (r) => `squ_${chars(r, HEX, 40)}` },
  { kind: 'gcp api', name: 'GOOGLE_MAPS_API_KEY', bare: true, make: (r) => `AIza${chars(r, ALNUM, 35)}` },
  { kind: 'doppler', name: 'DOPPLER_TOKEN', bare: true, make: (r) => `dp.st.prd.${chars(r, ALNUM, 43)}` },
  {
    kind: 'cloudflare tunnel',
    name: 'TUNNEL_TOKEN',
    bare: false,
    make: (r) => b64(`{"a":"${chars(r, HEX, 32)}","t":"${uuid(r)}","s":"${b64(chars(r, ALNUM, 32))}"}`),
  },
  { kind: 'deepgram', name: 'DEEPGRAM_API_KEY', bare: false, make: (r) => chars(r, HEX, 40) },
  { kind: 'exa', name: 'EXA_API_KEY', bare: false, make: uuid },
  { kind: 'upstash', name: 'UPSTASH_REDIS_REST_TOKEN', bare: false, make: (r) => `AX${chars(r, ALNUM, 52)}==` },
  { kind: 'okta', name: 'OKTA_API_TOKEN', bare: false, make: (r) => `00${chars(r, URLSAFE, 40)}` },
  { kind: 'datadog app', name: 'DD_APP_KEY', bare: false, make: (r) => chars(r, HEX, 40) },
  { kind: 'smtp', name: 'SMTP_PASSWORD', bare: false, make: (r) => chars(r, ALNUM + '!@%*', 16) },
  {
    kind: 'human',
    name: 'ROOT_PASSWORD',
    bare: false,
    make: (r) =>
      `${pick(r, ['Flower', 'Guitar', 'Tiger', 'Oktober'])}${pick(r, ['@', '!', '#'])}${chars(r, DIGITS, 4)}`,
  },
  { kind: 'master', name: 'MASTER_KEY', bare: false, make: (r) => chars(r, HEX, 32) },
  { kind: 'cookie', name: 'NEXTAUTH_SECRET', bare: false, make: (r) => `${chars(r, B64, 43)}=` },
  { kind: 'client', name: 'SPOTIFY_CLIENT_SECRET', bare: false, make: (r) => chars(r, HEX, 32) },
]
/** More places where a secret with a name may stand. */
export const MORE_CONTEXTS: readonly Context[] = [
  at('jupyter', (n, v) =>
    JSON.stringify({ cells: [{ cell_type: 'code', source: ['import os\n', `os.environ['${n}'] = '${v}'\n`] }] }),
  ),
  at('http file', (n, v) => `@host = https://api.example.net\n@${camel(n)} = ${v}\n\nGET {{host}}/v1/me\n`),
  at('postman', (n, v) =>
    JSON.stringify({ values: [{ key: snake(n), value: v, type: 'secret', enabled: true }] }, null, '\t'),
  ),
  at('makefile', (n, v) => `export ${n} := ${v}\n\ndeploy:\n\t./deploy.sh\n`),
  at('crontab', (n, v) => `*/5 * * * * ${n}=${v} /usr/local/bin/sync >/dev/null 2>&1\n`),
  at('nginx', (n, v) => `location /api {\n  proxy_set_header X-${kebab(n)} "${v}";\n  proxy_pass http://up;\n}\n`),
  at('prometheus', (n, v) => `scrape_configs:\n  - job_name: web\n    ${snake(n)}: '${v}'\n    static_configs: []\n`),
  at('gradle kts', (n, v) => `credentials {\n  username = "ci"\n  ${camel(n)} = "${v}"\n}\n`),
  at('R', (n, v) => `Sys.setenv(${n} = "${v}")\n`),
  at('julia', (n, v) => `ENV["${n}"] = "${v}"\n`),
  at('elixir', (n, v) => `config :app, App.Mailer,\n  ${snake(n)}: "${v}",\n  port: 587\n`),
  at('edn', (n, v) => `{:port 8080\n :${kebab(n)} "${v}"}\n`),
  at('lua', (n, v) => `local ${snake(n)} = "${v}" -- staging\n`),
  at('swift', (n, v) => `    private let ${camel(n)} = "${v}"\n`),
  at('dart define', (n, v) => `flutter run --dart-define=${n}=${v} -d chrome\n`),
  at('registry', (n, v) => `[HKEY_CURRENT_USER\\Software\\Acme]\r\n"${camel(n)}"="${v}"\r\n`),
  at('curl -d', (n, v) => `curl -X POST https://api.example.net/login -d '{"user":"ann","${camel(n)}":"${v}"}'\n`),
  at('graphql variables', (n, v) =>
    JSON.stringify({ query: 'mutation($i:In!){login(i:$i){ok}}', variables: { i: { user: 'ann', [camel(n)]: v } } }),
  ),
  at('httpie', (n, v) => `http POST api.example.net/login user=ann ${snake(n)}=${v}\n`),
  at('grpcurl', (n, v) => `grpcurl -H '${kebab(n)}: ${v}' api.example.net:443 acme.Api/Me\n`),
  at(
    'mysql \\G',
    (n, v) =>
      `*************************** 1. row ***************************\n      id: 7\n${snake(n).padStart(24)}: ${v}\n`,
  ),
  at('mongo document', (n, v) => `{ _id: ObjectId('65f0'), user: 'ann', ${camel(n)}: '${v}', n: 3 }\n`),
  at(
    'copy dump',
    (n, v) => `COPY public.account (id, email, ${snake(n)}) FROM stdin;\n1\tann@example.net\t${v}\n\\.\n`,
  ),
  at(
    'github issue',
    (n, v) => `<details>\n<summary>env</summary>\n\n| Name | Value |\n| --- | --- |\n| ${n} | ${v} |\n\n</details>\n`,
  ),
  at('chat', (n, v) => `ann: what's the ${snake(n).replaceAll('_', ' ')} again?\nbob: it's ${n}=${v}\nann: thx\n`),
  at('slack block', (n, v) =>
    JSON.stringify({ blocks: [{ type: 'section', text: { type: 'mrkdwn', text: `*${n}*: \`${v}\`` } }] }),
  ),
  at('italian', (n, v) => `Il valore di ${n} è ${v}, aggiornalo per favore.\n`),
  at('terraform output', (n, v) => `Outputs:\n\n${snake(n)} = "${v}"\nregion = "eu"\n`),
  at('github annotation', (n, v) => `##[debug]Evaluating: env.${n}\n##[debug]=> '${v}'\n##[debug]${n}=${v}\n`),
  at('vite define', (n, v) => `define: { 'process.env.${n}': JSON.stringify('${v}') },\n`),
  at('dotenv diff in prose', (n, v) => `I changed \`${n}=${v}\` to read from the vault instead.\n`),
  at('netlify cli', (n, v) => `netlify env:set ${n} ${v} --context production\n`),
  at('vercel cli', (n, v) => `echo -n "${v}" | vercel env add ${n} production\n`),
  at('fly secrets', (n, v) => `fly secrets set ${n}=${v} -a web\n`),
  at('heroku', (n, v) => `$ heroku config:set ${n}=${v}\nSetting ${n} and restarting web... done\n${n}: ${v}\n`),
  at(
    'xargs json log',
    (n, v, r) =>
      `Nov 03 10:11:1${chars(r, DIGITS, 1)} host app[88]: {"level":30,"req":{"headers":{"${kebab(n)}":"${v}"}},"msg":"in"}\n`,
  ),
  at('sed of read tool', (n, v) => `     9→  "env": {\n    10→    "${n}": "${v}"\n    11→  }\n`),
  at('mcp config', (n, v) =>
    JSON.stringify({ mcpServers: { acme: { command: 'npx', args: ['-y', '@acme/mcp'], env: { [n]: v } } } }, null, 2),
  ),
  at('codex toml', (n, v) => `[mcp_servers.acme]\ncommand = "npx"\nenv = { "${n}" = "${v}" }\n`),
  at('argument list', (n, v) => `{"command":["bash","-lc","export ${n}='${v}' && npm test"]}\n`),
]
