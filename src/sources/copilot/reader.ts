import path from 'node:path'
import { LinesReading, rememberedBy } from '../kit/lines-reading.ts'
import type { TranscriptReader } from '../source.ts'
import { detailItems } from './details.ts'
import { EventMapper } from './events.ts'

export const copilotReader: TranscriptReader = {
  read: (unit, from) => new LinesReading(unit, from, new EventMapper(unit, rememberedBy(from))),
  readSidecars: (unit) => detailItems(path.dirname(unit.path), unit),
}
