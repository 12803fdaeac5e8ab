import path from 'node:path'
import type { TranscriptReader } from '../source.ts'
import { PROMPT_LOG } from './prompt-log.ts'
import { HistoryReading } from './history.ts'
import { TranscriptReading } from './transcript.ts'

export const claudeReader: TranscriptReader = {
  read(unit, from, hint) {
    return path.basename(unit.path) === PROMPT_LOG
      ? new HistoryReading(unit, from)
      : new TranscriptReading(unit, from, hint)
  },
}
