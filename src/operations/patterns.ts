import { isSlip } from '../insight/slips.ts'
import { SIGNAL_KINDS, type Pattern } from '../model/digest.ts'
import { deniedBy } from './marks-document.ts'
import { limit, since, timeOf } from './filters.ts'
import { operation } from './operation.ts'
import { choice, count, flag, list, nullable, object, text } from './schema.ts'
import { slipsLast, type SlipsLast } from './slips-last.ts'

const USUAL = 20

const pattern = object({
  kind: choice(SIGNAL_KINDS),
  fingerprint: text(),
  summary: text(),
  tool: nullable(text()),
  by: nullable(deniedBy),
  sessions: count(),
  count: count(),
  evidence: list(text()),
  chore: flag(),
})

export const patterns = operation({
  name: 'patterns',
  summary: 'what recurs across sessions: corrections, denials, errors, loops, files that change together',
  details:
    "What a person can act on comes first. Agents' own slips, such as an edit of a file that was not read, are one line at the end; --json lists them, last.",
  effect: 'reads',
  isSlow: true,
  input: object({}, { since, limit: limit(USUAL) }),
  output: object({ patterns: list(pattern), total: count() }),
  async run({ recall, now }, asked): Promise<SlipsLast<Pattern>> {
    const from = asked.since === undefined ? {} : { since: timeOf(asked.since, now()) }
    return slipsLast(await recall.patterns(from), asked.limit ?? USUAL)
  },
  document: ({ first, total }: SlipsLast<Pattern>) => ({
    patterns: first.map(({ kind, fingerprint, summary, tool, by = null, sessions, count: times, evidence }) => ({
      kind,
      fingerprint,
      summary,
      tool,
      by,
      sessions,
      count: times,
      evidence,
      chore: isSlip({ kind, summary, tool, count: times }),
    })),
    total,
  }),
})
