import { useState } from 'preact/hooks'
import type { Input } from './api.ts'
import { useAsked } from './asked.ts'
import { FilterBar, filtersIn } from './filters.tsx'
import { Answer, Empty, N } from './figures.tsx'
import { plural } from './format.ts'
import { useKeys } from './keys.ts'
import { Page } from './page.tsx'
import { usePlace } from './router.ts'
import { SessionRow } from './session-row.tsx'

const STEP = 50

export function Sessions() {
  const { query } = usePlace()
  const filters = filtersIn(query)
  const [limit, setLimit] = useState(STEP)
  const list = useAsked('list', { ...filters, limit } as Input<'list'>)
  const move = (by: number) => {
    const links = [...document.querySelectorAll<HTMLAnchorElement>('.session-row > a')]
    const at = links.indexOf(document.activeElement as HTMLAnchorElement)
    links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus()
  }
  useKeys({ j: () => move(1), k: () => move(-1) })
  return (
    <Page title="Sessions">
      <FilterBar filters={filters} />
      <Answer to={list}>
        {(asked) => {
          const { sessions, total, folded } = asked.doc
          const hidden = folded.subagents + folded.automated
          if (sessions.length === 0) return <Empty>No session fits.</Empty>
          return (
            <>
              <p class="dim" role="status">
                <N of={asked} at="total" /> {total === 1 ? 'session' : 'sessions'}, newest first
                {hidden === 0
                  ? ''
                  : `; ${plural(folded.subagents, 'subagent')} and ${plural(folded.automated, 'automated run')} folded away`}
              </p>
              <ul class="sessions">
                {sessions.map((session) => (
                  <SessionRow key={session.session_uid} session={session} />
                ))}
              </ul>
              {sessions.length < total && limit < 500 ? (
                <button type="button" class="more" onClick={() => setLimit(Math.min(500, limit + STEP))}>
                  Show more
                </button>
              ) : null}
            </>
          )
        }}
      </Answer>
    </Page>
  )
}
