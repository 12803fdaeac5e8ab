import { setImmediate } from 'node:timers/promises'
import type { DigestInput } from '../model/digest.ts'
import type { Analysis, Memory } from '../store/memory.ts'

/** Sessions analysed in one transaction. */
const BATCH = 64

export type Analyze = (input: DigestInput) => Analysis

/**
 * Writes digests and signals of the sessions that need them, and can be interrupted between any two. Tells of each digest that is new or different from the
 * one before. Returns how many sessions were analysed.
 */
export async function analyzeSessions(
  memory: Memory,
  sessions: readonly number[],
  task: { readonly analyze: Analyze; readonly now: () => number; readonly onDigest: (json: string) => void },
): Promise<number> {
  for (let start = 0; start < sessions.length; start += BATCH) {
    const analyses: Analysis[] = []
    for (const session of sessions.slice(start, start + BATCH)) {
      await setImmediate()
      analyses.push(task.analyze(await memory.analysisInput(session)))
    }
    const before = await Promise.all(analyses.map(({ uid }) => memory.digest(uid)))
    await memory.saveAnalyses(analyses, task.now())
    for (const [i, { json }] of analyses.entries()) if (before[i] !== json) task.onDigest(json)
  }
  return sessions.length
}
