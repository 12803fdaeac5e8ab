import { forEachChild, parse } from 'unbash'
import type { Command, SyntaxNode } from 'unbash'
import {
  basename,
  commandsForEach,
  hasSubcommands,
  innerCommand,
  runByShell,
  scriptsIn,
  subcommandIndex,
} from './shell-tools.ts'

export { basename, subcommandIndex } from './shell-tools.ts'

/** What a command line runs first. If it is no shell, or too long, `parsed` is false and nothing is guessed. */
export interface ShellCommand {
  /** Name of the first simple command, without its directory. Null if there is none or only running it would tell. */
  readonly base: string | null
  /** Subcommand of the tools that have one, past their options. */
  readonly sub: string | null
  /** Has pipes, lists, background jobs, loops, subshells, substitutions or the like. */
  readonly compound: boolean
  readonly parsed: boolean
}

const MAX_LENGTH = 65_536
const MAX_UNWRAPS = 8
const UNPARSED: ShellCommand = { base: null, sub: null, compound: false, parsed: false }

/** Never throws and takes no longer than linear time; a few microseconds for what people type. */
export function parseShell(command: string): ShellCommand {
  const seen = lookAt(command)
  if (seen === null) return UNPARSED
  if (seen.first === null || typeof seen.first === 'string') {
    return { base: seen.first, sub: null, compound: seen.compound, parsed: true }
  }
  const words = wordsOf(seen.first)
  const base = literalName(words[0] ?? '')
  return { base, sub: base === null ? null : literalSubcommand(base, words), compound: seen.compound, parsed: true }
}

/**
 * Words of every simple command in it, name first: those within loops, functions and substitutions too. What `sudo`,
 * `timeout`, `xargs`, `npx`, `uv run`, `bash -c` and their like run stands in their place. Empty if it is not parsed.
 */
export function commandsIn(command: string): string[][] {
  return unwrapped(command, MAX_UNWRAPS)
}

/**
 * The same, with wrappers and what they run side by side, and with what runs on another machine (`ssh`) or for each
 * file (`find -exec`). Each command is there once, in the order in which they are written.
 */
export function everyCommandIn(command: string): string[][] {
  return withInner(command, MAX_UNWRAPS, [])
}

