import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Problem } from './api.ts'
import type { Asked, Asking } from './asked.ts'
import { FORMATS, type Format } from './format.ts'
import type { Listing } from './listing.ts'
import { useNames } from './router.ts'

export function valueAt(doc: unknown, path: string): unknown {
  let value = doc
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name]
  return value
}

interface Figure {
  readonly of: Asked | null
  /** Where in the document it stands: `totals.sessions`. */
  readonly at: string
  readonly as?: Format
}

/** A number of a document, as it is there; it cannot be another. */
export function N({ of, at, as = 'count' }: Figure) {
  const value = of === null ? undefined : valueAt(of.doc, at)
  if (of === null || value === undefined) return <span class="dim">…</span>
  if (value === null)
    return (
      <span class="dim" title="not known">
        –
      </span>
    )
  const exact = Number(value)
  return (
    <data
      value={String(value)}
      data-of={of.address}
      data-at={at}
      title={as === 'short' ? FORMATS.count(exact) : undefined}
    >
      {FORMATS[as](exact)}
    </data>
  )
}

export function Tile({
  label,
  note,
  children,
}: {
  label: string
  note?: ComponentChildren
  children: ComponentChildren
}) {
  return (
    <div class="tile">
      <div class="tile-label">{label}</div>
      <div class="tile-value">{children}</div>
      {note === undefined ? null : <div class="tile-note">{note}</div>}
    </div>
  )
}

interface CardProps {
  readonly title: string
  readonly aside?: ComponentChildren
  readonly wide?: boolean
  readonly children: ComponentChildren
}

export function Card({ title, aside, wide, children }: CardProps) {
  return (
    <section class={wide ? 'card wide' : 'card'}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}

/** What stands where there is nothing, and what to do about it. */
export function Empty({ children, command }: { children: ComponentChildren; command?: string }) {
  return (
    <div class="empty">
      <p>{children}</p>
      {command === undefined ? null : <Command line={command} />}
    </div>
  )
}

export function Trouble({ problem, again }: { problem: Problem; again?: () => void }) {
  return (
    <div class="trouble" role="alert">
      <strong>{problem.detail}</strong>
      <p>{problem.hint}</p>
      {again === undefined ? null : (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}

/** What is shown of a question: its answer, that it is on its way, or why there is none. */
export function Answer<D>({ to, children }: { to: Asking<D>; children: (asked: Asked<D>) => ComponentChildren }) {
  if (to.asked !== null) return <>{children(to.asked)}</>
  if (to.problem !== null) return <Trouble problem={to.problem} again={to.again} />
  return <div class="waiting" aria-busy="true" />
}

/** So far below what is in view the next rows are asked for. */
const AHEAD = '800px'

/** The end of a list that goes on: what follows is asked for when it comes into view, or by hand. */
export function More<D>({
  of: { hasMore, isLoading, more },
}: {
  of: Pick<Listing<D>, 'hasMore' | 'isLoading' | 'more'>
}) {
  const end = useRef<HTMLButtonElement>(null)
  const next = useRef(more)
  next.current = more
  useEffect(() => {
    if (end.current === null) return
    const watch = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && next.current(), {
      root: end.current.closest('main'),
      rootMargin: AHEAD,
    })
    watch.observe(end.current)
    return () => watch.disconnect()
  }, [hasMore, isLoading])
  if (!hasMore) return null
  return (
    <button ref={end} type="button" class="more" disabled={isLoading} onClick={more}>
      {isLoading ? 'reading…' : 'Show more'}
    </button>
  )
}

/** What is folded away; whether it is open is in the address. */
export function Fold({
  name,
  summary,
  children,
}: {
  name: string
  summary: ComponentChildren
  children: ComponentChildren
}) {
  const [open, turn] = useNames('open')
  const isOpen = open.has(name)
  return (
    <details open={isOpen} onToggle={(event) => event.currentTarget.open === isOpen || turn(name)}>
      <summary>{summary}</summary>
      {isOpen ? children : null}
    </details>
  )
}

/** Words of recall with `code` in them. */
export function Told({ children }: { children: string }) {
  return <>{children.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>
}

/** A command to take along. */
export function Command({ line }: { line: string }) {
  return (
    <div class="command">
      <code>{line}</code>
      <CopyButton text={line} what="the command" />
    </div>
  )
}

export function CopyButton({
  text,
  what,
  label = 'Copy',
}: {
  text: string | (() => Promise<string>)
  what: string
  label?: string
}) {
  const copy = async (event: MouseEvent) => {
    const button = event.currentTarget as HTMLButtonElement
    await navigator.clipboard.writeText(typeof text === 'string' ? text : await text())
    button.dataset['done'] = 'true'
    setTimeout(() => delete button.dataset['done'], 1200)
  }
  return (
    <button type="button" class="copy" title={`Copy ${what}`} aria-label={`Copy ${what}`} onClick={copy}>
      <span>{label}</span>
    </button>
  )
}

export interface BarRow {
  readonly label: string
  readonly title?: string
  readonly href?: string
  readonly value: number
  readonly shown: ComponentChildren
  readonly note?: ComponentChildren
}

/** Rows with bars, the longest first or as they come. */
export function Bars({ rows }: { rows: readonly BarRow[] }) {
  const most = Math.max(...rows.map(({ value }) => value), 1e-9)
  return (
    <ul class="bars">
      {rows.map(({ label, title, href, value, shown, note }) => (
        <li key={`${label}${title ?? ''}`}>
          {href === undefined ? (
            <span class="bar-label" title={title}>
              {label}
            </span>
          ) : (
            <a class="bar-label" title={title} href={href}>
              {label}
            </a>
          )}
          <span class="bar-track" aria-hidden="true">
            <span class="bar" style={{ width: `${(100 * value) / most}%` }} />
          </span>
          <span class="bar-value">{shown}</span>
          {note === undefined ? null : <span class="bar-note">{note}</span>}
        </li>
      ))}
    </ul>
  )
}
