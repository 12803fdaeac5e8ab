import type { SessionSignal } from '../../store/chronicle.ts'
import { JSON_OPTION, limitOption, SINCE_OPTION, type Command } from '../command.ts'
import { count, flag, sessionFilter } from '../given.ts'
import { noteRest } from '../sessions.ts'

const DEFAULT_LIMIT = 40

export const signals: Command = {
  name: 'signals',
  summary: 'errors, retries, corrections, denials and interventions, with where they happened',
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
    const shown = limit === 0 ? all : all.slice(0, limit)
    if (flag(given, 'json')) return terminal.json({ signals: shown.map(signalJson), total: all.length })
    if (all.length === 0) return terminal.note('no signals; `recall analyze` looks for them')
    for (const signal of shown) {
      terminal.line(
        `${terminal.bold(signal.kind.replaceAll('_', ' '))} ×${signal.count}  ${terminal.cell(signal.summary)}`,
      )
      terminal.line(terminal.dim(`  recall show ${terminal.cell(signal.sessionUid)} --around ${signal.seqs[0]}`))
    }
    noteRest(terminal, shown.length, all.length, 'signal')
  },
}

function signalJson(signal: SessionSignal) {
  return {
    kind: signal.kind,
    fingerprint: signal.fingerprint,
    summary: signal.summary,
    count: signal.count,
    tool: signal.tool,
    session_uid: signal.sessionUid,
    evidence: signal.seqs.map((seq) => `${signal.sessionUid}#${seq}`),
  }
}
