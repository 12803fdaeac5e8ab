import { isSlip } from '../insight/slips.ts'
import { SIGNAL_KINDS } from '../model/digest.ts'
import type { SessionSignal } from '../store/chronicle.ts'
import { limit, since, timeOf } from './filters.ts'
import { operation } from './operation.ts'
import { choice, count, flag, list, nullable, object, text } from './schema.ts'
import { slipsLast, type SlipsLast } from './slips-last.ts'

const USUAL = 40

const signal = object({
  kind: choice(SIGNAL_KINDS),
  fingerprint: text(),
  summary: text(),
  count: count(),
  tool: nullable(text()),
  chore: flag(),
  session_uid: text(),
  evidence: list(text()),
})

export const signals = operation({
  name: 'signals',
  summary: 'errors, retries, corrections, denials and interventions, with where they happened',
  details:
    "What people said and did comes first, then what went wrong more than once. Agents' own slips are one line at the end; --json lists them after other errors.",
  effect: 'reads',
  isSlow: true,
  input: object({}, { id: text('only of this session'), since, limit: limit(USUAL) }),
  output: object({ signals: list(signal), total: count() }),
  async run({ recall, now }, asked): Promise<SlipsLast<SessionSignal>> {
    const from = asked.since === undefined ? {} : { since: timeOf(asked.since, now()) }
    const session = asked.id === undefined ? {} : { sessions: [(await recall.find(asked.id)).rowId] }
    return slipsLast(await recall.signals({ ...session, ...from }), asked.limit ?? USUAL)
  },
  document: ({ first, total }: SlipsLast<SessionSignal>) => ({ signals: first.map(signalDocument), total }),
})

function signalDocument(seen: SessionSignal) {
  return {
    kind: seen.kind,
    fingerprint: seen.fingerprint,
    summary: seen.summary,
    count: seen.count,
    tool: seen.tool,
    chore: isSlip(seen),
    session_uid: seen.sessionUid,
    evidence: seen.seqs.map((seq) => `${seen.sessionUid}#${seq}`),
  }
}
