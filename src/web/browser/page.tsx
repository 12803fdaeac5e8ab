import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

interface PageProps {
  readonly title: string
  readonly lead?: ComponentChildren
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}

/** What every view has: its name, also in the browser's tab. */
export function Page({ title, lead, aside, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} – recall`
  }, [title])
  return (
    <div class="page">
      <header class="page-head">
        <div>
          <h1>{title}</h1>
          {lead === undefined ? null : <p class="lead">{lead}</p>}
        </div>
        {aside}
      </header>
      {children}
    </div>
  )
}
