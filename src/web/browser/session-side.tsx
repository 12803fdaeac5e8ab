import { useState } from 'preact/hooks'
import { change, ProblemError, type Doc } from './api.ts'
import { useAsked } from './asked.ts'
import { Answer, Command, Empty, Fold, More, N, Told } from './figures.tsx'
import { rowsIn, useList } from './listing.ts'
import { fullTime, lastParts, plural } from './format.ts'
import { to, useParam } from './router.ts'
import { evidenceAddress } from './evidence.tsx'

/** The tag that pins. */
const PINNED = 'keep'

/** What is known about a session, and what can be done with it. */
export function SessionSide({ session }: { session: Doc<'read'>['session'] }) {
  const uid = session.session_uid
  const resume = useAsked('resume', { session: uid })
  return (
    <aside class="side" aria-label="about this session">
      <section>
        <h2>Go on</h2>
        {resume.problem?.code === 'NOT_FOUND' ? (
          <p class="dim">{resume.problem.detail}.</p>
        ) : (
          <Answer to={resume}>
            {({ doc }) => (
              <>
                <Command line={`recall resume ${session.id}`} />
                {doc.obstacles.length === 0 ? null : (
                  <Fold name="obstacles" summary={doc.obstacles.map(({ reason }) => OBSTACLES[reason]).join(', ')}>
                    {doc.obstacles.map(({ message, remedy }) => (
                      <p key={message} class="dim">
                        <Told>{`${message}. ${remedy}.`}</Told>
                      </p>
                    ))}
                  </Fold>
                )}
              </>
            )}
          </Answer>
        )}
        <Handoff session={session} />
      </section>
      <Own session={session} />
      <section>
        <h2>Facts</h2>
        <dl>
          <dt>began</dt>
          <dd>{fullTime(session.started_at)}</dd>
          <dt>ended</dt>
          <dd>{fullTime(session.ended_at)}</dd>
          <dt>directory</dt>
          <dd title={session.cwd ?? ''}>{session.cwd ?? 'unknown'}</dd>
          <dt>model</dt>
          <dd>{session.model ?? 'not told'}</dd>
          <dt>agent</dt>
          <dd>{session.flavor}</dd>
          {session.task_ref === null ? null : (
            <>
              <dt>task</dt>
              <dd>{session.task_ref}</dd>
            </>
          )}
          <dt>id</dt>
          <dd>
            <code>{session.id}</code>
          </dd>
        </dl>
        <p>
          <a href={to('/compare', { a: uid })}>Compare with another session</a>
        </p>
      </section>
      <DigestFacts uid={uid} />
      <Signals uid={uid} />
    </aside>
  )
}

const OBSTACLES = {
  transcript_gone: 'its transcript is gone',
  directory_gone: 'its directory is gone',
  not_installed: 'the agent is not installed',
} as const

