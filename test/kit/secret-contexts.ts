import type { Form, SecretKind } from './secret-kinds.ts'
import { tracesOf } from './secret-kinds.ts'
import { MORE_CONTEXTS } from './secret-pieces.ts'

/** A text that holds a secret, and what must not be left of it. */
export interface Placed {
  readonly kind: string
  readonly context: string
  readonly text: string
  readonly traces: readonly string[]
}

type Write = (value: string, other: string) => string

export interface SecretContext {
  readonly context: string
  readonly forms: readonly Form[]
  /** Some ways to write it; `other` is another secret of the same kind. */
  readonly ways: readonly Write[]
  /** What must not be left, if that is not the secret itself. */
  readonly left?: (value: string) => readonly string[]
  /** Shorter values are not written so. */
  readonly least?: number
}

const NAMED: readonly Form[] = ['token', 'password', 'opaque']
const SHAPED: readonly Form[] = ['token']
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const wrapped = (text: string, width: number): string => text.match(new RegExp(`.{1,${width}}`, 'g'))?.join('\n') ?? ''
const pad = (text: string, width: number): string => text.padEnd(width)
const column = (value: string, other: string): number => Math.max(value.length, other.length, 8)
/** The stretches of a text in base64 that hold some of the secret, without the names that stand before it. */
const encoded = (text: string): string[] => tracesOf(base64(text)).slice(2)

