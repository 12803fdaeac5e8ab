import { errorLine, errorShape, specificLines } from '../distill/fingerprint.ts'

/** How much a word tells errors apart; about 1 on average, and for what is not in it. */
type Weights = ReadonlyMap<string, number>

/** What other errors say about the words of one. */
export interface LineWeights {
  readonly weights: Weights
  /** The line that says what went wrong stands in so many others, and names nothing, that it makes no two errors one. */
  readonly isCommon: boolean
}

/** An error as it is compared: each of its own lines with all that is incidental taken out. */
export interface ErrorText {
  /** The line that says what went wrong. */
  readonly main: ErrorLine
  readonly lines: readonly ErrorLine[]
  /** Word for word, but for blanks. */
  readonly verbatim: string
}

export interface ErrorLine {
  readonly line: string
  readonly key: string
  readonly words: ReadonlySet<string>
}

/** How two errors compare: `same` says the same of the same thing. */
export interface Likeness {
  /** The line that they share, or the closest, as the second has it. */
  readonly line: string
  readonly match: 'same' | 'alike'
  /** 0 to 1: how much of the first the second has. */
  readonly closeness: number
  readonly verbatim: boolean
}

/** As much of an error as is kept as text: more of what was pasted has nothing to be compared with. */
const COMPARED = 2048
/** Share of the words of two errors that must be the same for them to be alike. */
const ALIKE = 0.55
/** What is only alike is less sure than what is the same. */
const LESS = 0.9
/** The same error about another thing: the words may be few, but they stand in the same places. */
const SAME_SHAPE = 0.75
/** All that was asked stands in one line: often only the end of a line is remembered. */
const WHOLE_WITHIN = 0.7
/** Of the shorter of two errors so much must be in the other, by weight: a line that many errors end with does not make them one. */
const SHARED_LINES = 0.5
/** What only the stored error says counts little: often one line of many is pasted. */
const REST = 0.15
const FEWEST_LETTERS = 8

/** As much of a prompt as is looked through for an error. */
export const PROSE = 16_384

export function readError(text: string, most = COMPARED): ErrorText {
  const lines = new Map<string, ErrorLine>()
  for (const line of specificLines(text, most)) {
    const read = readLine(line)
    if (read.key !== '' && !lines.has(read.key)) lines.set(read.key, read)
  }
  const said = readLine(errorLine(text))
  const main = isSpecific(said) ? said : ([...lines.values()].find(isSpecific) ?? said)
  return { main, lines: [...lines.values()], verbatim: squeezed(text.slice(0, most)) }
}

/** True if there is enough to tell this error from others. */
export function saysSomething({ main }: ErrorText): boolean {
  return isSpecific(main)
}

function isSpecific({ key }: ErrorLine): boolean {
  return key.replace(/<\w+>|[^\p{L}]/gu, '').length >= FEWEST_LETTERS
}

