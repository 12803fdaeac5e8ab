import { useEffect, useMemo, useState } from 'preact/hooks'
import { base } from './api.ts'

/** Where the page is: everything that can be seen has an address of its own. */
export interface Place {
  /** Below the base, e.g. `/search`. */
  readonly path: string
  readonly query: URLSearchParams
  /** Without its `#`. */
  readonly hash: string
}

const MOVED = 'recall:moved'

function here(): Place {
  const path = decodeURIComponent(location.pathname.slice(base.length)) || '/'
  return { path, query: new URLSearchParams(location.search), hash: decodeURIComponent(location.hash.slice(1)) }
}

export function usePlace(): Place {
  const [place, setPlace] = useState(here)
  useEffect(() => {
    const look = () => setPlace(here())
    addEventListener('popstate', look)
    addEventListener('hashchange', look)
    addEventListener(MOVED, look)
    return () => {
      removeEventListener('popstate', look)
      removeEventListener('hashchange', look)
      removeEventListener(MOVED, look)
    }
  }, [])
  return place
}

/** An address below the base. */
export function to(path: string, query: Readonly<Record<string, string | undefined>> = {}, hash = ''): string {
  const given = Object.entries(query).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '',
  )
  const words = new URLSearchParams(given).toString()
  const escaped = path.split('/').map(encodeURIComponent).join('/').replaceAll('%3A', ':')
  return `${base}${escaped}${words === '' ? '' : `?${words}`}${hash === '' ? '' : `#${hash}`}`
}

export function go(address: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', address)
  else history.replaceState(null, '', address)
  dispatchEvent(new Event(MOVED))
}

/** Follows links within the page without loading it again. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null || link.target !== '' || link.origin !== location.origin || link.dataset['load'] !== undefined)
      return
    event.preventDefault()
    const isElsewhere = link.pathname !== location.pathname
    go(link.href)
    if (isElsewhere) document.querySelector('main')?.scrollTo(0, 0)
  })
}

/** One value of the query, and how to set it. */
export function useParam(name: string, usual: string): readonly [string, (value: string) => void] {
  const { query } = usePlace()
  const set = (value: string) => {
    const url = new URL(location.href)
    if (value === usual || value === '') url.searchParams.delete(name)
    else url.searchParams.set(name, value)
    go(url.href, 'replace')
  }
  return [query.get(name) ?? usual, set]
}

/** An address has room for so many. */
const MOST_NAMES = 40

/** A set of names in the query, and how to put one in or take it out. */
export function useNames(name: string): readonly [ReadonlySet<string>, (one: string) => void] {
  const { query } = usePlace()
  const all = query.getAll(name)
  const names = useMemo(() => new Set(all), [all.join('\n')])
  const turn = (one: string) => {
    const url = new URL(location.href)
    const next = new Set(url.searchParams.getAll(name))
    if (!next.delete(one)) next.add(one)
    url.searchParams.delete(name)
    for (const each of [...next].slice(-MOST_NAMES)) url.searchParams.append(name, each)
    go(url.href, 'replace')
  }
  return [names, turn]
}
