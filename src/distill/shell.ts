import { forEachChild, parse } from 'unbash'
import type { Command, SyntaxNode } from 'unbash'

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

/** Tools with subcommands, and those of their options that take the next word as a value. */
const SUBCOMMAND_TOOLS: ReadonlyMap<string, ReadonlySet<string>> = optionSets([
  ['git', '-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source'],
  [
    'kubectl',
    '-n --namespace --context --cluster --user --kubeconfig -s --server --token --as --as-group --as-uid -v --v ' +
      '--request-timeout --certificate-authority --client-certificate --client-key --cache-dir --tls-server-name',
  ],
  ['docker', '-c --context -H --host --config -l --log-level --tlscacert --tlscert --tlskey'],
  ['npm', '--prefix -C -w --workspace --registry --userconfig --cache --loglevel --tag --otp --omit --include --scope'],
  ['yarn', '--cwd --registry --cache-folder --modules-folder --mutex --network-timeout --use-yarnrc'],
  ['pnpm', '-C --dir -F --filter --filter-prod --reporter --loglevel --store-dir --workspace-concurrency --registry'],
  ['cargo', '-C -Z --color --config --manifest-path'],
  ['go', '-C'],
  ['uv', '--directory --project --config-file --cache-dir --color --python --python-preference --allow-insecure-host'],
  ['pip', '--proxy --retries --timeout --log --python --cert --client-cert --cache-dir --exists-action --trusted-host'],
  ['brew', ''],
  ['apt', '-o --option -c --config-file -t --target-release --default-release -a --host-architecture'],
  ['systemctl', '-H --host -M --machine -t --type -p --property --state -n --lines -o --output -s --signal --root'],
])

const IN_DOCKER = '-e --env --env-file -u --user -w --workdir -v --volume -p --publish --name --network --entrypoint'
/** Commands that run the command in their arguments, and those of their options that take a value. */
const WRAPPERS: ReadonlyMap<string, ReadonlySet<string>> = optionSets([
  ['sudo', '-u --user -g --group -h --host -p --prompt -C -D --chdir -R -T -U -r -t'],
  ['doas', '-u -C'],
  ['env', '-u --unset -C --chdir'],
  ['time', '-f --format -o --output'],
  ['timeout,gtimeout', '-s --signal -k --kill-after'],
  ['nohup,setsid,unbuffer,builtin,command,cross-env,pnpx,pnpm exec,yarn exec,bun x', ''],
  ['poetry run,pipenv run,rye run,bundle exec,mise exec', ''],
  ['nice,ionice', '-n --adjustment -c'],
  ['stdbuf', '-i -o -e'],
  ['caffeinate', '-t -w'],
  ['xvfb-run', '-n -s -e -f -p -w'],
  ['exec', '-a'],
  ['xargs', '-I -n -P -d -L -s -a -E --max-args --max-procs --max-lines --delimiter --arg-file'],
  ['npx,bunx,npm exec,pnpm dlx,yarn dlx', '-p --package -w --workspace'],
  ['uvx', '--from --with -p --python --index --with-requirements'],
  ['uv run', '--with --with-editable -p --python --extra --group --project --directory --package --env-file --index'],
  ['pdm run', '-p --project'],
  ['nyc,c8', '-r --reporter --include --exclude'],
  ['docker exec,docker run', IN_DOCKER],
  ['docker compose', `${IN_DOCKER} -f --file --profile --project-directory`],
  ['kubectl exec', '-n --namespace -c --container --context'],
])
/** Words of their own that these take before the command. */
const OPERANDS: Readonly<Record<string, number>> = {
  timeout: 1,
  gtimeout: 1,
  'docker exec': 1,
  'docker run': 1,
  'docker compose': 2,
  'kubectl exec': 1,
}
const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh'])

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

/** What zsh runs within a glob, and bash within the value of a variable. */
const EVALUATES = /[?*+@!]\(|@P\}/

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

