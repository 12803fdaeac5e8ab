import { useEffect, useRef, useState } from 'preact/hooks'
import type { OperationName } from '../../operations/index.ts'
import { addressOf, askPage, ProblemError, type Doc, type Input, type Problem } from './api.ts'
import { useChanges, type Asked, type Asking, type Options } from './asked.ts'

/** A list, page by page as far as it has been asked for. */
export interface Listing<D> extends Asking<D> {
  readonly pages: readonly Asked<D>[]
  readonly hasMore: boolean
  readonly more: () => void
}

interface Pages<D> {
  readonly pages: readonly Asked<D>[]
  readonly hasMore: boolean
}

const MOST_KEPT = 30
const keptPages = new Map<string, Pages<unknown>>()

/** Asks an operation for the first `size` rows of its list, for as many again whenever more are wanted, and for all of them again when the store has changed. */
export function useList<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  size: number,
  { session, isOff = false }: Options = {},
): Listing<Doc<Name>> {
  type Doc1 = Doc<Name>
  const address = addressOf(name, { ...input, limit: size })
  const known = keptPages.get(address) as Pages<Doc1> | undefined
  const [state, setState] = useState<{
    of: string
    found: Pages<Doc1> | null
    problem: Problem | null
    isLoading: boolean
  }>({ of: address, found: known ?? null, problem: null, isLoading: true })
  const [times, setTimes] = useState(0)
  const again = () => setTimes((n) => n + 1)
  const [wanted, setWanted] = useState({ of: address, pages: known?.pages.length ?? 1 })
  const pages = wanted.of === address ? wanted.pages : (known?.pages.length ?? 1)
  const loaded = useRef({ of: '', times: -1 })

  useEffect(() => {
    if (isOff) return
    const gone = new AbortController()
    const isMore = loaded.current.of === address && loaded.current.times === times
    const load = async () => {
      const found: Asked<Doc1>[] = isMore ? ([...(keptPages.get(address)?.pages ?? [])] as Asked<Doc1>[]) : []
      let hasMore = true
      while (hasMore && found.length < pages) {
        const offset = found.length * size
        const asked = { ...input, limit: size, ...(offset === 0 ? {} : { offset }) }
        const answer = await askPage(name, asked, gone.signal)
        found.push({ address: addressOf(name, asked), doc: answer.doc })
        hasMore = answer.hasMore
      }
      loaded.current = { of: address, times }
      if (keptPages.size >= MOST_KEPT) keptPages.clear()
      keptPages.set(address, { pages: found, hasMore })
      setState({ of: address, found: { pages: found, hasMore }, problem: null, isLoading: false })
    }
    setState((old) => ({ of: address, found: known ?? old.found, problem: null, isLoading: true }))
    load().catch((error: unknown) => {
      if (gone.signal.aborted) return
      if (!(error instanceof ProblemError)) throw error
      setState((old) => ({ ...old, problem: error.problem, isLoading: false }))
    })
    return () => gone.abort()
  }, [address, times, pages, isOff])
  useChanges(again, address, session)

  const found = state.found
  return {
    asked: found?.pages[0] ?? null,
    pages: found?.pages ?? [],
    hasMore: found?.hasMore === true,
    problem: state.problem,
    isLoading: state.isLoading,
    again,
    more: () => {
      if (!state.isLoading && state.of === address) setWanted({ of: address, pages: (found?.pages.length ?? 0) + 1 })
    },
  }
}

/** The rows of all pages, each with the page that it stands on and its place there. */
export function rowsIn<D, Row>(
  pages: readonly Asked<D>[],
  rows: (doc: D) => readonly Row[],
): { readonly row: Row; readonly i: number; readonly asked: Asked<D> }[] {
  return pages.flatMap((asked) => rows(asked.doc).map((row, i) => ({ row, i, asked })))
}
