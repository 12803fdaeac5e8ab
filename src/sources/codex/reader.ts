import type { TranscriptReader } from '../source.ts'
import { DocumentReading } from './document.ts'
import { nameItems } from './names.ts'
import { RolloutReading } from './rollout.ts'

export const codexReader: TranscriptReader = {
  read(unit, from) {
    return unit.path.endsWith('.json') ? new DocumentReading(unit, from) : new RolloutReading(unit, from)
  },

  readSidecars: nameItems,
}
