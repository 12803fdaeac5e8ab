import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Asked } from './asked.ts'
import { CopyButton, N } from './figures.tsx'
import { plural } from './format.ts'
import type { OutlineDoc } from './reader-rows.ts'
import { go, to, useParam } from './router.ts'
import { turnMarkdown } from './session-markdown.ts'
import { SETTLED_MS, useVirtual } from './virtual.ts'

/** Fewer can be looked through. */
const FILTERED_FROM = 20
const ROW_HEIGHT = 72

interface PromptsProps {
  readonly outline: Asked<OutlineDoc>
  /** The event that is looked at, by its place among all. */
  readonly current: number
  readonly onJump: (seq: number) => void
}

/** What was asked, to jump by; only what is in view is in the page. */
export function Prompts({ outline, current, onJump }: PromptsProps) {
  const { turns, session_uid: uid, whole } = outline.doc
  const scroller = useRef<HTMLElement>(null)
  const [wanted, setWanted] = useParam('prompt', '')
  const asked = useMemo(() => turns.flatMap(({ prompt }, i) => (prompt === null ? [] : [i])), [turns])
  const shown = useMemo(() => {
    const words = wanted.toLowerCase().trim()
    return words === '' ? asked : asked.filter((i) => turns[i]?.prompt?.toLowerCase().includes(words))
  }, [asked, wanted])
  const here = asked.findLast((i) => (turns[i]?.first ?? 0) <= current) ?? -1
  const virtual = useVirtual({
    count: shown.length,
    scroller,
    estimate: () => ROW_HEIGHT,
    keyOf: (i) => String(shown[i]),
  })
  useEffect(() => {
    const at = shown.indexOf(here)
    if (at === -1 || scroller.current?.contains(document.activeElement) === true) return
    virtual.scrollToIndex(at)
    const timer = setTimeout(() => virtual.scrollToIndex(at), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [here, asked.length])
  const jump = (event: MouseEvent, seq: number, pointer: string) => {
    event.preventDefault()
    go(to(`/session/${uid}`, Object.fromEntries(new URLSearchParams(location.search)), pointer), 'replace')
    onJump(seq)
  }
  return (
    <nav class="prompts" aria-label="prompts" ref={scroller}>
      <header>
        <h2>{whole ? plural(asked.length, 'prompt') : 'Prompts'}</h2>
        {asked.length < FILTERED_FROM ? null : (
          <input
            type="search"
            placeholder="Find a prompt"
            aria-label="find a prompt"
            value={wanted}
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
        )}
      </header>
      <ol style={{ height: `${virtual.getTotalSize()}px` }}>
        {virtual.getVirtualItems().map((item) => {
          const i = shown[item.index] ?? 0
          const { prompt = '', seq = 0, pointer } = turns[i] ?? {}
          const place = pointer?.slice(1) ?? ''
          return (
            <li
              key={item.key}
              ref={(element) => virtual.measureElement(element)}
              data-index={item.index}
              aria-setsize={shown.length}
              aria-posinset={item.index + 1}
              class={i === here ? 'current' : undefined}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <a
                href={to(`/session/${uid}`, {}, place)}
                aria-current={i === here ? 'true' : undefined}
                onClick={(event) => jump(event, seq ?? 0, place)}
              >
                {prompt}
              </a>
              <span class="turn-cost">
                <N of={outline} at={`turns.${i}.output`} as="short" /> out,{' '}
                <N of={outline} at={`turns.${i}.usd`} as="usd" />
                <CopyButton text={() => turnMarkdown(outline.doc, i)} what="this turn as Markdown" />
              </span>
            </li>
          )
        })}
      </ol>
      {shown.length === 0 && whole ? (
        <p class="dim">{wanted === '' ? 'Nobody asked.' : 'No prompt has these words.'}</p>
      ) : null}
    </nav>
  )
}
