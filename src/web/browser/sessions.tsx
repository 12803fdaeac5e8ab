import type { Input } from './api.ts'
import { FilterBar, filtersIn } from './filters.tsx'
import { Answer, Empty, More, N } from './figures.tsx'
import { plural } from './format.ts'
import { useKeys } from './keys.ts'
import { useList } from './listing.ts'
import { Page } from './page.tsx'
import { usePlace } from './router.ts'
import { SessionRow } from './session-row.tsx'

const STEP = 50

export function Sessions() {
  const { query } = usePlace()
  const filters = filtersIn(query)
  const list = useList('list', filters as Input<'list'>, STEP)
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
          const { total, folded } = asked.doc
          // One may come again on a later page, when another was added meanwhile.
          const known = new Map(list.pages.flatMap(({ doc }) => doc.sessions).map((one) => [one.session_uid, one]))
          const sessions = [...known.values()]
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
              <More of={list} />
            </>
          )
        }}
      </Answer>
    </Page>
  )
}
