import type { ToolCall } from '../../model/permission.ts'
import { scriptOf, type ScriptRedirect, type Script, type ScriptWord, type Segment } from '../kit/script.ts'

// How Claude Code compares rules with a command, as the real one did: test/fixtures/rule-cases.json.

const JOINTS: ReadonlySet<string> = new Set(['&&', '||', ';', '|', '!', 'time', 'For'])
const UNCHECKED = [
  'CommandExpansion',
  'ProcessSubstitution',
  'ParameterExpansion',
  'AnsiCQuoted',
  'LocaleString',
  'BraceExpansion',
  'ExtendedGlob',
]
const HARMLESS_VARIABLES = /^(?:LANG|LANGUAGE|LC_\w+|TZ|NO_COLOR|FORCE_COLOR|TERM|COLORTERM)$/
const WRAPPERS: ReadonlySet<string> = new Set([
  'timeout',
  'time',
  'nice',
  'nohup',
  'stdbuf',
  'command',
  'builtin',
  'noglob',
])

/** True if these rules, and what is never asked about, let all of the command run unasked. */
export function claudeAdmits(
  rules: readonly string[],
  command: string,
  unasked: (command: string) => boolean,
): boolean {
  const script = scriptOf(command)
  if (script === null || /\r/.test(command) || !isCheckable(script)) return false
  const patterns = patternsOf(rules)
  return (
    script.segments.length > 0 &&
    script.segments.every((segment) => {
      if (segment.words.length === 0) return segment.redirects.length === 0
      if (segment.words[0]?.value === 'for') return true
      const text = textOf(segment.words)
      return fits(patterns, segment) || (segment.assigns.length === 0 && unasked(text))
    })
  )
}

/** True if these rules let a tool beside the shell be used unasked: test/fixtures/tool-rules.json. */
export function claudeAdmitsTool(rules: readonly string[], call: ToolCall): boolean {
  if (call.kind === 'server')
    return rules.some((rule) => rule === `mcp__${call.name}` || isServer(rule.replace(/__\*$/, ''), call.name))
  const host = URL.canParse(call.url) ? new URL(call.url).hostname.replace(/\.$/, '') : null
  return rules.some((rule) => rule === 'WebFetch' || (host !== null && rule === `WebFetch(domain:${host})`))
}

/** A rule that names a server alone is for all its tools. */
function isServer(rule: string, name: string): boolean {
  return rule.startsWith('mcp__') && !rule.slice(5).includes('__') && name.startsWith(`${rule.slice(5)}__`)
}

function isCheckable({ segments, joints }: Script): boolean {
  if ([...joints].some((joint) => !JOINTS.has(joint))) return false
  return segments.every(({ words, redirects, assigns }) => {
    if (words.length > 0 && assigns.some((name) => !HARMLESS_VARIABLES.test(name))) return false
    if (assigns.includes('$')) return false
    return words.every((word, i) => isPlain(word, i === 0)) && redirects.every(isHarmless)
  })
}

function isPlain({ parts, text }: ScriptWord, isName: boolean): boolean {
  if (UNCHECKED.some((part) => parts.has(part))) return false
  if (parts.has('ArithmeticExpansion') && !/^\$\(\([\d\s+*/%()-]*\)\)$/.test(text)) return false
  if (/\$\[/.test(text)) return false
  return !parts.has('escape') || (isName && /^\\\w/.test(text))
}

function isHarmless({ operator, target }: ScriptRedirect): boolean {
  if (target === null || !isPlain(target, false)) return false
  const { value } = target
  if (operator === '<<<') return true
  if (operator === '<') return !/^[/~]|\.\./.test(value)
  return value === '/dev/null' || (operator === '>&' && /^\d+$/.test(value))
}

/** The name is compared without its quotes, the other words as they are written, with one space between. */
function textOf(words: readonly ScriptWord[]): string {
  return words.map(({ value, text }, i) => (i === 0 ? value.replace(/^\\(?=\w)/, '') : text)).join(' ')
}

function fits({ exact, wide, open }: Patterns, { words, redirects, isSpaced }: Segment): boolean {
  const inner = withoutWrappers(textOf(words).split(' '))
  const text = redirects.some(({ operator }) => operator === '<<<') ? `${inner.join(' ')} <<<` : inner.join(' ')
  if (!isSpaced && exact.has(text)) return true
  const fed = inner[0] === 'xargs' && !inner[1]?.startsWith('-') ? inner.slice(1).join(' ') : null
  return wide.some((pattern) => pattern.test(text)) || (fed !== null && open.some((pattern) => pattern.test(fed)))
}

function withoutWrappers(words: readonly string[]): readonly string[] {
  const [name = '', next = ''] = words
  if (!WRAPPERS.has(name) || words.length < 2) return words
  if (name === 'timeout') return withoutWrappers(words.slice(2))
  if (name === 'nice' && next === '-n') return withoutWrappers(words.slice(3))
  if (name === 'stdbuf' && next.startsWith('-')) return withoutWrappers(words.slice(2))
  return next.startsWith('-') ? words : withoutWrappers(words.slice(1))
}

interface Patterns {
  readonly exact: ReadonlySet<string>
  readonly wide: readonly RegExp[]
  /** Those that end in a wildcard also fit what xargs adds words to. */
  readonly open: readonly RegExp[]
}

const known = new WeakMap<readonly string[], Patterns>()

function patternsOf(rules: readonly string[]): Patterns {
  const old = known.get(rules)
  if (old !== undefined) return old
  const all = rules.flatMap((rule) => /^Bash\((.*)\)$/s.exec(rule)?.[1] ?? (rule === 'Bash' ? '*' : []))
  const stars = all.filter((text) => text.includes('*'))
  const patterns = {
    exact: new Set(all.filter((text) => !text.includes('*'))),
    wide: stars.map(compile),
    open: stars.filter((text) => text.endsWith('*')).map(compile),
  }
  known.set(rules, patterns)
  return patterns
}

/** `:*` and a last ` *` stand for nothing or for a space and anything; any other `*` for anything. */
function compile(pattern: string): RegExp {
  const head = /^(.*?)(?::\*| \*)$/s.exec(pattern)?.[1]
  const glob = (part: string) =>
    part
      .split('*')
      .map((literal) => literal.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')
  return new RegExp(`^${head === undefined ? glob(pattern) : `${glob(head)}(?: .*)?`}$`, 's')
}
