import { describe, expect, test } from 'vitest'
import { samples, whole } from '../../test/kit/secrets.ts'
import { redactionRules } from './redact-rules.ts'
import { createScanner } from './redact-scan.ts'
import { createRedactor, namedRules } from './redact.ts'

/** `npm run soak` takes longer lines. */
const [LONG, SHORT] = process.env['RECALL_TEST_SOAK'] ? [1_000_000, 6000] : [100_000, 3000]
const COUNTED = 50_000
/** Whatever the line, so many patterns a character are tried at most, and so many characters looked at by those that match. */
const MAX_ATTEMPTS = 1.5
const MAX_MATCHED = 40
/** Quadratic work on a line of 100 kB takes seconds; a busy machine may be several times slower than the usual 15 ms. */
const MAX_MS_OF_100_KB = 300

const BY_SELF = redactionRules()
const BY_NAME = namedRules()
const STARTS = [...new Set([...BY_SELF, ...BY_NAME].flatMap((rule) => rule.starts))]

interface Work {
  attempts: number
  matched: number
}

/** Two scanners that do what a redactor does in one pass, and count it. */
function countingScanners(work: Work): ((text: string) => string)[] {
  class Counting extends RegExp {
    override exec(text: string): RegExpExecArray | null {
      const match = super.exec(text)
      work.attempts++
      work.matched += match?.[0].length ?? 0
      return match
    }
  }
  return [BY_SELF, BY_NAME].map((rules) =>
    createScanner({
      rules: rules.map((rule) => ({ ...rule, pattern: new Counting(rule.pattern) })),
      allow: [],
      found: () => undefined,
    }),
  )
}

const work: Work = { attempts: 0, matched: 0 }
const scanners = countingScanners(work)

function workOn(text: string): Work {
  work.attempts = work.matched = 0
  scanners.reduce((current, scan) => scan(current), text)
  return { ...work }
}

function lineOf(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
}

/** Units of lines on which some rule has much to do, and some that were quadratic once. */
const UNITS = [
  'eyJ-',
  '.eyJ',
  'Authorization: Bearer ',
  'Bearer a1',
  `${'ey'}J${'a'.repeat(20)}.`,
  whole`-----BE|GIN PRIVATE KEY-----`,
  whole`-----BE|GIN PRIVATE KEY-----\n|ab `.repeat(3000),
  whole`https|://a:`,
  'AccountKey=:5432:a:b:',
  'password=:3306:a:b:cccccc',
  '_pass=hunter2!x ',
  'secret:aB3dE6gH9jK2mN5pQ8,',
  '_pass="a',
  "'pass=",
  'passw_',
  'secret: ',
  'token:a',
  'tokentokentoken="a',
  '"AUTH=aB3dE6gH9jK2mN5p',
  'aws_secret_access_key = ',
  'AQVN-',
  ':3306:-',
  '\\"password\\":\\"',
  '{"password":"',
  'Cookie: a=b; ',
  'a=b; ',
  'mysql -h x ',
  'sk-',
  '_eyJ',
  whole`eyJ-|eyJ-eyJ-.`,
  'passwords: [',
  'password: [-a',
  'token=[-a-]{+',
  '12-pass=',
  'passwords:\n- ab1!cd2\n',
  'passwords:\n',
  '| password | x |\n',
  '| password | x |\n|---|---|\n',
  'a  password  b\n',
  'user,password\n',
  'password\ttoken\n',
  whole`-----E|ND PRIVATE KEY-----\n`,
  whole`ab\n-----E|ND PRIVATE KEY-----`,
  `${'aB3'.repeat(21)}a\n`,
  `${'aB3'.repeat(25)}a\n`,
  'REJfUEFTU1dPUkQ9aHVudGVyMjIy ',
  'cG9ydDogODA4MAo',
  'key_',
  'cio',
  '"a" + ',
  '"a"\n',
  "'a' + 'b\n",
  'a\\\n',
  'a\x1b[0m',
  'a\x1b[1m\x1b[K',
  whole`a\x1b[1mgh|p_\x1b[m`,
  whole`"sk-|ant-" + "`,
  'passwords:\n  a: b\n',
  'passwords:\n  a: ab1!cd2\n',
  'password = ("a" "',
  'sk-a1\nb2\n',
  'form-data; name="password"\n\n',
  'A',
  '0',
  'a',
  '/',
  '=',
  '"',
  '\\',
  'é',
  '🎉',
  ' ',
  '-',
  `${'a'.repeat(60)}.`,
  'aB3'.repeat(30),
]
/** Units that stand where a value would, behind each of what opens one. */
const VALUES = [
  'token=',
  'TOKEN= ',
  'pwd="',
  "secret:'",
  'password:password:',
  'api_key=api_key=',
  'Pwd',
  'token\\"',
  'key',
  '_key=a1',
  'password ',
  'secret_secret_',
  '--token ',
  'token>',
  'cookie: a=',
  'cookie: a=b; ',
  'login a password ',
  ' -u a:',
  'mysql ',
  'mysql a -p',
  '://a',
  '://a@',
  '$6$',
  '$2b$12$',
  '$argon2',
  'mnemonic: abc ',
  ':5432:a:b:',
  '"name":"token",\\n',
  'PASSWORD=)))',
  '"d":"',
  'token="a1',
  '@',
  'https://u:@',
  '%3Da',
  'token%3D',
  '%25253A',
  "=\n  'a' +\n",
  'password we use on staging ',
  '│ token │',
]
const OPENINGS = ['', 'password=', '"token": "', 'Cookie: ', 'https://u:']
/** What may stand between starts: nothing, part of a value, of a name, of a sign, and runs of word characters. */
const FILLERS = [
  '',
  'a',
  ' ',
  '=',
  ':',
  '"',
  '\\"',
  '_',
  '-',
  '=x',
  '="a',
  '=hunter2!x ',
  ':aB3dE6gH9jK2mN5pQ8,',
  'A'.repeat(200),
]

