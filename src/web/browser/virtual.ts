import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useReducer, useState } from 'preact/hooks'

/** By then rows that came into view have their height: whoever was sent to one is sent once more. */
export const SETTLED_MS = 120

interface VirtualOptions {
  readonly count: number
  readonly scroller: RefObject<HTMLElement | null>
  readonly estimate: (index: number) => number
  readonly keyOf: (index: number) => string
}

/** Only the rows in view, and a few around them, are in the page. */
export function useVirtual({
  count,
  scroller,
  estimate,
  keyOf,
}: VirtualOptions): Virtualizer<HTMLElement, HTMLElement> {
  const [, draw] = useReducer<number, void>((n) => n + 1, 0)
  const [virtual] = useState(
    () =>
      new Virtualizer<HTMLElement, HTMLElement>({
        count,
        getScrollElement: () => scroller.current,
        estimateSize: estimate,
        getItemKey: keyOf,
        overscan: 4,
        observeElementRect,
        observeElementOffset,
        scrollToFn: elementScroll,
        onChange: () => draw(),
      }),
  )
  virtual.setOptions({ ...virtual.options, count, estimateSize: estimate, getItemKey: keyOf, onChange: () => draw() })
  useEffect(() => virtual._didMount(), [])
  useLayoutEffect(() => virtual._willUpdate())
  return virtual
}
