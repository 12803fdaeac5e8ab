import { pointerOf } from '../../model/pointers.ts'
import { plural } from '../../model/text.ts'
import { search as operation } from '../../operations/search.ts'
import type { SearchResult } from '../../search/search.ts'
import { FRESH_OPTION, type Context } from '../command.ts'
import { commandOf } from '../operation-command.ts'
import { highlighted, printHeading, printWrapped } from '../sessions.ts'
import { cutToWidth } from '../table.ts'

export const search = commandOf({
  operation,
  args: [{ name: 'query', help: 'what to look for', required: false, many: true }],
  options: [FRESH_OPTION],
  examples: [
    'recall search "why did the deploy fail after the nginx change"',
    `recall search 'parseConfig( "ENOENT" -test source:codex since:30d'`,
    'recall search kubectl --tool Bash --json',
  ],
  rows: 'hits',
  print: printResult,
})

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
