import { useEffect } from 'preact/hooks'

type Keys = Readonly<Record<string, () => void>>

/** Single keys, where nobody is writing. */
export function useKeys(keys: Keys): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isWriting(event.target)) return
      if (document.querySelector('dialog[open]') !== null) return
      const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined
      if (act === undefined) return
      if (event.key !== 'Enter') event.preventDefault()
      act()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
