import { simpleCommand, type SimpleCommand } from '../../distill/shell.ts'
import { patternText, type Pattern } from '../../model/permission.ts'
import type { Operands, Row } from './row.ts'
import { LEADING, TABLE } from './table.ts'

/** What the table says about one command: the widest rule that may be offered for it, if any. */
export interface Judgement {
  /** First words of the command, as the table names it; the bare name if the table does not know it. */
  readonly name: string
  readonly row: Row | null
  readonly pattern: Pattern | null
  readonly reason: string
}

const ROWS: ReadonlyMap<string, Row> = new Map(TABLE.map((row) => [row.name, row]))
const LONGEST = Math.max(...TABLE.map((row) => row.name.split(' ').length))

/** Names of commands of which some form may be offered. */
export const OFFERED: ReadonlySet<string> = new Set(
  TABLE.filter((row) => row.verdict !== 'never').map((row) => row.name.split(' ')[0]!),
)

/** For a command without redirection and assignment. Reads the table, guesses nothing. */
export function judge(command: SimpleCommand): Judgement {
  const { words } = command
  const led = pastLeading(words)
  const bare = led === 0 ? words : [words[0]!, ...words.slice(led + 1)]
  const row = rowOf(bare)
  const name = row?.name ?? words[0] ?? ''
  if (row === null) return { name, row, pattern: null, reason: 'not in the table of known commands' }
  if (row.verdict === 'never') return { name, row, pattern: null, reason: row.reason }
  const rest = bare.slice(row.name.split(' ').length)
  if (row.verdict === 'any' && led === 0) {
    return { name, row, pattern: { words: row.name.split(' '), wide: true }, reason: row.reason }
  }
  if (row.verdict !== 'any' && !keepsTo(rest, row)) return { name, row, pattern: null, reason: beyond(row) }
  if (!command.plain) return { name, row, pattern: null, reason: beyond(row) }
  const reason = row.verdict === 'review' ? row.reason : `only this form: ${row.reason}`
  return { name, row, pattern: { words, wide: false }, reason }
}

/** True if a rule for `pattern` lets `command` pass, under the assumptions of docs/permissions.md. */
export function matches(pattern: Pattern, command: string): boolean {
  const simple = simpleCommand(command)
  if (simple === null || simple.redirected || simple.assigns) return false
  return fits(pattern, command)
}

/** The text alone decides. Quotes around the name, comments before it and the like keep a rule from matching. */
export function fits(pattern: Pattern, command: string): boolean {
  const text = command.trim()
  const head = pattern.words.join(' ')
  return text === head || (pattern.wide && text.startsWith(`${head} `))
}

/** The command as the table would have it named: `git diff *`, `rm *`. */
export function groupText(name: string): string {
  return patternText({ words: [name], wide: true })
}

function beyond(row: Row): string {
  if (row.verdict === 'review') return `${row.reason}; only plain forms of it may be allowed`
  return row.danger === null ? row.reason : `${row.reason}; a wider rule would also allow: ${row.danger}`
}

function rowOf(words: readonly string[]): Row | null {
  for (let count = Math.min(LONGEST, words.length); count > 0; count--) {
    const row = ROWS.get(words.slice(0, count).join(' '))
    if (row !== undefined) return row
  }
  return null
}

/** How many words of harmless options stand between the name and the subcommand. */
function pastLeading(words: readonly string[]): number {
  const flags = LEADING.get(words[0] ?? '')
  if (flags === undefined) return 0
  let at = 1
  while (at < words.length && words[at]!.startsWith('-')) {
    const taken = takesFlag(words, at, flagSets(flags))
    if (taken === 0) break
    at += taken
  }
  return at - 1
}

function keepsTo(words: readonly string[], row: Row): boolean {
  const { refuses } = row
  if (refuses !== null && words.some((word) => refuses.test(word))) return false
  const known = flagSets(row.flags)
  let options = true
  for (let at = 0; at < words.length;) {
    const word = words[at]!
    if (options && word === '--' && known.switches.has(word)) options = false
    else if (options && word.startsWith('-') && word !== '-') {
      const taken = takesFlag(words, at, known)
      if (taken === 0) return false
      at += taken
      continue
    } else if (word.startsWith('-') && word !== '-') return false
    else if (!isOperand(word, row.operands)) return false
    at++
  }
  return true
}

function isOperand(word: string, operands: Operands): boolean {
  if (operands instanceof RegExp) return operands.test(word)
  if (operands === 'inside') return /^(?!\w+:(?!:))[\w.]/.test(word) && !word.split('/').includes('..')
  return operands === 'any'
}

interface Flags {
  readonly switches: ReadonlySet<string>
  /** May have their value in the next word. */
  readonly valued: ReadonlySet<string>
  /** Have it there, and stand alone. */
  readonly alone: ReadonlySet<string>
  /** Have it after `=`. */
  readonly assigned: ReadonlySet<string>
  readonly numeric: boolean
}

const parsedFlags = new Map<string, Flags>()

function flagSets(text: string): Flags {
  const known = parsedFlags.get(text)
  if (known !== undefined) return known
  const flags = text.split(' ').filter((flag) => flag !== '')
  const ending = (sign: string) => flags.filter((flag) => flag.endsWith(sign)).map((flag) => flag.slice(0, -1))
  const sets: Flags = {
    switches: new Set(flags.filter((flag) => !/[:;=#]$/.test(flag))),
    valued: new Set(ending(':')),
    alone: new Set(ending(';')),
    assigned: new Set([...ending(':'), ...ending('=')]),
    numeric: flags.includes('-#'),
  }
  parsedFlags.set(text, sets)
  return sets
}

/** Words that the option at `at` takes up, 0 if it is not among the known ones. A value is never taken for one if it looks like an option. */
function takesFlag(words: readonly string[], at: number, known: Flags): number {
  const word = words[at]!
  const hasValue = at + 1 < words.length && !words[at + 1]!.startsWith('-')
  if (hasValue && (known.valued.has(word) || known.alone.has(word))) return 2
  if (known.switches.has(word)) return 1
  if (known.numeric && /^-\d+$/.test(word)) return 1
  const equals = word.indexOf('=')
  if (equals > 0 && known.assigned.has(word.slice(0, equals))) return 1
  if (!/^-[A-Za-z]/.test(word)) return 0
  for (let i = 1; i < word.length; i++) {
    const flag = `-${word[i]}`
    if (known.switches.has(flag)) continue
    if (!known.valued.has(flag)) return 0
    return i + 1 < word.length ? 1 : hasValue ? 2 : 0
  }
  return 1
}
