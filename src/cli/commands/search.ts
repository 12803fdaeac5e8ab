import { baseName, projectOf } from '../../model/session.ts'
import { sessionJson } from '../../model/shapes.ts'
import { plural } from '../../model/text.ts'
import type { Hit, SearchResult } from '../../search/search.ts'
import {
  FRESH_OPTION,
  JSON_OPTION,
  PROJECT_OPTION,
  SINCE_OPTION,
  SOURCE_OPTION,
  type Command,
  type Context,
} from '../command.ts'
import { flag, sessionFilter, word } from '../given.ts'
import { localTime } from '../when.ts'

const DEFAULT_LIMIT = 10

export const search: Command = {
  name: 'search',
  summary: 'find what was said, thought or run',
  details:
    'Looks in prompts, answers, thinking, shell commands and error texts. Type a question or a few words, in any form: no character has a special meaning.',
  args: [{ name: 'words', help: 'what to look for', required: false, many: true }],
  options: [
    SOURCE_OPTION,
    { flags: '--tool <name>', help: 'only exchanges that used this tool' },
    SINCE_OPTION,
    PROJECT_OPTION,
    { flags: '--limit <n>', help: `how many (${DEFAULT_LIMIT}; 0 = all)` },
    FRESH_OPTION,
    JSON_OPTION,
  ],
  examples: [
    'recall search "why did the deploy fail"',
    'recall search kubectl --tool Bash',
    'recall search --json timeout',
  ],
  async run(context, args, given) {
    const tool = word(given, 'tool')
    const result = await context.recall.search({
      text: args.join(' '),
      filter: sessionFilter(context, given, DEFAULT_LIMIT),
      ...(tool === undefined ? {} : { tool }),
    })
    if (flag(given, 'json')) context.terminal.json(searchJson(result))
    else printResult(context, result)
  },
}

function searchJson(result: SearchResult): Record<string, unknown> {
  const { query, mode, total, explain } = result
  return { query, mode, total, hits: result.hits.map(hitJson), explain }
}

function hitJson(hit: Hit): Record<string, unknown> {
  return {
    session: sessionJson(hit.session),
    exchange: hit.exchange,
    seq: hit.event.seq,
    role: hit.event.role,
    kind: hit.event.kind,
    score: hit.score,
    low_confidence: hit.lowConfidence,
    lexical_match: hit.matched.length > 0,
    matched: hit.matched,
    snippet: hit.snippet.text,
    highlights: hit.snippet.highlights,
  }
}

function printResult({ terminal }: Context, result: SearchResult): void {
  for (const hit of result.hits) {
    const { session, event } = hit
    const where = [localTime(session.startedAt), session.flavor, baseName(projectOf(session) ?? '')].filter(
      (part) => part !== '',
    )
    terminal.line(`${terminal.cyan(session.shortId.slice(0, 8))} ${terminal.bold(session.title ?? '(no title)')}`)
    terminal.line(terminal.dim(`  ${where.join(' · ')} · #${event.seq} ${event.tool ?? event.role}`))
    terminal.line(`  ${highlighted(hit, terminal.yellow)}`)
    terminal.line()
  }
  if (result.hits.length === 0) terminal.note(nothing(result))
  else if (result.hits.length < result.total) {
    terminal.note(
      terminal.dim(`${result.hits.length} of ${plural(result.total, 'match', 'matches')}; --limit 0 shows all`),
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
  switch (result.explain?.reason) {
    case 'filtered':
      return `nothing with these filters; without them there ${result.explain.count === 1 ? 'is 1 match' : `are ${result.explain.count} matches`}`
    case 'not_indexed':
      return 'the store is empty: run `recall index`'
    default:
      return 'nothing found'
  }
}
