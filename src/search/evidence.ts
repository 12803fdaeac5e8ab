import type { Store } from '../store/store.ts'
import { findAuthor, type BlameAnswer } from './blame.ts'
import { findVisits, type FileQuestion, type FilesAnswer } from './files.ts'
import { findFixes, type FixAnswer, type FixQuestion } from './fix.ts'
import type { HowAnswer, HowQuestion } from './how.ts'
import { findSimilar, type SimilarAnswer, type SimilarQuestion } from './similar.ts'

/** Answers from what sessions prove: similar sessions, commands that worked, fixes, files, commits. */
export interface Evidence {
  similar(question: Omit<SimilarQuestion, 'now'>): Promise<SimilarAnswer>
  how(question: Omit<HowQuestion, 'now'>): Promise<HowAnswer>
  fix(question: FixQuestion): Promise<FixAnswer>
  files(question: FileQuestion): Promise<FilesAnswer>
  /** The session behind a commit (7 or more digits of its hash) or a line (`path:line`). */
  blame(target: string, cwd: string): Promise<BlameAnswer>
}

export function createEvidence(reading: () => Store, now: () => number): Evidence {
  return {
    similar: (question) => findSimilar(reading(), { ...question, now: now() }),
    async how(question) {
      const { findCommands } = await import('./how.ts')
      return findCommands(reading(), { ...question, now: now() })
    },
    fix: (question) => findFixes(reading(), question),
    files: (question) => findVisits(reading(), question),
    blame: (target, cwd) => findAuthor(reading(), target, cwd),
  }
}
