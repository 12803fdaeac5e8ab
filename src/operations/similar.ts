import type { SessionRecord } from '../model/session.ts'
import type { SimilarAnswer } from '../search/similar.ts'
import { sessionFields, sessionFilter } from './filters.ts'
import { operation } from './operation.ts'
import { count, flag, list, nullable, number, object, text } from './schema.ts'
import { sessionDocument, sessionSchema } from './session-document.ts'

const USUAL = 10
/** A uid, a short id or the beginning of one. */
const ID = /^(?:last|[a-z]+:[\w-]{6,}|(?=.*\d)[0-9a-f][0-9a-f-]{5,})(?:#[\w.]+)?$/

export interface SimilarFound extends SimilarAnswer {
  readonly query: string
  /** Null: it was words. */
  readonly to: SessionRecord | null
}

export const similar = operation({
  name: 'similar',
  summary: 'sessions about the same thing as a session or a text',
  details: 'What is only a guess is marked so.',
  effect: 'reads',
  isSlow: true,
  input: object({ to: text('a session, or words') }, sessionFields(USUAL)),
  output: object({
    query: text(),
    similar_to: nullable(text()),
    total: count(),
    hits: list(object({ session: sessionSchema, score: number(), low_confidence: flag(), shared: list(text()) })),
  }),
  async run(context, asked): Promise<SimilarFound> {
    const query = asked.to.trim()
    const to = ID.test(query) ? await context.recall.find(query) : null
    const filter = sessionFilter(context, asked, USUAL)
    return { query, to, ...(await context.recall.evidence.similar({ to: to ?? query, filter })) }
  },
  document: ({ query, to, total, sessions }: SimilarFound) => ({
    query,
    similar_to: to?.uid ?? null,
    total,
    hits: sessions.map(({ session, score, lowConfidence, shared }) => ({
      session: sessionDocument(session),
      score,
      low_confidence: lowConfidence,
      shared,
    })),
  }),
})
