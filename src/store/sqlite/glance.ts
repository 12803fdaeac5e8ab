import { logBytes } from './log-file.ts'
import { changedPages, firstPage, knownSums } from './page-sums.ts'

/** How much of a database every command looks at before it answers: about two milliseconds. */
const GLANCE_BYTES = 4 * 2 ** 20

/**
 * What a command can afford to know about damage before it reads: of a small database every page is looked at, of a
 * large one another part each time. Null if nothing was seen. While somebody writes nothing is judged.
 */
export function glance(database: string): string | null {
  if (logBytes(database) > 0 || firstPage(database) === 'foreign') return null
  const known = knownSums(database)
  if (known === null) return null
  const pages = Math.floor(GLANCE_BYTES / known.pageSize)
  const from = 1 + Math.floor(Math.random() * Math.max(1, known.sums.length - pages + 1))
  const range = { from, to: from + pages - 1 }
  const seen = changedPages(database, known, null, range)
  return seen.length === 0 || hasMovedOn(database, known.sums) ? null : damageText(database, seen)
}

/** Whether somebody has written since. */
function hasMovedOn(database: string, sums: Uint32Array): boolean {
  if (logBytes(database) > 0) return true
  const now = knownSums(database)
  return now === null || Buffer.compare(Buffer.from(now.sums.buffer), Buffer.from(sums.buffer)) !== 0
}

function damageText(database: string, pages: readonly number[]): string {
  const which = pages.length === 1 ? `page ${pages[0]} of it is` : `${pages.length} pages of it are`
  return `${database} is damaged (${which} not what was written): what follows may be wrong or incomplete`
}

/** Looks at every page. */
export function damageOf(database: string): string | null {
  const known = knownSums(database)
  if (known === null || logBytes(database) > 0 || firstPage(database) === 'foreign') return null
  const seen = changedPages(database, known, null)
  return seen.length === 0 ? null : damageText(database, seen)
}