export const SECRET_CONTEXTS: readonly SecretContext[] = [
  {
    context: 'plain',
    forms: ['token', 'address', 'block'],
    ways: [(v) => v, (v) => `here it is: ${v}`, (v) => `I used ${v} for the call, then it failed.`, (v) => `"${v}"`],
  },
  {
    context: 'KEY=value',
    forms: [...NAMED, 'address'],
    ways: [
      (v) => `SERVICE_PASSWORD=${v}\nNEXT=1`,
      (v) => `export ACME_SECRET='${v}'`,
      (v) => `ADMIN_API_SECRET="${v}" npm start`,
    ],
  },
  {
    context: 'JSON',
    forms: [...NAMED, 'address'],
    ways: [
      (v) => `{"user":"sam","password":${JSON.stringify(v)},"port":1}`,
      (v) => JSON.stringify({ body: JSON.stringify({ clientSecret: v }) }),
      (v) => `{\n  "secrets": [\n    ${JSON.stringify(v)}\n  ]\n}`,
    ],
  },
  {
    context: 'YAML list',
    forms: NAMED,
    ways: [
      (v, other) => `users: 2\npasswords:\n  - ${v}\n  - ${other}\nport: 1`,
      (v) => `secrets:\n- "${v}"\n`,
      (v, other) => `passwords: [${other}, ${v}]\n`,
      (v) => `  passwords:\n    # the old one\n    - '${v}'\n`,
    ],
  },
  {
    context: 'diff',
    forms: ['token', 'block'],
    ways: [
      (v) => `@@ -1,2 +1,2 @@\n${v.replaceAll(/^/gm, '-')}\n+nothing`,
      (v) => `--- a/x\n+++ b/x\n${v.replaceAll(/^/gm, '+')}`,
      (v) => `diff --git a/k b/k\n-${v.replaceAll('\n', '\n-')}\n`,
    ],
  },
  {
    context: 'grep',
    forms: ['token', 'block'],
    ways: [
      (v) =>
        v
          .split('\n')
          .map((line, i) => `${12 + i}-${line}`)
          .join('\n'),
      (v) =>
        v
          .split('\n')
          .map((line, i) => `${12 + i}:${line}`)
          .join('\n'),
      (v) =>
        v
          .split('\n')
          .map((line, i) => `conf/keys.txt-${7 + i}-${line}`)
          .join('\n'),
      (v) =>
        v
          .split('\n')
          .map((line) => `conf/keys.txt:${line}`)
          .join('\n'),
    ],
  },
  {
    context: 'table',
    forms: NAMED,
    ways: [
      (v, o) => {
        const w = column(v, o)
        return ` id | username | ${pad('password', w)} | active \n----+----------+-${'-'.repeat(w)}-+--------\n  1 | sam      | ${pad(v, w)} | t\n  2 | kim      | ${pad(o, w)} | f\n(2 rows)\n`
      },
      (v, o) => `| user | password | role |\n| --- | --- | --- |\n| sam | ${v} | admin |\n| kim | ${o} | user |\n`,
      (v, o) => {
        const w = column(v, o) + 3
        return `NAME     ${pad('PASSWORD', w)}AGE\nsam      ${pad(v, w)}3d\nkim      ${pad(o, w)}12h\n`
      },
      (v, o) => {
        const w = column(v, o)
        const rule = `+----+-${'-'.repeat(w)}-+`
        return `${rule}\n| id | ${pad('secret', w)} |\n${rule}\n|  1 | ${pad(v, w)} |\n|  2 | ${pad(o, w)} |\n${rule}\n`
      },
    ],
  },
  {
    context: 'URL',
    forms: NAMED,
    ways: [
      (v) => `postgres://app:${v.replaceAll(/[/?#]/g, '!')}@db.internal:5432/shop`,
      (v) => `mysql://root:ab#${v.replaceAll(/[/?]/g, '#')}@10.0.0.5/x`,
      (v) => `clone https://sam:${v.replaceAll(/[/?]/g, '#')}@git.internal/a.git now`,
      (v) => `GET https://api.test/v1/items?access_token=${encodeURIComponent(v)}&page=2`,
    ],
    left: (v) => [v, v.replaceAll(/[/?#]/g, '!'), v.replaceAll(/[/?]/g, '#'), encodeURIComponent(v)].flatMap(tracesOf),
    least: 16,
  },
  {
    context: 'HTTP header',
    forms: ['token', 'opaque'],
    ways: [
      (v) => `> Authorization: Bearer ${v}\n> Accept: */*`,
      (v) => `curl -H 'X-Api-Key: ${v}' https://api.test`,
      (v) => `{"headers":{"authorization":"token ${v}"}}`,
      (v) => `X-Auth-Token: ${v}\r\n`,
    ],
  },
  {
    context: 'base64 of .env',
    forms: NAMED,
    ways: [
      (v) => base64(`PORT=3000\nDB_PASSWORD=${v}\n`),
      (v) => `echo ${base64(`API_SECRET=${v}\n`)} | base64 -d > .env`,
      (v) => `  env: ${base64(`# prod\nTOKEN="x"\nACME_PASSWORD="${v}"\n`)}\n`,
      (v) =>
        wrapped(base64(`NODE_ENV=production\nPORT=8080\nLOG_LEVEL=info\nREGION=eu-central-1\nDB_PASSWORD=${v}\n`), 76),
    ],
    left: (v) => [
      ...encoded(`PORT=3000\nDB_PASSWORD=${v}\n`),
      ...encoded(`API_SECRET=${v}\n`),
      ...encoded(`# prod\nTOKEN="x"\nACME_PASSWORD="${v}"\n`),
      ...encoded(`NODE_ENV=production\nPORT=8080\nLOG_LEVEL=info\nREGION=eu-central-1\nDB_PASSWORD=${v}\n`).slice(9),
    ],
  },
  {
    context: 'base64 of user:pass',
    forms: NAMED,
    ways: [
      (v) => `Authorization: Basic ${base64(`sam:${v}`)}`,
      (v) => base64(`admin:${v}`),
      (v) => `{"auths":{"registry.test":{"auth":"${base64(`robot:${v}`)}"}}}`,
      (v) => `$ echo -n … | base64\n${base64(`deploy@acme.test:${v}`)}\n`,
    ],
    left: (v) => ['sam', 'admin', 'robot', 'deploy@acme.test'].flatMap((user) => encoded(`${user}:${v}`)),
  },
  {
    context: 'source code',
    forms: NAMED,
    ways: [
      (v) => `ds.setPassword("${v}");`,
      (v) => `const c = new Client({ secret: '${v}', retries: 3 })`,
      (v) => `        .withPassword("${v}")`,
      (v) => `conn = connect(user="sam", password="${v}")`,
      (v) => `static final String DB_PASSWORD = "${v}";`,
    ],
  },
  {
    context: 'over lines',
    forms: SHAPED,
    ways: [
      (v) => wrapped(v, 76),
      (v) => `token:\n${wrapped(v, 64)}\n\nand more`,
      (v) => wrapped(v, 76).replaceAll(/^/gm, '    '),
    ],
    left: (v) => [...tracesOf(wrapped(v, 76)), ...tracesOf(wrapped(v, 64))],
    least: 90,
  },
  {
    context: 'part of a block',
    forms: ['block'],
    ways: [
      (v) => v.split('\n').slice(2).join('\n'),
      (v) => v.split('\n').slice(2, -2).join('\n'),
      (v) => `     4→${v.split('\n').slice(3).join('\n     5→')}`,
    ],
    least: 400,
  },
  {
    context: 'after a sign or a digit',
    forms: SHAPED,
    ways: [(v) => `backup_${v}`, (v) => `old-${v}`, (v) => `7${v}`, (v) => `line 12${v} end`],
  },
  ...MORE_CONTEXTS,
]

/** Every kind in every context that it fits, in each way to write it. */
export function placed(kinds: readonly SecretKind[], others: readonly SecretKind[]): Placed[] {
  return kinds.flatMap((kind, i) =>
    SECRET_CONTEXTS.filter(({ forms, least = 0 }) => forms.includes(kind.form) && kind.text.length >= least).flatMap(
      ({ context, ways, left }) => {
        const other = others[i]?.text ?? kind.text
        return ways.map((way) => ({
          kind: kind.kind,
          context,
          text: way(kind.text, other),
          traces: left === undefined ? tracesOf(kind.secret ?? kind.text) : left(kind.text),
        }))
      },
    ),
  )
}
