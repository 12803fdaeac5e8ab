import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Doc, Input } from './api.ts'
import { useAsked, type Asked } from './asked.ts'
import { FilterBar, filtersIn } from './filters.tsx'
import { Answer, Empty, N } from './figures.tsx'
import { useKeys } from './keys.ts'
import { Page } from './page.tsx'
import { go, to, useParam, usePlace } from './router.ts'
import { Facts, Outcome, sessionAddress, titleOf } from './session-row.tsx'

const REST_MS = 90
const STEP = 30

type Hit = Doc<'search'>['hits'][number]

export function Search() {
  const { query: place } = usePlace()
  const [words, setWords] = useParam('q', '')
  const [typed, setTyped] = useState(words)
  const [limit, setLimit] = useState(STEP)
  const input = useRef<HTMLInputElement>(null)
  const filters = filtersIn(place)
  // What was typed goes ahead of the address; only what somebody else has put there comes back.
  const sent = useRef(words)
  useEffect(() => {
    if (words !== sent.current) setTyped((sent.current = words))
  }, [words])
  useEffect(() => {
    const timer = setTimeout(() => {
      sent.current = typed.trim()
      setWords(sent.current)
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [typed])
  // Before anything else can take the next key.
  useLayoutEffect(() => input.current?.focus(), [])
  useEffect(() => setLimit(STEP), [words])
  const hasQuestion = words !== '' || Object.keys(filters).length > 0
  const found = useAsked('search', { ...filters, query: words, live: true, limit } as Input<'search'>, {
    isOff: !hasQuestion,
  })
  return (
    <Page title="Search">
      <form
        class="search-box"
        role="search"
        onSubmit={(event) => {
          event.preventDefault()
          setWords(typed.trim())
          document.querySelector<HTMLElement>('.hit a')?.focus()
        }}
      >
        <input
          ref={input}
          type="search"
          aria-label="search what was said, thought or run"
          placeholder="Ask a question, paste an error, or type a few words"
          value={typed}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </form>
      <FilterBar filters={filters} />
      {hasQuestion ? (
        <Answer to={found}>
          {(asked) => (
            <Hits asked={asked} isWaiting={found.isLoading} onMore={() => setLimit(limit + STEP)} limit={limit} />
          )}
        </Answer>
      ) : (
        <Hints />
      )}
    </Page>
  )
}

function Hints() {
  return (
    <div class="empty hints">
      <p>Search looks in prompts, answers, thinking, commands, file paths, errors and titles.</p>
      <ul>
        {['why did the deploy fail', '"exact words"', 'nginx -docker', 'tool:Bash since:7d', 'file:auth.ts'].map(
          (example) => (
            <li key={example}>
              <a href={to('/search', { q: example })}>
                <code>{example}</code>
              </a>
            </li>
          ),
        )}
      </ul>
      <p class="dim">
        <kbd>/</kbd> goes here from anywhere, <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> opens, <kbd>?</kbd> shows
        all keys.
      </p>
    </div>
  )
}

interface HitsProps {
  readonly asked: Asked<Doc<'search'>>
  readonly isWaiting: boolean
  readonly limit: number
  readonly onMore: () => void
}

function Hits({ asked, isWaiting, limit, onMore }: HitsProps) {
  const { hits, total, total_at_least: isAtLeast, explain } = asked.doc
  const groups = useMemo(() => bySession(hits), [hits])
  const [at, setAt] = useState(-1)
  useEffect(() => setAt(-1), [asked.doc.query])
  const links = () => [...document.querySelectorAll<HTMLAnchorElement>('.hit > a')]
  const move = (to: number) => {
    const all = links()
    const next = Math.max(0, Math.min(all.length - 1, to))
    setAt(next)
    all[next]?.focus()
  }
  useKeys({ j: () => move(at + 1), k: () => move(at - 1) })
  if (hits.length === 0)
    return explain?.reason === 'filtered' ? (
      <div class="empty">
        <p>Nothing within these filters; {explain.count} without them.</p>
        <button type="button" onClick={() => go(to('/search', { q: asked.doc.query }))}>
          Take the filters away
        </button>
      </div>
    ) : (
      <Empty command="recall index">Nothing found. What the agents wrote since is read by</Empty>
    )
  return (
    <div class="results" aria-busy={isWaiting}>
      <p class="dim" role="status">
        {isAtLeast ? 'at least ' : ''}
        <N of={asked} at="total" /> {total === 1 ? 'place' : 'places'} in {groups.length}{' '}
        {groups.length === 1 ? 'session' : 'sessions'}
      </p>
      <ol class="groups">
        {groups.map(({ session, found }) => (
          <li key={session.session_uid}>
            <div class="group-head">
              <a href={sessionAddress(session.session_uid)}>{titleOf(session)}</a> <Outcome outcome={session.outcome} />
              <Facts session={session} />
            </div>
            <ul>
              {found.map((hit) => (
                <HitRow key={`${hit.seq} ${hit.exchange}`} hit={hit} />
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {hits.length >= limit ? (
        <button type="button" class="more" onClick={onMore}>
          Show more
        </button>
      ) : null}
    </div>
  )
}

function bySession(hits: readonly Hit[]) {
  const groups = new Map<string, { session: Hit['session']; found: Hit[] }>()
  for (const hit of hits) {
    const group = groups.get(hit.session.session_uid) ?? { session: hit.session, found: [] }
    group.found.push(hit)
    groups.set(hit.session.session_uid, group)
  }
  return [...groups.values()]
}

const KINDS: Readonly<Record<string, string>> = {
  user_msg: 'prompt',
  assistant_msg: 'answer',
  tool_call: 'call',
  digest: 'digest',
}

function HitRow({ hit }: { hit: Hit }) {
  const why = [...new Set(hit.matched.map(({ term, field }) => `${term} in ${field}`))]
  return (
    <li class="hit">
      <a href={sessionAddress(hit.session.session_uid, hit.pointer)}>
        <Snippet text={hit.snippet} highlights={hit.highlights} />
        <span class="why">
          <span class={`certainty ${hit.confidence}`}>{hit.confidence}</span>
          <span>{KINDS[hit.kind] ?? hit.kind.replaceAll('_', ' ')}</span>
          <span>{hit.pointer}</span>
          <span class="matched">{why.length === 0 ? 'by meaning' : why.slice(0, 5).join(', ')}</span>
        </span>
      </a>
    </li>
  )
}

function Snippet({ text, highlights }: { text: string; highlights: readonly (readonly number[])[] }) {
  const parts: preact.ComponentChildren[] = []
  let end = 0
  for (const [from = 0, until = 0] of highlights) {
    parts.push(text.slice(end, from), <mark key={from}>{text.slice(from, until)}</mark>)
    end = until
  }
  parts.push(text.slice(end))
  return <span class="snippet">{parts}</span>
}
