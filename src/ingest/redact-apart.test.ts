import { describe, expect, test } from 'vitest'
import { maker, whole } from '../../test/kit/secrets.ts'
import { createRedactor } from './redact.ts'

const { alnum, hex, password, pem } = maker(2024)
const { text } = createRedactor()
const [one, two] = [password(), password()]
const base64 = (plain: string): string => Buffer.from(plain).toString('base64')

describe('a column under the name of a secret', () => {
  test.each([
    ['psql', ` id | password     | on\n----+--------------+----\n  1 | ${one} | t\n  2 | ${two} | f\n(2 rows)\n`],
    ['Markdown', `| user | **Password** |\n|:-----|--:|\n| sam | ${one} |\n| kim | \`${two}\` |\n\nafter`],
    ['columns of blanks', `NAME   PASSWORD       AGE\nsam    ${one}   3d\nkim    ${two}   4d\n`],
    ['tabs', `user\tdb_password\nsam\t${one}\nkim\t${two}\n`],
    ['CSV', `user,password,role\nsam,${one},admin\nkim,"${two}",user\n`],
  ])('goes, and the table stays: %s', (_, table) => {
    const mark = '[REDACTED:column-secret]'
    expect(text(table)).toBe(table.replace(one, mark).replace(two, mark))
  })

  test('goes as a whole where most of it are passwords, but for stand-ins', () => {
    const table = `user,password\na,${one}\nb,sunshine\nc,changeme\nd,${two}\n`
    expect(text(table)).toBe(
      'user,password\na,[REDACTED:column-secret]\nb,[REDACTED:column-secret]\nc,changeme\nd,[REDACTED:column-secret]\n',
    )
  })

  test.each([
    ['what is no value', '| name | password |\n|---|---|\n| a | required |\n| b | at least 8 characters |\n'],
    ['a row of that name', '| field | type |\n|---|---|\n| password | varchar255 |\n'],
    ['a list of names', 'user, password, token\nand more2come\n'],
    ['code', 'const  token\nuse(  token2.value1);\nif (x)  stack2.push(type7);\n'],
  ])('is none: %s', (_, table) => expect(text(table)).toBe(table))
})

describe('a list below the name of secrets', () => {
  test.each([
    ['YAML', `passwords:\n  - ${one}\n  # old\n  - "${two}"\nport: 1\n`],
    ['YAML in a row', `db_passwords: [${one}, ${two}]\n`],
    ['JSON', `{"passwords": ["${one}",\n "${two}"], "x": 1}`],
    ['JSON in a string', `{\\"passwords\\":[\\"${one}\\",\\"${two}\\"]}`],
  ])('goes, and all else stays: %s', (_, list) => {
    const mark = '[REDACTED:listed-secret]'
    expect(text(list)).toBe(list.replace(one, mark).replace(two, mark))
  })

  test('stays if it lists names', () => {
    const names =
      'secrets:\n  - db_password\n  - api-token\ntokens: [NAME, NUMBER]\ntokens = [token2.val.slice(0, 1)]\n'
    expect(text(names)).toBe(names)
  })

  test('goes from arguments, too', () => {
    expect(createRedactor().json({ passwords: [one, 'x'] })).toEqual({ passwords: ['[REDACTED:listed-secret]', 'x'] })
  })
})

describe('what is encoded', () => {
  test.each([
    ['settings', base64(`PORT=1\nDB_PASSWORD=${one}\n`)],
    ['a login', base64(`sam:${one}${two}`)],
    ['a token', base64(whole`use gh|p_${alnum(36)} for it`)],
  ])('goes if there is a secret in it: %s', (_, encoded) => {
    expect(text(`run ${encoded} now`)).toBe('run [REDACTED:encoded-secret] now')
  })

  test('goes over several lines', () => {
    const lines = base64(`PORT=1\nHOST=a.test\nLEVEL=info\nREGION=north\nMODE=x\nDB_PASSWORD=${one}\n`).match(
      /.{1,76}/g,
    )
    expect(lines?.length).toBeGreaterThan(1)
    expect(text(`env:\n${lines?.join('\n')}\nend`)).toBe('env:\n[REDACTED:encoded-secret]\nend')
  })

  test.each([
    ['prose', base64('nothing to see in here, move along')],
    ['ids of an API', base64(`User:${hex(32)}`)],
    ['settings without a secret', base64('PORT=3000\nHOST=localhost\n')],
  ])('stays if there is none: %s', (_, encoded) => expect(text(encoded)).toBe(encoded))
})

describe('a private key without its head', () => {
  const lines = pem('RSA PRIVATE KEY', '\n').split('\n')
  const more = [alnum(64), alnum(64), alnum(64)]

  test('goes if its end is there', () => {
    expect(text(`$ tail key\n${lines.slice(2).join('\n')}\n$`)).toBe('$ tail key\n[REDACTED:private-key]\n$')
  })

  test('goes if only its middle is there', () => {
    expect(text(`${more.join('\n')}\n`)).toBe('[REDACTED:private-key]\n')
    expect(text(more.map((line, i) => `  ${i + 7}→${line}`).join('\n'))).toBe('  7→[REDACTED:private-key]')
  })

  test('is none if it is a certificate, a signature, a picture or sums', () => {
    const body = more.join('\n')
    for (const clean of [
      whole`-----BE|GIN CERTIFICATE-----\n${body}\n-----E|ND CERTIFICATE-----`,
      whole`${body}\n-----E|ND CERTIFICATE-----`,
      whole`-----BE|GIN PGP SIGNATURE-----\n\n${body}\n=abcd`,
      `iVBORw0KGgo${body.slice(11)}`,
      [hex(64), hex(64), hex(64)].join('\n'),
    ]) {
      expect(text(clean)).toBe(clean)
    }
  })
})

describe('a token over several lines', () => {
  const token = whole`sk-|ant-api03-${alnum(200)}`

  test('goes to its end', () => {
    const wrapped = token.match(/.{1,76}/g)?.join('\n')
    expect(text(`key:\n${wrapped}\n\nthat was it`)).toBe('key:\n[REDACTED:anthropic-key]\n\nthat was it')
    expect(text(`key:\n  ${wrapped?.replaceAll('\n', '\n  ')}\nand`)).toBe('key:\n  [REDACTED:anthropic-key]\nand')
  })

  test('does not take the next line where it was not wrapped', () => {
    expect(text(`${token}\nnext\nline`)).toBe('[REDACTED:anthropic-key]\nnext\nline')
    expect(text(`${token.slice(0, 76)}\nNEXT=1`)).toBe('[REDACTED:anthropic-key]\nNEXT=1')
  })
})

test('what documentation shows in the place of a token stays', () => {
  for (const clean of [
    whole`gh|p_${'x'.repeat(36)}`,
    'AIzaSyYourKeyHere',
    whole`AI|zaSyYourApiKeyHere-abcdefghijklmnopqrst`,
  ])
    expect(text(`GOOGLE_API_KEY=${clean}`)).toBe(`GOOGLE_API_KEY=${clean}`)
})

test('a fragment, a port and a query are no password', () => {
  const clean = 'http://host:8080/#/a@b http://host:80?mail=a@b.test http://host:3000#x@y https://x.test/a:b#c@d'
  expect(text(clean)).toBe(clean)
  expect(text('https://sam:ab#cd?ef@git.test/x')).toBe('https://sam:[REDACTED:url-password]@git.test/x')
})
