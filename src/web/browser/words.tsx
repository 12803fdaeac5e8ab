import { useEffect, useState } from 'preact/hooks'
import { firstChars } from '../../model/first-chars.ts'
import { ask } from './api.ts'
import { plural } from './format.ts'
import type { Checked } from './rich.ts'

type Rich = typeof import('./rich.ts')
let rich: Rich | null = null

/** What makes Markdown, code and diffs, loaded with the first session. */
export function useRich(): Rich | null {
  const [loaded, setLoaded] = useState(rich)
  useEffect(() => {
    if (rich === null) void import('./rich.ts').then((all) => setLoaded((rich = all)))
  }, [])
  return loaded
}

/** So much of a text is put into the page at once, whichever is less. */
export const PART_CHARS = 8_000
const PART_LINES = 72

/** The part of a text that is shown, never more than a part at once. */
function partOf(text: string, parts: number): string {
  const chars = firstChars(text, PART_CHARS * parts)
  let end = -1
  for (let lines = 0; lines < PART_LINES * parts; lines++) {
    const next = chars.indexOf('\n', end + 1)
    if (next === -1) return chars
    end = next
  }
  return chars.slice(0, end)
}

interface WordsProps {
  /** As much of it as has come. */
  readonly text: string
  /** How long it is. */
  readonly total: number
  /** What the whole of it is called: `blob://…`. */
  readonly reference: string | null
  /** How it looks; plain without. */
  readonly as?: (text: string, rich: Rich) => Checked
}

/** A text in parts: the first at once, the others when they are asked for. What is left out is always said. */
export function Words({ text, total, reference, as }: WordsProps) {
  const made = useRich()
  const [parts, setParts] = useState(1)
  const [more, setMore] = useState('')
  const [isComing, setComing] = useState(false)
  const known = text + more
  const shown = partOf(known, parts)
  const left = Math.max(total, known.length) - shown.length
  const goOn = async () => {
    if (known.length < Math.min(total, PART_CHARS * (parts + 1)) && reference !== null) {
      setComing(true)
      try {
        const { text: next } = await ask('payload', {
          payload_ref: reference,
          from: known.length,
          chars: PART_CHARS * 4,
        })
        setMore(more + next)
      } finally {
        setComing(false)
      }
    }
    setParts(parts + 1)
  }
  return (
    <div class="words">
      {made === null || as === undefined ? (
        <pre class={as === undefined ? 'plain-text' : 'plain-text soon'}>{shown}</pre>
      ) : (
        <div class="rich" dangerouslySetInnerHTML={as(shown, made)} />
      )}
      {left > 0 ? (
        <button type="button" class="more" disabled={isComing} onClick={goOn}>
          {isComing
            ? 'reading…'
            : `Show more: ${plural(left, 'character')} of ${plural(Math.max(total, known.length), 'character')} left out`}
        </button>
      ) : null}
    </div>
  )
}
