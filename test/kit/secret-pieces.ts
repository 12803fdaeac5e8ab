import { tracesOf } from './secret-kinds.ts'
import type { SecretContext } from './secret-contexts.ts'

const NAMED = ['token', 'password', 'opaque'] as const
const half = (value: string): number => Math.floor(value.length / 2)
const halves = (value: string, between: string): string =>
  value.slice(0, half(value)) + between + value.slice(half(value))
const third = (value: string): number => Math.floor(value.length / 3)
const thirds = (value: string, between: string): string =>
  value.slice(0, third(value)) + between + value.slice(third(value))

/** Where a secret stands in pieces, and where files, shells and programs of all sorts write it. */
export const MORE_CONTEXTS: readonly SecretContext[] = [
  {
    context: 'strings added up',
    forms: NAMED,
    ways: [
      (v) => `const apiSecret = "${halves(v, '" +\n  "')}"\n`,
      (v) => `API_SECRET = ("${halves(v, '"\n    "')}")\n`,
      (v) => `$password = '${halves(v, "' . '")}';`,
      (v) => `secret = "${halves(v, '" \\\n    "')}"\n`,
    ],
    left: (v) => [...tracesOf(v.slice(0, half(v))), ...tracesOf(v.slice(half(v)))],
    least: 16,
  },
  {
    context: 'a line that goes on',
    forms: NAMED,
    ways: [(v) => `ADMIN_SECRET=${halves(v, '\\\n')}\nPORT=1\n`],
    left: (v) => [...tracesOf(v.slice(0, half(v))), ...tracesOf(v.slice(half(v)))],
    least: 24,
  },
  {
    context: 'colours',
    forms: NAMED,
    ways: [
      (v) => `\x1b[32mADMIN_PASSWORD\x1b[0m=\x1b[33m${v}\x1b[0m\n`,
      (v) => `app.env:3:ADMIN_PASSWORD=\x1b[01;31m\x1b[K${thirds(v, '\x1b[m\x1b[K')}\n`,
    ],
    left: (v) => [...tracesOf(v.slice(third(v))), ...(v.length < 36 ? [] : tracesOf(v.slice(0, third(v))))],
    least: 24,
  },
  {
    context: 'shells',
    forms: NAMED,
    ways: [
      (v) => `C:\\app> set DB_PASSWORD=${v}\r\nC:\\app> npm start\r\n`,
      (v) => `PS> $env:DB_PASSWORD = "${v}"; node app.js`,
      (v) => `setx DB_PASSWORD "${v}" /M`,
      (v) => `docker run -d -e DB_PASSWORD='${v}' -p 80:80 acme/app:1.2`,
      (v) => `curl -u 'svc:${v}' https://api.acme.test/v1/me`,
    ],
  },
  {
    context: 'files of tools',
    forms: NAMED,
    ways: [
      (v) =>
        `            "Env": [\n                "PATH=/usr/bin",\n                ${JSON.stringify(`DB_PASSWORD=${v}`)}\n`,
      (v) => `        env:\n        - name: DB_PASSWORD\n          value: ${JSON.stringify(v)}\n`,
      (v) => `{"resources":[{"instances":[{"attributes":{"id":"a1","db_password":${JSON.stringify(v)}}}]}]}`,
      (v) => `machine api.acme.test\n  login sam\n  password ${v}\n`,
      (v) => `[pypi]\nusername = __token__\npassword = "${v}"\n`,
      (v) => `<add key="DB_PASSWORD" value="${v}" />`,
      (v) => `<server><username>sam</username><password>${v}</password></server>`,
      (v) => `passwords:\n  admin: ${v}\n  port: 80\n`,
    ],
  },
  {
    context: 'rows',
    forms: NAMED,
    ways: [
      (v) =>
        ` id |  email   | password \n----+----------+---------\n  1 | a@b.test | ${v}\n  2 | c@d.test | \n(2 rows)\n`,
      (v) => `*************************** 1. row ***************************\n   login: root\npassword: "${v}"\n`,
      (v) => `user;password;plan\nsam;${v};free\n`,
    ],
  },
  {
    context: 'JSON within JSON within JSON',
    forms: NAMED,
    ways: [(v) => JSON.stringify({ a: JSON.stringify({ body: JSON.stringify({ DB_PASSWORD: v }) }) })],
  },
  {
    context: 'one language in another',
    forms: NAMED,
    ways: [
      (v) => `Environment="DB_PASSWORD=${v}"\nRestart=always\n`,
      (v) => `buildConfigField("String", "API_SECRET", "\\"${v}\\"")`,
      (v) => `"outputs":{"db_password":{"value":${JSON.stringify(v)},"sensitive":true}}`,
      (v) => `"SecretString": ${JSON.stringify(JSON.stringify({ password: v }))}`,
      (v) => `auth: { user: sam, password: ${JSON.stringify(v)} }`,
      (v) => `password: let password: String = String::from("${v}")`,
    ],
  },
  {
    context: 'other languages',
    forms: ['password'],
    ways: [
      (v) => `Passwort: ${v}`,
      (v) => `mot de passe : ${v}`,
      (v) => `contraseña: ${v}`,
      (v) => `пароль: ${v}`,
      (v) => `密码：${v}`,
    ],
  },
  {
    context: 'narrow lines',
    forms: ['token'],
    ways: [(v) => `here it is\n${v.replaceAll(/(.{30})(?=.{8})/g, '$1\n')}\n\nafter`],
    left: (v) => tracesOf(v.replaceAll(/(.{30})(?=.{8})/g, '$1\n')),
    least: 30,
  },
]
