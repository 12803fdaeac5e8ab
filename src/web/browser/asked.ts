import { useEffect, useState } from 'preact/hooks'
import type { OperationName } from '../../operations/index.ts'
import { addressOf, ask, onChanges, ProblemError, type Doc, type Input, type Problem } from './api.ts'

/** A document and the question it answers. */
export interface Asked<D = unknown> {
  readonly address: string
  readonly doc: D
}

export interface Asking<D> {
  /** The last that came; of the question before while the next is on its way. */
  readonly asked: Asked<D> | null
  readonly problem: Problem | null
  readonly isLoading: boolean
  readonly again: () => void
}

/** What follows one session does so at once; sums of all of them may rest. */
const REST_MS = { session: 500, sums: 2500 }
const MOST_KEPT = 60
const kept = new Map<string, Asked>()

export interface Options {
  /** Asks again only when this session changes. */
  readonly session?: string
  /** Not asked at all yet. */
  readonly isOff?: boolean
}

/** Asks an operation, and again when the store has changed. */
export function useAsked<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  { session, isOff = false }: Options = {},
): Asking<Doc<Name>> {
  const address = addressOf(name, input as object)
  const [state, setState] = useState<{ asked: Asked<Doc<Name>> | null; problem: Problem | null; isLoading: boolean }>({
    asked: (kept.get(address) as Asked<Doc<Name>> | undefined) ?? null,
    problem: null,
    isLoading: true,
  })
  const [times, setTimes] = useState(0)
  const again = () => setTimes((n) => n + 1)

  useEffect(() => {
    if (isOff) return
    const gone = new AbortController()
    const before = kept.get(address) as Asked<Doc<Name>> | undefined
    setState((old) => ({ asked: before ?? old.asked, problem: null, isLoading: true }))
    ask(name, input, gone.signal).then(
      (doc) => {
        const asked = { address, doc }
        if (kept.size >= MOST_KEPT) kept.clear()
        kept.set(address, asked)
        setState({ asked, problem: null, isLoading: false })
      },
      (error: unknown) => {
        if (gone.signal.aborted) return
        if (!(error instanceof ProblemError)) throw error
        setState((old) => ({ asked: old.asked, problem: error.problem, isLoading: false }))
      },
    )
    return () => gone.abort()
  }, [address, times, isOff])

  useChanges(again, address, session)
  return { ...state, again }
}

/** Calls when the store has changed, or this session in it; not for every change of many. */
export function useChanges(again: () => void, address: string, session: string | undefined): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = onChanges((changes) => {
      const isOurs = session === undefined || changes === null || changes.some((one) => one.session_uid === session)
      const rest = session === undefined ? REST_MS.sums : REST_MS.session
      if (isOurs) timer ??= setTimeout(() => ((timer = undefined), again()), rest)
    })
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [address, session])
}
