import { sessionJson } from '../../model/shapes.ts'
import { plural } from '../../model/text.ts'
import { FILTER_NAMES } from '../../search/filters.ts'
import type { Hit, SearchRequest, SearchResult } from '../../search/search.ts'
import {
  FRESH_OPTION,
  JSON_OPTION,
  limitOption,
  PROJECT_OPTION,
  SINCE_OPTION,
  SOURCE_OPTION,
  type Command,
  type Context,
  type Given,
} from '../command.ts'
import { choice, count, flag, sessionFilter, timeOf, word } from '../given.ts'
import { printHeading } from '../sessions.ts'

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
    SOURCE_OPTION,
    { flags: '--tool <name>', help: 'only exchanges that used this tool' },
    { flags: '--kind <kind>', help: 'only exchanges with an event of this kind, e.g. error' },
    { flags: '--file <path>', help: 'only sessions that touched this file' },
    { flags: '--branch <name>', help: 'only sessions on this branch' },
    { flags: '--model <name>', help: 'only sessions with this model' },
    { flags: '--outcome <outcome>', help: 'only success, fail, abandoned or unknown' },
    { flags: '--tag <tag>', help: 'only sessions with this tag' },
    { flags: '--group <name>', help: 'only sessions of this group' },
    { flags: '--is <what>', help: 'sidechain: only what subagents did' },
    SINCE_OPTION,
    { flags: '--before <when>', help: 'only before then' },
    PROJECT_OPTION,
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
  const tool = word(given, 'tool')
  const kind = word(given, 'kind')
  const before = word(given, 'before')
  const group = word(given, 'group')
  const sidechain = choice(given, 'is', ['sidechain']) === 'sidechain'
  const named = Object.fromEntries(
    ['file', 'branch', 'model', 'outcome', 'tag'].flatMap((name) => {
      const value = word(given, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  return {
    text,
    now: context.now(),
    onNote: (note) => context.terminal.note(note),
    filter: {
      ...sessionFilter(context, given, DEFAULT_LIMIT),
      ...named,
      ...(group === undefined ? {} : { tag: `group:${group}` }),
      ...(before === undefined ? {} : { before: timeOf(before, context.now()) }),
    },
    exchange: {
      ...(tool === undefined ? {} : { tool }),
      ...(kind === undefined ? {} : { kind: kind.toLowerCase() }),
      ...(sidechain ? { sidechain } : {}),
    },
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
    role: hit.event?.role ?? null,
    kind: hit.event?.kind ?? 'digest',
    score: hit.score,
    low_confidence: hit.lowConfidence,
    lexical_match: hit.matched.length > 0,
    matched: hit.matched,
    snippet: hit.snippet.text,
    highlights: hit.snippet.highlights,
    ...(hit.context.length === 0
      ? {}
      : { context: hit.context.map(({ seq, role, summary }) => ({ seq, role, summary })) }),
  }
}

function printResult({ terminal }: Context, result: SearchResult): void {
  for (const hit of result.hits) {
    const { session, event } = hit
    printHeading(terminal, session, [event === null ? 'digest only' : `#${event.seq} ${event.tool ?? event.role}`])
    terminal.line(
      `  ${terminal.cell(highlighted(hit, terminal.yellow))}${hit.lowConfidence ? terminal.dim('  (a guess)') : ''}`,
    )
    for (const event of hit.context)
      terminal.line(terminal.dim(terminal.cell(`    #${event.seq} ${event.tool ?? event.role} ${event.summary}`)))
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

function highlighted(hit: Hit, paint: (text: string) => string): string {
  const { text, highlights } = hit.snippet
  let shown = ''
  let at = 0
  for (const [start, end] of highlights) {
    shown += text.slice(at, start) + paint(text.slice(start, end))
    at = end
  }
  return shown + text.slice(at)
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
