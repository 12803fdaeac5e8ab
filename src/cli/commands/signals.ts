import type { SessionSignal } from '../../store/chronicle.ts'
import { isSlip, slipsLine } from '../../insight/slips.ts'
import { JSON_OPTION, limitOption, SINCE_OPTION, type Command } from '../command.ts'
import { count, flag, sessionFilter } from '../given.ts'
import { noteRest, printWhere, printWrapped } from '../sessions.ts'

const DEFAULT_LIMIT = 40

export const signals: Command = {
  name: 'signals',
  summary: 'errors, retries, corrections, denials and interventions, with where they happened',
  details:
    "What people said and did comes first, then what went wrong more than once. Agents' own slips are one line at the end; --json lists them after other errors.",
  args: [{ name: 'id', help: 'only of this session', required: false }],
  options: [SINCE_OPTION, limitOption(DEFAULT_LIMIT), JSON_OPTION],
  examples: ['recall signals 3f2a9c1e', 'recall signals --since 7d'],
  rows: 'signals',
  async run(context, args, given) {
    const { recall, terminal } = context
    const { since } = sessionFilter(context, given, 0)
    const session = args[0] === undefined ? null : await recall.find(args[0])
    const all = await recall.signals({
      ...(session === null ? {} : { sessions: [session.rowId] }),
      ...(since === undefined ? {} : { since }),
    })
    const limit = count(given, 'limit') ?? DEFAULT_LIMIT
    const upTo = <T>(rows: readonly T[]) => (limit === 0 ? rows : rows.slice(0, limit))
    if (flag(given, 'json')) return terminal.json({ signals: upTo(all).map(signalJson), total: all.length })
    if (all.length === 0) return terminal.note('no signals; `recall analyze` looks for them')
    const telling = all.filter((signal) => !isSlip(signal))
    const shown = upTo(telling)
    for (const signal of shown) {
      const what = `${terminal.bold(signal.kind.replaceAll('_', ' '))} ×${signal.count}  ${signal.summary}`
      printWrapped(terminal, what)
      printWhere(terminal, signal.sessionUid, signal.seqs[0])
    }
    const slips = slipsLine(all)
    if (slips !== null) printWrapped(terminal, terminal.dim(slips))
    noteRest(terminal, shown.length, telling.length, 'signal')
  },
}

function signalJson(signal: SessionSignal) {
  return {
    kind: signal.kind,
    fingerprint: signal.fingerprint,
    summary: signal.summary,
    count: signal.count,
    tool: signal.tool,
    chore: isSlip(signal),
    session_uid: signal.sessionUid,
    evidence: signal.seqs.map((seq) => `${signal.sessionUid}#${seq}`),
  }
}
