import { pointerOf, shortName } from '../model/pointers.ts'
import { projectName, type SessionRecord } from '../model/session.ts'
import { plural } from '../model/text.ts'
import type { SlipsLast } from '../operations/slips-last.ts'
import { cutStart, cutToWidth } from './table.ts'
import type { Terminal } from './terminal.ts'
import { localTime } from '../model/time.ts'
import { wrap } from './wrap.ts'

const LONGEST_PROJECT = 40

/** Two lines that say which session is spoken of: when, by which agent and where, and what else there is to say. */
export function printHeading(
  terminal: Terminal,
  session: SessionRecord,
  more: readonly string[],
  at: number | null = session.startedAt,
): void {
  const where = [localTime(at), session.flavor, cutStart(projectName(session), LONGEST_PROJECT)]
  const id = session.shortId.slice(0, 8)
  const title = cutToWidth(terminal.cell(titleOf(session)), terminal.width - id.length - 1)
  terminal.line(`${terminal.cyan(id)} ${terminal.bold(title)}`)
  const rest = terminal.cell([...where, ...more].filter((part) => part !== '').join(' · '))
  terminal.line(terminal.dim(`  ${cutToWidth(rest, terminal.width - 2)}`))
}

/** The title, with what sets the session apart: an agent or a program started it, or its raw text is gone. */
export function titleOf({ title, evictedAt, isSubagent, automated }: SessionRecord): string {
  const marks = `${isSubagent ? '↳ ' : ''}${automated ? '[auto] ' : ''}${evictedAt === null ? '' : '[digest only] '}`
  return `${marks}${title ?? '(no title)'}`
}

/** The line that says how to read what stands around an event, as somebody can type it. */
export function printWhere(terminal: Terminal, uid: string, seq: number | null | undefined, more = ''): void {
  const name = terminal.isTTY ? shortName(uid) : uid
  terminal.line(terminal.dim(terminal.cell(`  recall show ${name}${seq == null ? '' : pointerOf(seq)}${more}`)))
}

/** A text in one paragraph, on a terminal broken at words; `hang` is how much further its next lines are set in. */
export function printWrapped(terminal: Terminal, text: string, indent = '', hang = ''): void {
  const [first = '', ...rest] = wrap(terminal.cell(text), terminal.width - indent.length - hang.length)
  terminal.line(`${indent}${first}`)
  for (const line of rest) terminal.line(`${indent}${hang}${line}`)
}

/** Markdown as it is, on a terminal with its paragraphs, quotes and list items broken at words. */
export function printMarkdown(terminal: Terminal, text: string): void {
  for (const line of text.split('\n')) {
    const [indent = '', quote = ''] = /^(> ?)?\s*(?:[-*] |\d+\. )?/.exec(line) ?? []
    const lines = line.startsWith(`${quote}|`)
      ? [line]
      : wrap(terminal.cell(line.slice(indent.length)), terminal.width - indent.length)
    const next = quote + ' '.repeat(indent.length - quote.length)
    lines.forEach((part, i) => terminal.line(`${i === 0 ? indent : next}${part}`))
  }
}

/** Says that there is more than was shown. */
export function noteRest(terminal: Terminal, shown: number, all: number, one: string, many?: string): void {
  if (shown < all) terminal.note(terminal.dim(`${shown} of ${plural(all, one, many)}; --limit 0 shows all`))
}

/** What was seen, one after another, and the slips of agents in a line at the end. */
export function printSlipsLast<T>(
  terminal: Terminal,
  { actionable, slips }: SlipsLast<T>,
  one: string,
  print: (seen: T) => void,
): void {
  actionable.first.forEach(print)
  if (slips !== null) printWrapped(terminal, terminal.dim(slips))
  noteRest(terminal, actionable.first.length, actionable.total, one)
}

interface Marked {
  readonly text: string
  /** Start and end of each match in `text`. */
  readonly highlights: readonly (readonly [number, number])[]
}

/** A snippet with its matches painted. */
export function highlighted({ text, highlights }: Marked, paint: (text: string) => string): string {
  let shown = ''
  let at = 0
  for (const [start, end] of highlights) {
    shown += text.slice(at, start) + paint(text.slice(start, end))
    at = end
  }
  return shown + text.slice(at)
}
