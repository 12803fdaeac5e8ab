/**
 * What the table says about a command.
 *
 * any     no form of it writes, deletes, escalates, sends or runs anything: `name *` may be offered
 * exact   some form does: only the forms really used are offered, if they keep to these flags and operands
 * review  runs the project's own code or does what its settings say, whatever that is by then: the same, but never
 *         more than `low`
 * never   not offered in any form
 */
export type Verdict = 'any' | 'exact' | 'review' | 'never'

/** `inside`: a path below the working directory. */
export type Operands = 'none' | 'any' | 'inside' | RegExp

export interface Row {
  /** The first words of the command. The longest name that fits is the one that counts. */
  readonly name: string
  readonly verdict: Verdict
  readonly reason: string
  /**
   * `-x` a switch, `--x:` takes a value after a space or `=`, `--x=` only after `=`, `-x;` only after a space and never
   * among other letters, `-#` a number, `--` really ends the options.
   */
  readonly flags: string
  readonly operands: Operands
  /** What no word of it may hold, wherever it stands. */
  readonly refuses: RegExp | null
  /** The nearest command a wider rule would also allow. */
  readonly danger: string | null
}

/** The flags and operands to which a form has to keep. */
type Form = readonly [flags: string, operands: Operands, refuses?: RegExp | null]

const rows = (names: string, row: Omit<Row, 'name'>): Row[] => names.split(', ').map((name) => ({ name, ...row }))
export const any = (names: string, reason: string): Row[] =>
  rows(names, { verdict: 'any', reason, flags: '', operands: 'any', refuses: null, danger: null })
export const exact = (names: string, [flags, operands, refuses = null]: Form, danger: string, reason: string): Row[] =>
  rows(names, { verdict: 'exact', reason, flags, operands, refuses, danger })
export const review = (names: string, [flags, operands, refuses = null]: Form, danger: string): Row[] =>
  rows(names, { verdict: 'review', reason: "runs the project's own code", flags, operands, refuses, danger })
export const settings = (names: string, [flags, operands, refuses = null]: Form, danger: string): Row[] =>
  rows(names, { verdict: 'review', reason: "does what the project's settings say", flags, operands, refuses, danger })
export const never = (names: string, reason: string): Row[] =>
  rows(names, { verdict: 'never', reason, flags: '', operands: 'none', refuses: null, danger: null })
