import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { readPointer } from '../../model/pointers.ts'
import { ask } from './api.ts'
import { useAsked, type Asked } from './asked.ts'
import { EventRow } from './event-row.tsx'
import { EventStore } from './event-store.ts'
import { Answer, CopyButton, N } from './figures.tsx'
import { plural } from './format.ts'
import { useKeys } from './keys.ts'
import { rowsOf, rowWith, type OutlineDoc, type Row, type View } from './reader-rows.ts'
import { go, to, usePlace, useParam } from './router.ts'
import { Facts, Outcome, titleOf } from './session-row.tsx'
import { SessionSide } from './session-side.tsx'
import { Timeline } from './timeline.tsx'
import { useVirtual } from './virtual.ts'

/** One session: its words, virtualised, with its prompts on one side and what is known about it on the other. */
export function SessionPage({ uid }: { uid: string }) {
  const outline = useAsked('outline', { id: uid }, { session: uid })
  return <Answer to={outline}>{(asked) => <Reader key={uid} session={asked.doc.session} outline={asked} />}</Answer>
}

interface ReaderProps {
  readonly session: OutlineDoc['session']
  readonly outline: Asked<OutlineDoc>
}

const HEIGHTS: Readonly<Record<string, number>> = {
  assistant_msg: 150,
  user_msg: 110,
  edit: 190,
  thinking: 34,
  tool_call: 34,
}

function Reader({ session, outline }: ReaderProps) {
  const uid = session.session_uid
  const scroller = useRef<HTMLDivElement>(null)
  const [view, setView] = useParam('view', 'all')
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [here, setHere] = useState<number | null>(null)
  const [isFollowing, setFollowing] = useState(false)
  const [shown, setShown] = useState<'' | 'prompts' | 'about'>('')
  const [, draw] = useState(0)
  const store = useMemo(() => new EventStore(uid, () => draw((n) => n + 1)), [uid])
  useEffect(() => () => store.close(), [store])
  const rows = useMemo(() => rowsOf(outline.doc, view as View, open), [outline.doc, view, open])
  const virtual = useVirtual({
    count: rows.length,
    scroller,
    estimate: (i) => HEIGHTS[rows[i]?.kind ?? ''] ?? 40,
    keyOf: (i) => rows[i]?.key ?? String(i),
  })

  const jump = (index: number, align: 'start' | 'center' = 'start') => {
    if (index < 0 || index >= rows.length) return
    setHere(rows[index]?.seq ?? null)
    virtual.scrollToIndex(index, { align })
  }
  const { hash } = usePlace()
  useEffect(() => {
    const pointed = readPointer(hash)
    const seq = pointed === null ? undefined : outline.doc.events.seq.find((one) => pointed.fits(one))
    if (seq === undefined) return
    const thread = outline.doc.events.thread[outline.doc.events.seq.indexOf(seq)] ?? null
    if (thread !== null && !open.has(thread)) setOpen(new Set([...open, thread]))
    const at = rowWith(rows, seq)
    // Rows get their height when they are seen: once more when they have it.
    jump(at, 'center')
    const timer = setTimeout(() => jump(at, 'center'), 120)
    return () => clearTimeout(timer)
  }, [hash, view, open.size])

  const total = outline.doc.total
  useEffect(() => {
    store.forget()
    if (isFollowing) virtual.scrollToIndex(rows.length - 1, { align: 'end' })
  }, [total])

  const troubles = useMemo(() => rows.flatMap(({ trouble }, i) => (trouble === null ? [] : [i])), [rows])
  const current = here === null ? (virtual.getVirtualItems()[0]?.index ?? 0) : rowWith(rows, here)
  useKeys({
    j: () => jump(Math.min(rows.length - 1, current + (here === null ? 0 : 1)), 'center'),
    k: () => jump(Math.max(0, current - 1), 'center'),
    n: () => jump(troubles.find((i) => i > current) ?? -1, 'center'),
    p: () => jump(troubles.findLast((i) => i < current) ?? -1, 'center'),
    g: () => jump(0),
    G: () => jump(rows.length - 1),
    t: () => setView(view === 'all' ? 'talk' : 'all'),
    Enter: () => {
      const summary = scroller.current?.querySelector<HTMLElement>('.event.here summary')
      if (document.activeElement === document.body || document.activeElement === scroller.current) summary?.click()
    },
  })

  const fold = (thread: string) => {
    const next = new Set(open)
    if (!next.delete(thread)) next.add(thread)
    setOpen(next)
  }
  return (
    <div class={`reader show-${shown}`}>
      <ReaderHead session={session} outline={outline} view={view} setView={setView}>
        <button
          type="button"
          class="only-narrow"
          aria-expanded={shown === 'prompts'}
          onClick={() => setShown(shown === 'prompts' ? '' : 'prompts')}
        >
          Prompts
        </button>
        <button
          type="button"
          class="only-middle"
          aria-expanded={shown === 'about'}
          onClick={() => setShown(shown === 'about' ? '' : 'about')}
        >
          About
        </button>
        <button
          type="button"
          aria-pressed={isFollowing}
          title="Stay at the end while it is being written"
          onClick={() => {
            setFollowing(!isFollowing)
            if (!isFollowing) virtual.scrollToIndex(rows.length - 1, { align: 'end' })
          }}
        >
          Follow
        </button>
      </ReaderHead>
      <Prompts outline={outline} onJump={(seq) => (setShown(''), jump(rowWith(rows, seq)))} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
      <div class="reader-text" ref={scroller} tabIndex={0} role="region" aria-label="the session">
        {rows.length === 0 ? <Gone session={session} /> : null}
        <div style={{ height: `${virtual.getTotalSize()}px`, position: 'relative' }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index] as Row
            return (
              <div
                key={item.key}
                ref={(element) => virtual.measureElement(element)}
                data-index={item.index}
                style={{ position: 'absolute', top: 0, left: 0, right: 0, transform: `translateY(${item.start}px)` }}
              >
                <EventRow row={row} session={uid} store={store} isHere={row.seq === here} onFold={fold} />
              </div>
            )
          })}
        </div>
      </div>
      <Timeline rows={rows} current={current} onJump={(i) => jump(i, 'center')} />
      <SessionSide session={session} />
    </div>
  )
}

