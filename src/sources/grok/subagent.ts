import path from 'node:path'
import { parseInstant } from '../../model/time.ts'
import { titleText, type Facts } from '../../model/facts.ts'
import type { Marks } from '../../model/marks.ts'
import { oneLine, plural } from '../../model/text.ts'
import { asCount, asText, type Json } from '../kit/json.ts'
import { ORIGINALITY, type Item, type Unit } from '../source.ts'
import { sessionDirs } from './place.ts'
import { marked } from './event-drafts.ts'

const LINK_LANE = '~subagent'
const MAX_NOTE = 500

/**
 * What a session's directory says of a subagent it started: which session that is, what it was for and how it
 * ended. The subagent's own directory tells the rest. Null if no session is named.
 */
export function subagentItems(meta: Json, unit: Unit): Item[] | null {
  const dir = path.resolve(unit.path, '../../..')
  const session = asText(meta['child_session_id']) ?? asText(meta['subagent_id'])
  if (session === null || session !== path.basename(session)) return null
  const parent = asText(meta['parent_session_id']) ?? path.basename(dir)
  const ref = { session, lane: LINK_LANE }
  const mainPath = sessionDirs(unit.root, session)[0] ?? path.join(path.dirname(dir), session)
  const at = parseInstant(meta['started_at'])
  const text = noteOf(meta, parent)
  // The file says how it stands, and is replaced: what it said before was true then, and is no word that got lost.
  const where = { pos: 0, parent: null, at, native: `${parent}:${session}:subagent`, block: 0, line: 1 }
  return [
    { item: 'lane', ...ref, originality: ORIGINALITY.embedded, mainPath },
    { item: 'facts', ...ref, facts: factsOf(meta, parent) },
    { item: 'event', ...ref, ...where, kind: 'lifecycle', role: 'system', text, ...marked(marksOf(meta)) },
  ]
}

const STATES: Readonly<Record<string, Marks['subagent']>> = {
  running: 'started',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
}

function marksOf(meta: Json): Marks {
  const status = asText(meta['status']) ?? ''
  const subagent = Object.hasOwn(STATES, status) ? STATES[status] : undefined
  return subagent === undefined ? {} : { subagent }
}

function noteOf(meta: Json, parent: string): string {
  const status = asText(meta['status']) ?? 'of unknown state'
  const task = [asText(meta['subagent_type']), asText(meta['description'])].filter((part) => part !== null)
  const error = asText(meta['error'])
  const calls = typeof meta['tool_calls'] === 'number' ? `, ${plural(asCount(meta['tool_calls']), 'tool call')}` : ''
  const why = error === null ? '' : `: ${error}`
  return oneLine(`subagent of grok:${parent} (${task.join(': ')}) ${status}${calls}${why}`, MAX_NOTE)
}

function factsOf(meta: Json, parent: string): Partial<Facts> {
  const facts: Partial<Facts> = { parent: `grok:${parent}`, hidden: true }
  const title = asText(meta['description'])
  if (title !== null) facts.agentTitle = titleText(title)
  const cwd = asText(meta['child_cwd'])
  if (cwd !== null) facts.cwd = cwd
  const model = asText(meta['effective_model_id'])
  if (model !== null) facts.model = model
  const startedAt = parseInstant(meta['started_at'])
  if (startedAt !== null) facts.startedAt = startedAt
  const endedAt = parseInstant(meta['completed_at'])
  if (endedAt !== null) facts.endedAt = endedAt
  return facts
}
