import { basename } from '../distill/shell.ts'
import type { CommandLine } from './look-only-commands.ts'
import { wordStem } from './snippet.ts'
import { STOP_WORDS } from './stop-words.ts'
import { contentWords, holdsWord, isDeed, isSameDeed } from './task-words.ts'
import { spokenWords, totalWeight, type WeightedWord } from './term-weights.ts'

/** A task as commands are held against it. */
export interface Task {
  readonly text: string
  readonly words: readonly WeightedWord[]
  /** What is to be done: `create`, `delete`, `seed`; null if the task does not say. */
  readonly deed: Deed | null
  /** The task as a command line: its words up to what is a value. */
  readonly line: readonly string[]
}

interface Deed {
  readonly word: string
  readonly stem: string
  /** It is known to be something that is done, and so other deeds to be others. */
  readonly isKnown: boolean
  /** Every program does it. */
  readonly isCommon: boolean
}

export interface Fit {
  /** Share of the task, by weight of its words, that the command and the talk around it hold. */
  readonly relevance: number
  /** Between two commands that hold as much: how much of what the command says is asked for. */
  readonly closeness: number
}

/** What follows says when or to what, not what for: `Type-check after renaming the file`. */
const OCCASION = /\b(?:after|before|that|which|what|when|while|without)\b/i
const ASIDE = 0.5
/** A longer word is data. */
const LONGEST_WORD = 60
/** A command that says of itself that it does something else, and one that does not say what it does. */
const OTHER_DEED = 0.6
const NO_DEED = 0.9
const MAYBE_OTHER = 0.8
/** What a command that says of itself that it does this lacks of the task counts less: it may be told by its values. */
const NAMED_DEED = 0.6
const LIKE_DEED = 0.4
/** One word of many that a command shares with the task raises nothing. */
const TOO_LITTLE = 0.25
const ENOUGH = 0.5
/** A command that is the task, word for word. */
const WORD_FOR_WORD = 1.5
const COMMON_DEEDS: ReadonlySet<string> = new Set(['run', 'make', 'get', 'start', 'use', 'set', 'do', 'show', 'test'])

/** `ran` are the commands among which the task is looked for: what one of them is called or does is known to be so. */
export function readTask(text: string, words: readonly WeightedWord[], ran: readonly CommandLine[]): Task {
  const line = text.trim().toLowerCase().split(/\s+/)
  const wanted = line
    .map((one) => one.replace(/[^\p{L}\p{N}-]/gu, ''))
    .filter((one) => one !== '' && one !== 'please' && !STOP_WORDS.has(one))
  const isProgram = ran.some(({ acting }) =>
    acting.some(([name = '', ...rest]) => rest.length > 0 && basename(name) === wanted[0]),
  )
  const word = isProgram && wanted.length > 1 ? wanted[1] : wanted[0]
  if (word === undefined) return { text, words, deed: null, line }
  const isKnown = isDeed(word) || ran.some(({ acting }) => acting.some((one) => namesOf(one).includes(word)))
  const deed = { word, stem: wordStem(word), isKnown, isCommon: COMMON_DEEDS.has(word) }
  return { text, words, deed, line }
}

/**
 * How a command fits a task. Words count fully in the command and in what the agent said it is for; `around` tells how much
 * the i-th word counts that is only spoken of around it.
 */
export function fitOf(task: Task, command: CommandLine, purpose: string | null, around: (i: number) => number): Fit {
  const { acting } = command
  if (isTask(task, acting)) return { relevance: 1, closeness: WORD_FOR_WORD }
  const [aim = '', occasion = ''] = (purpose ?? '').split(OCCASION, 2)
  const [said, aside] = [spokenWords(aim), spokenWords(occasion)]
  const own = spokenWords(`${aim} ${wordsOf(command)}`)
  let held = 0
  for (const [i, { stem, weight, term }] of task.words.entries()) {
    const word = { text: term.text, stem }
    held += weight * Math.max(holdsWord(own, word), ASIDE * holdsWord(aside, word), around(i))
  }
  const share = held / (totalWeight(task.words) || 1)
  return {
    relevance: deedShare(task, share, purpose, acting),
    closeness: Math.max(askedShare(task, said), askedShare(task, new Set(acting.flatMap(namesOf)))),
  }
}

/** True if one of the commands begins with the words of the task, whatever options stand between them. */
function isTask({ line }: Task, acting: readonly (readonly string[])[]): boolean {
  if (line.length < 2) return false
  return acting.some(([name = '', ...rest]) => {
    const words = [basename(name), ...rest].filter((word) => !word.startsWith('-')).map((word) => word.toLowerCase())
    const options = line.filter((word) => word.startsWith('-'))
    const plain = line.filter((word) => !word.startsWith('-'))
    return plain.every((word, i) => words[i] === word) && options.every((option) => rest.includes(option))
  })
}

/** More for a command that names what is to be done; less for one that does something else with the same things. */
function deedShare(
  { deed, words }: Task,
  share: number,
  purpose: string | null,
  acting: CommandLine['acting'],
): number {
  if (deed === null) return share
  const [first = ''] = (purpose ?? '').toLowerCase().match(/\p{L}+/gu) ?? []
  const names = acting.flatMap(namesOf)
  const raised = (most: number) =>
    share +
    (1 - share) * (deed.isCommon ? 0 : most) * Math.max(0, Math.min(1, (share - TOO_LITTLE) / (ENOUGH - TOO_LITTLE)))
  const isOther = (name: string) => isDeed(name) && !words.some(({ stem }) => stem === wordStem(name))
  if (deed.isKnown && isOther(first) && !isSameDeed(deed.word, first)) return share * OTHER_DEED
  if (wordStem(first) === deed.stem || names.some((name) => isCalled(name, deed))) return raised(NAMED_DEED)
  if (!deed.isKnown) return isOther(first) ? share * MAYBE_OTHER : share
  const others = [first, ...names].filter(isOther)
  if (others.some((name) => isSameDeed(deed.word, name))) return raised(LIKE_DEED)
  return share * (others.length === 0 ? NO_DEED : OTHER_DEED)
}

/** `dropdb` is called `drop`. */
function isCalled(name: string, { word, stem }: Deed): boolean {
  return name === word || (stem.length >= 4 && name.startsWith(stem) && name.length - stem.length <= 4)
}

/** The words of a simple command that say what it does: subcommands and long options, or its name if it has none. */
function namesOf([name = '', ...rest]: readonly string[]): string[] {
  const subcommands = rest.filter((word) => /^\p{L}[\p{L}\p{N}:_-]{0,30}$/u.test(word)).slice(0, 2)
  const options = rest.filter((word) => /^--\p{L}[\p{L}-]*$/u.test(word)).map((word) => word.slice(2))
  const words = [...(subcommands.length === 0 ? [basename(name)] : []), ...subcommands, ...options]
  return words.flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)].map((part) => part.toLowerCase()))
}

/** Share of the telling words of a text that are words of the task. */
function askedShare({ words }: Task, text: ReadonlySet<string>): number {
  const wanted = contentWords(text)
  if (wanted.length === 0) return 0
  const asked = wanted.filter((word) =>
    words.some(({ stem, term }) => holdsWord(new Set([word]), { text: term.text, stem }) > 0),
  )
  return asked.length / wanted.length
}

/** The words of a command line without the texts that it is given. */
function wordsOf({ text, all }: CommandLine): string {
  if (all.length === 0) return text.slice(0, 200)
  return all
    .flat()
    .filter((word) => word.length <= LONGEST_WORD)
    .join(' ')
}
