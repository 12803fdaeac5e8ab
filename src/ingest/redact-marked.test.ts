import { describe, expect, test } from 'vitest'
import { maker } from '../../test/kit/secrets.ts'
import { createRedactor } from './redact.ts'

const { alnum, hex, password } = maker(1118)
const { text } = createRedactor()
const key = hex(32)
const [old, fresh] = [`xQ7${alnum(12)}4z`, `Lm2${alnum(12)}9k`]

describe('a name behind what a tool sets before a line', () => {
  test.each(['-', '+', '13-', '13:', './a/.env-13-', './a/.env:13:', '   13→', '\n-', ' 12\t'])('%j', (mark) => {
    expect(text(`${mark}WEATHER_KEY=${key}\n`)).toBe(`${mark}WEATHER_KEY=[REDACTED:assigned-key]\n`)
    expect(text(`${mark}DB_PASS=summerrain\n`)).toBe(`${mark}DB_PASS=[REDACTED:assigned-password]\n`)
  })
})

describe('a difference word by word', () => {
  test.each([
    ['the value alone', `password: [-${old}-]{+changeme+}`, 'password: [REDACTED:assigned-password]'],
    ['what is new', `API_TOKEN=[-changeme-]{+${fresh}+}`, 'API_TOKEN=[REDACTED:assigned-token]'],
    ['both', `"token": [-"${old}"-]{+"${fresh}"+}`, '"token": [REDACTED:assigned-token]'],
    ['the name, too', `[-DB_PASS=${old}-]{+DB_PASS=+}`, '[-DB_PASS=[REDACTED:assigned-password]-]{+DB_PASS=+}'],
  ])('%s', (_, written, left) => expect(text(written)).toBe(left))

  test('of words stays', () => {
    const words = 'password: [-required-]{+optional+} token = [-string-]{+undefined+}'
    expect(text(words)).toBe(words)
  })
})

test.each(['redis_pass', 'gpg_passphrase', 'azure_storage_key', 'encryption_key', 'secret_key_base'])(
  'a column called %s goes',
  (head) => {
    const mark = '[REDACTED:column-secret]'
    expect(text(`host,${head},port\nweb,${old},80\n`)).toBe(`host,${head},port\nweb,${mark},80\n`)
    const table = `| host | ${head} |\n|---|---|\n| web | ${old} |\n`
    expect(text(table)).toBe(table.replace(old, mark))
  },
)

test('strings of a shell that a backslash joins are one', () => {
  expect(text(`export API_TOKEN="${key.slice(0, 8)}"\\\n"${key.slice(8)}"`)).toBe(
    'export API_TOKEN="[REDACTED:assigned-token]"',
  )
})

test('a token may be as short as a password, if it is as strong', () => {
  const short = password()
  expect(text(`const TOKEN = '${short}';`)).not.toContain(short)
})

test.each([
  '"minipass": "^7.0.3",',
  '"fs-minipass": "~3.0.0"',
  '"x-token": ">=1.2.3"',
  '#define CKA_TOKEN 0x00000001UL',
])('a version or a number stays: %s', (line) => expect(text(line)).toBe(line))

test.each(['bindpw', 'requirepass'])('%s is a password', (name) => {
  for (const before of [`${name} = "`, `${name}\x1b[0m=`, `{"${name}":"`, `- name: ${name}\n  value: `]) {
    expect(text(`${before}${old}`)).toBe(`${before}[REDACTED:assigned-password]`)
  }
})

test('a name and its value in a table of lines', () => {
  const table = (value: string): string => `│ API_KEY │ ${value} │\n│ region │ eu-west-1 │\n`
  expect(text(table(key))).toBe(table('[REDACTED:assigned-key]'))
})

describe('a name and its value in a sentence', () => {
  test.each(['DB_PASSWORD we use on staging is', 'DB_PASSWORD for the new server was', 'DB_PASSWORD is'])(
    '%s',
    (said) =>
      expect(text(`so the ${said} ${old} and more`)).toBe(`so the ${said} [REDACTED:assigned-password] and more`),
  )

  test.each([
    `the commit with the token fix is ${hex(40)}`,
    'the password we use on staging is required',
    'the token that we get is a string of 40 characters',
  ])('stays: %s', (clean) => expect(text(clean)).toBe(clean))
})
