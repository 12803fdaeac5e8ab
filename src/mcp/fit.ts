import { lineOf, type Answer, type Found, type Row } from './answer.ts'
import { ABOUT_QUOTES } from './quote.ts'
import { countTokens } from '../model/tokens.ts'

/** For what is said of what was left out. */
const REST_TOKENS = 60

export interface ToolResult {
  readonly text: string
  readonly answer: Answer
}

/** As many rows as the budget holds. Text and structured content count together: some clients show both. */
export function fitted<R extends Row>(found: Found<R>, budget: number): ToolResult {
  const notes = (found.notes ?? []).filter((note) => note !== null)
  const frame = toolResult({ rows: [], quotes: ABOUT_QUOTES, ...(notes.length === 0 ? {} : { notes }) })
  let room = budget - tokensIn(frame) - REST_TOKENS
  const rows: R[] = []
  for (const row of found.rows) {
    const last = priceOf(row) <= room ? row : (found.shorter?.(row, room - tokensOf(lineOf(row)) - 4) ?? null)
    if (last === null || priceOf(last) > room) break
    rows.push(last)
    room -= priceOf(last)
    if (last !== row) break
  }
  const rest = restOf(found, rows)
  const whole = toolResult({
    rows,
    ...rest,
    ...(notes.length === 0 ? {} : { notes }),
    ...(rows.length === 0 ? {} : { quotes: ABOUT_QUOTES }),
  })
  return tokensIn(whole) <= budget
    ? whole
    : toolResult({ rows: [], left_out: 'it does not fit: ask with more budget_tokens' })
}

function restOf<R extends Row>(found: Found<R>, kept: readonly R[]) {
  if (found.rest !== undefined) return found.rest(kept)
  const left = found.rows.length - kept.length
  return left === 0 ? null : { left_out: `${left} more; ask with more budget_tokens` }
}

/** What a row costs: itself, and its line in the text. */
function priceOf(row: Row): number {
  return tokensOf(row) + tokensOf(lineOf(row)) + 4
}

/** An answer with its text. */
export function toolResult(answer: Answer): ToolResult {
  const lines = answer.rows.map((row, i) => `${i + 1}. ${lineOf(row)}`)
  const more = [answer.left_out ?? [], answer.notes ?? []].flat()
  return { answer, text: [...lines, ...more].join('\n') || 'nothing found' }
}

export function tokensIn({ answer, text }: ToolResult): number {
  return tokensOf(answer) + countTokens(text)
}

export function tokensOf(value: unknown): number {
  return countTokens(typeof value === 'string' ? value : JSON.stringify(value))
}
