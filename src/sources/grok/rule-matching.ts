import type { ToolCall } from '../../model/permission.ts'
import { scriptOf, type ScriptRedirect, type ScriptWord } from '../kit/script.ts'

// How Grok compares rules with a command, its own and those of Claude Code, as the real one did:
// test/fixtures/rule-cases.json.

const JOINTS: ReadonlySet<string> = new Set(['&&', '||', ';', '|'])
const PLAIN: ReadonlySet<string> = new Set(['SingleQuoted', 'DoubleQuoted', 'Glob', 'BraceExpansion', 'escape'])
const WRAPPERS: ReadonlySet<string> = new Set([
  'timeout',
  'nice',
  'stdbuf',
  'env',
  'command',
  'builtin',
  'exec',
  'ionice',
  'chrt',
])

/** True if these rules let all of the command run unasked: each part of it by a rule. */
export function grokAdmits(rules: readonly string[], command: string): boolean {
  const script = scriptOf(command)
  if (script === null || /\r/.test(command)) return false
  if ([...script.joints].some((joint) => !JOINTS.has(joint))) return false
  const patterns = patternsOf(rules)
  return (
    script.segments.length > 0 &&
    script.segments.every(({ words, redirects, assigns }) => {
      if (words.length === 0 || assigns.length > 0 || !redirects.every(isHarmless)) return false
      if (words.some(({ parts }, i) => [...parts].some((part) => i === 0 || !PLAIN.has(part)))) return false
      const text = withoutWrappers(words.map(({ value }) => value)).join(' ')
      return patterns.exact.has(text.toLowerCase()) || patterns.wide.some((pattern) => pattern.test(text))
    })
  )
}

/** True if these rules, its own or those of Claude Code, let a tool beside the shell be used unasked: test/fixtures/tool-rules.json. */
export function grokAdmitsTool(rules: readonly string[], call: ToolCall): boolean {
  return rules.some((rule) => {
    if (call.kind === 'fetch') return rule === 'WebFetch' || fetches(/^WebFetch\((.*)\)$/s.exec(rule)?.[1], call.url)
    const claudes = /^mcp__(.*)$/s.exec(rule)?.[1]
    const name = claudes?.includes('__') === false ? `${claudes}__*` : (claudes ?? /^MCPTool\((.*)\)$/s.exec(rule)?.[1])
    return rule === 'MCPTool' || (name !== undefined && new RegExp(`^${globSource(name)}$`, 'is').test(call.name))
  })
}

/** `domain:` is for the sites below it, too; anything else is a glob for the whole address. */
function fetches(pattern: string | undefined, url: string): boolean {
  if (pattern === undefined || !URL.canParse(url)) return false
  const domain = /^domain:(?:www\.)?(.*)$/is.exec(pattern)?.[1]?.toLowerCase()
  if (domain === undefined) return new RegExp(`^${globSource(pattern)}$`, 'is').test(url)
  const host = new URL(url).hostname.replace(/\.$/, '').toLowerCase()
  return host === domain || host.endsWith(`.${domain}`)
}

function isHarmless({ operator, target }: ScriptRedirect): boolean {
  if (operator === '<<' || operator === '<<-') return true
  if (target === null || !isWord(target)) return false
  if (operator === '<') return true
  return operator !== '<<<' && (target.value === '/dev/null' || (operator === '>&' && /^\d+$/.test(target.value)))
}

function isWord({ parts }: ScriptWord): boolean {
  return [...parts].every((part) => PLAIN.has(part))
}

function withoutWrappers(words: readonly string[]): readonly string[] {
  const [name = '', next = ''] = words
  if (!WRAPPERS.has(name) || words.length < 2) return words
  if (name === 'timeout') return withoutWrappers(words.slice(2))
  if (name === 'nice' && next === '-n') return withoutWrappers(words.slice(3))
  if (name === 'stdbuf' && next.startsWith('-')) return withoutWrappers(words.slice(2))
  return next.startsWith('-') || next.includes('=') ? words : withoutWrappers(words.slice(1))
}

interface Patterns {
  /** In small letters. */
  readonly exact: ReadonlySet<string>
  readonly wide: readonly RegExp[]
}

const known = new WeakMap<readonly string[], Patterns>()

function patternsOf(rules: readonly string[]): Patterns {
  const old = known.get(rules)
  if (old !== undefined) return old
  const all = rules.flatMap((rule) => /^Bash\((.*)\)$/s.exec(rule)?.[1] ?? (rule === 'Bash' ? '*' : []))
  // A letter in brackets makes a glob of what would be a beginning: it fits one command alone.
  const exact = all.flatMap((text) => /^\[(\w)\]([^*?[]*)$/.exec(text)?.slice(1).join('').toLowerCase() ?? [])
  const rest = all.filter((text) => !/^\[\w\][^*?[]*$/.test(text))
  const patterns = { exact: new Set(exact), wide: rest.map(compile) }
  known.set(rules, patterns)
  return patterns
}

/** Without a wildcard, or with `:*`, a rule is a beginning of whole words; else a glob for all. Letters of either case are the same. */
function compile(pattern: string): RegExp {
  const isGlob = /[*?[]/.test(pattern.replace(/:\*$/, ''))
  const source = isGlob ? globSource(pattern) : `${escaped(pattern.replace(/:\*$/, ''))}(?: .*)?`
  return new RegExp(`^${source}$`, 'is')
}

function globSource(pattern: string): string {
  return pattern.replace(
    /\[(!?)([^\]]+)\]|\*|\?|[^[*?]+|\[/g,
    (token, not: string | undefined, set: string | undefined) => {
      if (set !== undefined) return `[${not === '!' ? '^' : ''}${set.replace(/[\\\]^]/g, '\\$&')}]`
      return token === '*' ? '.*' : token === '?' ? '.' : escaped(token)
    },
  )
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
