import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { widerFor } from '../src/insight/permissions/readers.ts'
import type { ToolAsked, ToolCall } from '../src/model/permission.ts'
import { claudePermissions as claude } from '../src/sources/claude/permissions.ts'
import { claudeAdmits } from '../src/sources/claude/rule-matching.ts'
import { codexAdmits } from '../src/sources/codex/rule-matching.ts'
import { grokPermissions as grok } from '../src/sources/grok/permissions.ts'
import { grokAdmits } from '../src/sources/grok/rule-matching.ts'

/** What a real agent ran unasked with these rules in the settings of `reads`, and what it asked about. */
interface Tried {
  readonly agent: string
  readonly version: string
  readonly reads: string
  readonly on: string
  readonly rules: readonly string[]
  readonly ran: readonly string[]
  readonly asked: readonly string[]
}

const fixture = new URL('fixtures/rule-cases.json', import.meta.url)
const all = JSON.parse(readFileSync(fixture, 'utf8')) as readonly Tried[]
const READERS = /^(?:cat README\.md|head -1|echo more|cd src)$/
const admits: Readonly<Record<string, (rules: readonly string[], command: string) => boolean>> = {
  claude: (rules, command) => claudeAdmits(rules, command, (text) => READERS.test(text)),
  codex: codexAdmits,
  grok: grokAdmits,
}

describe.each(
  all.map((tried) => [`${tried.agent} ${tried.version} reads the rules of ${tried.reads}`, tried] as const),
)('%s', (_, { agent, rules, ran, asked }) => {
  const ask = (command: string) => admits[agent]!(rules, command)

  test('was tried with at least 300 commands', () => {
    expect(ran.length + asked.length).toBeGreaterThanOrEqual(300)
    expect(ran.length).toBeGreaterThan(10)
  })

  test('what it ran unasked is let through', () => {
    expect(ran.filter((command) => !ask(command))).toEqual([])
  })

  test('what it asked about is not', () => {
    expect(asked.filter(ask)).toEqual([])
  })
})

/** A suggested rule of each kind: what its agent did before and after, and with commands beside it. */
interface Kind {
  readonly agent: string
  readonly version: string
  readonly rule: string
  readonly uses: readonly string[]
  readonly askedBefore: readonly string[]
  readonly ranAfter: readonly string[]
  readonly askedAfter: readonly string[]
}

const kinds = JSON.parse(readFileSync(new URL('fixtures/rule-kinds.json', import.meta.url), 'utf8')) as readonly Kind[]

test.each(kinds.map((kind) => [`${kind.agent} ${kind.version}`, kind] as const))(
  '%s asked before a rule of each kind, not after, and still asks about at least 20 commands beside it',
  (_, { agent, rule, uses, askedBefore, ranAfter, askedAfter }) => {
    expect(askedBefore).toEqual(uses)
    expect(ranAfter).toEqual(expect.arrayContaining([...uses]))
    // The same words in quotes are the same words.
    const spelt = new Set(uses.map((use) => use.replaceAll("'", '')))
    expect(
      ranAfter.filter((command) => !spelt.has(command.replaceAll("'", '')) && command !== "docker 'port'"),
    ).toEqual([])
    expect(askedAfter.length).toBeGreaterThanOrEqual(20)
    expect(askedAfter.filter((command) => admits[agent]!([rule], command))).toEqual([])
    expect(uses.filter((command) => !admits[agent]!([rule], command))).toEqual([])
  },
)

/** A rule beside the shell, in the settings of `file`, and what `agent` did with it. */
interface ToolTried extends Kind {
  readonly file: string
  readonly kind: 'server' | 'fetch'
}

const toolRules = JSON.parse(
  readFileSync(new URL('fixtures/tool-rules.json', import.meta.url), 'utf8'),
) as readonly ToolTried[]
const ASKED: Readonly<Record<ToolTried['kind'], ToolAsked>> = {
  server: { kind: 'server', server: 'lab', tool: 'get_issue' },
  fetch: { kind: 'fetch', host: 'docs.example.org' },
}
const targetOf = (name: string) => (name === 'grok' ? grok : claude)
const called = (kind: ToolTried['kind'], what: string): ToolCall =>
  kind === 'server' ? { kind, name: what } : { kind, url: what }
/** The same tool but for its letters, and the same host, however it is written. */
const isMeant = (kind: ToolTried['kind'], what: string) =>
  kind === 'server' ? /^lab__get_issue$/i.test(what) : /^docs\.example\.org\.?$/.test(new URL(what).hostname)

describe.each(
  toolRules.map((tried) => [`${tried.agent} ${tried.version} with ${tried.rule} of ${tried.file}`, tried] as const),
)('%s', (_, { agent, file, kind, rule, uses, askedBefore, ranAfter, askedAfter }) => {
  const own = targetOf(file)
  const isOurs = own.toolRule(ASKED[kind]) === rule

  test('asked before, not after, and still asks about at least 20 calls beside it', () => {
    expect(askedBefore).toEqual(uses)
    expect(ranAfter).toEqual(expect.arrayContaining([...uses]))
    expect(askedAfter.length).toBeGreaterThanOrEqual(20)
  })

  test('is compared as the real one did', () => {
    const isLetThrough = (what: string) => targetOf(agent).admitsTool([rule], called(kind, what))
    expect(ranAfter.filter((what) => !isLetThrough(what))).toEqual([])
    expect(askedAfter.filter(isLetThrough)).toEqual([])
  })

  test('is for what it names alone, or is not written', () => {
    const beside = ranAfter.filter((what) => !isMeant(kind, what))
    const refused = widerFor(own, targetOf(agent), { rule, pattern: rule, tool: ASKED[kind] })
    if (isOurs && refused === null) expect(beside).toEqual([])
    else expect(beside).not.toEqual([])
  })
})

test('every kind of rule beside the shell that can be offered was tried, in each agent that reads it', () => {
  const tried = toolRules.map(({ agent, file, rule }) => `${agent} ${file} ${rule}`)
  const offered = [claude, grok].flatMap((own) =>
    Object.values(ASKED).flatMap((asked) =>
      (own === claude ? ['claude', 'grok'] : ['grok']).map((agent) => `${agent} ${own.agent} ${own.toolRule(asked)}`),
    ),
  )
  expect(tried).toEqual(expect.arrayContaining(offered))
})
