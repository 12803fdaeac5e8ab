import { inert } from '../model/inert.ts'
import { Notes, type Block, type Inline, type Line, type Page } from './page.ts'

/** The page as Markdown; what numbers were counted from stands in footnotes. The same page gives the same bytes. */
export function pageMarkdown({ blocks }: Page): string {
  const notes = new Notes()
  const parts = blocks.flatMap((block) => blockLines(block, notes) ?? [])
  const footnotes = notes.all().map(({ evidence, of }, i) => {
    const few = of > evidence.length ? `the first ${evidence.length} of ${of}: ` : ''
    return `[^${i + 1}]: ${few}${evidence.map(code).join(', ')}`
  })
  return `${[...parts, ...(footnotes.length === 0 ? [] : [footnotes.join('\n')])].join('\n\n')}\n`
}

function blockLines(block: Block, notes: Notes): string | null {
  const line = (pieces: Line) => pieces.map((piece) => inline(piece, notes)).join('')
  switch (block.block) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${line(block.line)}`
    case 'text':
      return guardStart(line(block.line))
    case 'list':
      return block.items.map((item, i) => `${block.numbered ? `${i + 1}.` : '-'} ${line(item)}`).join('\n')
    case 'table':
      return [
        `| ${block.columns.join(' | ')} |`,
        `| ${block.columns.map(() => '---').join(' | ')} |`,
        ...block.rows.map((row) => `| ${row.map(line).join(' | ')} |`),
      ].join('\n')
    case 'chart':
      return null
    default:
      return block satisfies never
  }
}

function inline(piece: Inline, notes: Notes): string {
  if (typeof piece === 'string') return plain(piece)
  if ('strong' in piece) return `**${plain(piece.strong)}**`
  if ('code' in piece) return code(piece.code)
  const note = notes.numberOf(piece)
  return note === null ? plain(piece.shown) : `${plain(piece.shown)}[^${note}]`
}

/** Text that Markdown shows as it is. An underscore within a word is one already. */
function plain(value: string): string {
  return inert(value)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*[\]<>|]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/&(?=#?\w+;)/g, '&amp;')
}

function guardStart(value: string): string {
  return value.replace(/^(#|[-+]\s|\d+[.)]\s)/, '\\$1')
}

const POINTER = /^[\w:#./-]+$/

/** In a table a bar would end the cell, and a backtick the code. */
function code(value: string): string {
  if (POINTER.test(value)) return `\`${value}\``
  return `\`${inert(value).replace(/\s+/g, ' ').replaceAll('`', "'").replaceAll('|', '\\|')}\``
}
