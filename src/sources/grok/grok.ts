import path from 'node:path'
import type { Source } from '../source.ts'
import { grokHooks } from './hooks.ts'
import { readChat } from './chat.ts'
import {
  hasUpdates,
  isSessionFile,
  placeOf,
  PROMPT_LOG,
  SUBAGENT_DIR,
  SUBAGENT_FILE,
  type SessionFile,
} from './place.ts'
import { readPromptLog } from './prompt-log.ts'
import { readSmallFile } from './small-files.ts'
import { sidecarItems, sidecarsOf } from './summary.ts'
import { readTelemetry } from './telemetry.ts'
import { UpdatesReading } from './transcript.ts'

/** Grok Build: a directory per session under `sessions/<where it ran>/`, one log of prompts for each such place. */
export const grok: Source = {
  name: 'grok',
  longName: 'grok',
  label: 'Grok',
  revision: 1,

  roots(env) {
    return [path.resolve(env['GROK_HOME'] || path.join(env['HOME'] ?? '', '.grok'))]
  },

  owns(relativePath) {
    const [top, group, session, file, ...deeper] = relativePath.split(path.sep)
    if (top !== 'sessions' || !group || !session) return false
    if (file === undefined) return session === PROMPT_LOG
    if (deeper.length === 0) return isSessionFile(file)
    return file === SUBAGENT_DIR && deeper.length === 2 && deeper[1] === SUBAGENT_FILE
  },

  skips(relativeDir) {
    const parts = relativeDir.split(path.sep)
    if (parts[0] !== 'sessions') return true
    return parts.length > 3 && (parts[3] !== SUBAGENT_DIR || parts.length > 5)
  },

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

  sidecars(unit) {
    return isTranscript(unit.path) ? sidecarsOf(placeOf(unit)) : []
  },

  readSidecars(unit) {
    const place = placeOf(unit)
    const shadowed = path.basename(unit.path) !== 'updates.jsonl' && hasUpdates(place)
    return isTranscript(unit.path) && !shadowed ? sidecarItems(place) : []
  },

  hooks: grokHooks,

  resume(nativeId) {
    return `grok --resume ${nativeId}`
  },
}

function isTranscript(file: string): boolean {
  return ['updates.jsonl', 'chat_history.jsonl'].includes(path.basename(file))
}
