import {
  parse,
  type Command,
  type CommandNode,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word,
} from 'unbash'

/** One command of a script as agents take it apart before they compare it with rules. */
export interface Segment {
  readonly words: readonly ScriptWord[]
  readonly redirects: readonly ScriptRedirect[]
  /** Names of variables that are set before it. */
  readonly assigns: readonly string[]
  /** There is more than one space between two words. */
  readonly isSpaced: boolean
}

export interface ScriptWord {
  /** Without quotes; variables, globs and braces as they are written. */
  readonly value: string
  readonly text: string
  /** What it is made of beside plain letters: names of the parts as the parser has them, and `escape`. */
  readonly parts: ReadonlySet<string>
}

export interface ScriptRedirect {
  readonly operator: string
  /** Null of a here-document. */
  readonly target: ScriptWord | null
}

export interface Script {
  readonly segments: readonly Segment[]
  /** What joins or surrounds them: `&&`, `|`, `|&`, `;`, `&`, `!`, `time`, or the type of a compound command. */
  readonly joints: ReadonlySet<string>
  readonly comment: boolean
}

const MAX_LENGTH = 65_536

/** Null if it cannot be parsed, or is too long. */
export function scriptOf(command: string): Script | null {
  if (command.length > MAX_LENGTH) return null
  const found = {
    source: command,
    segments: [] as Segment[],
    joints: new Set<string>(),
    comment: /(?:^|\s)#/.test(command),
  }
  try {
    const { commands, errors } = parse(command)
    if (errors !== undefined && errors.length > 0) return null
    addStatements(commands, found)
  } catch {
    return null
  }
  return found
}

interface Found {
  readonly source: string
  readonly segments: Segment[]
  readonly joints: Set<string>
}

function addStatements(statements: readonly Statement[], found: Found): void {
  if (statements.length > 1) found.joints.add(';')
  for (const { command, background } of statements) {
    if (background === true) found.joints.add('&')
    addNode(command, found)
  }
}

function addNode(node: Statement['command'] | CommandNode, found: Found): void {
  if (node.type === 'Command') return addCommand(node, found)
  if (node.type === 'AndOr' || node.type === 'Pipeline') {
    for (const operator of node.operators) found.joints.add(operator)
    if (node.type === 'Pipeline') for (const { type } of node.prefixes) found.joints.add(type === 'Time' ? 'time' : '!')
    for (const inner of node.commands) addNode(inner, found)
    return
  }
  found.joints.add(node.type)
  if (node.type === 'For') {
    if (node.wordlist !== undefined)
      found.segments.push({
        words: [literal('for'), ...node.wordlist.map(wordOf)],
        redirects: [],
        assigns: [],
        isSpaced: false,
      })
    addStatements(node.body.commands, found)
  }
}

function literal(value: string): ScriptWord {
  return { value, text: value, parts: new Set() }
}

function addCommand(command: Command, found: Found): void {
  const assigns = command.prefix.flatMap((part) => (part.type === 'Assignment' ? [part] : []))
  const name = command.name === undefined ? [] : [wordOf(command.name)]
  const args = command.args.map((arg) => (arg.type === 'Word' ? wordOf(arg) : literal(arg.text)))
  found.segments.push({
    words: [...name, ...args],
    redirects: command.redirects.map(redirectOf),
    isSpaced: /\S[ \t]{2,}\S/.test(found.source.slice(command.pos, command.end)),
    assigns: assigns.map(({ text }) => (/[$`]/.test(text) ? '$' : (/^\w+/.exec(text)?.[0] ?? '$'))),
  })
}

function redirectOf(redirect: Redirection): ScriptRedirect {
  const { operator } = redirect
  return {
    operator,
    target: redirect.type === 'HereDoc' || redirect.target === undefined ? null : wordOf(redirect.target),
  }
}

function wordOf({ value, text, parts = [] }: Word): ScriptWord {
  const kinds = new Set<string>()
  const visit = (part: SyntaxNode | { readonly type: string }) => {
    if (part.type !== 'Literal') kinds.add(part.type)
    if ('parts' in part && Array.isArray(part.parts)) for (const inner of part.parts) visit(inner as SyntaxNode)
  }
  for (const part of parts) visit(part)
  if (/\\/.test(text.replace(/'[^']*'|"(?:\\.|[^"\\])*"/g, ''))) kinds.add('escape')
  return { value, text, parts: kinds }
}
