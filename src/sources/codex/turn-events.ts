import { oneLine } from '../../model/text.ts'
import { asCount, asObject, asText, isObject, type Json } from '../kit/json.ts'
import type { Form } from './duplicate-tellings.ts'
import { digest } from './text-hash.ts'
import type { ItemWriter } from './item-writer.ts'

const MAX_TURNS = 1_000_000

/** Where turns begin and end, are broken off and taken back. False for any other event. */
export function mapTurn(type: string, event: Json, writer: ItemWriter): boolean {
  switch (type) {
    case 'task_started':
    case 'turn_started':
      startTask(event, writer)
      return true
    case 'task_complete':
    case 'turn_complete':
      completeTask(event, writer)
      return true
    case 'turn_aborted':
      mapAbort(event, writer)
      return true
    case 'thread_rolled_back':
      mapRollback(event, writer)
      return true
    case 'context_compacted':
      noteCompaction('event', null, writer)
      return true
    default:
      return false
  }
}

function startTask(event: Json, writer: ItemWriter): void {
  const turn = asText(event['turn_id'])
  if (turn !== null) writer.nativeIds.startTurn(turn)
  writer.duplicates.forget()
  writer.calls.polled = 0
  writer.programs.forget()
  const subagent = writer.origin.spawned ? { subagent: 'started' as const } : {}
  const pos = writer.note('started', 'task started', { turn: 'started', ...subagent })
  if (pos !== null) writer.turns.taskStarted(pos)
}

function completeTask(event: Json, writer: ItemWriter): void {
  const end = errorText(event['error']) === null ? 'completed' : 'failed'
  const subagent = writer.origin.spawned ? ({ subagent: end } as const) : {}
  writer.note('complete', end === 'failed' ? 'task failed' : 'task complete', { turn: end, ...subagent })
  mapError(event['error'], writer)
  writer.turns.taskEnded()
}

/**
 * In a session that an agent started, who broke it off stands in the session of that agent. A turn that a refused call
 * ended has no stop of its own.
 */
function mapAbort(event: Json, writer: ItemWriter): void {
  const reason = asText(event['reason']) ?? 'interrupted'
  const text = `turn aborted: ${reason}`
  if (writer.origin.spawned) writer.note('aborted', text, { turn: 'aborted', subagent: 'cancelled' })
  else if (reason === 'interrupted' && writer.refused) writer.note('aborted', text, { turn: 'interrupted' })
  else if (reason === 'interrupted' || reason === 'replaced') {
    writer.note('aborted', text, { interrupted: true, turn: 'interrupted' }, 'human_intervention')
  } else writer.note('aborted', text, { turn: 'aborted' })
  mapError(event['error'], writer)
  writer.turns.taskEnded()
}

function mapRollback(event: Json, writer: ItemWriter): void {
  const count = Math.min(MAX_TURNS, Math.floor(asCount(event['num_turns'])))
  const from = writer.turns.takeBack(count)
  const to = writer.lane.pos - 1
  writer.note('rollback', `${count} ${count === 1 ? 'turn' : 'turns'} taken back`, { takenBack: count })
  const { session, lane } = writer.lane
  if (from !== null && from <= to) writer.items.push({ item: 'supersede', session, lane, from, to })
}

/** A compaction, which is told in up to four ways. A turn about nothing else is somebody's wish. */
export function noteCompaction(form: Form, summary: string | null, writer: ItemWriter): void {
  if (!writer.duplicates.isNews(form, 'compaction', '')) return
  const text = summary === null ? 'conversation compacted' : `conversation compacted\n\n${summary}`
  writer.note('compaction', text, { compacted: wishOf(form, writer) })
}

function wishOf(form: Form, { turns, place }: ItemWriter): 'auto' | 'manual' | 'unknown' {
  if (turns.isRunning) return 'auto'
  if (form !== 'item' || !turns.inTask || place.after === 'unknown') return 'unknown'
  return place.after === 'end' ? 'manual' : 'auto'
}

/** What went wrong: told by an event, by the end of the turn, or by both. */
export function mapError(error: unknown, writer: ItemWriter): void {
  const text = errorText(error)
  if (text === null) return
  const what = `e:${digest(text)}`
  if (!writer.duplicates.isNews(isObject(error) && 'type' in error ? 'event' : 'turnItem', what, '')) return
  writer.event({ kind: 'error', role: 'system', text: oneLine(text, 2000), what })
}

function errorText(error: unknown): string | null {
  return asText(error) ?? asText(asObject(error)?.['message'])
}
