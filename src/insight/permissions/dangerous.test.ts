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

describe('Grok', () => {
  test('gets no rule with a wildcard: in some of its versions that would fit a whole further command', () => {
    const { suggestions, skipped } = suggest([used('docker logs x'), used('git diff --stat')], { target: grok })
    expect(suggestions.map((one) => one.rule)).toEqual(['Bash([g]it diff --stat)'])
    expect(skipped).toEqual([{ pattern: 'docker logs *', count: 60, reason: expect.stringContaining('whole line') }])
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