/** Where the subcommand stands in the words of a command, past the options of its tool; -1 if there is none. */
export function subcommandIndex(words: readonly string[]): number {
  const valued = SUBCOMMAND_TOOLS.get(basename(words[0] ?? ''))
  for (let i = 1; i < words.length; i++) {
    const word = words[i]!
    if (word === '--') return -1
    if (valued?.has(word) === true) i++
    else if (!/^[-+]/.test(word)) return i
  }
  return -1
}

export function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function literalName(name: string): string | null {
  const last = basename(name)
  return last === '' || /[$`(){}]/.test(last) ? null : last
}

function literalSubcommand(base: string, words: readonly string[]): string | null {
  if (!SUBCOMMAND_TOOLS.has(base)) return null
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
}

/** The calls of one command come together: what it is, what it runs, what it says. One parse serves them all. */
let latest: { command: string; seen: Seen | null } | null = null

function lookAt(command: string): Seen | null {
  if (latest?.command !== command) latest = { command, seen: look(command) }
  return latest.seen
}

function look(command: string): Seen | null {
  if (command.length > MAX_LENGTH || opensTooMuch(command)) return null
  const seen: Seen = { first: null, compound: false, broken: false, commands: [] }
  try {
    visit(parse(command), seen, /`|[$<>]\(|\$\{[\s|]/.test(command))
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
  forEachChild(node, (child) => visit(child, seen, substitutes))
  if (node.type === 'Function') seen.first = first // defining runs nothing
}

function unwrapped(command: string, depth: number): string[][] {
  return lookAt(command)?.commands.flatMap((found) => unwrap(wordsOf(found), depth)) ?? []
}

function unwrap(words: string[], depth: number): string[][] {
  const name = basename(words[0] ?? '')
  if (depth === 0) return [words]
  if (name === 'eval') return unwrapped(words.slice(1).join(' '), depth - 1)
  if (SHELLS.has(name)) return unwrapShell(words, depth)
  const inner = innerCommand(words)
  return inner.length === 0 ? [words] : unwrap(inner, depth - 1)
}

/** `bash -c 'a && b'` runs a and b; `bash run.sh` runs ./run.sh. */
function unwrapShell(words: string[], depth: number): string[][] {
  for (let i = 1; i < words.length; i++) {
    const word = words[i]!
    if (/^-[a-z]*c$/.test(word)) return unwrapped(words[i + 1] ?? '', depth - 1)
    if (/^[-+][a-zA-Z]*[oO]$/.test(word)) i++
    else if (!word.startsWith('-')) return [[word.includes('/') ? word : `./${word}`, ...words.slice(i + 1)]]
  }
  return [words]
}

/** Words of the command that a wrapper runs; empty if it is no wrapper or runs nothing. */
function innerCommand(words: string[]): string[] {
  const name = basename(words[0] ?? '')
  const at = WRAPPERS.has(name) ? 0 : subcommandIndex(words)
  const key = at > 0 ? `${name} ${words[at]}` : name
  const valued = WRAPPERS.get(key)
  if (valued === undefined || at < 0) return []
  if (name === 'command' && /^-[vV]$/.test(words[1] ?? '')) return []
  let operands = OPERANDS[key] ?? 0
  for (let i = at + 1; i < words.length; i++) {
    const word = words[i]!
    if (word === '--') return words.slice(i + 1 + operands)
    if (valued.has(word)) i++
    else if (/^-|^\w+=/.test(word)) continue
    else if (key === 'docker compose' && operands === 2 && word !== 'exec' && word !== 'run') return []
    else if (operands-- === 0) return words.slice(i)
  }
  return []
}

function optionSets(rows: readonly (readonly [names: string, options: string])[]): Map<string, Set<string>> {
  return new Map(
    rows.flatMap(([names, options]) => names.split(',').map((name) => [name, new Set(options.split(' '))])),
  )
}
