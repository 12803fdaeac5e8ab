import { setImmediate } from 'node:timers/promises'
import type { DigestInput } from '../model/digest.ts'
import { UserError } from '../model/errors.ts'
import type { Analysis, Keeping } from '../store/keeping.ts'

/** Sessions analysed in one transaction. */
const BATCH = 64

export type Analyze = (input: DigestInput) => Analysis

export interface AnalysisTask {
  readonly analyze: Analyze
  readonly now: () => number
  /** Told of digests that are new or different, before they are kept. */
  readonly onDigests: (jsons: readonly string[]) => void
  /** Told of a session that cannot be analysed. It stays as it is; the others go on. */
  readonly onFailure: (session: number, reason: string) => void
}

/**
 * Writes digests and signals of the sessions that need them, and can be interrupted between any two. Tells of each digest that is new or different from the
 * one before. Returns how many sessions were analysed.
 */
export async function analyzeSessions(
  keeping: Keeping,
  sessions: readonly number[],
  task: AnalysisTask,
): Promise<number> {
  let analyzed = 0
  for (let start = 0; start < sessions.length; start += BATCH) {
    const analyses: Analysis[] = []
    for (const session of sessions.slice(start, start + BATCH)) {
      await setImmediate()
      const analysis = await analyzeOne(keeping, session, task)
      if (analysis !== null) analyses.push(analysis)
    }
    const before = await Promise.all(analyses.map(({ uid }) => keeping.digest(uid)))
    task.onDigests(analyses.flatMap(({ json }, i) => (before[i] === json ? [] : [json])))
    await keeping.saveAnalyses(analyses, task.now())
    analyzed += analyses.length
  }
  return analyzed
}

/** Null if it fails: one odd session must not keep all others from their digests, nor the store from its budget. */
async function analyzeOne(keeping: Keeping, session: number, task: AnalysisTask): Promise<Analysis | null> {
  try {
    return task.analyze(await keeping.analysisInput(session))
  } catch (error) {
    if (error instanceof UserError) throw error
    task.onFailure(session, error instanceof Error ? error.message : String(error))
    return null
  }
}
