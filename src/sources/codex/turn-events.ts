import { oneLine } from '../../model/text.ts'
import { asCount, asObject, asText, isObject, type Json } from '../kit/json.ts'
import type { Form } from './mirrors.ts'
import { digest } from './natives.ts'
import type { Scribe } from './scribe.ts'

const MAX_TURNS = 1_000_000

/** Where turns begin and end, are broken off and taken back. False for any other event. */
export function mapTurn(type: string, event: Json, scribe: Scribe): boolean {
  switch (type) {
    case 'task_started':
    case 'turn_started':
      startTask(event, scribe)
      return true
    case 'task_complete':
    case 'turn_complete':
      completeTask(event, scribe)
      return true
    case 'turn_aborted':
      mapAbort(event, scribe)
      return true
    case 'thread_rolled_back':
      mapRollback(event, scribe)
      return true
    case 'context_compacted':
      noteCompaction('event', null, scribe)
      return true
    default:
      return false
  }
}

function startTask(event: Json, scribe: Scribe): void {
  const turn = asText(event['turn_id'])
  if (turn !== null) scribe.natives.startTurn(turn)
  scribe.mirrors.forget()
  scribe.calls.polled = 0
  scribe.programs.forget()
  const subagent = scribe.origin.spawned ? { subagent: 'started' as const } : {}
  const pos = scribe.note('started', 'task started', { turn: 'started', ...subagent })
  if (pos !== null) scribe.turns.taskStarted(pos)
}

function completeTask(event: Json, scribe: Scribe): void {
  const end = errorText(event['error']) === null ? 'completed' : 'failed'
  const subagent = scribe.origin.spawned ? ({ subagent: end } as const) : {}
  scribe.note('complete', end === 'failed' ? 'task failed' : 'task complete', { turn: end, ...subagent })
  mapError(event['error'], scribe)
  scribe.turns.taskEnded()
}

/**
 * In a session that an agent started, who broke it off stands in the session of that agent. A turn that a refused call
 * ended has no stop of its own.
 */
function mapAbort(event: Json, scribe: Scribe): void {
  const reason = asText(event['reason']) ?? 'interrupted'
  const text = `turn aborted: ${reason}`
  if (scribe.origin.spawned) scribe.note('aborted', text, { turn: 'aborted', subagent: 'cancelled' })
  else if (reason === 'interrupted' && scribe.refused) scribe.note('aborted', text, { turn: 'interrupted' })
  else if (reason === 'interrupted' || reason === 'replaced') {
    scribe.note('aborted', text, { interrupted: true, turn: 'interrupted' }, 'human_intervention')
  } else scribe.note('aborted', text, { turn: 'aborted' })
  mapError(event['error'], scribe)
  scribe.turns.taskEnded()
}

function mapRollback(event: Json, scribe: Scribe): void {
  const count = Math.min(MAX_TURNS, Math.floor(asCount(event['num_turns'])))
  const from = scribe.turns.takeBack(count)
  const to = scribe.lane.pos - 1
  scribe.note('rollback', `${count} ${count === 1 ? 'turn' : 'turns'} taken back`, { takenBack: count })
  const { session, lane } = scribe.lane
  if (from !== null && from <= to) scribe.items.push({ item: 'supersede', session, lane, from, to })
}

/** A compaction, which is told in up to four ways. A turn about nothing else is somebody's wish. */
export function noteCompaction(form: Form, summary: string | null, scribe: Scribe): void {
  if (!scribe.mirrors.isNews(form, 'compaction', '')) return
  const text = summary === null ? 'conversation compacted' : `conversation compacted\n\n${summary}`
  scribe.note('compaction', text, { compacted: wishOf(form, scribe) })
}

function wishOf(form: Form, { turns, place }: Scribe): 'auto' | 'manual' | 'unknown' {
  if (turns.isRunning) return 'auto'
  if (form !== 'item' || !turns.inTask || place.after === 'unknown') return 'unknown'
  return place.after === 'end' ? 'manual' : 'auto'
}

/** What went wrong: told by an event, by the end of the turn, or by both. */
export function mapError(error: unknown, scribe: Scribe): void {
  const text = errorText(error)
  if (text === null) return
  const what = `e:${digest(text)}`
  if (!scribe.mirrors.isNews(isObject(error) && 'type' in error ? 'event' : 'turnItem', what, '')) return
  scribe.event({ kind: 'error', role: 'system', text: oneLine(text, 2000), what })
}

function errorText(error: unknown): string | null {
  return asText(error) ?? asText(asObject(error)?.['message'])
}
