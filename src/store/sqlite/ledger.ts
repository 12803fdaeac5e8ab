import { sessionUid } from '../../model/ids.ts'
import type { UnitBatch } from '../store.ts'
import type { Database } from './database.ts'
import type { LaneHandle } from './lanes.ts'
import type { DirtySessions } from './dirty-sessions.ts'

/** Told by a more original lane, or again by the same record, which a better reader may have numbered otherwise. */
const BETTER = '(?19 = 0 AND (?5 < owner OR ?5 = owner AND ?17 <= line))'

const COLUMNS = `key, flavor, session, lane, owner, message, model, at, input, output, cache_read,
  cache_write_5m, cache_write_1h, reasoning, cost_usd, file, line, pos`
const VALUES = Array.from({ length: 18 }, (_, i) => `?${i + 1}`).join(', ')
const ADD = `INSERT INTO ledger (${COLUMNS}) VALUES (${VALUES}) ON CONFLICT (key) DO NOTHING`
const MERGE = `INSERT INTO ledger (${COLUMNS}) VALUES (${VALUES}) ON CONFLICT (key) DO UPDATE SET
  session = CASE WHEN ${BETTER} THEN ?3 ELSE session END, lane = CASE WHEN ${BETTER} THEN ?4 ELSE lane END,
  message = CASE WHEN ${BETTER} THEN ?6 ELSE message END, file = CASE WHEN ${BETTER} THEN ?16 ELSE file END,
  line = CASE WHEN ${BETTER} THEN ?17 ELSE line END, pos = CASE WHEN ${BETTER} THEN ?18 ELSE pos END,
  owner = CASE WHEN ?19 THEN owner ELSE min(owner, ?5) END,
  model = coalesce(model, ?7), at = min(coalesce(at, ?8), coalesce(?8, at)),
  input = max(input, ?9), output = max(output, ?10), cache_read = max(cache_read, ?11),
  cache_write_5m = max(cache_write_5m, ?12), cache_write_1h = max(cache_write_1h, ?13),
  reasoning = max(reasoning, ?14), cost_usd = max(coalesce(cost_usd, ?15), coalesce(?15, cost_usd))`
const HOLDER = `SELECT g.session, l.evicted_line IS NOT NULL AS evicted FROM ledger g LEFT JOIN lane l ON l.id = g.lane
  WHERE g.key = ?`

/**
 * The ledger keeps one row per response, the largest of each field ever told, filed under the most
 * original lane that holds it. `owner` orders lanes without regard to when they came;
 * but what is billed to an evicted session stays there: nothing is left to compare a copy of it with.
 */
export function saveUsage(
  db: Database,
  batch: UnitBatch,
  file: number,
  lanes: ReadonlyMap<string, LaneHandle>,
  dirty: DirtySessions,
): void {
  const batchLanes = new Map(batch.lanes.map((lane) => [`${lane.session}\n${lane.lane}`, lane]))
  for (const u of batch.usage) {
    const key = `${u.session}\n${u.lane}`
    const lane = lanes.get(key)
    const teller = batchLanes.get(key)
    if (!lane || !teller) continue
    const ledgerKey = `${teller.flavor}:${u.key}`
    const row = [
      ledgerKey,
      teller.flavor,
      lane.session,
      lane.id,
      `${teller.originality}:${sessionUid(teller.flavor, u.session)}:${lane.name}`,
      u.message,
      u.model,
      u.at,
      u.input,
      u.output,
      u.cacheRead,
      u.cacheWrite5m,
      u.cacheWrite1h,
      u.reasoning,
      u.costUsd,
      file,
      u.line,
      u.pos ?? null,
    ]
    // Most responses are told once: whether one is there already is asked only where it cannot be added.
    if (db.hot(ADD).run(...row).changes > 0) continue
    const known = db.get(HOLDER, ledgerKey)
    const isOthers = known !== undefined && known['session'] !== lane.session
    if (isOthers) dirty.sessions.add(Number(known['session']))
    const stays = isOthers && known['evicted'] === 1
    db.run(MERGE, ...row, stays ? 1 : 0)
  }
}
