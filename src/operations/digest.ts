import type { Digest } from '../model/digest.ts'
import { UserError } from '../model/errors.ts'
import { operation } from './operation.ts'
import { choice, count, instant, integer, list, nullable, number, object, record, text, type TypeOf } from './schema.ts'

const outcome = choice(['success', 'fail', 'abandoned', 'unknown'])

export const digestSchema = object({
  session_uid: text(),
  flavor: text(),
  repo: nullable(text()),
  domain: nullable(text()),
  model: nullable(text()),
  started_at: instant,
  ended_at: instant,
  outcome,
  cost: object({
    input_tokens: nullable(count()),
    output_tokens: nullable(count()),
    cache_tokens: nullable(count()),
    wall_clock_s: nullable(integer()),
    turns: count(),
    retries: count(),
  }),
  tool_histogram: record(count()),
  event_count: count(),
  kind_counts: record(count()),
  markers: object({
    errors: count(),
    retries: count(),
    interventions: count(),
    test_runs: count(),
    edits: count(),
    decisions: count(),
    compactions: count(),
  }),
  first_prompt: nullable(text()),
  last_assistant: nullable(text()),
  error_snippets: list(object({ fingerprint: text(), sample: text(), count: count(), tool: nullable(text()) })),
  schema_version: count(),
  title: nullable(text()),
  outcome_confidence: number(),
  outcome_reasons: list(text()),
  task_ref: nullable(text()),
  exchanges: count(),
  files: list(object({ path: text(), edits: count(), reads: count() })),
  commands: list(object({ command: text(), count: count() })),
  commits: list(text()),
  prs: list(text()),
  time: object({ active_s: count(), agent_s: count(), waiting_s: count(), idle_s: count() }),
  compactions: count(),
  redactions: record(count()),
  sources: list(object({ path: text(), bytes: count(), hash: text() })),
  infra_overhead_share: nullable(number()),
})

export const digest = operation({
  name: 'digest',
  summary: 'print the digest of a session',
  details:
    'The digest is what stays of a session for good: docs/digest.md. Only reads; exit code 1 if there is none. `--json` prints it byte for byte as it is stored.',
  effect: 'reads',
  input: object({ id: text('which session') }),
  output: digestSchema,
  /** As it is stored. */
  async run({ recall }, { id }): Promise<string> {
    const json = await recall.digest(id)
    if (json !== null) return json
    throw new UserError('NOT_FOUND', `no digest of ${id}`, '`recall analyze` writes the digests that are missing')
  },
  document: (json: string): TypeOf<typeof digestSchema> => JSON.parse(json) as Digest,
})
