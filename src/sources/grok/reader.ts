import path from 'node:path'
import type { TranscriptReader } from '../source.ts'
import { readChat } from './chat.ts'
import { hasUpdates, isTranscript, placeOf, PROMPT_LOG, type SessionFile } from './place.ts'
import { readPromptLog } from './prompt-log.ts'
import { readSmallFile } from './small-files.ts'
import { sidecarItems } from './summary.ts'
import { readTelemetry } from './telemetry.ts'
import { UpdatesReading } from './transcript.ts'

export const grokReader: TranscriptReader = {
  read(unit, from, hint) {
    const name = path.basename(unit.path)
    if (name === PROMPT_LOG) return readPromptLog(unit, from)
    switch (name as SessionFile) {
      case 'updates.jsonl':
        return new UpdatesReading(unit, from)
      case 'chat_history.jsonl':
        return readChat(unit, from, hint)
      case 'events.jsonl':
        return readTelemetry(unit, from)
      default:
        return readSmallFile(unit, from, hint)
    }
  },

  readSidecars(unit) {
    const place = placeOf(unit)
    const shadowed = path.basename(unit.path) !== 'updates.jsonl' && hasUpdates(place)
    return isTranscript(unit.path) && !shadowed ? sidecarItems(place) : []
  },
}
