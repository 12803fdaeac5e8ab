import { titleLine } from '../../model/facts.ts'
import { isTelling, readableTitle } from '../../model/titles.ts'
import { FLAG } from '../store.ts'
import { noteChange } from './changes.ts'
import type { Database, Value } from './database.ts'
import { readMeta } from './meta.ts'
import { dropDigestLane, indexDigest } from './digest-text.ts'
import { DIGEST_LANE, NOT_A_TRANSCRIPT } from './lane-names.ts'
import { areTitlesCurrent, keepTitleRevision } from './title-revision.ts'

/** How many prompts are looked at for one that says something. */
const PROMPTS = 6

export interface TitleFacts {
  /** Given by a person or by the agent. */
  readonly given: Value
  /** Of a session whose words have gone in part or as a whole. */
  readonly kept: Value
  readonly firstPrompt: Value
  /** Where prompts of the session stand, in order. */
  readonly lanes: readonly number[]
}

/** What a session is called: as it was told, as it was once called, or by what was asked in it. */
export function sessionTitle(db: Database, { given, kept, firstPrompt, lanes }: TitleFacts): string | null {
  const title = given ?? kept
  if (title !== null) return readableTitle([String(title)])
  const prompts = firstPrompts(db, lanes)
  if (firstPrompt === null) return readableTitle(prompts)
  // What a subagent was ordered to do is no prompt of a person; else this is the first of them, as one short line.
  const first = String(firstPrompt)
  const isAmongThem = prompts.some((prompt) => titleLine(prompt) === first)
  return readableTitle(isAmongThem ? prompts : [first, ...prompts])
}

/** Up to the first that says something: a session may be long. */
function firstPrompts(db: Database, lanes: readonly number[]): string[] {
  const prompts: string[] = []
  for (const lane of lanes) {
    const rows = db.each(
      `SELECT substr(text, 1, 4096) AS text FROM event WHERE lane = ? AND flags & ${FLAG.human} <> 0
         AND flags & ${FLAG.copy | FLAG.aside | FLAG.sidechain | FLAG.remark} = 0 AND text IS NOT NULL ORDER BY pos`,
      lane,
    )
    for (const row of rows) {
      prompts.push(String(row['text']))
      if (prompts.length === PROMPTS || isTelling(prompts.at(-1) ?? '')) return prompts
    }
  }
  return prompts
}

/** Gives the sessions of a store whose titles were made by another rule those of this one. */
export function renewTitles(db: Database, now: number): void {
  if (areTitlesCurrent(db)) return
  // A new store holds none yet.
  const isNew = readMeta(db, 'last_index') === null
  const titled =
    "SELECT id, title, indexed_title, evicted_at, part ->> 'title' AS kept FROM session WHERE title IS NOT NULL"
  for (const row of isNew ? [] : db.all(titled)) {
    const id = Number(row['id'])
    const isEvicted = row['evicted_at'] !== null
    const title = sessionTitle(db, {
      given: row['indexed_title'] ?? null,
      kept: (isEvicted ? row['title'] : row['kept']) ?? null,
      firstPrompt: row['title'] ?? null,
      lanes: lanesOf(db, id),
    })
    if (title === row['title']) continue
    db.run('UPDATE session SET title = ? WHERE id = ?', title, id)
    noteChange(db, id, 'tagged', now)
    if (!isEvicted || !db.get('SELECT 1 FROM lane WHERE session = ? AND name = ?', id, DIGEST_LANE)) continue
    dropDigestLane(db, id)
    indexDigest(db, id)
  }
  keepTitleRevision(db)
}

function lanesOf(db: Database, session: number): number[] {
  const rows = db.all(
    `SELECT id FROM lane l WHERE session = ? AND name NOT LIKE '${NOT_A_TRANSCRIPT}%'
     ORDER BY originality, (SELECT min(at) FROM event WHERE lane = l.id), name`,
    session,
  )
  return rows.map((row) => Number(row['id']))
}
