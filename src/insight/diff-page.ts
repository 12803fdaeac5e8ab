import type { Digest } from '../model/digest.ts'
import { pointerOf } from '../model/pointers.ts'
import { projectName } from '../model/session.ts'
import { grouped, plural } from '../model/text.ts'
import { localTime } from '../model/time.ts'
import type { CostSum } from './cost.ts'
import { fileRows, knownUsd, toolRows, type DiffSide, type FileRow, type SessionDiff } from './diff.ts'
import { dollars, spell } from './format.ts'
import { heading, text, type Block, type Line, type Page } from './page.ts'

const NOTHING = '–'
export const SIDES = ['first', 'second'] as const

export interface DiffRow {
  readonly what: string
  readonly a: string
  readonly b: string
}

/** Rows under a title, both sessions beside each other. */
export interface DiffTable {
  readonly title: string
  readonly rows: readonly DiffRow[]
}

/** Everything that is compared, table by table, as people read it. */
export function diffTables(diff: SessionDiff): DiffTable[] {
  const since = diff.common === null ? '' : ' since they parted'
  return [
    { title: 'What each took', rows: measures(diff) },
    { title: `What was asked${since}`, rows: promptRows(diff) },
    {
      title: `Tools${since}`,
      rows: toolRows(diff).map(({ tool, a, b }) => ({ what: tool, a: times(a), b: times(b) })),
    },
    {
      title: `Files${since}`,
      rows: fileRows(diff).map(({ path, a, b }) => ({ what: path, a: touched(a), b: touched(b) })),
    },
  ].filter(({ rows }) => rows.length > 0)
}

function times(count: number): string {
  return count === 0 ? NOTHING : grouped(count)
}

function touched(file: FileRow['a']): string {
  return file === null ? NOTHING : `${plural(file.edits, 'edit')}, ${plural(file.reads, 'read')}`
}

function promptRows({ a, b }: SessionDiff): DiffRow[] {
  const most = Math.max(a.prompts.length, b.prompts.length)
  const at = ({ prompts, text: left }: DiffSide, i: number) => {
    const prompt = prompts[i]
    if (prompt === undefined) return ''
    return left === 'gone' ? prompt.text : `${pointerOf(prompt.seq)} ${prompt.text}`
  }
  return Array.from({ length: most }, (_, i) => ({ what: String(i + 1), a: at(a, i), b: at(b, i) }))
}

const OF_DIGEST: readonly (readonly [string, (digest: Digest) => number | null, (value: number) => string])[] = [
  ['prompts', ({ cost }) => cost.turns, grouped],
  ['input tokens', ({ cost }) => cost.input_tokens, grouped],
  ['output tokens', ({ cost }) => cost.output_tokens, grouped],
  ['cached tokens', ({ cost }) => cost.cache_tokens, grouped],
  ['from begin to end', ({ cost }) => cost.wall_clock_s, spell],
  ['you', ({ time }) => time.active_s, spell],
  ['agent', ({ time }) => time.agent_s, spell],
  ['waiting for you', ({ time }) => time.waiting_s, spell],
  ['idle', ({ time }) => time.idle_s, spell],
  ['errors', ({ markers }) => markers.errors, grouped],
  ['retries', ({ markers }) => markers.retries, grouped],
  ['test runs', ({ markers }) => markers.test_runs, grouped],
  ['edits', ({ markers }) => markers.edits, grouped],
  ['commits', ({ commits }) => commits.length, grouped],
  ['compactions', ({ markers }) => markers.compactions, grouped],
]

function measures({ a, b }: SessionDiff): DiffRow[] {
  const row = (what: string, of: (side: DiffSide) => string): DiffRow => ({ what, a: of(a), b: of(b) })
  const figures = OF_DIGEST.map(([what, read, say]) =>
    row(what, ({ digest }) => {
      const value = digest === null ? null : read(digest)
      return value === null ? NOTHING : say(value)
    }),
  )
  return [
    row('outcome', ({ digest }) => digest?.outcome ?? NOTHING),
    row('model', ({ session }) => session.model ?? NOTHING),
    row('cost', ({ cost }) => money(cost)),
    ...figures,
  ]
}

function money(cost: CostSum): string {
  const usd = knownUsd(cost)
  if (usd === null) return NOTHING
  return cost.unpriced === 0 ? dollars(usd) : `${dollars(usd)}, ${plural(cost.unpriced, 'response')} without a price`
}

/** Where they part, and what is not known any more, in sentences. */
export function diffNotes({ common, a, b }: SessionDiff): string[] {
  const sides = [a, b].map((side, i) => ({ ...side, name: `The ${SIDES[i]}` }))
  const gone = sides.flatMap(({ name, text: left, digest }) => {
    if (left === 'part') return [`${name} has lost the raw text of its earlier part.`]
    if (left === 'whole') return []
    return [`${name} is told from its digest${digest === null ? ', and there is none' : ''}: its raw text has gone.`]
  })
  return [partingNote({ common, a, b }, gone.length > 0), ...gone]
}

function partingNote({ common, a, b }: SessionDiff, isLost: boolean): string {
  if (common === null) return isLost ? 'Where they part cannot be told any more.' : 'They have nothing in common.'
  const start = `They begin with the same ${plural(common.events, 'event')} (${plural(common.prompts, 'prompt')}) and part behind ${pointerOf(common.last[0])} of the first, ${pointerOf(common.last[1])} of the second`
  const ends = [a, b].flatMap(({ partsAt }, i) => (partsAt === null ? [`the ${SIDES[i]} ends there`] : []))
  return `${[start, ...ends].join('; ')}. What a fork copied is counted where it was said.`
}

/** The same as a page. */
export function diffPage(diff: SessionDiff): Page {
  const title = 'Two sessions side by side'
  const cell = (words: string): Line => [words]
  const tables = diffTables(diff).flatMap(({ title: name, rows }): Block[] => [
    heading(2, name),
    {
      block: 'table',
      columns: ['', ...SIDES],
      rows: rows.map(({ what, a, b }) => [cell(what), cell(a), cell(b)]),
    },
  ])
  const named = [diff.a, diff.b].map(({ session }, i): Line => {
    const where = [localTime(session.startedAt), session.flavor, projectName(session)].filter((part) => part !== '')
    const name = { strong: session.title ?? '(no title)' }
    return [`${SIDES[i]}: `, name, ` · ${where.join(' · ')} · `, { session: session.uid }]
  })
  const notes = diffNotes(diff).map((note) => text(note))
  return { title, blocks: [heading(1, title), { block: 'list', items: named }, ...notes, ...tables] }
}