/** The command that goes on with it in another agent; which one is in the address. */
function Handoff({ session }: { session: Doc<'read'>['session'] }) {
  const status = useAsked('status', {})
  const agents = (status.asked?.doc.sources ?? []).filter((one) => one.takes_over && one.name !== session.flavor)
  const [chosen, choose] = useParam('to', agents[0]?.name ?? '')
  const agent = agents.find(({ name }) => name === chosen) ?? agents[0]
  if (agent === undefined) return null
  return (
    <>
      <p class="dim handoff">
        or in{' '}
        <select
          aria-label="which agent goes on"
          value={agent.name}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {agents.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </p>
      <Command line={`recall handoff ${session.id} --to ${agent.name}`} />
    </>
  )
}

/** What the user says about it: pinned, tags, a title. */
function Own({ session }: { session: Doc<'read'>['session'] }) {
  const [error, setError] = useState<string | null>(null)
  const id = session.session_uid
  const isPinned = session.tags.includes(PINNED)
  const said = (work: Promise<unknown>) => {
    setError(null)
    work.catch((failed: unknown) => {
      if (!(failed instanceof ProblemError)) throw failed
      setError(`${failed.problem.detail}: ${failed.problem.hint}`)
    })
  }
  const submit = (name: string, send: (value: string) => Promise<unknown>) => (event: SubmitEvent) => {
    event.preventDefault()
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem(name) as HTMLInputElement
    const value = field.value.trim()
    if (value === '') return
    said(send(value))
    field.value = ''
  }
  return (
    <section class="own">
      <h2>Yours</h2>
      <button type="button" aria-pressed={isPinned} onClick={() => said(change(isPinned ? 'unpin' : 'pin', { id }))}>
        {isPinned ? 'Pinned: its text is never let go' : 'Pin: never let its text go'}
      </button>
      <p class="tags">
        {session.tags
          .filter((tag) => tag !== PINNED)
          .map((tag) => (
            <span key={tag} class="tag">
              {tag}
              <button
                type="button"
                aria-label={`take the tag ${tag} off`}
                onClick={() => said(change('untag', { id, tags: tag }))}
              >
                ×
              </button>
            </span>
          ))}
      </p>
      <form onSubmit={submit('tags', (tags) => change('tag', { id, tags }))}>
        <input name="tags" placeholder="add tags" aria-label="add tags" maxLength={200} />
      </form>
      <form onSubmit={submit('title', (title) => change('title', { id, title }))}>
        <input name="title" placeholder="a title of your own" aria-label="a title of your own" maxLength={200} />
      </form>
      {error === null ? null : (
        <p class="bad" role="alert">
          {error}
        </p>
      )}
    </section>
  )
}

function DigestFacts({ uid }: { uid: string }) {
  const digest = useAsked('digest', { id: uid }, { session: uid })
  if (digest.asked === null && digest.problem?.code === 'NOT_FOUND')
    return (
      <section>
        <h2>Digest</h2>
        <Empty command="recall analyze">There is none yet.</Empty>
      </section>
    )
  return (
    <section>
      <h2>Digest</h2>
      <Answer to={digest}>
        {(asked) => {
          const { doc } = asked
          return (
            <>
              <dl>
                <dt>outcome</dt>
                <dd>
                  {doc.outcome}, <N of={asked} at="outcome_confidence" as="percent" /> sure
                </dd>
                {Object.entries(doc.markers).map(([name, n]) =>
                  n === 0 ? null : (
                    <>
                      <dt key={name}>{name.replaceAll('_', ' ')}</dt>
                      <dd>
                        <N of={asked} at={`markers.${name}`} />
                      </dd>
                    </>
                  ),
                )}
                <dt>you, agent</dt>
                <dd>
                  <N of={asked} at="time.active_s" as="seconds" />, <N of={asked} at="time.agent_s" as="seconds" />
                </dd>
              </dl>
              {doc.outcome_reasons.length === 0 ? null : (
                <ul class="plain dim">
                  {doc.outcome_reasons.map((reason) => (
                    <li key={reason}>{reason}</li>
                  ))}
                </ul>
              )}
              {doc.files.length === 0 ? null : (
                <Fold name="files" summary={plural(doc.files.length, 'file')}>
                  <ul class="plain">
                    {doc.files.map(({ path, edits, reads }) => (
                      <li key={path} title={path}>
                        {lastParts(path, 2)}{' '}
                        <span class="dim">{edits > 0 ? plural(edits, 'edit') : plural(reads, 'read')}</span>
                      </li>
                    ))}
                  </ul>
                </Fold>
              )}
            </>
          )
        }}
      </Answer>
    </section>
  )
}

function Signals({ uid }: { uid: string }) {
  const signals = useList('signals', { id: uid }, 12, { session: uid })
  return (
    <section>
      <h2>Signals</h2>
      <Answer to={signals}>
        {({ doc }) =>
          doc.signals.length === 0 ? (
            <p class="dim">None.</p>
          ) : (
            <>
              <ul class="plain">
                {rowsIn(signals.pages, (doc) => doc.signals).map(({ row, i, asked: page }) => (
                  <li key={`${row.kind} ${row.fingerprint}`}>
                    <a href={evidenceAddress(row.evidence[0] ?? uid)}>
                      {row.kind.replaceAll('_', ' ')} × <N of={page} at={`signals.${i}.count`} />
                    </a>{' '}
                    <span class="dim">{row.summary}</span>
                  </li>
                ))}
              </ul>
              <More of={signals} />
            </>
          )
        }
      </Answer>
    </section>
  )
}
