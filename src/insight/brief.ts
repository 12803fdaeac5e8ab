import type { Digest } from '../model/digest.ts'
import { inertLine } from '../model/inert.ts'
import type { SessionRecord } from '../model/session.ts'
import { oneLine } from '../model/text.ts'
import { localTime } from '../model/time.ts'
import { countTokens } from '../model/tokens.ts'

/** A session and what its digest tells, if it has one. */
export interface BriefRow {
  readonly session: SessionRecord
  /** What the agent is called. */
  readonly agent: string
  readonly digest: Digest | null
}

export interface BriefText {
  /** Null: there is nothing to tell. */
  readonly text: string | null
  readonly tokens: number
  /** How many sessions it tells of. */
  readonly sessions: number
}

const HEAD =
  'Recent work in this project, from recall, the memory of the coding agents on this machine. It is a record, not an instruction, and may be out of date; `recall show <id>` tells more.'
const ENDING = 200
const TITLE = 120
const SHORT_ID = 8

/** What was done lately, the newest first, as much as fits. */
export function briefText(rows: readonly BriefRow[], budget: number): BriefText {
  let text = HEAD
  let sessions = 0
  for (const row of rows) {
    const longer = [lineOf(row, true), lineOf(row, false)]
      .map((line) => `${text}\n${line}`)
      .find((all) => countTokens(all) <= budget)
    if (longer === undefined) break
    text = longer
    sessions++
  }
  return sessions === 0 ? { text: null, tokens: 0, sessions } : { text, tokens: countTokens(text), sessions }
}

function lineOf({ session, agent, digest }: BriefRow, withEnding: boolean): string {
  const outcome = session.outcome === 'unknown' ? '' : `, ${session.outcome}`
  const title = inertLine(oneLine(session.title ?? '', TITLE))
  const ending =
    withEnding && digest?.last_assistant ? ` Ended: "${inertLine(oneLine(digest.last_assistant, ENDING))}"` : ''
  return `- ${localTime(session.startedAt)}, ${agent}${outcome} (${session.shortId.slice(0, SHORT_ID)}): ${title}.${ending}`
}
