import path from 'node:path'
import { isMistimed, parseInstant } from '../../model/time.ts'
import { asText, type Json } from '../kit/json.ts'
import type { Line } from '../kit/lines.ts'
import type { LineMapper } from '../kit/lines-reading.ts'
import type { Item, Unit } from '../source.ts'
import { mapCallStart, mapPermission, mapQuestion, mapResult } from './calls.ts'
import { IGNORED } from './ignored.ts'
import { ItemWriter } from './item-writer.ts'
import { mapAnswer, mapNotification, mapPrompt } from './messages.ts'
import * as notes from './notes.ts'
import { mapCompaction, mapShutdown, mapUsage } from './usage.ts'

const HANDLERS: Readonly<Record<string, (writer: ItemWriter) => void>> = {
  'session.start': notes.mapStart,
  'session.resume': notes.mapResume,
  'session.context_changed': notes.mapContext,
  'session.shutdown': mapShutdown,
  'session.usage_record': mapUsage,
  'session.compaction_complete': mapCompaction,
  'session.model_change': notes.mapModel,
  'session.auto_mode_resolved': notes.mapModel,
  'session.title_changed': notes.mapTitle,
  'session.error': notes.mapError,
  'session.info': notes.mapInfo,
  'session.warning': notes.mapInfo,
  'session.mode_changed': notes.mapMode,
  'session.truncation': notes.mapTruncation,
  'session.context_cleared': notes.mapCleared,
  'session.snapshot_rewind': notes.mapRewind,
  'session.task_complete': notes.mapTaskComplete,
  'session.handoff': notes.mapHandoff,
  'user.message': mapPrompt,
  'system.notification': mapNotification,
  'assistant.message': mapAnswer,
  'assistant.turn_end': notes.mapTurnEnd,
  'tool.user_requested': notes.mapUserRequest,
  'tool.execution_start': mapCallStart,
  'tool.execution_complete': mapResult,
  'permission.requested': mapQuestion,
  'permission.completed': mapPermission,
  'subagent.started': notes.mapSubagentStart,
  'subagent.completed': notes.mapSubagentEnd,
  'subagent.failed': notes.mapSubagentEnd,
  'skill.invoked': notes.mapSkill,
  abort: notes.mapAbort,
}

/** The system prompt, two thirds of most transcripts, and the conversation again around a compaction. */
const NOTHING_TO_TELL = /^\{"type":"(?:system\.message|model\.\w+)",/
const BEGINNING = 64

export class EventMapper implements LineMapper {
  readonly #writer: ItemWriter

  constructor(unit: Unit, saved: Json | null) {
    this.#writer = new ItemWriter(unit, path.basename(path.dirname(unit.path)), saved)
  }

  skips(bytes: Buffer): boolean {
    return NOTHING_TO_TELL.test(bytes.toString('latin1', 0, BEGINNING)) && bytes.at(-1) === CLOSE
  }

  record(record: Json, line: Line): Item[] {
    const writer = this.#writer
    writer.begin(record, line, parseInstant(record['timestamp']))
    const type = asText(record['type'])
    if (isMistimed(record['timestamp'])) writer.problem('impossible time', 'warn', 'its time taken as unknown')
    if (type === null) writer.problem('record without type', 'info', 'no type')
    else if (Object.hasOwn(HANDLERS, type)) HANDLERS[type]?.(writer)
    else if (!IGNORED.has(type) && !type.startsWith('model.'))
      writer.problem(type, 'info', 'a type of record not known')
    return writer.items
  }

  end(complete: boolean): Item[] {
    const writer = this.#writer
    if (!writer.hasBegun) return []
    writer.items = []
    writer.facts({ complete })
    return writer.items
  }

  state(): unknown {
    return this.#writer.state()
  }
}

const CLOSE = 125
