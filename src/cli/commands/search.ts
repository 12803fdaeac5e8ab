import { pointerOf } from '../../model/pointers.ts'
import { sessionJson } from '../../model/shapes.ts'
import { plural } from '../../model/text.ts'
import { FILTER_NAMES } from '../../search/filters.ts'
import type { Hit, SearchRequest, SearchResult } from '../../search/search.ts'
import {
  FILTER_OPTIONS,
  FRESH_OPTION,
  JSON_OPTION,
  limitOption,
  type Command,
  type Context,
  type Given,
} from '../command.ts'
import { choice, count, flag, narrowing } from '../given.ts'
import { highlighted, printHeading, printWrapped } from '../sessions.ts'
import { cutToWidth } from '../table.ts'

const DEFAULT_LIMIT = 10

export const search: Command = {
  name: 'search',
  summary: 'find what was said, thought or run',
  details:
    'Looks in prompts, answers, thinking, shell commands, file paths, error texts and titles. Ask a question or type a few words or code: whatever you type, it never raises an error. ' +
    '`"a phrase"` must be there, `-word` must not, `prefix*` finds beginnings, and filters may stand in the text: ' +
    `${FILTER_NAMES.map((name) => `\`${name}:\``).join(' ')}. With --in results, whole tool outputs are scanned instead of the index.`,
  args: [{ name: 'words', help: 'what to look for', required: false, many: true }],
  options: [
    ...FILTER_OPTIONS,
    { flags: '--in <what>', help: 'results: scan whole tool outputs' },
    { flags: '--mode <mode>', help: 'keyword, hybrid or vector: by words, both, by meaning (auto: as set)' },
    { flags: '--sort <how>', help: 'rank or time' },
    { flags: '--group-by <what>', help: 'session: one hit a session' },
    { flags: '--context <n>', help: 'with n events before and after' },
    limitOption(DEFAULT_LIMIT),
    FRESH_OPTION,
    JSON_OPTION,
  ],
  examples: [
    'recall search "why did the deploy fail after the nginx change"',
    `recall search 'parseConfig( "ENOENT" -test source:codex since:30d'`,
    'recall search kubectl --tool Bash --json',
  ],
  rows: 'hits',
  async run(context, args, given) {
    const request = requestOf(context, args.join(' '), given)
    const result = await context.recall.search(request)
    if (flag(given, 'json')) context.terminal.json(searchJson(result))
    else printResult(context, result)
  },
}

function requestOf(context: Context, text: string, given: Given): SearchRequest {
  const mode = choice(given, 'mode', ['auto', 'keyword', 'vector', 'hybrid']) ?? 'auto'
  const { sessions, holding } = narrowing(context, given, DEFAULT_LIMIT)
  return {
    text,
    now: context.now(),
    onNote: (note) => context.terminal.note(note),
    filter: sessions,
    exchange: holding,
    mode,
    sort: choice(given, 'sort', ['rank', 'time']) ?? 'rank',
    bySession: choice(given, 'groupBy', ['session', 'exchange']) === 'session',
    context: count(given, 'context') ?? 0,
    inResults: choice(given, 'in', ['results']) === 'results',
  }
}

function searchJson(result: SearchResult): Record<string, unknown> {
  const { query, mode, total, atLeast, explain } = result
  return { query, mode, total, total_at_least: atLeast, hits: result.hits.map(hitJson), explain }
}

function hitJson(hit: Hit): Record<string, unknown> {
  return {
    session: sessionJson(hit.session),
    exchange: hit.exchange,
    seq: hit.event?.seq ?? null,
    pointer: hit.event === null ? null : pointerOf(hit.event.seq),
    role: hit.event?.role ?? null,
    kind: hit.event?.kind ?? 'digest',
    score: hit.score,
    confidence: hit.confidence,
    low_confidence: hit.confidence === 'guess',
    lexical_match: hit.matched.length > 0,
    matched: hit.matched,
    snippet: hit.snippet.text,
    highlights: hit.snippet.highlights,
    ...(hit.context.length === 0
      ? {}
      : { context: hit.context.map(({ seq, role, summary }) => ({ seq, pointer: pointerOf(seq), role, summary })) }),
  }
}

function printResult({ terminal }: Context, result: SearchResult): void {
  for (const hit of result.hits) {
    const { session, event } = hit
    printHeading(terminal, session, [
      event === null ? 'digest only' : `${pointerOf(event.seq)} ${event.tool ?? event.role}`,
    ])
    const guess = hit.confidence === 'guess' ? terminal.dim('  (a guess)') : ''
    const snippet = `${highlighted(hit.snippet, terminal.yellow)}${guess}`
    printWrapped(terminal, snippet, '  ')
    for (const event of hit.context) {
      const beside = terminal.cell(`${pointerOf(event.seq)} ${event.tool ?? event.role} ${event.summary}`)
      terminal.line(terminal.dim(`    ${cutToWidth(beside, terminal.width - 4)}`))
    }
    terminal.line()
  }
  if (result.hits.length === 0) terminal.note(nothing(result))
  else if (result.hits.length < result.total) {
    terminal.note(
      terminal.dim(
        `${result.hits.length} of ${result.atLeast ? 'at least ' : ''}${plural(result.total, 'match', 'matches')}; --limit 0 shows all`,
      ),
    )
  }
}

function nothing(result: SearchResult): string {
  if (result.query.trim() === '' && result.explain?.reason === 'no_match')
    return 'type what to look for, e.g. recall search "why did the deploy fail"'
  switch (result.explain?.reason) {
    case 'filtered':
      return `nothing with these filters; without them there ${result.explain.count === 1 ? 'is 1 match' : `are ${result.explain.count} matches`}`
    case 'not_indexed':
      return result.explain.count === 0
        ? 'the store is empty: run `recall index`'
        : `nothing found; ${plural(result.explain.count, 'transcript')} not indexed yet: run \`recall index\``
    default:
      return 'nothing found'
  }
}