/** In time of the processor: others may be at work on the machine. */
function expectFast(text: string): void {
  const redactor = createRedactor()
  const before = process.cpuUsage()
  redactor.text(text)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(MAX_MS_OF_100_KB * Math.max(1, text.length / 100_000))
}

function expectLinear(unit: string, length: number): void {
  const { attempts, matched } = workOn(lineOf(unit, length))
  expect(attempts / length, `patterns tried on ${unit.slice(0, 60)}`).toBeLessThanOrEqual(MAX_ATTEMPTS)
  expect(matched / length, `characters matched on ${unit.slice(0, 60)}`).toBeLessThanOrEqual(MAX_MATCHED)
}

describe('work is linear in the line', () => {
  test.each(UNITS.map((unit) => ({ unit, name: unit.slice(0, 40) })))('for a long line of $name', ({ unit }) => {
    expectLinear(unit, COUNTED)
    expectFast(lineOf(unit, LONG))
  })

  test.each(VALUES)('for a value of %s without end', (unit) => {
    const line = lineOf(unit, Math.min(LONG, 250_000))
    for (const opening of OPENINGS) {
      expectLinear(opening + line.slice(0, COUNTED), COUNTED)
      expectFast(opening + line)
    }
  })

  test('whatever follows whatever start', () => {
    for (const start of STARTS) for (const filler of FILLERS) expectLinear(start + filler, SHORT)
  })

  test('for every kind of secret, and for all but its end', () => {
    for (const [, secret, before = '', after = ''] of samples()) {
      expectLinear(`${before}${secret}${after} `, 12_000)
      expectLinear((before + secret).slice(0, -2), 12_000)
    }
  })

  test('where a secret begins and never ends', () => {
    const heads = [whole`-----BE|GIN PRIVATE KEY-----\n`, 'https://a:', whole`ey|J`, whole`sk-|ant-`, 'AccountKey=']
    for (const head of heads) {
      for (const filler of ['a', ' ', 'a ', '\n', '-']) {
        expectFast(head + lineOf(filler, LONG))
      }
    }
  })
})
