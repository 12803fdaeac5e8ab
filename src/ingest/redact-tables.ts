import { createGates, type Gates } from './redact-gates.ts'
import { holdsSecrets, NAMES, withoutHeld, type Cell, type Held } from './redact-held.ts'
import type { Rule } from './redact-rule.ts'

const MAX_LINE = 4000
const MAX_ROWS = 100_000

/** Secrets in a column whose head says what they are: psql, MySQL, Markdown, columns of blanks or tabs, CSV. */
export function tableRules(gates: Gates = createGates()): Rule[] {
  const name = 'column-secret'
  let seen = ''
  let until = 0
  return [
    {
      name,
      starts: [' FROM stdin'],
      back: 0,
      pattern: /$./y,
      rewrite(text, at, stays) {
        const columns = copiedAt(text, at)
        return columns.length === 0 ? null : withoutHeld(text, at, { rule: name, all: columns, stays, weak: true })
      },
    },
    {
      name,
      starts: [...NAMES, ' key', ' Key', ' KEY'],
      back: 0,
      pattern: /$./y,
      gate: gates.head,
      rewrite(text, at, stays) {
        // The rows of a table without secrets are not looked through again as heads of others.
        if (text === seen && at < until) return null
        const { columns, to } = tableAt(text, at)
        const written =
          columns.length === 0 ? null : withoutHeld(text, at, { rule: name, all: columns, stays, weak: true })
        if (written === null) {
          seen = text
          until = to
        }
        return written
      },
    },
  ]
}

interface Table {
  readonly columns: readonly Held[]
  /** Where its rows end. */
  readonly to: number
}

/** How a row is cut into cells. */
type Cut = (line: string) => readonly Cell[] | null

function tableAt(text: string, at: number): Table {
  const head = lineAround(text, at)
  const none = { columns: [], to: head.to }
  if (head.to - head.from > MAX_LINE) return none
  const line = text.slice(head.from, head.to)
  const joined = joinedTable(line, head.from)
  if (joined !== null) return { columns: joined, to: head.to }
  const next = text.slice(head.to + 1, lineEnd(text, head.to + 1))
  const cut = cutOf(line, next)
  const cells = cut?.(line) ?? []
  if (cut === null || cells.length < 2) return none
  const names = cells.map(({ from, to }) => unquoted(line.slice(from, to)))
  const secret = names.flatMap((name, i) => (holdsSecrets(name) ? [i] : []))
  if (secret.length === 0) return none
  return rowsOf(text, { from: head.to + 1, cut, names, secret })
}

const DASHES = /^:?-{3,}:?$/

/** A table of Markdown whose lines were joined to one: each row ends with an empty cell. */
function joinedTable(line: string, base: number): Held[] | null {
  if (!line.includes('---')) return null
  const cells = cutAt(/[|]/g)(line) ?? []
  const wordOf = ({ from, to }: Cell): string => line.slice(from, to)
  const first = cells.findIndex((cell) => DASHES.test(wordOf(cell)))
  let count = 0
  while (DASHES.test(line.slice(cells[first + count]?.from, cells[first + count]?.to))) count++
  if (first <= count || count < 2) return null
  return cells.slice(first - 1 - count, first - 1).flatMap((cell, column) => {
    const name = unquoted(wordOf(cell))
    if (!holdsSecrets(name)) return []
    const values = cells.filter((_, i) => i > first + count && (i - first) % (count + 1) === column)
    return [{ name, cells: values.filter((value) => isValue(line, value)).map((value) => inside(line, value, base)) }]
  })
}

