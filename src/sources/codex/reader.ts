import type { TranscriptReader } from '../source.ts'
import { DocumentReading } from './document-reading.ts'
import { HistoryReading } from './history.ts'
import { nameItems } from './thread-names.ts'
import { isPromptLog } from './place.ts'
import { RolloutReading } from './rollout.ts'

export const codexReader: TranscriptReader = {
  read(unit, from, hint) {
    if (isPromptLog(unit)) return new HistoryReading(unit, from)
    return unit.path.endsWith('.json') ? new DocumentReading(unit, from) : new RolloutReading(unit, from, hint)
  },

  readSidecars: nameItems,
}
