import path from 'node:path'
import { statRegular } from '../../model/regular-file.ts'
import { titleText, type Facts } from '../../model/facts.ts'
import { MAIN_LANE } from '../../model/event.ts'
import { parseInstant } from '../../model/time.ts'
import { asObject, asText, parseObjects, type Json } from '../kit/json.ts'
import { ORIGINALITY, type Item, type Lane } from '../source.ts'
import { groupCwd, isMoving, placeAt, readSmall, sessionDirs, type SessionPlace } from './place.ts'
import { indexedTitle } from './search-index.ts'

const LEFT_BEHIND_LANE = '~left-behind'

/** The lane of a transcript: the session's main one, unless the directory is what a move left behind. */
export function transcriptLane(place: SessionPlace): Lane {
  const { session, dir } = place
  const lane = { item: 'lane', session, mainPath: dir } as const
  return isMoving(place) && currentDir(place) !== dir
    ? { ...lane, lane: LEFT_BEHIND_LANE, originality: ORIGINALITY.copy }
    : { ...lane, lane: MAIN_LANE, originality: ORIGINALITY.main }
}

/** Of several directories of one session the one that moved last, else the one that holds most. */
function currentDir({ root, session }: SessionPlace): string | undefined {
  const ranked = sessionDirs(root, session).map((dir) => {
    const moves = readSummary(placeAt(dir, root))?.['cwd_generation']
    const size = statRegular(path.join(dir, 'updates.jsonl'))?.size ?? 0
    return { dir, moves: typeof moves === 'number' ? moves : 0, size }
  })
  return ranked.sort((a, b) => b.moves - a.moves || b.size - a.size)[0]?.dir
}

export function sidecarItems(place: SessionPlace): readonly Item[] {
  const lane = transcriptLane(place)
  return [lane, { item: 'facts', session: lane.session, lane: lane.lane, facts: sessionFacts(place) }]
}

/** What `summary.json` and the directory's place say now; every reading of the transcript tells it again at its end. */
export function sessionFacts(place: SessionPlace): Partial<Facts> {
  const summary = readSummary(place)
  const cwd = asText(asObject(summary?.['info'])?.['cwd']) ?? groupCwd(path.dirname(place.dir))
  return { ...factsOf(summary ?? {}), ...titleOf(summary ?? {}, place), ...(cwd === null ? {} : { cwd }) }
}

export function readSummary(place: SessionPlace): Json | null {
  const text = readSmall(path.join(place.dir, 'summary.json'))
  return text === null ? null : (parseObjects(text)?.[0] ?? null)
}

/** The item count of the history this session was forked with, and whose it is. */
export function inheritance(summary: Json | null): { readonly from: string; readonly items: number } | null {
  const from = asText(summary?.['parent_session_id'])
  const items = summary?.['inherited_prefix_len']
  return from !== null && typeof items === 'number' && items > 0 ? { from, items } : null
}

function factsOf(summary: Json): Partial<Facts> {
  const facts: Partial<Facts> = {}
  const branch = asText(summary['head_branch'])
  if (branch !== null) {
    facts.branch = branch
    facts.branches = [branch]
  }
  const repository = asText(summary['git_root_dir'])
  if (repository !== null) facts.gitRepo = repository
  const model = asText(summary['current_model_id'])
  if (model !== null) facts.model = model
  const parent = asText(summary['parent_session_id'])
  if (parent !== null) facts.parent = `grok:${parent}`
  if (isHidden(summary)) facts.hidden = true
  if (isHeadless(summary)) facts.automated = true
  const startedAt = parseInstant(summary['created_at'])
  if (startedAt !== null) facts.startedAt = startedAt
  const endedAt = parseInstant(summary['last_active_at']) ?? parseInstant(summary['updated_at'])
  if (endedAt !== null) facts.endedAt = endedAt
  return facts
}

function titleOf(summary: Json, { root, session }: SessionPlace): Partial<Facts> {
  const ownTitle = asText(summary['generated_title'])?.trim() || asText(summary['session_summary'])?.trim()
  const title = ownTitle || indexedTitle(root, session)
  if (!title) return {}
  return summary['title_is_manual'] === true ? { customTitle: titleText(title) } : { agentTitle: titleText(title) }
}

function isHidden(summary: Json): boolean {
  return typeof summary['hidden'] === 'boolean' ? summary['hidden'] : isSubagent(summary)
}

/** True if an agent, not a person, gave the session its prompts. */
export function isSubagent(summary: Json | null): boolean {
  return asText(summary?.['session_kind'])?.startsWith('subagent') ?? false
}

/** True if a program ran it: there was no window. */
export function isHeadless(summary: Json | null): boolean {
  return summary?.['session_kind'] === 'headless'
}
