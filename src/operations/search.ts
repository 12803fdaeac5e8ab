import { pointerOf } from '../model/pointers.ts'
import { FILTER_NAMES } from '../search/filters.ts'
import type { Hit, SearchResult } from '../search/search.ts'
import { filterFields, limit, narrowing } from './filters.ts'
import { operation } from './operation.ts'
import { called, choice, count, flag, integer, list, nullable, number, object, text } from './schema.ts'
import { sessionDocument, sessionSchema } from './session-document.ts'

const USUAL = 10

const hit = object(
  {
    session: sessionSchema,
    exchange: nullable(integer()),
    seq: nullable(integer()),
    pointer: nullable(text()),
    role: nullable(text()),
    kind: text(),
    score: number(),
    confidence: choice(['sure', 'likely', 'guess']),
    low_confidence: flag(),
    lexical_match: flag(),
    matched: list(object({ term: text(), field: text() })),
    snippet: text(),
    highlights: list(list(integer())),
  },
  { context: list(object({ seq: integer(), pointer: text(), role: nullable(text()), summary: nullable(text()) })) },
)

export const search = operation({
  name: 'search',
  summary: 'find what was said, thought or run',
  details:
    'Looks in prompts, answers, thinking, shell commands, file paths, error texts and titles. Ask a question or type a few words or code: whatever you type, it never raises an error. ' +
    '`"a phrase"` must be there, `-word` must not, `prefix*` finds beginnings, and filters may stand in the text: ' +
    `${FILTER_NAMES.map((name) => `\`${name}:\``).join(' ')}. With --in results, whole tool outputs are scanned instead of the index.`,
  effect: 'reads',
  input: object(
    {},
    {
      query: text('what to look for'),
      ...filterFields,
      in: called('what', choice(['results'], 'results: scan whole tool outputs')),
      mode: called(
        'mode',
        choice(
          ['auto', 'keyword', 'vector', 'hybrid'],
          'keyword, hybrid or vector: by words, both, by meaning (auto: as set)',
        ),
      ),
      sort: called('how', choice(['rank', 'time'], 'rank or time')),
      group_by: called('what', choice(['session', 'exchange'], 'session: one hit a session')),
      live: flag('as somebody types'),
      context: called('n', count('with n events before and after')),
      limit: limit(USUAL),
    },
  ),
  output: object({
    query: text(),
    mode: choice(['keyword', 'vector', 'hybrid']),
    total: count(),
    total_at_least: flag(),
    hits: list(hit),
    explain: nullable(object({ reason: choice(['no_match', 'filtered', 'not_indexed']), count: count() })),
  }),
  run(context, asked): Promise<SearchResult> {
    const { sessions, holding } = narrowing(context, asked, USUAL)
    const { onNote } = context.watching
    return context.recall.search({
      text: asked.query ?? '',
      now: context.now(),
      ...(onNote === undefined ? {} : { onNote }),
      filter: sessions,
      exchange: holding,
      mode: asked.mode ?? 'auto',
      sort: asked.sort ?? 'rank',
      bySession: asked.group_by === 'session',
      context: asked.context ?? 0,
      inResults: asked.in === 'results',
      ...(asked.live === true ? { isLive: true as const } : {}),
    })
  },
  document: ({ query, mode, total, atLeast, hits, explain }: SearchResult) => ({
    query,
    mode,
    total,
    total_at_least: atLeast,
    hits: hits.map(hitDocument),
    explain,
  }),
})

function hitDocument({ session, exchange, event, score, confidence, matched, snippet, context }: Hit) {
  const around = context.map(({ seq, role, summary }) => ({ seq, pointer: pointerOf(seq), role, summary }))
  return {
    session: sessionDocument(session),
    exchange,
    seq: event?.seq ?? null,
    pointer: event === null ? null : pointerOf(event.seq),
    role: event?.role ?? null,
    kind: event?.kind ?? 'digest',
    score,
    confidence,
    low_confidence: confidence === 'guess',
    lexical_match: matched.length > 0,
    matched,
    snippet: snippet.text,
    highlights: snippet.highlights,
    ...(around.length === 0 ? {} : { context: around }),
  }
}
