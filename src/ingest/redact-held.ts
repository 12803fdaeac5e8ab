import { spellings, type Rewritten } from './redact-rule.ts'
import { isPhrase, isSlug, isStandIn, looksLikePassword, looksRandom, looksStrong } from './redact-values.ts'

/** A stretch of a text. */
export interface Cell {
  readonly from: number
  readonly to: number
}

/** Values that stand apart under one name: a column under its head, a list below its key. */
export interface Held {
  readonly name: string
  readonly cells: readonly Cell[]
}

const PASSWORDS = /(?:^|[a-z0-9_\s.-])(?:pass(?:word|wd|phrase|code)?|pwd|kennwort|passwort)s?$/i
const OTHERS =
  /(?:^|[a-z0-9_\s.-])(?:secret(?:_key_base)?|token|credential|(?:api|access|secret|private|auth|(?:en|de)cryption|signing|master|account|storage|session|shared|deploy|client|service|webhook|license)[_\s.-]?key)s?$/i
/** Where such names are looked for. */
export const NAMES = [
  ...spellings(['Secret', 'Token', 'Credential', '_Key']),
  'apikey',
  ...spellings(['Pwd']),
  'Pass',
  'passw',
  'PASSW',
  'passph',
  'PASSPH',
  '_pass',
  '_PASS',
]
const LEAST_VALUE = 6

export function holdsSecrets(name: string): boolean {
  return name.length <= 64 && (PASSWORDS.test(name) || OTHERS.test(name))
}

/** The text from `at` to behind the last secret among what is held; null if there is none. */
export function withoutHeld(text: string, at: number, task: HeldTask): Rewritten | null {
  const cells = task.all.flatMap((held) => secretsIn(text, held, task)).sort((a, b) => a.from - b.from)
  if (cells.length === 0) return null
  const pieces: string[] = []
  let done = at
  for (const { from, to } of cells) {
    pieces.push(text.slice(done, from), `[REDACTED:${task.rule}]`)
    done = to
  }
  return { to: done, text: pieces.join(''), secrets: cells.map(({ from, to }) => text.slice(from, to)) }
}

export interface HeldTask {
  readonly rule: string
  readonly all: readonly Held[]
  readonly stays: (secret: string) => boolean
  /** Where most are passwords, the others are weak ones. */
  readonly weak: boolean
}

function secretsIn(text: string, { name, cells }: Held, { stays, weak }: HeldTask): readonly Cell[] {
  const isPassword = PASSWORDS.test(name)
  const valueOf = ({ from, to }: Cell): string => text.slice(from, to)
  const valued = cells.filter((cell) => cell.to - cell.from >= LEAST_VALUE && !valueOf(cell).startsWith('[REDACTED:'))
  const certain = new Set(
    valued.filter(
      (cell) => (isPassword ? isPasswordLike(valueOf(cell)) : isMade(valueOf(cell))) && !stays(valueOf(cell)),
    ),
  )
  if (!isPassword || !weak || certain.size * 2 < valued.length) return [...certain]
  return valued.filter((cell) => certain.has(cell) || (isWeak(valueOf(cell)) && !stays(valueOf(cell))))
}

/** A call: `token.value.slice(0`. */
const CODE = /[\w$]\(/

function isPasswordLike(value: string): boolean {
  if (CODE.test(value)) return false
  return (looksLikePassword(value) && (!isSlug(value) || isPhrase(value))) || looksRandom(value)
}

function isMade(value: string): boolean {
  if (CODE.test(value)) return false
  return looksRandom(value) || looksStrong(value) || (looksLikePassword(value) && !isSlug(value) && /\d/.test(value))
}

function isWeak(value: string): boolean {
  return /^[A-Za-z][A-Za-z\d]{7,40}$|^\d{6,40}$/.test(value) && !isStandIn(value)
}