function Gone({ session }: { session: ReaderProps['session'] }) {
  return (
    <div class="empty">
      <p>
        {session.evicted_at === null
          ? 'Nothing was said in this session.'
          : 'The raw text of this session has gone, to keep the store within its budget. What is known stands beside.'}
      </p>
    </div>
  )
}

interface HeadProps {
  readonly session: ReaderProps['session']
  readonly outline: Asked<OutlineDoc>
  readonly view: string
  readonly setView: (view: string) => void
  readonly children: preact.ComponentChildren
}

function ReaderHead({ session, outline, view, setView, children }: HeadProps) {
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
          <span>
            <N of={outline} at="total" /> events
          </span>
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

function Prompts({ outline, onJump }: { outline: Asked<OutlineDoc>; onJump: (seq: number) => void }) {
  const { turns, session_uid: uid } = outline.doc
  const asked = turns.filter(({ prompt }) => prompt !== null).length
  return (
    <nav class="prompts" aria-label="prompts">
      <h2>{plural(asked, 'prompt')}</h2>
      <ol>
        {turns.map(({ prompt, seq, pointer }, i) =>
          prompt === null || seq === null ? null : (
            <li key={seq}>
              <a
                href={to(`/session/${uid}`, {}, pointer?.slice(1) ?? '')}
                onClick={(event) => {
                  event.preventDefault()
                  go(
                    to(
                      `/session/${uid}`,
                      Object.fromEntries(new URLSearchParams(location.search)),
                      pointer?.slice(1) ?? '',
                    ),
                    'replace',
                  )
                  onJump(seq)
                }}
              >
                {prompt}
              </a>
              <span class="turn-cost">
                <N of={outline} at={`turns.${i}.output`} as="short" /> out,{' '}
                <N of={outline} at={`turns.${i}.usd`} as="usd" />
                <CopyButton text={() => turnMarkdown(outline.doc, i)} what="this turn as Markdown" />
              </span>
            </li>
          ),
        )}
      </ol>
    </nav>
  )
}

const MOST_COPIED = 200

/** What was said in one turn, as Markdown. */
async function turnMarkdown({ events, turns, session_uid: uid }: OutlineDoc, at: number): Promise<string> {
  const { first = 0, events: many = 0 } = turns[at] ?? {}
  const said = events.seq
    .slice(first, first + many)
    .filter((_, i) => ['user_msg', 'assistant_msg'].includes(events.kind[first + i] ?? ''))
    .slice(0, MOST_COPIED)
  const { events: found } = await ask('read', { id: uid, seqs: said, payloads: true })
  const parts = found.filter(({ human, role }) => human || role === 'assistant')
  return parts.map(({ role, payload }) => `**${role === 'user' ? 'User' : 'Agent'}**: ${payload ?? ''}`).join('\n\n')
}
