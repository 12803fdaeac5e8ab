import { UserError } from '../model/errors.ts'
import { DIGEST_SCHEMA_VERSION, type Digest, type DigestInput, type Outcome, type Signal } from '../model/digest.ts'
import { buildDigest } from './digest.ts'
import { findSignals } from './signals.ts'
import { mergeDigests } from './merge-digest.ts'
import { INFRA_TOOLS, infraShare } from './infra-overhead.ts'
import { spanText, spansAfter } from './span-text.ts'
import { sumSpans } from './spans.ts'

/** Raised when digests or signals come out different: what was analysed before is analysed again. */
const ANALYSIS_REVISION = 9

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
  const { part = null } = input
  const fresh = buildDigest(input, { ...infraTools, ...taskRefs })
  const spans = spansAfter(part?.spans ?? '', events, session)
  const digest = part === null ? fresh : ofBothParts(part.digest, { ...fresh, time: sumSpans(spans) }, settings)
  return {
    session: session.rowId,
    uid: session.uid,
    json: JSON.stringify(digest),
    schemaVersion: DIGEST_SCHEMA_VERSION,
    outcome: digest.outcome,
    taskRef: digest.task_ref,
    signals: findSignals(events, session),
    spans: spanText(spans),
  }
}

function ofBothParts(part: Digest, fresh: Digest, { infraTools }: AnalysisSettings): Digest {
  const digest = mergeDigests(part, fresh)
  const share = infraShare(digest.tool_histogram, infraTools.length === 0 ? INFRA_TOOLS : infraTools)
  return { ...digest, infra_overhead_share: share }
}

function toPattern(source: string): RegExp {
  try {
    return new RegExp(source)
  } catch (error) {
    const hint = 'task_refs of [session_memory.analysis] takes regular expressions'
    throw new UserError('BAD_CONFIG', `${JSON.stringify(source)} is no regular expression`, hint, error)
  }
}
