import { Fragment } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Doc, Input } from './api.ts'
import { FilterBar, filtersIn } from './filters.tsx'
import { Answer, Empty, More, N } from './figures.tsx'
import { useKeys } from './keys.ts'
import { useList, type Listing } from './listing.ts'
import { Page } from './page.tsx'
import { go, to, useParam, usePlace } from './router.ts'
import { Facts, Outcome, sessionAddress, titleOf } from './session-row.tsx'

const REST_MS = 90
const STEP = 30
const MOST_TERMS = 6

type Hit = Doc<'search'>['hits'][number]

export function Search() {
  const { query: place } = usePlace()
  const [words, setWords] = useParam('q', '')
  const [typed, setTyped] = useState(words)
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
  const hasQuestion = words !== '' || Object.keys(filters).length > 0
  const found = useList('search', { ...filters, query: words, live: true } as Input<'search'>, STEP, {
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
      {hasQuestion ? <Answer to={found}>{() => <Hits found={found} />}</Answer> : <Hints />}
    </Page>
  )
}

const EXAMPLES = [
  ['why did the deploy fail', 'a question'],
  ['"exact words"', 'these words in this order'],
  ['nginx -docker', 'one word without another'],
  ['tool:Bash since:7d', 'what was run in the last week'],
  ['file:auth.ts', 'sessions that touched a file'],
] as const

function Hints() {
  return (
    <div class="empty hints">
      <p>Search looks in prompts, answers, thinking, commands, file paths, errors and titles.</p>
      <ul>
        {EXAMPLES.map(([example, what]) => (
          <li key={example}>
            <a href={to('/search', { q: example })}>
              <code>{example}</code> <span class="dim">{what}</span>
            </a>
          </li>
        ))}
      </ul>
      <p class="dim">
        <kbd>/</kbd> goes here from anywhere, <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> opens, <kbd>?</kbd> shows
        all keys.
      </p>
    </div>
  )
}

function Hits({ found }: { found: Listing<Doc<'search'>> }) {
  const { asked, pages, isLoading } = found
  const query = asked?.doc.query ?? ''
  const hits = useMemo(() => pages.flatMap(({ doc }) => doc.hits), [pages])
  const groups = useMemo(() => bySession(hits), [hits])
  const [at, setAt] = useState(-1)
  useEffect(() => setAt(-1), [query])
  const links = () => [...document.querySelectorAll<HTMLAnchorElement>('.hit > a')]
  const move = (to: number) => {
    const all = links()
    const next = Math.max(0, Math.min(all.length - 1, to))
    setAt(next)
    all[next]?.focus()
  }
  useKeys({ j: () => move(at + 1), k: () => move(at - 1) })
  if (asked === null) return null
  const { total, total_at_least: isAtLeast, explain } = asked.doc
  if (hits.length === 0)
    return explain?.reason === 'filtered' ? (
      <div class="empty">
        <p>Nothing within these filters; {explain.count} without them.</p>
        <button type="button" onClick={() => go(to('/search', { q: query }))}>
          Take the filters away
        </button>
      </div>
    ) : (
      <Empty command="recall index">Nothing found. What the agents wrote since is read by</Empty>
    )
  return (
    <div class="results" aria-busy={isLoading}>
      <p class="dim" role="status">
        {isAtLeast ? 'at least ' : ''}
        <N of={asked} at="total" /> {total === 1 ? 'place' : 'places'} in {groups.length}{' '}
        {groups.length === 1 ? 'session' : 'sessions'}
      </p>
      <ol class="groups">
        {groups.map(({ session, found: hitsOf }) => (
          <li key={session.session_uid}>
            <div class="group-head">
              <a href={sessionAddress(session.session_uid)}>{titleOf(session)}</a> <Outcome outcome={session.outcome} />
              <Facts session={session} />
            </div>
            <ul>
              {hitsOf.map(([key, hit]) => (
                <HitRow key={key} hit={hit} />
              ))}
            </ul>
          </li>
        ))}
      </ol>
      <More of={found} />
    </div>
  )
}

/** A hit may come again on a later page, when something was added meanwhile. */
function bySession(hits: readonly Hit[]) {
  const groups = new Map<string, { session: Hit['session']; found: Map<string, Hit> }>()
  for (const hit of hits) {
    const group = groups.get(hit.session.session_uid) ?? { session: hit.session, found: new Map<string, Hit>() }
    const key = `${hit.seq} ${hit.exchange}`
    if (!group.found.has(key)) group.found.set(key, hit)
    groups.set(hit.session.session_uid, group)
  }
  return [...groups.values()].map(({ session, found }) => ({ session, found: [...found] }))
}

const KINDS: Readonly<Record<string, string>> = {
  user_msg: 'prompt',
  assistant_msg: 'answer',
  tool_call: 'call',
  digest: 'digest',
}

function HitRow({ hit }: { hit: Hit }) {
  const why = whyOf(hit.matched)
  return (
    <li class="hit">
      <a href={sessionAddress(hit.session.session_uid, hit.pointer)}>
        <Snippet text={hit.snippet} highlights={hit.highlights} />
        <span class="why">
          <span class={`certainty ${hit.confidence}`}>{hit.confidence}</span>
          <span>{KINDS[hit.kind] ?? hit.kind.replaceAll('_', ' ')}</span>
          <span>{hit.pointer}</span>
          {why.length === 0 ? <span>by meaning</span> : null}
          {why.map(([fields, terms]) => (
            <span key={fields}>
              {terms.slice(0, MOST_TERMS).map((term, i) => (
                <Fragment key={term}>
                  {i === 0 ? '' : ', '}
                  <q>{term}</q>
                </Fragment>
              ))}{' '}
              in {fields}
            </span>
          ))}
        </span>
      </a>
    </li>
  )
}

/** Which words stand where; those that stand in the same places together. */
function whyOf(matched: Hit['matched']): (readonly [string, readonly string[]])[] {
  const places = new Map<string, Set<string>>()
  for (const { term, field } of matched) places.set(term, (places.get(term) ?? new Set()).add(field))
  const terms = new Map<string, string[]>()
  for (const [term, fields] of places) {
    const key = [...fields].join(', ')
    terms.set(key, [...(terms.get(key) ?? []), term])
  }
  return [...terms]
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
