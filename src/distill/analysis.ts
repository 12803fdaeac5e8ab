import { UserError } from '../model/errors.ts'
import { DIGEST_SCHEMA_VERSION, type DigestInput, type Outcome, type Signal } from '../model/digest.ts'
import { buildDigest } from './digest.ts'
import { findSignals } from './signals.ts'
import { spanText } from './span-text.ts'
import { spansOf } from './spans.ts'

/** Raised when digests or signals come out different: what was analysed before is analysed again. */
const ANALYSIS_REVISION = 1

/** By what a digest is written. */
export function analysisRevision({ infraTools, taskRefs }: AnalysisSettings): string {
  return JSON.stringify([ANALYSIS_REVISION, DIGEST_SCHEMA_VERSION, infraTools, taskRefs])
}

/** What analysis found out about a session, ready to be kept. */
export interface SessionAnalysis {
  readonly session: number
  readonly uid: string
  readonly json: string
  readonly schemaVersion: number
  readonly outcome: Outcome
  readonly taskRef: string | null
  readonly signals: readonly Signal[]
  /** Who was at work when, as `spanText` writes it. */
  readonly spans: string
}

export interface AnalysisSettings {
  /** Names with `*` for anything; none means the usual plumbing. */
  readonly infraTools: readonly string[]
  /** Regular expressions; none means the usual keys of tasks. */
  readonly taskRefs: readonly string[]
}

/** Digest and signals of one session. Pure and deterministic. */
export function analysisOf(input: DigestInput, settings: AnalysisSettings): SessionAnalysis {
  const { session, events } = input
  const taskRefs = settings.taskRefs.length === 0 ? {} : { taskRefs: settings.taskRefs.map(toPattern) }
  const infraTools = settings.infraTools.length === 0 ? {} : { infraTools: settings.infraTools }
  const digest = buildDigest(input, { ...infraTools, ...taskRefs })
  return {
    session: session.rowId,
    uid: session.uid,
    json: JSON.stringify(digest),
    schemaVersion: DIGEST_SCHEMA_VERSION,
    outcome: digest.outcome,
    taskRef: digest.task_ref,
    signals: findSignals(events, session),
    spans: spanText(spansOf(events, session)),
  }
}

function toPattern(source: string): RegExp {
  try {
    return new RegExp(source)
  } catch (error) {
    const hint = 'task_refs of [session_memory.analysis] takes regular expressions'
    throw new UserError('BAD_CONFIG', `${JSON.stringify(source)} is no regular expression`, hint, error)
  }
}
