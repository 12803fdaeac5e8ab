import { isoTime } from '../model/time.ts'
import type { FixAnswer, Occurrence } from '../search/fix.ts'
import { sessionFields, sessionFilter } from './filters.ts'
import { operation } from './operation.ts'
import { choice, count, flag, instant, integer, list, nullable, number, object, text } from './schema.ts'
import { sessionDocument, sessionSchema } from './session-document.ts'

const USUAL = 3

const step = object({
  seq: integer(),
  kind: choice(['edit', 'command']),
  what: text(),
  ok: nullable(flag()),
})

const occurrence = object({
  session: sessionSchema,
  seq: nullable(integer()),
  at: instant,
  error: text(),
  match: choice(['same', 'alike']),
  count: count(),
  confidence: number(),
  resolution: choice(['succeeded', 'similar_succeeded', 'not_seen_again', 'unsolved', 'unknown']),
  solved_seq: nullable(integer()),
  steps: list(step),
  explanation: nullable(text()),
  pasted: flag(),
  evidence: list(text()),
})

export const fix = operation({
  name: 'fix',
  summary: 'where an error was met before, and what followed until it was gone',
  details:
    'Paste the error, one line or many; numbers, directories, ids and times may differ. The same error about another module, ' +
    'symbol or file is only near. Shows the edits and commands after it, what the agent said, and how sure it is that they ' +
    'are why it went away; the latest that was solved first.',
  effect: 'reads',
  isSlow: true,
  input: object({ error: text('the text of the error') }, sessionFields(USUAL)),
  output: object({ query: text(), total: count(), occurrences: list(occurrence) }),
  run(context, asked): Promise<FixAnswer> {
    return context.recall.evidence.fix({ error: asked.error, filter: sessionFilter(context, asked, USUAL) })
  },
  document: ({ error, total, occurrences }: FixAnswer) => ({
    query: error,
    total,
    occurrences: occurrences.map(occurrenceDocument),
  }),
})

function occurrenceDocument(met: Occurrence) {
  const { uid } = met.session
  return {
    session: sessionDocument(met.session),
    seq: met.seq,
    at: isoTime(met.at),
    error: met.error,
    match: met.match,
    count: met.count,
    confidence: met.confidence,
    resolution: met.resolution,
    solved_seq: met.solvedSeq,
    steps: met.steps,
    explanation: met.explanation,
    pasted: met.pasted,
    evidence: [met.seq, met.solvedSeq].flatMap((seq) => (seq === null ? [] : [`${uid}#${seq}`])),
  }
}