/** What zsh runs within a glob or a flagged `${(e)…}`, and bash within the value of a variable. */
const EVALUATES = /[?*+@!]\(|@P\}|\$\{\(/

/** A line that is one command and nothing else: no pipe, list, substitution, function or keyword. */
export interface SimpleCommand {
  /** Name first, without quotes. Variables and globs stand as they are written. */
  readonly words: readonly string[]
  /** Written as those words with a space between: no quotes, variables, globs or braces. */
  readonly plain: boolean
  readonly redirected: boolean
  /** Sets variables for the command. */
  readonly assigns: boolean
}

/** Null if it is something else, or not parsed. */
export function simpleCommand(command: string): SimpleCommand | null {
  const seen = lookAt(command)
  if (seen === null || seen.compound || seen.commands.length !== 1 || EVALUATES.test(command)) return null
  const only = seen.commands[0]!
  if (seen.first !== only) return null
  const words = wordsOf(only)
  return {
    words,
    plain: words.every((word) => /^[\w@%+=:,./^~-]+$/.test(word)) && words.join(' ') === command.trim(),
    redirected: only.redirects.length > 0,
    assigns: only.prefix.some((part) => part.type === 'Assignment'),
  }
}

function literalName(name: string): string | null {
  const last = basename(name)
  return last === '' || /[$`(){}]/.test(last) ? null : last
}

function literalSubcommand(base: string, words: readonly string[]): string | null {
  if (!hasSubcommands(base)) return null
  const sub = words[subcommandIndex(words)]
  return sub !== undefined && /^[\w@][\w@:./+-]*$/.test(sub) ? sub : null
}

function wordsOf(command: Command): string[] {
  const words = command.args.map((arg) => (arg.type === 'Word' ? arg.value : arg.text))
  return command.name === undefined ? words : [command.name.value, ...words]
}

/** What one pass over the syntax tree finds. `first` is a keyword where the shell itself is what runs first. */
interface Seen {
  first: Command | string | null
  compound: boolean
  broken: boolean
  readonly commands: Command[]
  /** What stands in substitutions of a command. */
  readonly within: Map<Command, readonly Command[]>
}

/** The calls of one command come together: what it is, what it runs, what it says. One parse serves them all. */
let latest: { command: string; seen: Seen | null } | null = null

function lookAt(command: string): Seen | null {
  if (latest?.command !== command) latest = { command, seen: look(command) }
  return latest.seen
}

function look(command: string): Seen | null {
  if (command.length > MAX_LENGTH || opensTooMuch(command)) return null
  const seen: Seen = { first: null, compound: false, broken: false, commands: [], within: new Map() }
  try {
    visit(parse(command.replaceAll('\r\n', '\n')), seen, /`|[$<>]\(|\$\{[\s|]/.test(command))
  } catch {
    return null // deeper than the stack, or beyond the parser: either way not understood
  }
  return seen.broken ? null : seen
}

/** The parser looks for the end of each of these through the rest of the text; thousands without one take seconds. */
function opensTooMuch(command: string): boolean {
  if (command.length < 2048) return false
  let braces = 0
  let others = 0
  for (const [sign] of command.matchAll(/[{}]|\$\[|\$\(\(|<</g)) {
    if (sign === '{') braces++
    else if (sign === '}') braces = Math.max(0, braces - 1)
    else others++
  }
  return braces > 200 || others > 500
}

const WORDS: ReadonlySet<string> = new Set(['Word', 'Assignment', 'Redirect', 'HereString', 'HereDoc'])
const COMPOUND: ReadonlySet<string> = new Set(
  (
    'AndOr Subshell BraceGroup If For ArithmeticFor Select While Case Function Coproc ' +
    'CommandExpansion ProcessSubstitution ArithmeticCommandExpansion'
  ).split(' '),
)

function visit(node: SyntaxNode, seen: Seen, substitutes: boolean): void {
  if (seen.broken) return
  if (WORDS.has(node.type) && !substitutes) return // the parts of a word are costly and hold no command
  const { first } = seen
  if (COMPOUND.has(node.type)) seen.compound = true
  if (node.type === 'Script') {
    if (node.errors !== undefined && node.errors.length > 0) seen.broken = true
    if (node.commands.length > 1) seen.compound = true
  } else if (node.type === 'Statement') {
    if (node.background === true) seen.compound = true
  } else if (node.type === 'Pipeline') {
    if (node.commands.length > 1) seen.compound = true
    if (node.prefixes.some((prefix) => prefix.type === 'Time')) seen.first ??= 'time'
  } else if (node.type === 'Command' && node.name !== undefined) {
    seen.commands.push(node)
    seen.first ??= node
  } else if (node.type === 'TestCommand') {
    seen.first ??= '[['
  } else if (node.type === 'ArithmeticCommand') {
    seen.first ??= '(('
  }
  const count = seen.commands.length
  forEachChild(node, (child) => visit(child, seen, substitutes))
  if (node.type === 'Command' && seen.commands.length > count) seen.within.set(node, seen.commands.slice(count))
  if (node.type === 'Function') seen.first = first // defining runs nothing
}

function unwrapped(command: string, depth: number): string[][] {
  return lookAt(command)?.commands.flatMap((found) => unwrap(wordsOf(found), depth)) ?? []
}

function unwrap(words: string[], depth: number): string[][] {
  if (depth === 0) return [words]
  if (basename(words[0] ?? '') === 'eval') return unwrapped(words.slice(1).join(' '), depth - 1)
  const shell = runByShell(words)
  if (shell !== null) return 'script' in shell ? unwrapped(shell.script, depth - 1) : [shell.command]
  const inner = innerCommand(words)
  return inner.length === 0 ? [words] : unwrap(inner, depth - 1)
}

/** `known`: commands that were counted where they stand in the arguments of what runs this. */
function withInner(command: string, depth: number, known: readonly string[]): string[][] {
  const seen = lookAt(command)
  const left = [...known]
  return (seen?.commands ?? []).flatMap((found) => {
    const words = wordsOf(found)
    const at = left.indexOf(words.join(' '))
    if (at !== -1) left.splice(at, 1)
    const within = seen?.within.get(found) ?? []
    const inner = insideOf(
      words,
      depth,
      within.map((one) => wordsOf(one).join(' ')),
    )
    return at === -1 ? [words, ...inner] : []
  })
}

function insideOf(words: string[], depth: number, known: readonly string[]): string[][] {
  if (depth === 0) return []
  const beside = (command: string[]): string[][] => [command, ...insideOf(command, depth - 1, known)]
  const scripts = scriptsIn(words)
  if (scripts.length > 0) return scripts.flatMap((script) => withInner(script, depth - 1, known))
  const shell = runByShell(words)
  if (shell !== null) return 'script' in shell ? withInner(shell.script, depth - 1, known) : [shell.command]
  const inner = innerCommand(words)
  return inner.length > 0 ? beside(inner) : commandsForEach(words).flatMap(beside)
}