/** What `pg_dump` writes: the head names the columns, the rows below have tabs. */
function copiedAt(text: string, at: number): readonly Held[] {
  const { from, to } = lineAround(text, at)
  const head = at - from > MAX_LINE ? null : /^COPY [^\s(]{1,128} \(([^()]*)\)$/.exec(text.slice(from, at))
  const names = head?.[1]?.split(/,\s*/).map(unquoted) ?? []
  const secret = names.flatMap((name, i) => (holdsSecrets(name) ? [i] : []))
  return secret.length === 0 ? [] : rowsOf(text, { from: to + 1, cut: cutAt(/\t/g), names, secret }).columns
}

interface Rows {
  readonly from: number
  readonly cut: Cut
  readonly names: readonly string[]
  readonly secret: readonly number[]
}

function rowsOf(text: string, { from, cut, names, secret }: Rows): Table {
  const cells = secret.map((): Cell[] => [])
  let at = from
  for (let rows = 0; rows < MAX_ROWS && at < text.length; rows++) {
    const end = lineEnd(text, at)
    if (end - at > MAX_LINE) break
    const line = text.slice(at, end)
    if (!RULE.test(line)) {
      const row = line.trim() === '' ? null : cut(line)
      if (row === null) break
      for (const [i, column] of secret.entries()) {
        const cell = row[column]
        if (cell !== undefined && isValue(line, cell)) cells[i]?.push(inside(line, cell, at))
      }
    }
    at = end + 1
  }
  const columns = secret.map((column, i) => ({ name: names[column] ?? '', cells: cells[i] ?? [] }))
  return { columns, to: Math.min(at, text.length) }
}

/** The line between the head of a table and its rows. */
const RULE = /^[\s|+:=─│┼├┤┌┐└┘┬┴╞╪╡-]{3,}$/

function cutOf(head: string, next: string): Cut | null {
  if (/[|│]/.test(head)) return RULE.test(next) && /[-─]/.test(next) ? cutAt(/[|│]/g) : null
  if (head.includes('\t')) return cutAt(/\t/g)
  if (/^[\w"'. -]{1,64}(?:,[\w"'. -]{1,64}){1,60}\r?$/.test(head)) return sameCount(cutAt(/,/g), head)
  if (/^[\w"'. -]{1,64}(?:;[\w"'. -]{1,64}){1,60}\r?$/.test(head)) return sameCount(cutAt(/;/g), head)
  return / {2,}/.test(head.trim()) ? byPlace(head) : null
}

/** Cells between separators; null for a line without any. */
function cutAt(separator: RegExp): Cut {
  return (line) => {
    const places = [...line.matchAll(separator)].map((match) => match.index)
    if (places.length === 0) return null
    return [-1, ...places].map((place, i) => trimmed(line, place + 1, places[i] ?? line.length))
  }
}

function sameCount(cut: Cut, head: string): Cut {
  const count = cut(head)?.length
  return (line) => {
    const cells = cut(line)
    return cells?.length === count ? cells : null
  }
}

/** What heads of columns look like, and lines of code do not. */
const HEADS = /^\s*[A-Za-z#][\w ./()-]{0,31}(?:\s{2,}[A-Za-z#][\w ./()-]{0,31})+\s*$/

/** Columns of blanks: a cell is what stands below its head, as far as the next head. A line across them ends the table. */
function byPlace(head: string): Cut | null {
  if (!HEADS.test(head)) return null
  const starts = [...head.matchAll(/(?<=^|\s{2})\S/g)].map((match) => match.index)
  return (line) => {
    if (starts.some((start) => start > 0 && start < line.length && !isBlank(line.charCodeAt(start - 1)))) return null
    return starts.map((from, i) => {
      const end = Math.min(starts[i + 1] ?? line.length, line.length)
      return trimmed(line, Math.min(from, end), end)
    })
  }
}

function trimmed(line: string, from: number, to: number): Cell {
  let [start, end] = [from, to]
  while (start < end && isBlank(line.charCodeAt(start))) start++
  while (end > start && isBlank(line.charCodeAt(end - 1))) end--
  return { from: start, to: end }
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 13
}

/** One word, and not the middle of one. */
function isValue(line: string, { from, to }: Cell): boolean {
  if (/\s/.test(line.slice(from, to))) return false
  return /^[^\w]?$/.test(line[from - 1] ?? '') && /^[^\w]?$/.test(line[to] ?? '')
}

/** Without the quotes around it, as a place in the text. */
function inside(line: string, { from, to }: Cell, base: number): Cell {
  const quoted = to - from >= 2 && /^(["'`]).*\1$/.test(line.slice(from, to))
  return quoted ? { from: base + from + 1, to: base + to - 1 } : { from: base + from, to: base + to }
}

function unquoted(name: string): string {
  return name.replaceAll(/^["'`*]+|["'`*]+$/g, '')
}

function lineAround(text: string, at: number): Cell {
  let from = at
  while (from > 0 && at - from <= MAX_LINE && text.charCodeAt(from - 1) !== 10) from--
  return { from, to: lineEnd(text, at) }
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}
