import { inert } from '../model/inert.ts'
import { pointerOf } from '../model/pointers.ts'
import { Notes, type Block, type Counted, type Inline, type Line, type Page } from './page.ts'

/** How the parts of a page are written: a session, and what stands beside a number. */
interface Writing {
  readonly session: (uid: string) => string
  readonly counted: (piece: Counted) => string
}

/** The page as Markdown; what numbers were counted from stands in footnotes. The same page gives the same bytes. */
export function pageMarkdown({ blocks }: Page): string {
  const notes = new Notes()
  const writing: Writing = {
    session: code,
    counted(piece) {
      const note = notes.numberOf(piece)
      return note === null ? plain(piece.shown) : `${plain(piece.shown)}[^${note}]`
    },
  }
  const parts = blocks.flatMap((block) => blockLines(block, writing) ?? [])
  const footnotes = notes.all().map(({ evidence, of }, i) => {
    const few = of > evidence.length ? `the first ${evidence.length} of ${of}: ` : ''
    return `[^${i + 1}]: ${few}${evidence.map(code).join(', ')}`
  })
  return `${[...parts, ...(footnotes.length === 0 ? [] : [footnotes.join('\n')])].join('\n\n')}\n`
}

/** An event; one of the main thread has few digits. */
const EVENT = /^.+#\d+$/
const IN_MAIN = /^.+#\d{1,6}$/

/** The page to be read: sessions by the beginning of their ids, and of what a line counts one place to look at. */
export function pageBrief({ blocks }: Page): string {
  const short = shortIds(blocks)
  const plainly: Writing = { session: (uid) => code(short(uid)), counted: ({ shown }) => plain(shown) }
  const pointing = (): Writing => {
    let pointed = false
    return {
      ...plainly,
      counted({ shown, evidence }) {
        const place = evidence.find((at) => IN_MAIN.test(at)) ?? evidence.find((at) => EVENT.test(at))
        const [uid, seq] = place?.split('#') ?? []
        if (pointed || uid === undefined) return plain(shown)
        pointed = true
        return `${plain(shown)} (${code(`${short(uid)}${pointerOf(Number(seq))}`)})`
      },
    }
  }
  const parts = blocks.flatMap((block) => {
    if (block.block !== 'list') return blockLines(block, block.block === 'text' ? pointing() : plainly) ?? []
    return block.items.map((item, i) => listItem(block, i, item, pointing())).join('\n')
  })
  return `${parts.join('\n\n')}\n`
}

const SHORTEST_ID = 8

/** The beginning of a session's own id, as long as it takes to tell it from all others on the page. */
function shortIds(blocks: readonly Block[]): (uid: string) => string {
  const lines = blocks.flatMap((block) =>
    block.block === 'list'
      ? block.items
      : block.block === 'table'
        ? block.rows.flat()
        : 'line' in block
          ? [block.line]
          : [],
  )
  const uids = new Set(
    lines.flat().flatMap((piece) => {
      if (typeof piece === 'string') return []
      if ('session' in piece) return [piece.session]
      return 'evidence' in piece ? piece.evidence.map((pointer) => pointer.replace(/#\d+$/, '')) : []
    }),
  )
  const ids = [...uids].map(ownId).sort()
  return (uid) => {
    const id = ownId(uid)
    const at = ids.indexOf(id)
    const shared = Math.max(sharedStart(id, ids[at - 1] ?? ''), sharedStart(id, ids[at + 1] ?? ''))
    return id.slice(0, Math.max(SHORTEST_ID, shared + 1))
  }
}

function ownId(uid: string): string {
  return uid.slice(uid.indexOf(':') + 1)
}

function sharedStart(a: string, b: string): number {
  let n = 0
  while (n < a.length && a[n] === b[n]) n++
  return n
}

function lineOf(pieces: Line, writing: Writing): string {
  return pieces.map((piece) => inline(piece, writing)).join('')
}

function listItem({ numbered }: { readonly numbered?: boolean }, i: number, item: Line, writing: Writing): string {
  return `${numbered ? `${i + 1}.` : '-'} ${lineOf(item, writing)}`
}

function blockLines(block: Block, writing: Writing): string | null {
  const line = (pieces: Line) => lineOf(pieces, writing)
  switch (block.block) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${line(block.line)}`
    case 'text':
      return guardStart(line(block.line))
    case 'list':
      return block.items.map((item, i) => listItem(block, i, item, writing)).join('\n')
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

function inline(piece: Inline, writing: Writing): string {
  if (typeof piece === 'string') return plain(piece)
  if ('strong' in piece) return `**${plain(piece.strong)}**`
  if ('code' in piece) return code(piece.code)
  return 'session' in piece ? writing.session(piece.session) : writing.counted(piece)
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
