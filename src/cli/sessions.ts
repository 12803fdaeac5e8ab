import { baseName, projectOf, type SessionRecord } from '../model/session.ts'
import { plural } from '../model/text.ts'
import type { Terminal } from './terminal.ts'
import { localTime } from './when.ts'

/** Two lines that say which session is spoken of: when, by which agent and where, and what else there is to say. */
export function printHeading(
  terminal: Terminal,
  session: SessionRecord,
  more: readonly string[],
  at: number | null = session.startedAt,
): void {
  const where = [localTime(at), session.flavor, baseName(projectOf(session) ?? '')]
  terminal.line(
    `${terminal.cyan(session.shortId.slice(0, 8))} ${terminal.bold(terminal.cell(session.title ?? '(no title)'))}`,
  )
  terminal.line(terminal.dim(terminal.cell(`  ${[...where, ...more].filter((part) => part !== '').join(' · ')}`)))
}

/** The title, marked if the raw text of the session is gone. */
export function titleOf({ title, evictedAt }: SessionRecord): string {
  return `${title ?? '(no title)'}${evictedAt === null ? '' : ' (digest only)'}`
}

/** Says that there is more than was shown. */
export function noteRest(terminal: Terminal, shown: number, all: number, one: string, many?: string): void {
  if (shown < all) terminal.note(terminal.dim(`${shown} of ${plural(all, one, many)}; --limit 0 shows all`))
}
