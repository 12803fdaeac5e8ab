import { ask } from './api.ts'
import type { OutlineDoc } from './reader-rows.ts'
import { titleOf } from './session-row.tsx'

/** Fetched at once. */
const BATCH = 200

/** What was said in one turn, as Markdown. */
export function turnMarkdown(outline: OutlineDoc, at: number): Promise<string> {
  const { first = 0, events = 0 } = outline.turns[at] ?? {}
  return said(outline, first, first + events)
}

/** What was said in the session, as Markdown: the talk, without the work. */
export async function sessionMarkdown(outline: OutlineDoc): Promise<string> {
  return `# ${titleOf(outline.session)}\n\n${await said(outline, 0, outline.events.seq.length)}\n`
}

async function said({ events, session_uid: id }: OutlineDoc, first: number, end: number): Promise<string> {
  const isTalk = (i: number) =>
    ['user_msg', 'assistant_msg'].includes(events.kind[i] ?? '') && (events.thread[i] ?? null) === null
  const seqs = events.seq.slice(first, end).filter((_, i) => isTalk(first + i))
  const parts: string[] = []
  for (let from = 0; from < seqs.length; from += BATCH) {
    const { events: found } = await ask('read', { id, seqs: seqs.slice(from, from + BATCH), payloads: true })
    for (const { role, payload, human } of found)
      if (human || role === 'assistant') parts.push(`**${role === 'user' ? 'User' : 'Agent'}**: ${payload ?? ''}`)
  }
  return parts.join('\n\n')
}
