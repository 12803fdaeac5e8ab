import type { Marks } from '../../model/marks.ts'
import { withoutNotes } from '../kit/typed.ts'

/** What the client puts around or before a person's words. The tags and all between them are taken away. */
const CONTEXT =
  /<(system-reminder|git_status|fork-context|resume-context|user_info|rules|environment_context|project_layout)>[\s\S]*?<\/\1>/g
/** What follows on the same line can only be more markup, or the tags are the person's own words. */
const QUERY = /<user_query>([\s\S]*?)<\/user_query>(?=[^\S\n]*(?:[\n<]|$))/g

/** Text that starts with one of these was typed by nobody. */
const INJECTED =
  /^<(system-reminder|user_info|git_status|fork-context|resume-context|rules|environment_context|task-notification|task_notification|background_context|agent_message)\b[\s\S]*<\/\1>/

/** A prompt without what the client added: the last query if it is marked as one, else what is left beside the context. */
export function withoutContext(text: string): string {
  const bare = withoutNotes(text, CONTEXT)
  const query = [...bare.matchAll(QUERY)].at(-1)?.[1]
  return (query ?? bare).trim()
}

/** True if `words`, a prompt without its context, can be a person's. */
export function canBeHuman(words: string): boolean {
  return words !== '' && !INJECTED.test(words)
}

/** What is to be said of a user's message that its words do not. */
export function userMarks(typed: boolean, midTurn: boolean, command: string | null): Marks {
  if (midTurn) return { midTurn: true }
  if (command !== null) return { command }
  return typed ? {} : { injected: true }
}