/** True if the line that says what went wrong names something: a symbol, a file, a code, what is quoted. */
export function namesSomething({ main }: ErrorText): boolean {
  const words = main.key.replace(/\b\w*(?:Error|Exception|Failure|Warning)\b/g, ' ')
  return /["'`“‘]|\w[._]\w|[a-z][A-Z]|\p{L}\d|\b(?!ERROR|FAIL|FATAL|WARN)[A-Z]{4,}/u.test(words)
}

/** The words by which an error is looked for. */
export function wordsOfError({ main, lines }: ErrorText): string[] {
  return [...new Set([...main.words, ...lines.flatMap(({ words }) => [...words])])]
}

function readLine(line: string): ErrorLine {
  const key = lineKey(line)
  return {
    line,
    key,
    words: new Set(
      key
        .toLowerCase()
        .replace(/<\w+>/g, ' ')
        .match(/[\p{L}_][\p{L}\p{N}_]+/gu),
    ),
  }
}

/**
 * A line without times, ids, numbers, directories and the place in the source that it is about. Names stay: a module, a
 * symbol, a file, what is quoted. So do numbers that are part of a name (`TS2345`) and the status of an answer (`403`).
 */
function lineKey(line: string): string {
  return line
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>')
    .replace(
      /\b\d{4}[-/]\d{2}[-/]\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)?(?:z|[+-]\d{2}:?\d{2})?/gi,
      '<time>',
    )
    .replace(/\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?\b/gi, '<time>')
    .replace(/\b(https?:\/\/[^\s"'<>)?#]{1,300})[^\s"'<>)]{0,300}/gi, '$1')
    .replace(/^(?:[a-z]:)?[\w.@+~\\/-]{1,300}(?::\d+){1,2}:?|^[\w.@+~\\/-]{1,300}\(\d+,\d+\):?/i, '<at>')
    .replace(
      /(?<![\w<:/])(?:[a-z]:)?[\w.@+~$%-]{0,100}(?:[\\/][\w.@+$%-]{1,100}){0,40}[\\/]([\w.@+$%-]{1,100})/gi,
      '$1',
    )
    .replace(/\b(status(?: code)?|http(?:\/\d(?:\.\d)?)?)[ :=]{1,3}(\d{3})\b/gi, (_, what: string, status: string) => {
      return `${what} s${status}`
    })
    .replace(/\b0x[0-9a-f]{1,40}\b|\b(?=[a-f]{0,12}\d)[0-9a-f]{7,64}\b/gi, '#')
    .replace(/(?<![\p{L}_])\d+(?:[.,:]\d+)*/gu, '#')
    .replace(/\s+/gi, ' ')
    .trim()
}

/** How a stored error compares with one that was pasted; null if it is another. */
export function compareErrors(asked: ErrorText, stored: ErrorText, lineWeights: LineWeights): Likeness | null {
  const { weights } = lineWeights
  const verbatim = asked.verbatim === stored.verbatim
  const shared = sharedMain(asked, stored)
  const closeness = overlap(asked, stored, weights)
  if (verbatim || (shared !== null && linesShared(asked, stored, lineWeights) >= SHARED_LINES))
    return { line: (shared ?? stored.main).line, match: 'same', closeness, verbatim }
  return closestLine(asked, stored, weights)
}

/** How what a person wrote compares: the error may stand anywhere in it. */
export function compareProse(asked: ErrorText, prose: ErrorText, { weights }: LineWeights): Likeness | null {
  const main = withoutLabel(asked.main)
  const holding = prose.lines.find((line) => line.key.includes(main.key) || holdsWhole(line, main))
  if (holding !== undefined)
    return { line: holding.line, match: 'same', closeness: overlap(asked, prose, weights), verbatim: false }
  let best: Likeness | null = null
  for (const line of prose.lines) {
    const closeness = LESS * alike(asked.main, line, weights)
    if (closeness >= (best?.closeness ?? ALIKE)) best = { line: line.line, match: 'alike', closeness, verbatim: false }
  }
  return best
}

const LABEL = /^(?:error|fatal|panic|warning)(?:\[\w+\])?: (?=.)/i

/** What went wrong without the word that only says that something did: people leave it out, and quotes too. */
function withoutLabel(line: ErrorLine): ErrorLine {
  return LABEL.test(line.key) ? { ...line, key: line.key.replace(LABEL, '') } : line
}

/** The line by which two errors say the same, as the stored one has it: the one that says what went wrong in one of them. */
function sharedMain(asked: ErrorText, stored: ErrorText): ErrorLine | null {
  const lines = [stored.main, ...stored.lines]
  const whole = lines.find(({ key }) => key === asked.main.key)
  if (whole !== undefined) return whole
  if (asked.lines.some(({ key }) => key === stored.main.key)) return stored.main
  return lines.find(({ key }) => beginsWith(key, asked.main.key) || beginsWith(asked.main.key, key)) ?? null
}

/** True if a line is the other and some more sentences. */
function beginsWith(longer: string, shorter: string): boolean {
  if (shorter.replace(/[^\p{L}]/gu, '').length < FEWEST_LETTERS || !longer.startsWith(shorter)) return false
  const rest = longer.slice(shorter.length)
  return /^[.!?;](?: |$)/.test(rest) || (/[.!?;]$/.test(shorter) && rest.startsWith(' '))
}

/**
 * Share of the lines, by weight, of the error that has less of them that are in the other too. If what went wrong is
 * common, it is the share of all else, unless one of them says nothing else.
 */
function linesShared(asked: ErrorText, stored: ErrorText, { weights, isCommon }: LineWeights): number {
  const isAlone = asked.lines.length === 1 || stored.lines.length === 1
  const counts = ({ key }: ErrorLine) => !isCommon || isAlone || key !== asked.main.key
  const weigh = (lines: readonly ErrorLine[]) =>
    lines.filter(counts).reduce((sum, line) => sum + weightOf(line.words, weights), 0)
  const keys = new Set(stored.lines.map(({ key }) => key))
  const both = asked.lines.filter(({ key }) => keys.has(key) || stored.lines.some((line) => beginsWith(line.key, key)))
  const least = Math.min(weigh(asked.lines), weigh(stored.lines))
  return least === 0 ? 0 : weigh(both) / least
}

function weightOf(words: Iterable<string>, weights: Weights): number {
  let sum = 0
  for (const word of words) sum += weights.get(word) ?? 1
  return sum
}

interface Shares {
  readonly both: number
  readonly onlyFirst: number
  readonly onlySecond: number
}

function sharesOf(first: ReadonlySet<string>, second: ReadonlySet<string>, weights: Weights): Shares {
  const both = [...first].filter((word) => second.has(word))
  return {
    both: weightOf(both, weights),
    onlyFirst: weightOf(first, weights) - weightOf(both, weights),
    onlySecond: weightOf(second, weights) - weightOf(both, weights),
  }
}

/** Share of the words of two errors that both have; what only the stored one says counts as much as `rest`. */
function overlap(asked: ErrorText, stored: ErrorText, weights: Weights, rest = 0): number {
  const words = [asked, stored].map((text) => new Set(wordsOfError(text)))
  const { both, onlyFirst, onlySecond } = sharesOf(words[0]!, words[1]!, weights)
  return both === 0 ? 0 : both / (both + onlyFirst + rest * onlySecond)
}

function closestLine(asked: ErrorText, stored: ErrorText, weights: Weights): Likeness | null {
  let best: { line: ErrorLine; closeness: number } | null = null
  for (const line of [stored.main, ...stored.lines]) {
    const closeness = LESS * alike(asked.main, line, weights)
    if (closeness > (best?.closeness ?? 0)) best = { line, closeness }
  }
  if (best === null) return null
  const isSameShape = saysSomething(stored) && errorShape(asked.main.line) === errorShape(stored.main.line)
  const within = [stored.main, ...stored.lines].find((line) => holdsWhole(line, asked.main))
  const closeness = Math.max(
    best.closeness,
    isSameShape ? SAME_SHAPE : 0,
    within === undefined ? 0 : WHOLE_WITHIN,
    LESS * overlap(asked, stored, weights, REST),
  )
  return closeness < ALIKE ? null : { line: (within ?? best.line).line, match: 'alike', closeness, verbatim: false }
}

function holdsWhole({ key }: ErrorLine, part: ErrorLine): boolean {
  return isSpecific(part) && ` ${wordsIn(key)} `.includes(` ${wordsIn(part.key)} `)
}

function wordsIn(key: string): string {
  return key
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, ' ')
    .trim()
}

/** Share of the words that two lines have in common, of all that they have, by how telling each is. */
function alike(one: ErrorLine, other: ErrorLine, weights: Weights): number {
  const { both, onlyFirst, onlySecond } = sharesOf(one.words, other.words, weights)
  return both === 0 ? 0 : both / (both + onlyFirst + onlySecond)
}

function squeezed(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}
