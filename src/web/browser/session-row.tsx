import type { ComponentChildren } from 'preact'
import type { Doc } from './api.ts'
import { away, fullTime, lastParts, plural } from './format.ts'
import { to } from './router.ts'

export type Session = Doc<'list'>['sessions'][number] | Doc<'search'>['hits'][number]['session']

export function sessionAddress(uid: string, pointer: string | null = null): string {
  return to(`/session/${uid}`, {}, pointer === null ? '' : pointer.replace(/^#/, ''))
}

export function titleOf({ title, id }: Pick<Session, 'title' | 'id'>): string {
  return title ?? `untitled ${id.slice(0, 8)}`
}

export function Outcome({ outcome }: { outcome: string }) {
  return <span class={`outcome ${outcome}`}>{outcome}</span>
}

/** What a session is, in one line. */
export function Facts({ session }: { session: Session }) {
  const {
    repo,
    flavor,
    model,
    started_at: at,
    git_branch: branch,
    message_count: messages,
    tool_count: calls,
  } = session
  return (
    <span class="facts">
      <span class={`agent ${flavor}`}>{flavor}</span>
      <span>{repo ?? lastParts(session.cwd)}</span>
      {branch === null ? null : <span class="branch">{branch}</span>}
      {model === null ? null : <span class="model">{model}</span>}
      <span>
        {plural(messages, 'message')}, {plural(calls, 'call')}
      </span>
      <time dateTime={at ?? ''} title={fullTime(at)}>
        {away(at)}
      </time>
    </span>
  )
}

export function SessionRow({ session, children }: { session: Session; children?: ComponentChildren }) {
  return (
    <li class="session-row">
      <a href={sessionAddress(session.session_uid)}>
        <span class="row-title">
          {titleOf(session)}
          <Outcome outcome={session.outcome} />
          {session.tags.map((tag) => (
            <span key={tag} class="tag">
              {tag}
            </span>
          ))}
        </span>
        <Facts session={session} />
      </a>
      {children}
    </li>
  )
}
