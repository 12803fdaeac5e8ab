import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { readPointer } from '../../model/pointers.ts'
import { useAsked, type Asked } from './asked.ts'
import { EventRow } from './event-row.tsx'
import { EventStore } from './event-store.ts'
import { Answer, CopyButton } from './figures.tsx'
import { useKeys } from './keys.ts'
import { Prompts } from './prompts.tsx'
import { ReaderHead } from './reader-head.tsx'
import { rowsOf, rowWith, type OutlineDoc, type Row, type View } from './reader-rows.ts'
import { useNames, useParam, usePlace } from './router.ts'
import { sessionMarkdown } from './session-markdown.ts'
import { SessionSide } from './session-side.tsx'
import { Timeline } from './timeline.tsx'
import { SETTLED_MS, useVirtual } from './virtual.ts'

/** What is asked for at first, so that a long session can be read at once. */
const FIRST_EVENTS = 200

/** One session: its words, virtualised, with its prompts on one side and what is known about it on the other. */
export function SessionPage({ uid }: { uid: string }) {
  const { hash, query } = usePlace()
  const [at] = useState(() => (/^\d+$/.test(hash) ? hash : query.has('follow') ? 'end' : undefined))
  const [isShown, setShown] = useState(false)
  const first = useAsked('outline', { id: uid, part: FIRST_EVENTS, at }, { session: uid })
  const part = first.asked?.doc
  const isEnough = part === undefined || part.whole || !(isShown || part.events.seq.length === 0)
  const all = useAsked('outline', { id: uid }, { session: uid, isOff: isEnough })
  const outline = part?.whole === false && all.asked !== null ? all : first
  return (
    <Answer to={outline}>
      {(asked) => <Reader key={uid} outline={asked} isShown={isShown} onShown={() => setShown(true)} />}
    </Answer>
  )
}

interface ReaderProps {
  readonly outline: Asked<OutlineDoc>
  /** Whether there are words to read: what is beside them waits until then. */
  readonly isShown: boolean
  readonly onShown: () => void
}

const HEIGHTS: Readonly<Record<string, number>> = {
  assistant_msg: 150,
  user_msg: 110,
  edit: 190,
  thinking: 34,
  tool_call: 34,
}

function Reader({ outline, isShown, onShown }: ReaderProps) {
  const { session, whole, total } = outline.doc
  const uid = session.session_uid
  const scroller = useRef<HTMLDivElement>(null)
  const [view, setView] = useParam('view', 'all')
  const [follow, setFollow] = useParam('follow', '')
  const [open, fold] = useNames('open')
  const [turned, turn] = useNames('turned')
  const [here, setHere] = useState<number | null>(null)
  // What stands before the text where there is no room beside it.
  const [beside, setBeside] = useParam('beside', '')
  const [, draw] = useState(0)
  const store = useMemo(() => new EventStore(uid, () => (onShown(), draw((n) => n + 1))), [uid])
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
    if (thread !== null && !open.has(thread)) fold(thread)
    const at = rowWith(rows, seq)
    // Rows get their height when they are seen: once more when they have it.
    jump(at, 'center')
    const timer = setTimeout(() => jump(at, 'center'), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [hash, view, open.size, whole])

  const toEnd = () => virtual.scrollToIndex(rows.length - 1, { align: 'end' })
  const known = useRef({ whole, total })
  // Somebody went to the end before it was known where that is.
  const wantsEnd = useRef(false)
  useEffect(() => {
    // Of what came first in part nothing has changed when the rest comes.
    if (known.current.whole && known.current.total !== total) store.forget()
    known.current = { whole, total }
    if (follow !== '') toEnd()
    else if (whole && wantsEnd.current) {
      jump(rows.length - 1)
      const timer = setTimeout(() => jump(rows.length - 1), SETTLED_MS)
      return () => clearTimeout(timer)
    }
    return undefined
  }, [total, whole])

  const troubles = useMemo(() => rows.flatMap(({ trouble }, i) => (trouble === null ? [] : [i])), [rows])
  const current = here === null ? (virtual.getVirtualItems()[0]?.index ?? 0) : rowWith(rows, here)
  useKeys({
    j: () => jump(Math.min(rows.length - 1, current + (here === null ? 0 : 1)), 'center'),
    k: () => jump(Math.max(0, current - 1), 'center'),
    n: () => jump(troubles.find((i) => i > current) ?? -1, 'center'),
    p: () => jump(troubles.findLast((i) => i < current) ?? -1, 'center'),
    g: () => {
      wantsEnd.current = false
      jump(0)
    },
    G: () => {
      wantsEnd.current = !whole
      jump(rows.length - 1)
    },
    t: () => setView(view === 'all' ? 'talk' : 'all'),
    Enter: () => {
      const summary = scroller.current?.querySelector<HTMLElement>('.event.here summary')
      if (document.activeElement === document.body || document.activeElement === scroller.current) summary?.click()
    },
  })

  return (
    <div class={`reader show-${beside}`}>
      <ReaderHead outline={outline} view={view} setView={setView}>
        <button
          type="button"
          class="only-narrow"
          aria-expanded={beside === 'prompts'}
          onClick={() => setBeside(beside === 'prompts' ? '' : 'prompts')}
        >
          Prompts
        </button>
        <button
          type="button"
          class="only-middle"
          aria-expanded={beside === 'about'}
          onClick={() => setBeside(beside === 'about' ? '' : 'about')}
        >
          About
        </button>
        <button
          type="button"
          aria-pressed={follow !== ''}
          title="Stay at the end while it is being written"
          onClick={() => {
            setFollow(follow === '' ? '1' : '')
            if (follow === '') toEnd()
          }}
        >
          Follow
        </button>
        {whole ? (
          <CopyButton text={() => sessionMarkdown(outline.doc)} what="talk as Markdown" label="Copy talk" />
        ) : null}
      </ReaderHead>
      <Prompts
        outline={outline}
        current={rows[Math.max(0, current)]?.at ?? 0}
        onJump={(seq) => (setBeside(''), jump(rowWith(rows, seq)))}
      />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
      <div class="reader-text" ref={scroller} tabIndex={0} role="region" aria-label="the session">
        {rows.length === 0 && whole ? <Gone session={session} /> : null}
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
                <EventRow
                  row={row}
                  session={uid}
                  store={store}
                  isHere={row.seq === here}
                  isTurned={turned.has(row.key)}
                  onTurn={() => turn(row.key)}
                  onFold={fold}
                />
              </div>
            )
          })}
        </div>
      </div>
      {whole ? (
        <Timeline rows={rows} current={current} onJump={(i) => jump(i, 'center')} />
      ) : (
        <aside class="timeline" aria-busy="true" />
      )}
      {isShown || whole ? <SessionSide session={session} /> : <aside class="side" aria-busy="true" />}
    </div>
  )
}

function Gone({ session }: { session: OutlineDoc['session'] }) {
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
