import { useMemo } from 'preact/hooks'
import { plural } from './format.ts'
import type { Row } from './reader-rows.ts'

type Trouble = NonNullable<Row['trouble']>

const NAMES: Readonly<Record<Trouble, readonly [string, string]>> = {
  error: ['error', 'errors'],
  denied: ['denial', 'denials'],
  retry: ['retry', 'retries'],
  intervention: ['intervention', 'interventions'],
  interrupted: ['interruption', 'interruptions'],
  compacted: ['compaction', 'compactions'],
}

/** More marks than a strip has pixels say nothing more. */
const STEPS = 400

interface TimelineProps {
  readonly rows: readonly Row[]
  /** The row that is looked at. */
  readonly current: number
  readonly onJump: (index: number) => void
}

/** What went wrong, where: a strip beside the text, and for each kind a button that goes on to the next. */
export function Timeline({ rows, current, onJump }: TimelineProps) {
  const troubles = useMemo(() => {
    const found = new Map<Trouble, number[]>()
    rows.forEach(({ trouble }, i) => {
      if (trouble !== null) found.set(trouble, [...(found.get(trouble) ?? []), i])
    })
    return found
  }, [rows])
  const marks = useMemo(() => {
    const known = new Set<string>()
    return [...troubles].flatMap(([trouble, all]) =>
      all.flatMap((index) => {
        const y = Math.round((STEPS * index) / Math.max(1, rows.length - 1))
        if (known.has(`${trouble} ${y}`)) return []
        known.add(`${trouble} ${y}`)
        return [{ trouble, y }]
      }),
    )
  }, [troubles, rows.length])
  const prompts = useMemo(
    () =>
      rows.flatMap(({ kind, role, depth }, i) => (kind === 'user_msg' && role === 'user' && depth === 0 ? [i] : [])),
    [rows],
  )
  const click = (event: MouseEvent) => {
    const { top, height } = (event.currentTarget as Element).getBoundingClientRect()
    onJump(Math.round(((event.clientY - top) / height) * (rows.length - 1)))
  }
  return (
    <aside class="timeline" aria-label="what went wrong, where">
      {/* The buttons below do the same by keyboard. */}
      <svg viewBox={`0 0 20 ${STEPS}`} preserveAspectRatio="none" aria-hidden="true" onClick={click}>
        {prompts.slice(0, STEPS).map((i) => (
          <line key={i} x1="0" x2="5" y1={place(i, rows.length)} y2={place(i, rows.length)} class="prompt-mark" />
        ))}
        {marks.map(({ trouble, y }) => (
          <rect key={`${trouble} ${y}`} x="7" width="13" y={y - 1} height="2.4" class={trouble} />
        ))}
        <rect class="current" x="0" width="20" y={place(Math.max(0, current), rows.length) - 2} height="4" />
      </svg>
      <div class="marks">
        {[...troubles].map(([trouble, all]) => (
          <button
            key={trouble}
            type="button"
            class={trouble}
            title={`${plural(all.length, ...NAMES[trouble])}: go to the next`}
            onClick={() => onJump(all.find((i) => i > current) ?? all[0] ?? 0)}
          >
            {all.length}
            <span> {NAMES[trouble][all.length === 1 ? 0 : 1]}</span>
          </button>
        ))}
      </div>
    </aside>
  )
}

function place(index: number, rows: number): number {
  return (STEPS * index) / Math.max(1, rows - 1)
}
