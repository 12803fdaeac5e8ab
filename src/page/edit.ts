import { diffLines } from 'diff'
import { editsIn, type FileEdits } from '../model/edits.ts'
import { escapeHtml, type SafeHtml } from './html.ts'

/** Lines that stay, on either side of what changes. */
const AROUND = 3
const MOST_STEPS = 2000
const MOST_LINES = 2000

type Sign = '+' | '-' | ' '
interface Line {
  readonly sign: Sign
  readonly text: string
}

/** What a call changes in files, as a diff for each; null where its arguments are no edit. */
export function editHtml(input: unknown): SafeHtml | null {
  const edits = editsIn(input)
  if (edits.length === 0) return null
  return edits.map(fileHtml).join('')
}

function fileHtml({ path, changes }: FileEdits): SafeHtml {
  const parts = changes.map(({ removed, added }) => shortened(linesBetween(removed, added)))
  const lines = parts.flatMap((part, i) => (i === 0 ? part : [{ sign: ' ' as const, text: '⋯' }, ...part]))
  const shown = lines.slice(0, MOST_LINES).map(lineHtml).join('')
  const rest = lines.length > MOST_LINES ? `<span class="rest">… ${lines.length - MOST_LINES} more lines</span>` : ''
  const name = path === null ? '' : `<div class="file">${escapeHtml(path)}</div>`
  return `<div class="diff">${name}<pre>${shown}${rest}</pre></div>`
}

const CLASSES: Readonly<Record<Sign, string>> = { '+': 'ins', '-': 'del', ' ': 'ctx' }

function lineHtml({ sign, text }: Line): SafeHtml {
  return `<span class="${CLASSES[sign]}">${sign} ${escapeHtml(text)}</span>\n`
}

/** Of texts that have little in common: all of the one, then all of the other. */
function linesBetween(removed: readonly string[], added: readonly string[]): Line[] {
  const parts = diffLines(`${removed.join('\n')}\n`, `${added.join('\n')}\n`, { maxEditLength: MOST_STEPS })
  if (removed.length === 0 || added.length === 0 || parts === undefined)
    return [
      ...removed.map((text) => ({ sign: '-' as const, text })),
      ...added.map((text) => ({ sign: '+' as const, text })),
    ]
  return parts.flatMap(({ value, added: isNew, removed: isGone }) =>
    value
      .replace(/\n$/, '')
      .split('\n')
      .map((text): Line => ({ sign: isNew ? '+' : isGone ? '-' : ' ', text })),
  )
}

function shortened(lines: readonly Line[]): readonly Line[] {
  const near = new Set<number>()
  for (const [i, { sign }] of lines.entries())
    if (sign !== ' ') for (let j = i - AROUND; j <= i + AROUND; j++) near.add(j)
  return near.size === 0 ? lines : lines.filter((_, i) => near.has(i))
}
