import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Asked } from './asked.ts'
import { N } from './figures.tsx'
import type { OutlineDoc } from './reader-rows.ts'
import { to } from './router.ts'
import { Facts, Outcome, titleOf } from './session-row.tsx'

interface HeadProps {
  readonly outline: Asked<OutlineDoc>
  readonly view: string
  readonly setView: (view: string) => void
  readonly children: ComponentChildren
}

/** What a session is called, what it is, and how much of it is shown. */
export function ReaderHead({ outline, view, setView, children }: HeadProps) {
  const { session, whole } = outline.doc
  const title = titleOf(session)
  useEffect(() => {
    document.title = `${title} – recall`
  }, [title])
  return (
    <header class="reader-head">
      <div>
        <h1>
          {title} <Outcome outcome={session.outcome} />
          {session.tags.map((tag) => (
            <a key={tag} class="tag" href={to('/sessions', { tag })}>
              {tag}
            </a>
          ))}
        </h1>
        <Facts session={session} />
        <span class="facts">
          <span>{whole ? <N of={outline} at="total" /> : '…'} events</span>
        </span>
      </div>
      <div class="buttons">
        <div role="group" aria-label="what is shown" class="ranges">
          <button type="button" aria-pressed={view === 'talk'} onClick={() => setView('talk')}>
            Only the talk
          </button>
          <button type="button" aria-pressed={view === 'all'} onClick={() => setView('all')}>
            Everything
          </button>
        </div>
        {children}
      </div>
    </header>
  )
}
