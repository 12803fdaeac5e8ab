import { projectName, type SessionRecord } from '../../model/session.ts'
import { grouped } from '../../model/text.ts'
import { highlighted, titleOf } from '../sessions.ts'
import { cutStart, cutToWidth, displayWidth } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { localTime } from '../../model/time.ts'
import { wrap } from '../wrap.ts'
import { isNarrowed } from './filters.ts'
import type { Frame } from './screen.ts'
import type { BrowseState, Row } from './state.ts'

/** What is said in a session around the event that is looked at. */
export interface Preview {
  readonly session: SessionRecord
  readonly snippet: Row['snippet']
  readonly said: readonly { readonly pointer: string; readonly who: string; readonly text: string }[]
}

export interface Size {
  readonly columns: number
  readonly rows: number
}

type Styles = Pick<Terminal, 'bold' | 'dim' | 'cyan' | 'green' | 'yellow' | 'cell' | 'bare'>

const WIDE = 110
const PROMPT = '> '
const ABOVE = 2
const BELOW = 1

/** How many rows of the list there is room for. */
export function listHeight({ columns, rows }: Size): number {
  const room = Math.max(2, rows - ABOVE - BELOW)
  return columns >= WIDE ? room : Math.max(1, Math.floor((room - 1) / 2))
}

/** Everything that is seen, one line a row of the screen; inert once the terminal renders it. */
export function draw(styles: Styles, state: BrowseState, preview: Preview | null, size: Size): Frame {
  const { columns, rows } = size
  const height = listHeight(size)
  const isWide = columns >= WIDE
  const listWidth = isWide ? Math.floor(columns * 0.45) : columns
  const list = listLines(styles, state, { columns: listWidth, rows: height })
  const beside = isWide ? columns - listWidth - 3 : columns
  const below = isWide ? height : Math.max(0, rows - ABOVE - BELOW - height - 1)
  const shown = previewLines(styles, state, preview, { columns: beside, rows: below })
  const middle = isWide
    ? list.map((line, i) => `${padded(styles, line, listWidth)} ${styles.dim('│')} ${shown[i] ?? ''}`)
    : [...list, styles.dim('─'.repeat(columns)), ...shown]
  const { line, column } = queryLine(styles, state, columns)
  const lines = [line, filterLine(styles, state, columns), ...middle]
  while (lines.length < rows - BELOW) lines.push('')
  return {
    lines: [...lines.slice(0, rows - BELOW), footer(styles, state, columns)],
    cursor: state.focus === 'query' ? { row: 0, column } : null,
  }
}

/** The end of a query that is too long is what is being typed. */
function queryLine(styles: Styles, state: BrowseState, columns: number): { line: string; column: number } {
  const found = `${state.rows.length} of ${grouped(state.total)}`
  const room = Math.max(8, columns - PROMPT.length - found.length - 2)
  const before = cutStart(styles.cell(state.query.slice(0, state.cursor).join('')), room)
  const after = cutToWidth(styles.cell(state.query.slice(state.cursor).join('')), room - displayWidth(before))
  const gap = ' '.repeat(Math.max(1, room - displayWidth(before) - displayWidth(after) + 2))
  const line = `${styles.cyan(PROMPT)}${before}${after}${gap}${styles.dim(found)}`
  return { line, column: PROMPT.length + displayWidth(before) }
}

function filterLine(styles: Styles, { filters }: BrowseState, columns: number): string {
  const { source, since, outcome, project, automated } = filters
  const on = (name: string, value: string | null) =>
    value === null ? styles.dim(`${name}: any`) : styles.yellow(`${name}: ${value}`)
  const parts = [
    on('source', source),
    on('time', since),
    on('outcome', outcome),
    on('project', project === null ? null : cutStart(styles.cell(project), 24)),
    automated ? styles.yellow('with automated') : styles.dim('no automated'),
  ]
  const line = `  ${parts.join(styles.dim(' · '))}`
  return displayWidth(styles.bare(line)) > columns ? cutToWidth(styles.bare(line), columns) : line
}

function listLines(styles: Styles, state: BrowseState, { columns, rows }: Size): string[] {
  const top = Math.max(0, Math.min(state.selected - Math.floor(rows / 2), state.rows.length - rows))
  const visible = state.rows.slice(top, top + rows)
  const lines = visible.map((row, i) => rowLine(styles, row, columns, top + i === state.selected))
  if (lines.length === 0)
    lines.push(styles.dim(isNarrowed(state.filters) ? '  nothing with these filters' : '  nothing found'))
  return [...lines, ...Array.from({ length: Math.max(0, rows - lines.length) }, () => '')].slice(0, rows)
}

const DATE = 10
const PROJECT = 14

function rowLine(styles: Styles, { session }: Row, columns: number, isSelected: boolean): string {
  const date = localTime(session.startedAt).slice(0, DATE).padEnd(DATE)
  const project = padded(styles, cutStart(styles.cell(projectName(session)), PROJECT), PROJECT)
  const title = cutToWidth(styles.cell(titleOf(session)), Math.max(4, columns - DATE - PROJECT - 6))
  if (isSelected) return `${styles.cyan('▌')} ${date}  ${styles.cyan(project)}  ${styles.bold(title)}`
  return `  ${styles.dim(date)}  ${styles.dim(project)}  ${title}`
}

function previewLines(styles: Styles, state: BrowseState, preview: Preview | null, { columns, rows }: Size): string[] {
  if (preview === null || rows <= 0) return []
  const { session, snippet, said } = preview
  const about = [localTime(session.startedAt), session.flavor, projectName(session), session.outcome]
  const lines = [
    styles.bold(cutToWidth(styles.cell(titleOf(session)), columns)),
    styles.dim(cutToWidth(styles.cell(about.filter((part) => part !== '').join(' · ')), columns)),
  ]
  const found = snippet === null ? '' : styles.cell(highlighted(snippet, styles.yellow))
  const text = found === '' ? [] : [...wrap(found, columns), styles.dim('·'.repeat(Math.min(columns, 20)))]
  for (const { pointer, who, text: words } of said) {
    const paint = who === 'user' ? styles.green : who === 'assistant' ? styles.cyan : styles.dim
    const head = `${styles.dim(pointer)} ${paint(styles.cell(who))} `
    const flat = styles.cell(words.replace(/\s+/g, ' ').slice(0, 2000))
    text.push(...wrap(`${head}${flat}`, columns))
    if (text.length > state.scrolled + rows) break
  }
  if (session.evictedAt !== null) text.push(styles.dim('only its digest is left: Enter reads that'))
  const from = Math.max(0, Math.min(state.scrolled, text.length - 1))
  return [...lines, ...text.slice(from)].slice(0, rows)
}

const KEYS = {
  query: 'type to search · ↓ choose · Enter read · ^Y copy pointer · Esc clear, leave',
  list: '⏎ read · r resume · y copy · / type · q leave · s source · t time · o outcome · p project · a automated · ←→ preview',
} as const

function footer(styles: Styles, { focus, message }: BrowseState, columns: number): string {
  if (message !== null) return styles.yellow(cutToWidth(styles.cell(message), columns))
  return styles.dim(cutToWidth(KEYS[focus], columns))
}

function padded(styles: Styles, text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(styles.bare(text))))
}
