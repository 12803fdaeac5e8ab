import path from 'node:path'
import { MAIN_LANE } from '../../model/event.ts'
import type { LaneRef, Unit } from '../source.ts'

const SUFFIX = /\.jsonl(?:\.zst)?$|\.json$/
const ID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const NAMED = new RegExp(`^rollout-.*?(${ID})(?:_(${ID}))?$`, 'i')

/**
 * Which session a rollout holds, by its name alone: `rollout-<time>-<id>`, or the directory of a plain
 * `rollout.jsonl`. A thread that was reverted goes on in a file with two ids, a lane of its own.
 */
export function placeOf(file: string): LaneRef {
  const stem = path.basename(file).replace(SUFFIX, '')
  const [, session, again] = NAMED.exec(stem) ?? []
  if (session !== undefined) return { session: session.toLowerCase(), lane: again ?? MAIN_LANE }
  if (stem === 'rollout') return { session: path.basename(path.dirname(file)), lane: MAIN_LANE }
  return { session: stem.replace(/^rollout-(?:\d{4}-\d{2}-\d{2}-)?/, ''), lane: MAIN_LANE }
}

/** Where the client notes the names of threads: a line for every change, the last one holds. */
export function nameIndexOf(unit: Unit): string {
  return path.join(unit.root, 'session_index.jsonl')
}

/** Where Codex notes which threads it made from sessions of other agents. */
export function importsOf(unit: Unit): string {
  return path.join(unit.root, 'external_agent_session_imports.json')
}

/** The log of all prompts ever typed. */
export const PROMPT_LOG = 'history.jsonl'

export function isPromptLog(unit: Unit): boolean {
  return path.relative(unit.root, unit.path) === PROMPT_LOG
}
