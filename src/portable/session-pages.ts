import type { EventLine, SessionLine } from '../model/records.ts'
import type { OutFile } from './out-writer.ts'

/** Writes one session after the other, each as its events come. */
export interface SessionPages {
  readonly ending: string
  begin(out: OutFile, session: SessionLine): void
  event(out: OutFile, event: EventLine): void
  end(out: OutFile): void
}

export function titleOf({ title, native_id: id }: SessionLine): string {
  return title ?? id
}

/** Whose words an event is, for people. */
export function speakerOf({ role, thread }: EventLine): string {
  const name = role === 'user' ? 'User' : role === 'assistant' ? 'Assistant' : role === 'tool' ? 'Tool' : 'System'
  return thread === null ? name : `${name} (subagent ${thread})`
}

/** To the minute, as it is stored: in UTC, so that the same session gives the same bytes anywhere. */
export function minute(ts: string | null): string {
  return ts === null ? '' : ts.slice(0, 16).replace('T', ' ')
}

/** What is worth knowing before reading. */
export function factsOf(session: SessionLine): readonly (readonly [name: string, value: string])[] {
  const { session_uid: uid, cwd, git_branch: branch, model, started_at: from, ended_at: to, outcome } = session
  const facts: (readonly [string, string | null])[] = [
    ['session', uid],
    ['directory', cwd],
    ['branch', branch],
    ['model', model],
    ['from', from === null ? null : `${minute(from)} UTC`],
    ['to', to === null ? null : `${minute(to)} UTC`],
    ['outcome', outcome === 'unknown' ? null : outcome],
    ['messages', String(session.message_count)],
    ['calls', String(session.tool_count)],
  ]
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
}

/** A call in one line. */
export function callLine({ tool, text, place }: EventLine): string {
  const what = text ?? place.summary ?? ''
  const line = what.replace(/\s+/g, ' ').trim()
  return `${tool ?? 'call'} ${line.length > 160 ? `${line.slice(0, 160)}…` : line}`.trim()
}

const SUPERSEDED = 2

export function isSuperseded({ place }: EventLine): boolean {
  return (place.flags & SUPERSEDED) !== 0
}

/** Put in by the client: no words of a person. */
export function isInjected({ marks }: EventLine): boolean {
  return (marks as { readonly injected?: unknown } | null)?.injected === true
}
