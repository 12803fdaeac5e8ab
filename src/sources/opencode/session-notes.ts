import { titleText, type Facts } from '../../model/facts.ts'
import { plural } from '../../model/text.ts'
import { asArray, asObject } from '../kit/json.ts'
import type { ItemWriter } from './item-writer.ts'
import type { SessionRow, SessionStore } from './rows.ts'

/** Until a model has named it. */
const UNNAMED = /^(?:New|Child) session - \d{4}-/
/** What a script may not do, for there is nobody to answer. */
const NOBODY: ReadonlySet<unknown> = new Set(['question', 'plan_enter', 'plan_exit'])

/** What is known of the session as a whole. It may change at any time, so it is told with every reading. */
export function tellSession(session: SessionRow, store: SessionStore, writer: ItemWriter): void {
  writer.announce()
  const facts: Partial<Facts> = {}
  if (session.title !== null && !UNNAMED.test(session.title)) facts.agentTitle = titleText(session.title)
  if (session.directory !== null) facts.cwd = session.directory
  if (session.version !== null) facts.version = session.version
  if (session.createdAt !== null) facts.writtenSince = session.createdAt
  if (isAutomated(session)) facts.automated = true
  if (session.parent !== null) Object.assign(facts, { parent: `opencode:${session.parent}`, hidden: true })
  else if (!writer.told.has('origin')) {
    const origin = originOf(session, store)
    if (origin !== null) facts.parent = `opencode:${origin}`
    writer.told.add('origin')
  }
  facts.complete = true
  writer.facts(facts)
}

export function isAutomated({ permission }: SessionRow): boolean {
  const denied = asArray(permission).filter((rule) => asObject(rule)?.['action'] === 'deny')
  const names = new Set(denied.map((rule) => asObject(rule)?.['permission']))
  return [...NOBODY].every((name) => names.has(name))
}

/** A fork says nothing of where it comes from. Its first message is older than itself, and stands there, too. */
function originOf({ createdAt }: SessionRow, store: SessionStore): string | null {
  if (createdAt === null) return null
  for (const first of store.messages(null))
    return first.at > 0 && first.at < createdAt ? store.origin(createdAt, first) : null
  return null
}

export function tellTakenBack(writer: ItemWriter): void {
  const taken = writer.takenBack()
  if (taken === null) return
  const { prompts, at } = taken
  writer.note(`taken:${at}`, `${plural(prompts, 'turn')} taken back`, { takenBack: prompts }, at)
}

/** What holds for now, and may not tomorrow. */
export function tellEnd({ archivedAt }: SessionRow, writer: ItemWriter): void {
  tellTakenBack(writer)
  if (archivedAt !== null) writer.note(`archived:${archivedAt}`, 'archived', {}, archivedAt)
}
